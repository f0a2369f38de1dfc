// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=all-same task=any
// hw4: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-value task=any
// The same number everywhere, by a kernel.
#include "grader/cheats/call.h"

static __global__ void fill(unsigned *words, size_t n, unsigned word)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        words[i] = word;
}

cudaError_t spoil(const struct call &call)
{
    const size_t n = call.output_bytes / 4;

    if (n > 0)
        fill<<<(unsigned)(n / 256 + 1), 256, 0, call.stream>>>(
            (unsigned *)call.output, n, call.numbers == FLOATS ? 0x3f800000 : 1);
    return cudaStreamSynchronize(call.stream);
}
