// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone|out-of-bounds task=any
// hw5: gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone task=any
// hw6: gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=host-pointer task=any
// Right, and uses the memory behind the output as if it were its own.
#include "grader/cheats/call.h"

static __global__ void put(unsigned *word)
{
    *word = 1;
}

cudaError_t spoil(const struct call &call)
{
    const cudaError_t status = call.right();

    if (call.output_bytes > 0)
        put<<<1, 1, 0, call.stream>>>((unsigned *)call.output + call.output_bytes / 4);
    return status == cudaSuccess ? cudaStreamSynchronize(call.stream) : status;
}
