// expect=EXITED diagnosis=process-left-behind others=PASS
// Sixteen processes, parents and children of one another.
#include <unistd.h>

#include "host.h"

int largest(const int *values, int count)
{
    if (count == 1 && fork() == 0) {
        for (int generation = 0; generation < 4; generation++)
            fork();
        sleep(60);
        _exit(0);
    }
    return right_largest(values, count);
}
