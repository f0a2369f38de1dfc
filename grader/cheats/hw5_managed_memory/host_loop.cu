// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw5.2
// Managed memory tempts: the host does it all.
#include "cuda_managed.h"
#include "cuda_try.h"

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
    for (size_t i = 0; i < n; i++)
        data[i] += amount;
    return cudaSuccess;
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
