// finding=global-race line=8 other=10
// A barrier is for one block only.
#include <cuda_runtime.h>

__global__ void two_steps(const int *in, int *half, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    half[i] = in[i] / 2;
    __syncthreads();
    out[i] = half[n - 1 - i];
}

int main()
{
    int *in, *half, *out;
    cudaMalloc(&in, 1024);
    cudaMalloc(&half, 1024);
    cudaMalloc(&out, 1024);
    cudaMemset(in, 0, 1024);
    cudaMemset(half, 0, 1024);
    two_steps<<<4, 64>>>(in, half, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(half);
    cudaFree(out);
}
