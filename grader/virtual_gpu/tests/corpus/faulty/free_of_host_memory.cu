// finding=free line=0
// cudaFree is for what cudaMalloc returned.
#include <cuda_runtime.h>
#include <stdlib.h>

int main()
{
    void *memory = malloc(100);
    cudaFree(memory);
    free(memory);
}
