// expect: out-of-bounds at "past the end"
#include <cuda_runtime.h>
__global__ void fill(float *data)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; // past the end
}
int main()
{
    float *data;
    cudaMalloc(&data, 1000 * sizeof *data);
    fill<<<4, 256>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
}
