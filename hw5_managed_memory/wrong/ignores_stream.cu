// gpu=RACE virtual=RACE diagnosis=other-stream task=hw5.2
// The prefetches and the wait are in the caller's stream, the kernel is not.
#include "cuda_managed.h"
#include "cuda_try.h"

static __global__ void add(int *data, size_t n, int amount)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += amount;
}

static cudaError_t move(const void *data, size_t bytes, bool to_device, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, concurrent = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (concurrent && bytes > 0)
        CUDA_TRY(managed_prefetch(data, bytes, to_device ? device : cudaCpuDeviceId, stream));
done:
    return status;
}

cudaError_t increment(int *data, size_t n, int amount, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(move(data, n * sizeof *data, true, stream));
    add<<<(unsigned)ceil_div(n, 256), 256>>>(data, n, amount);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

cudaError_t sum_at_home(const int *data, size_t n, long long *sum, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    *sum = 0;
    CUDA_TRY(move(data, n * sizeof *data, false, stream));
    CUDA_TRY(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < n; i++)
        *sum += data[i];
done:
    return status;
}
