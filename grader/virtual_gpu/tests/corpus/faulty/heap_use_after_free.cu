// finding=use-after-free line=19
// A list is read after its node was freed.
#include <cuda_runtime.h>

struct node {
    int value;
    struct node *next;
};

__global__ void sum_and_free(int *out)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = (struct node *)malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = head;
        head = fresh;
    }
    for (struct node *at = head; at != NULL; at = at->next) {
        *out += at->value;
        free(at);
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    sum_and_free<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
