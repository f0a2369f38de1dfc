// finding=shared-race line=9 other=10
// One warp reads what another one writes, with no barrier in between.
#include <cuda_runtime.h>

__global__ void reverse(int *data)
{
    __shared__ int tile[128];
    const int t = threadIdx.x;
    tile[t] = data[t];
    data[t] = tile[127 - t];
}

int main()
{
    int *data;
    cudaMalloc(&data, 512);
    cudaMemset(data, 0, 512);
    reverse<<<1, 128>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
