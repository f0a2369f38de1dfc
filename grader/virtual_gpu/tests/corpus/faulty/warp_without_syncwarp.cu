// finding=shared-race line=9 other=10
// Lanes of a warp do not run in lockstep.
#include <cuda_runtime.h>

__global__ void sum_warp(const int *in, int *out)
{
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[t] + tile[t ^ 1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    sum_warp<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
