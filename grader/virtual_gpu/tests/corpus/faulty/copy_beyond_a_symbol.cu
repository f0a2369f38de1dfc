// finding=copy line=0
// The table has 16 entries.
#include <cuda_runtime.h>

__constant__ float table[16];

__global__ void use(float *out)
{
    out[threadIdx.x] = table[threadIdx.x];
}

int main()
{
    float values[20] = {0}, *out;
    cudaMalloc(&out, 64);
    cudaMemcpyToSymbol(table, values, sizeof values);
    use<<<1, 16>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
