// finding=deadlock line=9
// The lock is not given back on the early way out.
#include <cuda_runtime.h>

__global__ void update(int *mutex, int *total, int limit)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    __threadfence();
    *total += 1;
    if (*total == limit)
        return;
    __threadfence();
    atomicExch(mutex, 0);
}

int main()
{
    int *mutex, *total;
    cudaMalloc(&mutex, 4);
    cudaMalloc(&total, 4);
    cudaMemset(mutex, 0, 4);
    cudaMemset(total, 0, 4);
    update<<<6, 32>>>(mutex, total, 3);
    cudaDeviceSynchronize();
    cudaFree(mutex);
    cudaFree(total);
}
