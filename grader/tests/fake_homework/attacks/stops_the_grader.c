// expect=EXITED diagnosis=signals-the-grader others=PASS
// Stops every process of the grader above the runner, which then would neither end the test nor
// itself. Also used to see what happens where the kernel grants no filter.
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
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

static bool is_grader(pid_t process)
{
    char path[40], own[300] = "", program[300] = "";

    snprintf(path, sizeof path, "/proc/%d/exe", process);
    return readlink("/proc/self/exe", own, sizeof own - 1) > 0 &&
           readlink(path, program, sizeof program - 1) > 0 && strcmp(own, program) == 0;
}

int largest(const int *values, int count)
{
    if (count == 1)
        for (pid_t above = parent_of(getppid()); is_grader(above); above = parent_of(above))
            kill(above, SIGSTOP);
    return right_largest(values, count);
}
