// finding=managed-touch line=0
// cudaDeviceSynchronize() is missing between the launch and the sum.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *out)
{
    out[threadIdx.x] = threadIdx.x;
}

int main()
{
    int *out, sum = 0;
    cudaMallocManaged(&out, 128);
    fill<<<1, 32>>>(out);
    for (int i = 0; i < 32; i++)
        sum += out[i];
    printf("%d\n", sum);
    cudaDeviceSynchronize();
    cudaFree(out);
}
