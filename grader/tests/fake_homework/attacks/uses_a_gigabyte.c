// expect=PASS diagnosis=- others=PASS
// Right, and near the limit of memory: a gigabyte, which is freed again.
#include <stdlib.h>
#include <string.h>

#include "host.h"

int largest(const int *values, int count)
{
    const size_t bytes = (size_t)1 << 30;
    char *memory = count == 1 ? malloc(bytes) : NULL;

    if (memory)
        memset(memory, 1, bytes);
    const int result = right_largest(values, count) + (memory ? memory[count] - 1 : 0);
    free(memory);
    return result;
}
