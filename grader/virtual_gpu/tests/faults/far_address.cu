// expect: out-of-bounds at "a wild index"
#include <cuda_runtime.h>
__global__ void wild(int *data, size_t where)
{
    data[where + threadIdx.x] = 1; // a wild index
}
int main()
{
    int *data;
    cudaMalloc(&data, 128);
    wild<<<1, 32>>>(data, (size_t)1 << 28);
    cudaDeviceSynchronize();
    cudaFree(data);
}
