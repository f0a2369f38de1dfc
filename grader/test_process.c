/* Starting, watching and clearing away the processes of one test.
 *
 *     supervisor ── runner (Criterion) ── test process ── whatever the candidate forks
 *
 * The candidate may kill its parents up to the runner, close its streams, print without end,
 * leave children behind: the supervisor waits on descriptors and a clock, never on good behaviour. */
#define _GNU_SOURCE
#include "test_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "family.h"
#include "runner.h"
#include "settings.h"
#include "watch.h"

enum {
    GRACE_S = 3,       /* for Criterion to enforce its own time limit first */
    CLEAR_AWAY_S = 10, /* until the processes of a test are gone */
    ALARM_S = 5,       /* beyond all of these, for a supervisor that somebody stopped */
};

/* For processes that are about to end: on a busy machine one outlives the runner that it reported to. */
static const double ending_s = 0.2;

static int channel = -1, key_requests = -1;
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number)
{
    interrupted = signal_number;
}

bool become_supervisor(void)
{
    const struct sigaction on_interrupt = {.sa_handler = note_interrupt};

    channel = channel_listen(&key_requests);
    sigaction(SIGINT, &on_interrupt, NULL);
    sigaction(SIGTERM, &on_interrupt, NULL);
    sigaction(SIGHUP, &on_interrupt, NULL);
    signal(SIGTSTP, SIG_IGN); /* stopped by its terminal it could not keep the time */
    return channel >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of the time of a test, that one launch on the virtual GPU may take. */
static const double LAUNCH_SHARE = 0.7;

/* What the runner and all below it do without: the supervisor's signal handlers, knowledge of the
 * files that hold results, core dumps. */
static void restrain(double limit_s)
{
    char launch_s[32];
    static const char *private_settings[] = {"RESULTS", "SUMMARY", "HINTS", "STUDENT", "SHA256"};

    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGTSTP, SIG_DFL);
    for (size_t i = 0; i < sizeof private_settings / sizeof private_settings[0]; i++)
        set_setting(private_settings[i], "");
    setenv("VGPU_REPORT", "none", 1); /* its findings reach the student as verdicts */
    unsetenv("VGPU_CHECKS");          /* a grading always checks */
    /* The virtual GPU ends an endless kernel before Criterion ends the test, and names its line. */
    snprintf(launch_s, sizeof launch_s, "%.1f", LAUNCH_SHARE * limit_s);
    setenv("VGPU_LAUNCH_S", launch_s, 1);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static pid_t start_runner(const char *suite, const char *name, double limit_s, int *output)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    fflush(NULL);
    pid_t runner = fork();
    if (runner == 0) {
        restrain(limit_s);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setsid(); /* a group of its own, and no terminal to write to or to type at */
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        channel_connect_runner();
        run_one_test(suite, name, limit_s);
    }
    close(ends[1]);
    *output = ends[0];
    fcntl(*output, F_SETFL, O_NONBLOCK);
    return runner;
}

/* A terminal must not obey what a candidate prints: it could erase the verdict and draw another. */
static char harmless(const struct test_run *run, unsigned char byte)
{
    const size_t kept = run->output_bytes;
    const bool c1 = byte >= 0x80 && byte < 0xa0 && kept > 0 &&
                    (unsigned char)run->output[kept - 1] == 0xc2; /* U+0080 to U+009F */

    if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7f && !c1))
        return (char)byte;
    return '.';
}

/* Reads some of what the test printed, keeps the beginning, counts the rest. A turn takes a bounded
 * amount of either, so that no flood keeps the supervisor from its clock. */
static void drain_output(int output, struct test_run *run)
{
    char block[4096];
    ssize_t got;

    for (int turn = 0; turn < 16 && (got = read(output, block, sizeof block)) > 0; turn++)
        for (ssize_t i = 0; i < got; i++, run->output_bytes++)
            if (run->output_bytes < OUTPUT_KEPT_BYTES)
                run->output[run->output_bytes] = harmless(run, (unsigned char)block[i]);
}

