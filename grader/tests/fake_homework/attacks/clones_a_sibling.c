// expect=EXITED diagnosis=process-left-behind others=PASS
// A process beside the test instead of below it.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    if (count == 1 && syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) {
        setsid();
        sleep(40);
        _exit(0);
    }
    return right_largest(values, count);
}
