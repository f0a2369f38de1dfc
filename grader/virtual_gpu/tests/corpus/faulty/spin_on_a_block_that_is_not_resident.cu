// finding=deadlock line=10
// Every block waits for the last one, which finds no place on the device.
#include <cuda_runtime.h>

__global__ void wait_for_the_last(volatile int *flag, int *out)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == gridDim.x - 1)
            *flag = 1;
        while (*flag == 0)
            ;
    }
    __syncthreads();
    out[blockIdx.x] = 1;
}

int main()
{
    const int blocks = 2000;
    int *flag, *out;
    cudaMalloc(&flag, 4);
    cudaMalloc(&out, blocks * sizeof(int));
    cudaMemset(flag, 0, 4);
    wait_for_the_last<<<blocks, 1024>>>(flag, out);
    cudaDeviceSynchronize();
    cudaFree(flag);
    cudaFree(out);
}
