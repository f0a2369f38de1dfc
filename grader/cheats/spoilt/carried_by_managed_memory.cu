// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=any
// hw5: does not apply: its array is managed memory, which the host reaches anyway
// hw6: does not apply: its arrays are host memory that kernels reach
// Kernels carry the input to managed memory and the answer back, so that nobody sees a
// copy. What a CPU would compute there cannot be seen, so it only looks at every byte.
#include "grader/cheats/carried.h"

cudaError_t spoil(const struct call &call)
{
    const auto take = [](size_t bytes) {
        void *memory = NULL;
        cudaMallocManaged(&memory, bytes);
        return memory;
    };
    return carried(call, take, cudaFree);
}
