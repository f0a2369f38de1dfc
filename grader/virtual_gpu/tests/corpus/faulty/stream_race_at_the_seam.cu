// finding=stream-race line=9 other=9
// The first half is one byte too long: the two streams meet in a single byte.
#include <cuda_runtime.h>

__global__ void negate_kernel(signed char *bytes, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        bytes[i] = (signed char)-bytes[i];
}

int main()
{
    enum { N = 1001, HALF = N / 2 };
    signed char *bytes;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMalloc(&bytes, N);
    cudaMemset(bytes, 1, N);
    cudaDeviceSynchronize();
    negate_kernel<<<2, 256, 0, a>>>(bytes, HALF + 1);
    negate_kernel<<<2, 256, 0, b>>>(bytes + HALF, N - HALF);
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(bytes);
}
