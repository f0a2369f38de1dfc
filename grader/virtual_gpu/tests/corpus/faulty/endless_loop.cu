// finding=hang line=8 VGPU_BUDGET=2000000
// The step is zero when the width is one.
#include <cuda_runtime.h>

__global__ void walk(const int *in, int *out, int n, int width)
{
    int i = threadIdx.x;
    while (in[i % n] == 0)
        i += width / 2;
    out[threadIdx.x] = i;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 128);
    cudaMalloc(&out, 128);
    cudaMemset(in, 0, 128);
    walk<<<1, 32>>>(in, out, 32, 1);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
