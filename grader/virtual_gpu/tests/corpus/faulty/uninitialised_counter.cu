// finding=uninitialised line=8
// atomicAdd adds to what is there, and nobody has put a zero there.
#include <cuda_runtime.h>

__global__ void count(const int *in, int *positive)
{
    if (in[threadIdx.x] > 0)
        atomicAdd(positive, 1);
}

int main()
{
    int *in, *positive;
    cudaMalloc(&in, 128);
    cudaMalloc(&positive, sizeof(int));
    cudaMemset(in, 1, 128);
    count<<<1, 32>>>(in, positive);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(positive);
}
