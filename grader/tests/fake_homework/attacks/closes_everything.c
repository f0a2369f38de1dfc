// expect=CRASHED diagnosis=signal others=PASS
// Cuts every wire to the grader.
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    for (int descriptor = 0; descriptor < 1024; descriptor++)
        close(descriptor);
    return right_largest(values, count);
}
