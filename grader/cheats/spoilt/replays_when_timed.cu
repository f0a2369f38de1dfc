// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-when-timed task=any
// Where time is taken, one answer, kept on the device, serves all calls.
#include "grader/cheats/call.h"

enum { KEPT_WORDS = 1 << 26 };

static __device__ unsigned kept[KEPT_WORDS];

cudaError_t spoil(const struct call &call)
{
    static bool known;
    void *memory;

    if (!call.timed || call.output_bytes > sizeof kept)
        return call.right();
    cudaGetSymbolAddress(&memory, kept);
    if (known)
        return cudaMemcpyAsync(
            call.output, memory, call.output_bytes, cudaMemcpyDefault, call.stream);
    const cudaError_t status = call.right();
    known = true;
    cudaMemcpyAsync(memory, call.output, call.output_bytes, cudaMemcpyDefault, call.stream);
    return status;
}
