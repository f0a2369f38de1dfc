// finding=launch line=0
// More than 48 KiB must be asked for with cudaFuncSetAttribute.
#include <cuda_runtime.h>

__global__ void fill(int *out)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc(&out, 128);
    fill<<<1, 32, 64 * 1024>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
