// finding=global-race line=9 other=9
// The neighbour's element may be new or old.
#include <cuda_runtime.h>

__global__ void smooth(int *data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        data[i] = (data[i - 1] + data[i + 1]) / 2;
}

int main()
{
    int *data;
    cudaMalloc(&data, 1024);
    cudaMemset(data, 0, 1024);
    int one = 1 << 20;
    cudaMemcpy(data + 30, &one, 4, cudaMemcpyHostToDevice);
    smooth<<<4, 64>>>(data, 256);
    cudaDeviceSynchronize();
    cudaFree(data);
}
