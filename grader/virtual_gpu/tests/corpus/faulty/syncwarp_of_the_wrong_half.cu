// finding=shared-race line=9 other=11
// The halves synchronise among themselves, and read from each other.
#include <cuda_runtime.h>

__global__ void exchange(int *out)
{
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = t;
    __syncwarp(t < 16 ? 0x0000FFFFu : 0xFFFF0000u);
    out[t] = tile[t ^ 16];
}

int main()
{
    int *out;
    cudaMalloc(&out, 128);
    exchange<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
