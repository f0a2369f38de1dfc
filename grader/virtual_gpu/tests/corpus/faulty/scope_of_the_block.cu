// finding=global-race line=7 other=7
// What is atomic for the threads of a block is not for those of others.
#include <cuda_runtime.h>

__global__ void total(const int *in, int *sum)
{
    atomicAdd_block(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main()
{
    int *in, *sum;
    cudaMalloc(&in, 256);
    cudaMalloc(&sum, 4);
    cudaMemset(in, 1, 256);
    cudaMemset(sum, 0, 4);
    total<<<2, 32>>>(in, sum);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(sum);
}
