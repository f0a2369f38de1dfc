// gpu=WRONG ANSWER virtual=not checked (it makes two calls of that size) diagnosis=wrong-when-timed task=any
// Where time is taken, one number of every seventh call is wrong.
#include "grader/cheats/call.h"

static __global__ void flip(unsigned *word)
{
    *word ^= 1u << 23;
}

cudaError_t spoil(const struct call &call)
{
    static unsigned timed_calls;

    const cudaError_t status = call.right();
    if (call.timed && ++timed_calls % 7 == 0)
        flip<<<1, 1, 0, call.stream>>>((unsigned *)call.output + call.output_bytes / 4 - 1);
    return status;
}
