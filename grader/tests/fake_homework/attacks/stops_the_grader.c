// expect=EXITED diagnosis=signals-the-grader others=PASS
// Stops the supervisor, which then would neither end the test nor itself. Also used to see what
// happens where the kernel grants no filter.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "host.h"

static pid_t parent_of(pid_t process)
{
    char path[40];
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *stat = fopen(path, "r");
    if (!stat || fscanf(stat, "%*d (%*[^)]) %*c %d", &parent) != 1)
        parent = 0;
    if (stat)
        fclose(stat);
    return parent;
}

int largest(const int *values, int count)
{
    const pid_t supervisor = parent_of(getppid());

    if (count == 1 && supervisor > 1)
        kill(supervisor, SIGSTOP);
    return right_largest(values, count);
}
