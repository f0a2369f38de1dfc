// expect=EXITED diagnosis=process-left-behind others=PASS
// A process that is a new one at every moment, in a session of its own, for twenty seconds.
#include <time.h>
#include <unistd.h>

#include "host.h"

enum { SECONDS = 20 };

static void flee(void)
{
    const time_t end = time(NULL) + SECONDS;

    while (time(NULL) < end) {
        if (fork() != 0)
            _exit(0);
        setsid();
    }
    _exit(0);
}

int largest(const int *values, int count)
{
    if (count == 1 && fork() == 0)
        flee();
    return right_largest(values, count);
}
