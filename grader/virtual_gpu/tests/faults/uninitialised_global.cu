// expect: uninitialised at "nobody wrote it"
#include <cuda_runtime.h>
__global__ void scale(const float *in, float *out)
{
    out[threadIdx.x] = 2.0f * in[threadIdx.x]; // nobody wrote it
}
int main()
{
    float *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    scale<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
