// expect: trap at "gives up"
#include <cuda_runtime.h>
__global__ void check(const int *data)
{
    if (data[threadIdx.x] != 1)
        __trap(); // gives up
}
int main()
{
    int *data;
    cudaMalloc(&data, 128);
    cudaMemset(data, 0, 128);
    check<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
