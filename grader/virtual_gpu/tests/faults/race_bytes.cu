// expect: shared-race at "reads a neighbour's byte" and "writes a byte"
#include <cuda_runtime.h>
__global__ void mirror(unsigned char *data)
{
    __shared__ unsigned char tile[128];
    int t = threadIdx.x;
    tile[t] = data[t];       // writes a byte
    data[t] = tile[127 - t]; // reads a neighbour's byte
}
int main()
{
    unsigned char *data;
    cudaMalloc(&data, 128);
    cudaMemset(data, 0, 128);
    mirror<<<1, 128>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
