// finding=misaligned line=8
// Pairs start at even elements only.
#include <cuda_runtime.h>

__global__ void copy_pairs(const float *in, float2 *out)
{
    const int i = threadIdx.x;
    out[i] = *(const float2 *)(in + 2 * i + 1);
}

int main()
{
    float *in;
    float2 *out;
    cudaMalloc(&in, 128 * sizeof(float));
    cudaMalloc(&out, 32 * sizeof(float2));
    cudaMemset(in, 0, 128 * sizeof(float));
    copy_pairs<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
