// finding=use-after-free line=7
// The scratch array is freed before the launch that needs it.
#include <cuda_runtime.h>

__global__ void add(int *data, const int *scratch)
{
    data[threadIdx.x] += scratch[threadIdx.x];
}

int main()
{
    int *data, *scratch;
    cudaMalloc(&data, 128);
    cudaMalloc(&scratch, 128);
    cudaMemset(data, 0, 128);
    cudaMemset(scratch, 0, 128);
    cudaFree(scratch);
    add<<<1, 32>>>(data, scratch);
    cudaDeviceSynchronize();
    cudaFree(data);
}
