// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=error-not-returned task=hw1.2
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
    float *d_a = NULL, *d_b = NULL, *d_sum = NULL;
    unsigned threads = 256;
    size_t bytes = n * sizeof(float);
    if (n == 0)
        return cudaSuccess;
    if (bytes / sizeof(float) != n)
        return cudaErrorMemoryAllocation;

    // The errors are seen, and then forgotten.
    if (cudaMalloc(&d_a, bytes) != cudaSuccess)
        goto done;
    if (cudaMalloc(&d_b, bytes) != cudaSuccess)
        goto done;
    if (cudaMalloc(&d_sum, bytes) != cudaSuccess)
        goto done;
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    add_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, 0>>>(d_a, d_b, d_sum, 0, n);
    cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost);
done:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return cudaSuccess;
}
