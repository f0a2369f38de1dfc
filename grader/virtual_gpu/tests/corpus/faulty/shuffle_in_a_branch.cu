// finding=warp-sync line=11
// The full mask names lanes that do not take the branch.
#include <cuda_runtime.h>

__global__ void sum_half(const int *in, int *out)
{
    const int t = threadIdx.x;
    int x = in[t];
    if (t < 16) {
        for (int step = 8; step > 0; step /= 2)
            x += __shfl_xor_sync(0xFFFFFFFFu, x, step);
    }
    out[t] = x;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    sum_half<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
