// expect=TIMED OUT diagnosis=time-limit others=PASS
// Stands still without using any time.
#include <signal.h>

#include "host.h"

int largest(const int *values, int count)
{
    raise(SIGSTOP);
    return right_largest(values, count);
}
