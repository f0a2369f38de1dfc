// expect: uninitialised at "never set to zero"
#include <cuda_runtime.h>
__global__ void count(unsigned *total)
{
    atomicAdd(total, 1u); // never set to zero
}
int main()
{
    unsigned *total;
    cudaMalloc(&total, sizeof *total);
    count<<<2, 64>>>(total);
    cudaDeviceSynchronize();
    cudaFree(total);
}
