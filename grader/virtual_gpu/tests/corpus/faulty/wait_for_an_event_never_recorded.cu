// finding=wait line=0
// The event is recorded after the wait for it, which therefore waits for nothing.
#include <cuda_runtime.h>

__global__ void fill(int *out)
{
    *out = 1;
}

int main()
{
    cudaStream_t first, second;
    cudaEvent_t ready;
    int *out;
    cudaMalloc(&out, sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&ready);
    cudaStreamWaitEvent(second, ready, 0);
    fill<<<1, 1, 0, first>>>(out);
    cudaEventRecord(ready, first);
    cudaDeviceSynchronize();
    cudaEventDestroy(ready);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(out);
}
