// expect: misaligned at "not a multiple of 16"
#include <cuda_runtime.h>
__global__ void copy(const float *in, float4 *out)
{
    out[threadIdx.x] = *(const float4 *)(in + 4 * threadIdx.x + 1); // not a multiple of 16
}
int main()
{
    float *in;
    float4 *out;
    cudaMalloc(&in, 1024);
    cudaMalloc(&out, 1024);
    cudaMemset(in, 0, 1024);
    copy<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
