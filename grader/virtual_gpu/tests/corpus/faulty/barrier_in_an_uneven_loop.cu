// finding=barrier line=11
// Each thread makes as many rounds as it has elements; the barrier is inside.
#include <cuda_runtime.h>

__global__ void sum_tiles(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        tile[threadIdx.x] = in[i];
        __syncthreads();
        sum += tile[threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 400);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 400);
    sum_tiles<<<1, 64>>>(in, out, 80);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
