// expect=PASS diagnosis=- others=PASS
// A right solution that leaves the folder which the grader's relative paths begin at.
#include <unistd.h>

#include "host.h"

__attribute__((constructor)) static void leave(void)
{
    (void)!chdir("/");
}

int largest(const int *values, int count)
{
    return right_largest(values, count);
}
