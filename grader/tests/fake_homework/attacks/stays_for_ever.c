// expect=TIMED OUT diagnosis=time-limit others=PASS
// Two endless loops, one of them in a session of its own. Also used to see what happens when the
// grader is told to stop.
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    (void)values, (void)count;
    if (fork() == 0) {
        setsid();
        alarm(40);
    }
    for (;;)
        __asm__ volatile("");
}
