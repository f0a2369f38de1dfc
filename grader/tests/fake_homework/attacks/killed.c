// expect=CRASHED diagnosis=signal others=PASS
// Ends by the signal that cannot be caught.
#include <signal.h>

#include "host.h"

int largest(const int *values, int count)
{
    raise(SIGKILL);
    return right_largest(values, count);
}
