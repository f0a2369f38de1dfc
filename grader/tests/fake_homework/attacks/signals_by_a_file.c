// expect=PASS diagnosis=- others=PASS
// Lets the kernel send the signal: a socket that has news tells its owner, and the owner is the
// grader, or the shell above it. That is refused, and a refused call is no offence.
#define _GNU_SOURCE
#include <asm/sockios.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
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

static void tell(pid_t process)
{
    int ends[2];
    struct f_owner_ex owner = {F_OWNER_PID, process};

    if (process <= 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return;
    fcntl(ends[0], F_SETSIG, SIGKILL);
    fcntl(ends[0], F_SETOWN, process);
    fcntl(ends[0], F_SETOWN_EX, &owner);
    ioctl(ends[0], FIOSETOWN, &process);
    fcntl(ends[0], F_SETFL, O_ASYNC);
    (void)!write(ends[1], "news", 4);
}

int largest(const int *values, int count)
{
    pid_t above = getppid();

    for (int i = 0; count == 1 && i < 3; i++)
        tell(above = parent_of(above));
    return right_largest(values, count);
}
