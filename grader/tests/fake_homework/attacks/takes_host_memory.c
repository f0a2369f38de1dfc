// expect=CRASHED diagnosis=memory-limit others=PASS
// Far more memory of the host than is allowed. It stops by itself where most machines do not mind.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { PIECES = 128 };

int largest(const int *values, int count)
{
    const size_t bytes = (size_t)32 << 20;
    char *memory;

    for (int piece = 0; count == 1 && piece < PIECES && (memory = malloc(bytes)); piece++)
        memset(memory, 1, bytes);
    if (count == 1)
        sleep(40);
    return right_largest(values, count);
}
