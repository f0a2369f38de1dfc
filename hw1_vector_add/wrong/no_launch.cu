// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=no-launch task=hw1.2
#include "cuda_try.h"

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    float *d_a = NULL, *d_b = NULL, *d_sum = NULL;
    size_t bytes = n * sizeof(float);
    if (n == 0)
        return cudaSuccess;
    if (bytes / sizeof(float) != n)
        return cudaErrorMemoryAllocation;

    CUDA_TRY(cudaMalloc(&d_a, bytes));
    CUDA_TRY(cudaMalloc(&d_b, bytes));
    CUDA_TRY(cudaMalloc(&d_sum, bytes));
    CUDA_TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaDeviceSynchronize());
    CUDA_TRY(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost));
done:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return status;
}
