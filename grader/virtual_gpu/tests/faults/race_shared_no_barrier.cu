// expect: shared-race at "reads the neighbour" and "writes its own"
#include <cuda_runtime.h>
__global__ void rotate(int *data)
{
    __shared__ int tile[256];
    int t = threadIdx.x;
    tile[t] = data[t];              // writes its own
    data[t] = tile[(t + 33) & 255]; // reads the neighbour
}
int main()
{
    int *data;
    cudaMalloc(&data, 1024);
    cudaMemset(data, 0, 1024);
    rotate<<<1, 256>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
