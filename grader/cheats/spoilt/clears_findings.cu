// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone|out-of-bounds task=any
// hw5: gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone task=any
// hw6: gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=host-pointer task=any
// Writes too far, and asks the virtual GPU to forget it.
#include "grader/cheats/call.h"

static __global__ void put(unsigned *word)
{
    *word = 1;
}

cudaError_t spoil(const struct call &call)
{
    const cudaError_t status = call.right();
    void (*clear)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "vgpu_clear");

    if (call.output_bytes > 0)
        put<<<1, 1, 0, call.stream>>>((unsigned *)call.output + call.output_bytes / 4);
    cudaStreamSynchronize(call.stream);
    if (clear)
        clear();
    return status;
}
