// finding=null-pointer line=21
// The table of functions has a gap.
#include <cuda_runtime.h>

typedef int operation(int);

__device__ int twice(int x)
{
    return 2 * x;
}

__device__ int half(int x)
{
    return x / 2;
}

__device__ operation *table[3] = {twice, half, nullptr};

__global__ void apply(int *out)
{
    out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x);
}

int main()
{
    int *out;
    cudaMalloc(&out, 128);
    apply<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
