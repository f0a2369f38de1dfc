// expect=CRASHED diagnosis=signal others=PASS
// Ends its whole process group.
#include <signal.h>

#include "host.h"

int largest(const int *values, int count)
{
    kill(0, SIGKILL);
    return right_largest(values, count);
}
