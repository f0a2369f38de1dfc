// finding=warp-sync line=9
// The last warp has eight threads.
#include <cuda_runtime.h>

__global__ void sum_warps(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, step);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 160);
    cudaMalloc(&out, 8);
    cudaMemset(in, 0, 160);
    sum_warps<<<1, 40>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
