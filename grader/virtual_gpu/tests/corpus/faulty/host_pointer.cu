// finding=host-pointer line=14
// A structure on the device keeps a pointer to an array of the host.
#include <cuda_runtime.h>
#include <stdlib.h>

struct list {
    int *items;
    int count;
};

__global__ void sum(const struct list *list, int *out)
{
    for (int i = 0; i < list->count; i++)
        *out += list->items[i];
}

int main()
{
    struct list list = {(int *)calloc(10, sizeof(int)), 10}, *d_list;
    int *out;
    cudaMalloc(&d_list, sizeof list);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(d_list, &list, sizeof list, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(int));
    sum<<<1, 1>>>(d_list, out);
    cudaDeviceSynchronize();
    cudaFree(d_list);
    cudaFree(out);
    free(list.items);
}
