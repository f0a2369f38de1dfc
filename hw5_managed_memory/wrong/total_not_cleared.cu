// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=sum-not-cleared task=hw5.1
// The kernel adds to a total that fresh managed memory holds, and nobody has set to 0.
#include "cuda_try.h"

cudaError_t list_make(const int *values, size_t n, struct node **list)
{
    cudaError_t status = cudaSuccess;
    struct node *made = NULL;
    *list = NULL;
    for (size_t i = n; i > 0; i--) {
        CUDA_TRY(cudaMallocManaged(&made, sizeof *made));
        made->value = values[i - 1];
        made->next = *list;
        *list = made;
    }
done:
    if (status != cudaSuccess) {
        list_free(*list);
        *list = NULL;
    }
    return status;
}

static __global__ void walk(struct node *list, int amount, long long *sum)
{
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
        cudaFree(list);
        list = next;
    }
    return cudaSuccess;
}
