// finding=heap line=13
// Two threads free one block of the device's heap.
#include <cuda_runtime.h>

__global__ void allocate(int **block)
{
    *block = (int *)malloc(64);
    (*block)[0] = 1;
}

__global__ void release(int **block)
{
    free(*block);
}

int main()
{
    int **block;
    cudaMalloc(&block, sizeof *block);
    allocate<<<1, 1>>>(block);
    release<<<1, 2>>>(block);
    cudaDeviceSynchronize();
    cudaFree(block);
}
