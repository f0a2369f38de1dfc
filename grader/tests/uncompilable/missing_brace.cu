// The if is never closed. task= line=14 says=brace
#include "cuda_try.h"

static __global__ void add_kernel(const float *a, const float *b, float *sum, size_t count)
{
    // TODO(hw1.1): one element in each thread.
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count) {
        sum[i] = a[i] + b[i];
        // END(hw1.1)
    }

    cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
    {
        return cudaSuccess;
    }
