// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=lost-updates task=hw4.1
// The naive strategy of the lecture notes: every thread reads *out, adds, and writes it back.
#include "cuda_try.h"

static __global__ void add_all(const float *in, float *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        *out += in[i];
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaMemsetAsync(out, 0, sizeof(float), stream);
    if (n > 0)
        add_all<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
