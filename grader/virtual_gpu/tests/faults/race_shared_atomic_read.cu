// expect: shared-race at "before all have counted" and "counts"
#include <cuda_runtime.h>
__global__ void histogram(const unsigned *in, unsigned *out)
{
    __shared__ unsigned bins[64];
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] & 63], 1u); // counts
    if (threadIdx.x < 64)
        out[threadIdx.x] = bins[threadIdx.x]; // before all have counted
}
int main()
{
    unsigned *in, *out;
    cudaMalloc(&in, 1024);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 1024);
    histogram<<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
