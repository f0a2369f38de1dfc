// expect=EXITED diagnosis=signals-the-grader others=PASS
// What a SIGSTOP to all would be, with a signal that nobody minds: the terminal's shell would stop,
// too.
#include <signal.h>

#include "host.h"

int largest(const int *values, int count)
{
    if (count == 1)
        kill(-1, SIGURG);
    return right_largest(values, count);
}
