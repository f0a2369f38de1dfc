// finding=barrier line=11
// Half of the warp comes to the barrier.
#include <cuda_runtime.h>

__global__ void halves(int *out)
{
    __shared__ int tile[64];
    const int t = threadIdx.x;
    tile[t] = t;
    if (t % 32 < 16) {
        __syncthreads();
        tile[t] += tile[t + 16];
    }
    out[t] = tile[t];
}

int main()
{
    int *out;
    cudaMalloc(&out, 256);
    halves<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
