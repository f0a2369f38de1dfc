// finding=launch line=0
// n / 256 blocks, and n is 100.
#include <cuda_runtime.h>

__global__ void fill(int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1;
}

int main()
{
    const int n = 100;
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    fill<<<n / 256, 256>>>(out, n);
    cudaDeviceSynchronize();
    cudaFree(out);
}
