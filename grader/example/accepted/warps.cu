// A histogram for each warp, so that fewer lanes meet; one launch more to clear the counts.
#include "cuda_try.h"

static __global__ void clear_kernel(unsigned *counts)
{
    counts[threadIdx.x] = 0;
}

static __global__ void warps_kernel(const unsigned *values, unsigned *counts, size_t n)
{
    __shared__ unsigned mine[8][BINS];
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (unsigned k = threadIdx.x; k < 8 * BINS; k += blockDim.x)
        mine[k / BINS][k % BINS] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[threadIdx.x / 32][values[i]], 1);
    __syncthreads();
    unsigned sum = 0;
    for (unsigned warp = 0; warp < 8; warp++)
        sum += mine[warp][threadIdx.x];
    atomicAdd(&counts[threadIdx.x], sum);
}

cudaError_t histogram(const unsigned *values, unsigned *counts, size_t n, cudaStream_t stream)
{
    clear_kernel<<<1, BINS, 0, stream>>>(counts);
    warps_kernel<<<32, 256, 0, stream>>>(values, counts, n);
    return cudaGetLastError();
}
