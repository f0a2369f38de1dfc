// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=many-atomics task=hw9.1
// Right, and every value is an atomic in global memory, in a grid-stride loop.
#include "cuda_try.h"

static __global__ void count_kernel(const unsigned *values, unsigned *counts, size_t n)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&counts[values[i]], 1);
}

cudaError_t histogram(const unsigned *values, unsigned *counts, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaMemsetAsync(counts, 0, BINS * sizeof *counts, stream);
    if (status == cudaSuccess) {
        count_kernel<<<64, 256, 0, stream>>>(values, counts, n);
        status = cudaGetLastError();
    }
    return status;
}
