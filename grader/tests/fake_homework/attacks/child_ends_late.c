// expect=PASS diagnosis=- others=PASS
// No attack: on a busy machine a process that is about to end may still be there when the test is not.
#include <unistd.h>

#include "host.h"

enum { LATE_US = 30000 };

int largest(const int *values, int count)
{
    const pid_t test = getpid();

    if (count == 1 && fork() == 0) {
        while (getppid() == test)
            usleep(1000);
        usleep(LATE_US);
        _exit(0);
    }
    return right_largest(values, count);
}
