// finding=warp-sync line=10
// The mask was taken before the branch, when all were active.
#include <cuda_runtime.h>

__global__ void append(const int *in, int *out)
{
    const unsigned mask = __activemask();
    int x = in[threadIdx.x];
    if (x % 2 == 1) {
        const int first = __shfl_sync(mask, x, 1);
        x += first;
    }
    out[threadIdx.x] = x;
}

int main()
{
    int values[32], *in, *out;
    for (int i = 0; i < 32; i++)
        values[i] = i;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    append<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
