// expect: uninitialised at "beyond the first array"
#include <cuda_runtime.h>
__global__ void overrun(int *out)
{
    __shared__ int first[32];
    int t = threadIdx.x;
    first[t] = t;
    __syncthreads();
    __shared__ int second[64];
    if (out == nullptr)
        second[t] = t;
    __syncthreads();
    out[t] = first[t] + second[t]; // beyond the first array
}
int main()
{
    int *out;
    cudaMalloc(&out, 128);
    overrun<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
