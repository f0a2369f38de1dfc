// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=size-of-pointer task=hw1.2
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
    cudaError_t status = cudaSuccess;
    float *d_a = NULL, *d_b = NULL, *d_sum = NULL;
    unsigned threads = 256;
    size_t blocks = ceil_div(n, threads);
    size_t bytes = n * sizeof(d_a);
    if (n == 0)
        return cudaSuccess;
    if (bytes / sizeof(d_a) != n)
        return cudaErrorMemoryAllocation;

    CUDA_TRY(cudaMalloc(&d_a, bytes));
    CUDA_TRY(cudaMalloc(&d_b, bytes));
    CUDA_TRY(cudaMalloc(&d_sum, bytes));
    CUDA_TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    add_kernel<<<(unsigned)blocks, threads, 0, 0>>>(d_a, d_b, d_sum, 0, n);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost));
done:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return status;
}
