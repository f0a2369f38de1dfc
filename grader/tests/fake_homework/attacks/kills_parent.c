// expect=EXITED diagnosis=killed-the-grader others=PASS
// Ends the process that runs Criterion, so that nobody counts.
#include <signal.h>
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    kill(getppid(), SIGKILL);
    return right_largest(values, count);
}
