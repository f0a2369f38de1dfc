// finding=shared-race line=11 other=12
// The total is read before all have added.
#include <cuda_runtime.h>

__global__ void share(const int *in, float *out)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, in[threadIdx.x]);
    out[threadIdx.x] = (float)in[threadIdx.x] / (float)total;
}

int main()
{
    int *in;
    float *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 1, 256);
    share<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
