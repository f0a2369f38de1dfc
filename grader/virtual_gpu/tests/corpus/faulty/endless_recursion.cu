// finding=out-of-bounds line=8
// Nothing ends the recursion.
#include <cuda_runtime.h>

__device__ __noinline__ int depth(volatile int *levels, int n)
{
    levels[n % 4] = n;
    return n == -1 ? 0 : 1 + depth(levels, n + 1) + levels[n % 4];
}

__global__ void measure(volatile int *levels, int *out)
{
    *out = depth(levels, 0);
}

int main()
{
    int *levels, *out;
    cudaMalloc(&levels, 16);
    cudaMalloc(&out, 4);
    measure<<<1, 1>>>(levels, out);
    cudaDeviceSynchronize();
    cudaFree(levels);
    cudaFree(out);
}
