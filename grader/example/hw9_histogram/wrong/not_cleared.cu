// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-cleared task=hw9.1
// The counts are added to whatever the output held.
#include "cuda_try.h"

static __global__ void histogram_kernel(const unsigned *values, unsigned *counts, size_t n)
{
    __shared__ unsigned mine[BINS];
    size_t stride = gridDim.x * (size_t)blockDim.x;

    mine[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[values[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

cudaError_t histogram(const unsigned *values, unsigned *counts, size_t n, cudaStream_t stream)
{
    histogram_kernel<<<32, BINS, 0, stream>>>(values, counts, n);
    return cudaGetLastError();
}
