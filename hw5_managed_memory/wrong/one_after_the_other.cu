// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=one-after-the-other task=hw5.5
// The host waits for the device before it adds, also where it need not.
#include "cuda_try.h"

static __global__ void count(unsigned *counter, size_t adds)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < adds)
        atomicAdd_system(counter, 1);
}

cudaError_t count_together(unsigned *counter, size_t gpu_adds, size_t cpu_adds)
{
    cudaError_t status = cudaSuccess;
    int concurrent = 0;
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (gpu_adds > 0)
        count<<<(unsigned)ceil_div(gpu_adds, 256), 256>>>(counter, gpu_adds);
    CUDA_TRY(cudaGetLastError());
    if (!concurrent || gpu_adds > 0)
        CUDA_TRY(cudaDeviceSynchronize());
    for (size_t i = 0; i < cpu_adds; i++)
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    CUDA_TRY(cudaDeviceSynchronize());
done:
    return status;
}
