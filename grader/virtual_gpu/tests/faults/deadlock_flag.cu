// expect: deadlock at "nobody raises it"
#include <cuda_runtime.h>
__global__ void wait(volatile int *flag, int *out)
{
    while (*flag == 0) // nobody raises it
        ;
    out[threadIdx.x] = 1;
}
int main()
{
    int *flag, *out;
    cudaMalloc(&flag, 4);
    cudaMalloc(&out, 128);
    cudaMemset(flag, 0, 4);
    wait<<<1, 32>>>(flag, out);
    cudaDeviceSynchronize();
    cudaFree(flag);
    cudaFree(out);
}
