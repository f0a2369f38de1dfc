// finding=launch line=0
// Only the first dimension of a grid may exceed 65535.
#include <cuda_runtime.h>

__global__ void fill(int *out)
{
    out[blockIdx.y] = 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 70000 * sizeof(int));
    fill<<<dim3(1, 70000), 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
