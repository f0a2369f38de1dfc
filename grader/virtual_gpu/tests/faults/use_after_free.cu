// expect: use-after-free at "was freed"
#include <cuda_runtime.h>
__global__ void sum(const int *in, int *out)
{
    atomicAdd(out, in[threadIdx.x]); // was freed
}
int main()
{
    int *in, *out;
    cudaMalloc(&in, 1024);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 0, 1024);
    cudaMemset(out, 0, sizeof *out);
    cudaFree(in);
    sum<<<1, 256>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
