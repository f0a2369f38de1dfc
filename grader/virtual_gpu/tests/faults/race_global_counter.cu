// expect: global-race at "not atomic"
#include <cuda_runtime.h>
__global__ void count(const int *in, int *total)
{
    if (in[blockIdx.x * blockDim.x + threadIdx.x] % 3 == 0)
        *total += 1; // not atomic
}
int main()
{
    int *in, *total;
    cudaMalloc(&in, 4096);
    cudaMalloc(&total, 4);
    cudaMemset(in, 0, 4096);
    cudaMemset(total, 0, 4);
    count<<<8, 128>>>(in, total);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(total);
}
