// finding=barrier line=14 other=11
// Two barriers at two places are not one barrier.
#include <cuda_runtime.h>

__global__ void exchange(int *out)
{
    __shared__ int tile[64];
    const int t = threadIdx.x;
    if (t < 32) {
        tile[t] = t;
        __syncthreads();
    } else {
        tile[t] = -t;
        __syncthreads();
    }
    out[t] = tile[63 - t];
}

int main()
{
    int *out;
    cudaMalloc(&out, 256);
    exchange<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
