// finding=read-only line=9
// Kernels only read __constant__ memory.
#include <cuda_runtime.h>

__constant__ int limits[4];

__global__ void raise_limits(int *writable, int x)
{
    writable[threadIdx.x] = x;
}

int main()
{
    void *address = nullptr;
    cudaGetSymbolAddress(&address, limits);
    raise_limits<<<1, 4>>>((int *)address, 5);
    cudaDeviceSynchronize();
}
