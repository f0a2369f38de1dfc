// finding=uninitialised line=11
// The halo of the tile is never filled.
#include <cuda_runtime.h>

__global__ void smooth(const int *in, int *out)
{
    __shared__ int tile[66];
    const int t = threadIdx.x;
    tile[t + 1] = in[t];
    __syncthreads();
    out[t] = tile[t] + tile[t + 1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    smooth<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
