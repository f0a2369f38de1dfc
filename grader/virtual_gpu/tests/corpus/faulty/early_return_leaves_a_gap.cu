// finding=uninitialised line=16
// Threads past the end leave without filling their part of the tile, which the others sum.
#include <cuda_runtime.h>

__global__ void sum_block(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i >= n)
        return;
    tile[t] = in[i];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 64; k++)
            sum += tile[k];
        out[blockIdx.x] = sum;
    }
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 100 * sizeof(int));
    cudaMalloc(&out, 2 * sizeof(int));
    cudaMemset(in, 0, 100 * sizeof(int));
    sum_block<<<2, 64>>>(in, out, 100);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
