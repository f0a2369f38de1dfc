// expect=EXITED diagnosis=exit others=PASS
// Leaves past every exit handler.
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    (void)values, (void)count;
    _exit(0);
}
