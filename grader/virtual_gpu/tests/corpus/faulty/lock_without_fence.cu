// finding=global-race line=11 other=11
// The lock is exclusive, but what it guards need not be visible to the next one.
#include <cuda_runtime.h>

__global__ void deposit(int *mutex, int *account)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    *account += 10;
    atomicExch(mutex, 0);
}

int main()
{
    int *mutex, *account;
    cudaMalloc(&mutex, 4);
    cudaMalloc(&account, 4);
    cudaMemset(mutex, 0, 4);
    cudaMemset(account, 0, 4);
    deposit<<<6, 32>>>(mutex, account);
    cudaDeviceSynchronize();
    cudaFree(mutex);
    cudaFree(account);
}
