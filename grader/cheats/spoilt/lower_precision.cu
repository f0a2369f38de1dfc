// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unknown-pattern task=any
// hw4: gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-value task=any
// hw5: does not apply: it adds integers
// hw6: does not apply: it stirs bits
// Right, of numbers that were rounded to 16 bits (bfloat16), which small integers survive.
#include "grader/cheats/call.h"

static __global__ void round_all(const float *from, float *to, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = __uint_as_float((__float_as_uint(from[i]) + 0x8000) & 0xffff0000);
}

cudaError_t spoil(const struct call &call)
{
    const size_t n = call.input_bytes / 4;
    float *rounded = NULL;

    if (n == 0)
        return call.right();
    cudaMalloc(&rounded, call.input_bytes);
    round_all<<<(unsigned)(n / 256 + 1), 256, 0, call.stream>>>(
        (const float *)call.input, rounded, n);
    const cudaError_t status = call.work(rounded, call.output, call.stream, 1.0);
    cudaStreamSynchronize(call.stream);
    cudaFree(rounded);
    return status;
}
