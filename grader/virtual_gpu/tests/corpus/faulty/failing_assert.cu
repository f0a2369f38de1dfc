// finding=assert line=9
// One value is negative.
#include <assert.h>
#include <cuda_runtime.h>

__global__ void roots(const float *in, float *out)
{
    const float x = in[threadIdx.x];
    assert(x >= 0);
    out[threadIdx.x] = sqrtf(x);
}

int main()
{
    float values[32], *in, *out;
    for (int i = 0; i < 32; i++)
        values[i] = (float)(i - 1);
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    roots<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
