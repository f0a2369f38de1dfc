/* Supervisors side by side. Each is a copy of this process, and leaves its result in memory that
 * both see; the test processes, which are programs of their own, do not. */
#define _GNU_SOURCE
#include "side_by_side.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limits.h"
#include "report.h"

enum {
    CANNOT_START = 1, /* how a judge ends that could not be one */
    ALARM_S = 20, /* a turn of the loop takes milliseconds, unless somebody stops this process */
};

struct judging {
    pid_t judges[TASKS_MAX]; /* 0: not started, or done */
    struct grading *alone;   /* one for each record */
    size_t started, running;
};

static size_t processors(void)
{
    cpu_set_t usable;

    return sched_getaffinity(0, sizeof usable, &usable) == 0 ? (size_t)CPU_COUNT(&usable) : 1;
}

static size_t judges_at_once(size_t tasks)
{
    const size_t most = processors();
    return share_memory(most < tasks ? most : tasks);
}

/* What a judge prints would stand between the lines of the report. */
static void be_quiet(void)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (nothing >= 0)
        dup2(nothing, STDOUT_FILENO);
}

_Noreturn static void be_judge(struct grading *alone, judge_function *judge, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before that */
        _exit(CANNOT_START);
    be_quiet();
    if (!become_supervisor())
        _exit(CANNOT_START);
    judge(alone);
    _exit(0);
}

static void take_result(struct grading *grading, size_t index, const struct grading *alone)
{
    struct record *record = &grading->records[index];

    *record = alone->records[0];
    record->output = memcpy(grading->outputs[index], alone->outputs[0], sizeof alone->outputs[0]);
}

static void start_judge(struct judging *judging, struct grading *grading, judge_function *judge)
{
    const size_t index = judging->started++;
    struct grading *alone = &judging->alone[index];

    report_progress("judging", grading->records[index].task->id);
    alone->facts = grading->facts;
    alone->records[0] = grading->records[index];
    alone->count = 1;
    fflush(NULL);
    const pid_t parent = getpid(), process = fork();
    if (process == 0)
        be_judge(alone, judge, parent);
    if (process > 0) {
        judging->judges[index] = process;
        judging->running++;
    } else {
        set_verdict(&grading->records[index].outcome, GRADER_FAULT, "cannot-start");
    }
}

static void note_loss(struct outcome *outcome)
{
    set_verdict(outcome, EXITED, "killed-the-grader");
    snprintf(outcome->first, sizeof outcome->first, "the process that judges it is gone");
}

/* Orphans of a judge that somebody killed come here as well, and are no judges. */
static void note_end(struct judging *judging, struct grading *grading, pid_t ended, int status)
{
    for (size_t i = 0; i < judging->started; i++) {
        if (judging->judges[i] != ended)
            continue;
        judging->judges[i] = 0;
        judging->running--;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            take_result(grading, i, &judging->alone[i]);
        else if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_START)
            set_verdict(&grading->records[i].outcome, GRADER_FAULT, "cannot-start");
        else
            note_loss(&grading->records[i].outcome);
    }
}

void judge_side_by_side(
    struct grading *grading, judge_function *judge, void (*decided)(struct grading *grading))
{
    const size_t most = judges_at_once(grading->count), bytes = grading->count * sizeof *grading;
    struct judging judging = {
        .alone = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    int status;

    if (judging.alone == MAP_FAILED) {
        for (size_t i = 0; i < grading->count; i++)
            set_verdict(&grading->records[i].outcome, GRADER_FAULT, "cannot-start");
        return;
    }
    while (judging.running > 0 || judging.started < grading->count) {
        if (judging.running < most && judging.started < grading->count) {
            start_judge(&judging, grading, judge);
            continue;
        }
        set_alarm(ALARM_S);
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended <= 0)
            poll(NULL, 0, 5);
        set_alarm(0);    /* printing may take as long as the reader likes */
        stop_if_asked(); /* the judges were asked as well: their ends mean nothing */
        if (ended > 0) {
            note_end(&judging, grading, ended, status);
            decided(grading);
        }
    }
    end_family();
    munmap(judging.alone, bytes);
}
