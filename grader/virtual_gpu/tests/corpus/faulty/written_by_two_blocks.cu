// finding=global-race line=7 other=7
// Blocks overlap by one element, and do not agree about it.
#include <cuda_runtime.h>

__global__ void label(int *out)
{
    out[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = blockIdx.x;
}

int main()
{
    int *out;
    cudaMalloc(&out, 1024);
    label<<<4, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
