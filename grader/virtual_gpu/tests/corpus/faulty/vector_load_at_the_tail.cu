// finding=out-of-bounds line=9
// Four floats at a time, and the length is no multiple of four.
#include <cuda_runtime.h>

__global__ void sum_quads(const float4 *in, float *out, int n)
{
    const int i = threadIdx.x;
    if (4 * i < n) {
        const float4 v = in[i];
        out[i] = v.x + v.y + v.z + v.w;
    }
}

int main()
{
    const int n = 250;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    sum_quads<<<1, 64>>>((const float4 *)in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
