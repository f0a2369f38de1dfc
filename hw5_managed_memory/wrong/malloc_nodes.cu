// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-managed task=hw5.1
// The nodes come from malloc: a kernel that follows them works only where it can follow anything.
#include "cuda_try.h"
#include <stdlib.h>

cudaError_t list_make(const int *values, size_t n, struct node **list)
{
    *list = NULL;
    for (size_t i = n; i > 0; i--) {
        struct node *made = (struct node *)malloc(sizeof *made);
        if (!made)
            return cudaErrorMemoryAllocation;
        made->value = values[i - 1];
        made->next = *list;
        *list = made;
    }
    return cudaSuccess;
}

static __global__ void walk(struct node *list, int amount, long long *sum)
{
    *sum = 0;
    for (struct node *at = list; at; at = at->next)
        *sum += at->value += amount;
}

cudaError_t list_add(struct node *list, int amount, long long *sum)
{
    cudaError_t status = cudaSuccess;
    long long *total = NULL;
    CUDA_TRY(cudaMallocManaged(&total, sizeof *total));
    walk<<<1, 1>>>(list, amount, total);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
    *sum = *total;
done:
    cudaFree(total);
    return status;
}

cudaError_t list_free(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return cudaSuccess;
}
