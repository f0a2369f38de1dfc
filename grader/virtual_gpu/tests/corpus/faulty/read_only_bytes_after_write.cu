// finding=global-race line=11 other=9
// A thread's own bytes, read back through __ldg.
#include <cuda_runtime.h>

__global__ void own_bytes_kernel(unsigned char *bytes, unsigned char *out, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        bytes[i] = (unsigned char)i;
    if (i < n)
        out[i] = __ldg(&bytes[i]);
}

int main()
{
    enum { N = 100 };
    unsigned char *bytes, *out;
    cudaMalloc(&bytes, N);
    cudaMalloc(&out, N);
    own_bytes_kernel<<<1, 128>>>(bytes, out, N);
    cudaDeviceSynchronize();
    cudaFree(bytes);
    cudaFree(out);
}
