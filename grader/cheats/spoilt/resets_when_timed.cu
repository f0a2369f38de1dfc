// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=cuda-error task=any
// hw8: gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=sticky-error task=any
// Where time is taken, destroys the context with everything in it when the work is done.
#include "grader/cheats/call.h"

cudaError_t spoil(const struct call &call)
{
    const cudaError_t status = call.right();

    if (call.timed)
        cudaDeviceReset();
    return status;
}
