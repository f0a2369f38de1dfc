// expect=EXITED diagnosis=signals-the-grader others=PASS
// A signal to the group of whoever started the grader.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "host.h"

static void parent_and_group(pid_t process, pid_t *parent, pid_t *group)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *stat = fopen(path, "r");
    if (!stat || fscanf(stat, "%*d (%*[^)]) %*c %d %d", parent, group) != 2)
        *parent = *group = 0;
    if (stat)
        fclose(stat);
}

int largest(const int *values, int count)
{
    pid_t supervisor, group;

    parent_and_group(getppid(), &supervisor, &group);
    parent_and_group(supervisor, &supervisor, &group);
    if (count == 1 && group > 1)
        kill(-group, SIGURG);
    return right_largest(values, count);
}
