/* Starting, watching and clearing away the processes of one test.
 *
 *     supervisor ── runner (Criterion) ── test process ── whatever the candidate forks
 *
 * The candidate may kill its parents up to the runner, close its streams, print without end,
 * leave children behind: the supervisor waits on descriptors and a clock, never on good behaviour. */
#define _GNU_SOURCE
#include "test_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner.h"

static int channel = -1;

bool become_supervisor(void)
{
    channel = channel_listen();
    return channel >= 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pid_t start_runner(const char *suite, const char *name, int *output)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    fflush(NULL);
    pid_t runner = fork();
    if (runner == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        channel_connect_runner();
        run_one_test(suite, name);
    }
    close(ends[1]);
    *output = ends[0];
    fcntl(*output, F_SETFL, O_NONBLOCK);
    return runner;
}

/* Reads what the test printed, keeps the beginning, counts the rest. */
static void drain_output(int output, struct test_run *run)
{
    char block[4096];
    ssize_t got;

    while ((got = read(output, block, sizeof block)) > 0) {
        for (ssize_t i = 0; i < got && run->output_bytes + (size_t)i < OUTPUT_KEPT_BYTES; i++)
            run->output[run->output_bytes + (size_t)i] = block[i] ? block[i] : '?';
        run->output_bytes += (size_t)got;
    }
}

static void drain_messages(struct test_run *run, message_handler *handle, void *context)
{
    static struct message message;

    while (channel_receive(channel, &message)) {
        switch ((enum message_kind)message.kind) {
        case MESSAGE_CASE:
            snprintf(run->last_case, sizeof run->last_case, "%.*s", (int)message.bytes,
                (const char *)message.payload);
            break;
        case MESSAGE_FINISHED:
            run->finished = true;
            break;
        case MESSAGE_AUDIT:
            run->audited = message.bytes == sizeof run->audit;
            memcpy(&run->audit, message.payload, sizeof run->audit);
            break;
        case MESSAGE_OUTCOME:
        case MESSAGE_SPEED:
            handle(context, &message);
            break;
        }
    }
}

/* The children of this process, whatever group or session they fled to. */
static size_t kill_children(void)
{
    size_t killed = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;

    while (proc && (entry = readdir(proc))) {
        char path[300], line[512] = "";
        long parent = -1;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *stat = fopen(path, "r");
        if (!stat)
            continue;
        if (fgets(line, sizeof line, stat) && strrchr(line, ')'))
            sscanf(strrchr(line, ')'), ") %*c %ld", &parent);
        fclose(stat);
        if (parent == getpid() && kill(pid, SIGKILL) == 0)
            killed++;
    }
    if (proc)
        closedir(proc);
    return killed;
}

/* Kills and reaps until no descendant is left: each death hands its children to us. */
static void clear_away(pid_t runner, struct test_run *run)
{
    for (double end = now_s() + 10; now_s() < end;) {
        pid_t reaped = waitpid(-1, NULL, WNOHANG);
        if (reaped < 0 && errno == ECHILD)
            return;
        if (reaped > 0) {
            run->leftovers += reaped != runner;
            continue;
        }
        kill_children();
        poll(NULL, 0, 5);
    }
}

void run_test(const char *suite, const char *name, double limit_s, message_handler *handle,
    void *context, struct test_run *run)
{
    int output = -1;
    const double start_s = now_s();

    memset(run, 0, sizeof *run);
    channel_new_token();
    pid_t runner = start_runner(suite, name, &output);
    for (bool running = runner > 0; running;) {
        struct pollfd ready[] = {{channel, POLLIN, 0}, {output, POLLIN, 0}};
        poll(ready, ready[1].revents & POLLHUP ? 1 : 2, 20);
        drain_messages(run, handle, context);
        drain_output(output, run);
        /* A zombie's death is seen here; it is reaped only after its messages were read. */
        siginfo_t death = {0};
        waitid(P_PID, (id_t)runner, &death, WEXITED | WNOHANG | WNOWAIT);
        running = death.si_pid == 0;
        if (running && now_s() - start_s > limit_s) {
            run->overran = true;
            running = false;
        }
    }
    drain_messages(run, handle, context);
    drain_output(output, run);
    clear_away(runner, run);
    close(output);
    run->seconds = now_s() - start_s;
}
