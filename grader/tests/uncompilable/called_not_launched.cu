// A kernel called like a function. task=hw1.2 line=14 says=kernel<<<blocks, threads>>>(arguments)
#include "cuda_try.h"

static __global__ void add_kernel(const float *a, const float *b, float *sum, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[i] = a[i] + b[i];
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    // TODO(hw1.2): add two arrays of the host on the GPU.
    add_kernel(a, b, sum, n);
    return cudaGetLastError();
    // END(hw1.2)
}
