// finding=warp-sync line=9
// The lower half reads from the upper one, which is not in the mask.
#include <cuda_runtime.h>

__global__ void fold(const int *in, int *out)
{
    const int t = threadIdx.x;
    if (t < 16)
        out[t] = in[t] + __shfl_down_sync(0x0000FFFFu, in[t], 8);
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    fold<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
