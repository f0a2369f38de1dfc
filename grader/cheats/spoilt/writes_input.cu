// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=input-modified task=any
// hw5: does not apply: the array is changed in place
// Right, and uses the input as scratch memory when it is done.
#include "grader/cheats/call.h"

static __global__ void flip(unsigned *word)
{
    *word ^= 1u << 23;
}

cudaError_t spoil(const struct call &call)
{
    const cudaError_t status = call.right();

    if (call.input_bytes > 0)
        flip<<<1, 1, 0, call.stream>>>((unsigned *)call.input);
    return status == cudaSuccess ? cudaStreamSynchronize(call.stream) : status;
}
