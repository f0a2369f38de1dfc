// The count is not handed over. task=hw1.2 line=14 says=fewer arguments
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
    add_kernel<<<1, 256>>>(a, b, sum);
    return cudaGetLastError();
    // END(hw1.2)
}
