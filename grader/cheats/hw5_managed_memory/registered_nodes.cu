// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=not-managed task=hw5.1
// Host memory that is registered with the runtime looks the same to a kernel: no page ever moves.
#include "cuda_try.h"
#include <stdlib.h>

static struct node *nodes;

cudaError_t list_make(const int *values, size_t n, struct node **list)
{
    *list = NULL;
    if (n == 0)
        return cudaSuccess;
    nodes = (struct node *)aligned_alloc(4096, ceil_div(n * sizeof *nodes, 4096) * 4096);
    if (!nodes)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n; i++)
        nodes[i] = {i + 1 < n ? &nodes[i + 1] : NULL, values[i]};
    *list = nodes;
    return cudaHostRegister(nodes, n * sizeof *nodes, cudaHostRegisterMapped);
}

static __global__ void walk(struct node *list, int amount, long long *sum)
{
    *sum = 0;
    for (struct node *at = list; at; at = at->next)
        *sum += at->value += amount;
}

cudaError_t list_add(struct node *list, int amount, long long *sum)
{
    long long *total = NULL;
    cudaError_t status = cudaMallocManaged(&total, sizeof *total);
    if (status != cudaSuccess)
        return status;
    walk<<<1, 1>>>(list, amount, total);
    status = cudaDeviceSynchronize();
    *sum = *total;
    cudaFree(total);
    return status;
}

cudaError_t list_free(struct node *list)
{
    cudaError_t status = list ? cudaHostUnregister(list) : cudaSuccess;
    free(list);
    return status;
}
