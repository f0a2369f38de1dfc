// finding=out-of-bounds line=8
// The first thread looks to its left.
#include <cuda_runtime.h>

__global__ void smooth(const float *in, float *out)
{
    const int i = threadIdx.x;
    out[i] = (in[i - 1] + in[i]) / 2;
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemset(in, 0, 64 * sizeof(float));
    smooth<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
