// gpu=LEAK virtual=LEAK diagnosis=leak-on-error task=hw1.2
#include "cuda_try.h"

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    float *d_a, *d_b, *d_sum;
    unsigned threads = 256;
    size_t bytes = n * sizeof(float);
    if (n == 0)
        return cudaSuccess;
    if (bytes / sizeof(float) != n)
        return cudaErrorMemoryAllocation;

    cudaError_t status = cudaMalloc(&d_a, bytes);
    if (status != cudaSuccess)
        return status;
    status = cudaMalloc(&d_b, bytes);
    if (status != cudaSuccess)
        return status; // d_a is lost
    status = cudaMalloc(&d_sum, bytes);
    if (status != cudaSuccess)
        return status;
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    add_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, 0>>>(d_a, d_b, d_sum, 0, n);
    status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return status;
}
