// expect=EXITED diagnosis=exit others=EXITED
// Is gone before any function of it could be called.
#include <unistd.h>

#include "host.h"

__attribute__((constructor)) static void leave(void)
{
    _exit(0);
}

int largest(const int *values, int count)
{
    return right_largest(values, count);
}
