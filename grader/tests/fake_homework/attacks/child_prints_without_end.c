// expect=EXITED diagnosis=process-left-behind others=PASS
// Children in sessions of their own print without end, and faster than anybody can read.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "host.h"

enum { CHILDREN = 12, SECONDS_MAX = 40 };

int largest(const int *values, int count)
{
    static char page[65536];
    struct iovec all = {page, sizeof page};

    for (int child = 0; child < CHILDREN && count == 1; child++)
        if (fork() == 0) {
            setsid();
            alarm(SECONDS_MAX);
            while (vmsplice(STDOUT_FILENO, &all, 1, 0) > 0)
                ;
            _exit(0);
        }
    if (count == 1000)
        sleep(1);
    return right_largest(values, count);
}
