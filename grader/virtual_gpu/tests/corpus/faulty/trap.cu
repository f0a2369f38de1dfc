// finding=trap line=8
// The kernel gives up by itself.
#include <cuda_runtime.h>

__global__ void check(const int *in)
{
    if (in[threadIdx.x] != 0)
        __trap();
}

int main()
{
    int *in;
    cudaMalloc(&in, 128);
    cudaMemset(in, 1, 128);
    check<<<1, 32>>>(in);
    cudaDeviceSynchronize();
    cudaFree(in);
}
