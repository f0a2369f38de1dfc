// finding=warp-sync line=13
// __syncwarp() without a mask means all lanes.
#include <cuda_runtime.h>

__global__ void pairs(int *out)
{
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = t;
    __syncwarp();
    if (t < 8) {
        tile[t] = tile[t + 8];
        __syncwarp();
    }
    out[t] = tile[t];
}

int main()
{
    int *out;
    cudaMalloc(&out, 128);
    pairs<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
