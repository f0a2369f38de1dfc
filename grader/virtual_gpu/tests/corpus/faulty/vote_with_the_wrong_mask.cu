// finding=warp-sync line=7
// Every lane calls, and the mask names sixteen of them.
#include <cuda_runtime.h>

__global__ void vote(const int *in, unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(0x0000FFFFu, in[threadIdx.x] > 0);
}

int main()
{
    int *in;
    unsigned *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    vote<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
