// finding=global-race line=8 other=8
// Every block increments one word.
#include <cuda_runtime.h>

__global__ void count(int *total)
{
    if (threadIdx.x == 0)
        *total += 1;
}

int main()
{
    int *total;
    cudaMalloc(&total, 4);
    cudaMemset(total, 0, 4);
    count<<<8, 32>>>(total);
    cudaDeviceSynchronize();
    cudaFree(total);
}
