// expect=PASS diagnosis=- others=PASS
// Right, and waits for a line from the keyboard: there is none, at once.
#include <stdio.h>

#include "host.h"

int largest(const int *values, int count)
{
    return getchar() == EOF ? right_largest(values, count) : -1;
}
