// finding=shared-race line=11 other=11
// Two threads with one bin: an increment is a read and a write.
#include <cuda_runtime.h>

__global__ void histogram(const int *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    bins[in[threadIdx.x]]++;
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = bins[threadIdx.x];
}

int main()
{
    int values[64], *in, *out;
    for (int i = 0; i < 64; i++)
        values[i] = i * 5 % 8;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, 32);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    histogram<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
