// finding=shared-race line=10 other=9
// The thread that zeroes the counter adds to it at once, the others perhaps before.
#include <cuda_runtime.h>

__global__ void count(const int *in, int *out)
{
    __shared__ int positive;
    if (threadIdx.x == 0)
        positive = 0;
    atomicAdd(&positive, in[threadIdx.x] > 0);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = positive;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 1, 256);
    count<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
