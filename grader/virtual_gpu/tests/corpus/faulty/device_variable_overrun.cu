// finding=out-of-bounds line=10
// A __device__ array has its bounds, too.
#include <cuda_runtime.h>

__device__ int table[100];

__global__ void fill(int n)
{
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
        table[i] = i;
}

int main()
{
    fill<<<1, 32>>>(100);
    cudaDeviceSynchronize();
}
