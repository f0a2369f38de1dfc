// finding=out-of-bounds line=11
// The tile has no room for the halo.
#include <cuda_runtime.h>

__global__ void neighbours(const int *in, int *out)
{
    __shared__ int tile[64];
    const int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t] + tile[t + 1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    neighbours<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
