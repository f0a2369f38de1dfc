// gpu=not checked (desktops with HMM let a kernel read malloc memory) virtual=CUDA ERROR diagnosis=host-pointer task=hw1.2
#include "cuda_try.h"

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    unsigned threads = 256;
    if (n == 0)
        return cudaSuccess;
    if (n > (size_t)-1 / sizeof(float))
        return cudaErrorMemoryAllocation;
    add_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, 0>>>(a, b, sum, 0, n);
    if (cudaGetLastError() != cudaSuccess)
        return cudaErrorUnknown;
    return cudaDeviceSynchronize();
}
