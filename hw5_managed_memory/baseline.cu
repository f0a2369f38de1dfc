// The version that hw5.2 is timed against: right, but it leaves the pages where they are.
//
// Every page that the kernel touches first stops the threads that need it, until the driver has
// been told, has taken the page from the host and has brought it over.
#include "cuda_try.h"

static __global__ void increment_kernel(int *data, size_t n, int amount)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        data[i] += amount;
}

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    const unsigned threads = 256, most = 1 << 20;
    size_t wanted = ceil_div(n, threads);
    unsigned blocks = wanted < most ? (unsigned)wanted : most;

    if (n == 0)
        return cudaSuccess;
    increment_kernel<<<blocks, threads, 0, stream>>>(data, n, amount);
    return cudaGetLastError();
}
