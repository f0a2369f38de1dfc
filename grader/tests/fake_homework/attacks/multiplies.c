// expect=EXITED diagnosis=too-many-processes others=PASS
// Every process becomes two, each of which tries to leave the group that could be killed as a whole.
// It stops by itself at a number that no machine minds.
#include <unistd.h>

#include "host.h"

enum { GENERATIONS = 9 }; /* 512 processes */

int largest(const int *values, int count)
{
    for (int generation = 0; count == 1 && generation < GENERATIONS; generation++)
        if (fork() == 0)
            setsid();
    if (count == 1)
        sleep(40);
    return right_largest(values, count);
}
