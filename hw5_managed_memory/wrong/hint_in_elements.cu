// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=hint-in-elements task=hw5.6
// The advice for the table reaches as many bytes as it has elements.
#include "cuda_managed.h"
#include "cuda_try.h"

cudaError_t advise(const struct shared_arrays *arrays, int device)
{
    cudaError_t status = cudaSuccess;
    size_t table_bytes = arrays->table_count;
    size_t state_bytes = arrays->state_count * sizeof(float);
    size_t order_bytes = arrays->order_count * sizeof(int);
    int concurrent = 0;
    CUDA_TRY(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    if (!concurrent)
        return cudaSuccess;
    CUDA_TRY(managed_advise(arrays->table, table_bytes, cudaMemAdviseSetReadMostly, device));
    CUDA_TRY(managed_advise(arrays->state, state_bytes, cudaMemAdviseSetPreferredLocation, device));
    CUDA_TRY(managed_advise(
        arrays->orders, order_bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    CUDA_TRY(managed_advise(arrays->orders, order_bytes, cudaMemAdviseSetAccessedBy, device));
done:
    return status;
}
