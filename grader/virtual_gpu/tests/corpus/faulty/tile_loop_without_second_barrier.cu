// finding=shared-race line=10 other=13
// The next tile overwrites the one that others still read.
#include <cuda_runtime.h>

__global__ void correlate(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int sum = 0;
    for (int base = 0; base < n; base += 64) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; k++)
            sum += tile[(threadIdx.x + k) % 64] * k;
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 512);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 512);
    correlate<<<1, 64>>>(in, out, 128);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
