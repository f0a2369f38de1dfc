// finding=leak line=0
// One of two allocations is never freed.
#include <cuda_runtime.h>

int main()
{
    int *kept, *freed;
    cudaMalloc(&kept, 1000);
    cudaMalloc(&freed, 1000);
    cudaFree(freed);
}