static void take_message(
    const struct message *message, struct test_run *run, message_handler *handle, void *context)
{
    switch ((enum message_kind)message->kind) {
    case MESSAGE_CASE:
        snprintf(run->last_case, sizeof run->last_case, "%.*s", (int)message->bytes,
            (const char *)message->payload);
        break;
    case MESSAGE_FINISHED:
        run->finished = true;
        break;
    case MESSAGE_AUDIT:
        run->audited = message->bytes == sizeof run->audit;
        memcpy(&run->audit, message->payload, sizeof run->audit);
        break;
    case MESSAGE_OUTCOME:
    case MESSAGE_SPEED:
        handle(context, message);
        break;
    }
}

static void drain_messages(struct test_run *run, message_handler *handle, void *context)
{
    static struct message message;
    enum received received;

    for (int turn = 0; turn < 64; turn++) {
        received = channel_receive(channel, &message);
        if (received == RECEIVED_NOTHING)
            return;
        if (received == RECEIVED_MESSAGE)
            take_message(&message, run, handle, context);
    }
}

/* Reaps until no descendant is left: each death hands its children to us. What lives on for longer
 * than `patience_s` is killed, and counts as left behind. */
static void clear_away(pid_t runner, double patience_s, struct test_run *run)
{
    const double start_s = now_s();
    bool killing = false;

    while (now_s() < start_s + CLEAR_AWAY_S) {
        pid_t reaped = waitpid(-1, NULL, WNOHANG);
        if (reaped < 0 && errno == ECHILD)
            return;
        if (reaped > 0) {
            run->leftovers += killing && reaped != runner;
            continue;
        }
        killing = killing || now_s() >= start_s + patience_s;
        if (killing)
            family_kill();
        poll(NULL, 0, 5);
    }
    fprintf(stderr, "Processes that the candidate started could not be ended: look with ps.\n");
}

/* Waits for news of the test, at most 20 ms. A pipe that has ended would end every wait at once. */
static void wait_for_news(int output, bool *output_ended)
{
    struct pollfd ready[] = {{channel, POLLIN, 0}, {key_requests, POLLIN, 0}, {output, POLLIN, 0}};

    poll(ready, *output_ended ? 2 : 3, 20);
    *output_ended = *output_ended || (ready[2].revents & (POLLHUP | POLLIN)) == POLLHUP;
}

/* A zombie's death is seen here; it is reaped only after its messages were read. */
static bool has_died(pid_t process)
{
    siginfo_t death = {0};
    return waitid(P_PID, (id_t)process, &death, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           death.si_pid != 0;
}

void set_alarm(double seconds)
{
    static timer_t timer;
    static pid_t owner; /* a copy of this process has no timers */
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};

    if (owner != getpid() && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        owner = getpid();
    if (owner == getpid())
        timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_sec = (time_t)seconds}, NULL);
}

void end_family(void)
{
    struct test_run ended = {0};
    clear_away(-1, 0.0, &ended);
}

void stop_if_asked(void)
{
    if (!interrupted)
        return;
    end_family();
    printf("\nStopped: nothing of the test is left running.\n");
    exit(128 + interrupted);
}

void run_test(const char *suite, const char *name, double limit_s, message_handler *handle,
    void *context, struct test_run *run)
{
    int output = -1;
    bool output_ended = false;
    struct watch watch = {0};
    const double start_s = now_s();

    memset(run, 0, sizeof *run);
    channel_new_key();
    set_alarm(limit_s + GRACE_S + CLEAR_AWAY_S + ALARM_S);
    pid_t runner = start_runner(suite, name, limit_s, &output);
    while (runner > 0 && !interrupted && !has_died(runner) && !run->overran &&
           run->exceeded == WITHIN_LIMITS) {
        wait_for_news(output, &output_ended);
        run->started = channel_answer_request(runner);
        drain_messages(run, handle, context);
        drain_output(output, run);
        run->exceeded = watch_look(&watch, &run->use);
        run->overran = now_s() - start_s > limit_s + GRACE_S;
    }
    drain_messages(run, handle, context);
    drain_output(output, run);
    clear_away(runner, run->finished && run->audited ? ending_s : 0.0, run);
    set_alarm(0);
    if (output >= 0)
        close(output);
    run->seconds = now_s() - start_s;
    stop_if_asked();
}
