// gpu=not checked (right by luck on silicon) virtual=RACE diagnosis=shared-race task=hw9.1
// A thread may count before another one has set that bin to 0.
#include "cuda_try.h"

static __global__ void histogram_kernel(const unsigned *values, unsigned *counts, size_t n)
{
    __shared__ unsigned mine[BINS];
    size_t stride = gridDim.x * (size_t)blockDim.x;

    mine[threadIdx.x] = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[values[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

cudaError_t histogram(const unsigned *values, unsigned *counts, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaMemsetAsync(counts, 0, BINS * sizeof *counts, stream);
    if (status == cudaSuccess) {
        histogram_kernel<<<32, BINS, 0, stream>>>(values, counts, n);
        status = cudaGetLastError();
    }
    return status;
}
