// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=atomic-an-element task=hw8.3
// An atomic an element: the values differ, so the compiler cannot add them up before.
#include "cuda_try.h"

static __global__ void sum_buckets_kernel(const int *bucket, const int *value, int *sums, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n && bucket[i] >= 0)
        atomicAdd(&sums[bucket[i]], value[i]);
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    CUDA_TRY(cudaMemsetAsync(sums, 0, BUCKETS * sizeof *sums, stream));
    if (n > 0)
        sum_buckets_kernel<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(bucket, value, sums, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
