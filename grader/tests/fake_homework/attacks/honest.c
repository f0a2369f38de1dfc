// expect=PASS diagnosis=- others=PASS
// The control: a right solution, so that every other file fails because of what it tries.
#include "host.h"

int largest(const int *values, int count)
{
    return right_largest(values, count);
}
