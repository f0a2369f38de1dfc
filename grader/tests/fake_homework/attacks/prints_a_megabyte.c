// expect=PASS diagnosis=- others=PASS
// Prints far more than a pipe holds; no reason to fail, and none to hang.
#include <stdio.h>

#include "host.h"

int largest(const int *values, int count)
{
    for (int line = 0; line < 20000; line++)
        puts("PASS  hw0.1  the largest                                  80 / 80");
    return right_largest(values, count);
}
