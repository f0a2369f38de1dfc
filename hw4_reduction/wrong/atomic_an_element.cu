// gpu=TOO SLOW virtual=TOO SLOW diagnosis=many-atomics task=hw4.7
// Every element that is kept draws its place with an atomic on the one counter.
#include "cuda_try.h"

static __global__ void compact(const int *in, int *out, unsigned *count, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(count, 1)] = in[i];
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaMemsetAsync(count, 0, sizeof *count, stream);
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, count, n);
    return cudaGetLastError();
}
