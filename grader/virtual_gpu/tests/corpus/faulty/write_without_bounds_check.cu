// finding=out-of-bounds line=8
// More threads than elements, and nobody asks.
#include <cuda_runtime.h>

__global__ void fill(int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}

int main()
{
    const int n = 1000;
    int *out;
    cudaMalloc(&out, n * sizeof(int));
    fill<<<(n + 127) / 128, 128>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
