// finding=launch line=0
// A block has 1024 threads at most.
#include <cuda_runtime.h>

__global__ void fill(int *out)
{
    out[threadIdx.x + 64 * threadIdx.y] = 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * 32 * sizeof(int));
    fill<<<1, dim3(64, 32)>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
