// finding=warp-sync line=10
// Lanes leave the loop one after the other; the mask still names them.
#include <cuda_runtime.h>

__global__ void walk(const int *lengths, int *out)
{
    int x = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < lengths[threadIdx.x]; k++)
        x = __shfl_sync(0xFFFFFFFFu, x, (x + 1) % 32);
    out[threadIdx.x] = x;
}

int main()
{
    int values[32], *lengths, *out;
    for (int i = 0; i < 32; i++)
        values[i] = 3 + i % 3;
    cudaMalloc(&lengths, 128);
    cudaMalloc(&out, 128);
    cudaMemcpy(lengths, values, sizeof values, cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(lengths, out);
    cudaDeviceSynchronize();
    cudaFree(lengths);
    cudaFree(out);
}
