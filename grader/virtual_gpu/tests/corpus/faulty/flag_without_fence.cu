// finding=global-race line=10 other=16
// The flag is volatile, the message is not ordered before it.
#include <cuda_runtime.h>

__global__ void send(int *message, volatile int *flag, int *out)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *message = 42;
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        *out = *message;
    }
}

int main()
{
    int *message, *flag, *out;
    cudaMalloc(&message, 4);
    cudaMalloc(&flag, 4);
    cudaMalloc(&out, 4);
    cudaMemset(message, 0, 4);
    cudaMemset(flag, 0, 4);
    send<<<2, 32>>>(message, flag, out);
    cudaDeviceSynchronize();
    cudaFree(message);
    cudaFree(flag);
    cudaFree(out);
}
