// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=launch-for-nothing task=hw1.2
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
    size_t bytes = n * sizeof(float);
    if (bytes / sizeof(float) != n)
        return cudaErrorMemoryAllocation;

    CUDA_TRY(cudaMalloc(&d_a, bytes));
    CUDA_TRY(cudaMalloc(&d_b, bytes));
    CUDA_TRY(cudaMalloc(&d_sum, bytes));
    CUDA_TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    // One block more than n fills: never empty, and never too small.
    add_kernel<<<(unsigned)(n / 256 + 1), 256, 0, 0>>>(d_a, d_b, d_sum, 0, n);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost));
done:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return status;
}
