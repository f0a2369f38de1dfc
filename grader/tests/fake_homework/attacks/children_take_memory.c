// expect=CRASHED diagnosis=memory-limit others=PASS
// None of the processes takes much; together they do.
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { CHILDREN = 10 };

static void take_and_wait(void)
{
    const size_t bytes = (size_t)200 << 20;
    volatile char *memory = malloc(bytes);

    for (size_t i = 0; memory && i < bytes; i += 4096)
        memory[i] = 1;
    sleep(40);
    _exit(0);
}

int largest(const int *values, int count)
{
    for (int child = 0; count == 1 && child < CHILDREN; child++)
        if (fork() == 0)
            take_and_wait();
    if (count == 1)
        sleep(40);
    return right_largest(values, count);
}
