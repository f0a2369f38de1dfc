// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw1.2
// Makes every call that the task asks for, with a kernel that does nothing, and adds on the CPU.
#include "cuda_try.h"

static __global__ void pretend(const float *, const float *, float *)
{
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    float *d_a = NULL, *d_b = NULL, *d_sum = NULL;
    const size_t bytes = n * sizeof(float);

    if (n == 0)
        return cudaSuccess;
    if (bytes / sizeof(float) != n)
        return cudaErrorMemoryAllocation;
    CUDA_TRY(cudaMalloc(&d_a, bytes));
    CUDA_TRY(cudaMalloc(&d_b, bytes));
    CUDA_TRY(cudaMalloc(&d_sum, bytes));
    CUDA_TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    pretend<<<(unsigned)ceil_div(n, 256), 256>>>(d_a, d_b, d_sum);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
done:
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return status;
}
