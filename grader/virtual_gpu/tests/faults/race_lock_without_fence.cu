// expect: global-race at "inside the lock"
#include <cuda_runtime.h>
__device__ int lock_word;
__global__ void add(int *total)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0)
            ;
        *total += (int)blockIdx.x; // inside the lock
        atomicExch(&lock_word, 0);
    }
}
int main()
{
    int *total;
    cudaMalloc(&total, 4);
    cudaMemset(total, 0, 4);
    add<<<8, 32>>>(total);
    cudaDeviceSynchronize();
    cudaFree(total);
}
