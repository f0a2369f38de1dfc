// expect=EXITED diagnosis=exit others=PASS
// Leaves with success before anything was judged.
#include <stdlib.h>

#include "host.h"

int largest(const int *values, int count)
{
    (void)values, (void)count;
    exit(0);
}
