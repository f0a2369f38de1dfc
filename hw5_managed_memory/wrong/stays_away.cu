// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=not-brought-home task=hw5.2
// The host adds up where the pages are: the sum is right, and every page comes by a fault of its own.
#include "cuda_managed.h"
#include "cuda_try.h"

static __global__ void add(int *data, size_t n, int amount)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += amount;
}

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (concurrent)
        CUDA_TRY(managed_prefetch(data, n * sizeof *data, device, stream));
    add<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(data, n, amount);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    *sum = 0;
    CUDA_TRY(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < n; i++)
        *sum += data[i];
done:
    return status;
}
