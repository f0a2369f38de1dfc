// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-when-timed task=any
// hw8: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=halo-out-of-step task=any
// Where time is taken, the last number is wrong.
#include "grader/cheats/call.h"

static __global__ void flip(unsigned *word)
{
    *word ^= 1u << 23;
}

cudaError_t spoil(const struct call &call)
{
    const cudaError_t status = call.right();

    if (call.timed)
        flip<<<1, 1, 0, call.stream>>>((unsigned *)call.output + call.output_bytes / 4 - 1);
    return status == cudaSuccess ? cudaStreamSynchronize(call.stream) : status;
}
