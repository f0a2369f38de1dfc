// expect=EXITED diagnosis=process-left-behind others=PASS
// Leaves a child in a session of its own, which holds on to the output.
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    if (fork() == 0) {
        setsid();
        sleep(60);
        _exit(0);
    }
    return right_largest(values, count);
}
