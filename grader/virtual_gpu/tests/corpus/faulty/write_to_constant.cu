// finding=read-only line=10
// Kernels only read __constant__ memory.
#include <cuda_runtime.h>

__constant__ int limits[4];

__global__ void raise_limit(int x)
{
    int *writable = (int *)&limits[threadIdx.x];
    *writable = x;
}

int main()
{
    raise_limit<<<1, 4>>>(5);
    cudaDeviceSynchronize();
}
