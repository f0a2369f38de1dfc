// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=missing-zero task=hw5.3
// A name has room for its letters only: none for the 0 behind them.
#include "cuda_try.h"
#include <stdlib.h>
#include <string.h>

static cudaError_t bytes_of(size_t n, size_t *bytes)
{
    *bytes = n * sizeof(struct record);
    return *bytes / sizeof(struct record) == n ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t copy_by_hand(const struct record *records, size_t n, struct record **copy)
{
    cudaError_t status = cudaSuccess;
    struct record *made = NULL, *staged = NULL;
    size_t bytes = 0, ready = 0;
    *copy = NULL;
    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(bytes_of(n, &bytes));
    CUDA_TRY(cudaMalloc(&made, bytes));
    staged = (struct record *)malloc(bytes);
    CUDA_TRY(staged ? cudaSuccess : cudaErrorMemoryAllocation);
    for (; ready < n; ready++) {
        size_t name_bytes = (size_t)records[ready].length;
        staged[ready] = records[ready];
        CUDA_TRY(cudaMalloc(&staged[ready].name, name_bytes));
        CUDA_TRY(cudaMemcpy(
            staged[ready].name, records[ready].name, name_bytes, cudaMemcpyHostToDevice));
    }
    CUDA_TRY(cudaMemcpy(made, staged, bytes, cudaMemcpyHostToDevice));
    *copy = made;
done:
    while (status != cudaSuccess && ready > 0)
        cudaFree(staged[--ready].name);
    if (status != cudaSuccess)
        cudaFree(made);
    free(staged);
    return status;
}

cudaError_t free_by_hand(struct record *copy, size_t n)
{
    cudaError_t status = cudaSuccess;
    struct record *staged = NULL;
    if (!copy)
        return cudaSuccess;
    staged = (struct record *)malloc(n * sizeof *staged);
    CUDA_TRY(staged ? cudaSuccess : cudaErrorMemoryAllocation);
    CUDA_TRY(cudaMemcpy(staged, copy, n * sizeof *staged, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CUDA_TRY(cudaFree(staged[i].name));
    CUDA_TRY(cudaFree(copy));
done:
    free(staged);
    return status;
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
        size_t name_bytes = (size_t)records[ready].length;
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
