// finding=out-of-bounds line=7
// A value of 256 has no bin.
#include <cuda_runtime.h>

__global__ void histogram(const int *in, unsigned *bins)
{
    atomicAdd(&bins[in[threadIdx.x]], 1u);
}

int main()
{
    int values[32], *in;
    unsigned *bins;
    for (int i = 0; i < 32; i++)
        values[i] = 225 + i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&bins, 256 * sizeof(unsigned));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
    histogram<<<1, 32>>>(in, bins);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(bins);
}
