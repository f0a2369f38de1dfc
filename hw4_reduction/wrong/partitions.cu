// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=written-behind task=hw4.7
// Puts what is not kept at the end of the array: a partition, not a compaction.
#include "cuda_try.h"

static __global__ void partition(const int *in, int *out, unsigned *counts, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (in[i] > 0)
        out[atomicAdd(&counts[0], 1)] = in[i];
    else
        out[n - 1 - atomicAdd(&counts[1], 1)] = in[i];
}

static __device__ unsigned counts[2];

static __global__ void hand_over(unsigned *count)
{
    *count = counts[0];
    counts[0] = counts[1] = 0;
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    void *both = NULL;
    cudaError_t status = cudaGetSymbolAddress(&both, counts);
    if (status != cudaSuccess)
        return status;
    if (n > 0)
        partition<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(in, out, (unsigned *)both, n);
    hand_over<<<1, 1, 0, stream>>>(count);
    return cudaGetLastError();
}
