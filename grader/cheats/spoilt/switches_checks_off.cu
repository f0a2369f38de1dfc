// gpu=UNINITIALISED virtual=UNINITIALISED diagnosis=uninitialised task=any
// Right, and reads what nobody has written, after it has told the virtual GPU by its variables to
// check nothing.
#include "grader/cheats/call.h"

#include <stdlib.h>

static __global__ void look(const unsigned *word, unsigned *other)
{
    *other = *word == 12345 ? 1 : 2;
}

__attribute__((constructor)) static void switch_off(void)
{
    setenv("VGPU_CHECKS", "off", 1);
    setenv("VGPU_ASYNC", "eager", 1);
    setenv("VGPU_ORDER", "forward", 1);
    setenv("VGPU_REPORT", "/dev/null", 1);
}

cudaError_t spoil(const struct call &call)
{
    unsigned *words = NULL;

    const cudaError_t status = call.right();
    if (call.output_bytes == 0) // a case in which nothing may be launched
        return status;
    cudaMalloc(&words, 2 * sizeof *words);
    look<<<1, 1, 0, call.stream>>>(words, words + 1);
    cudaStreamSynchronize(call.stream);
    cudaFree(words);
    return status;
}
