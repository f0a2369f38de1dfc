// finding=deadlock line=11
// The barrier is told to wait for three warps, of which two come.
#include <cuda_runtime.h>

__global__ void pair(int *out)
{
    __shared__ int tile[64];
    const int t = threadIdx.x;
    if (t < 64) {
        tile[t] = t;
        asm volatile("bar.sync 1, 96;" ::: "memory");
        out[t] = tile[63 - t];
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, 256);
    pair<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
