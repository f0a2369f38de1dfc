// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=accumulated task=hw8.3
// The sums are not cleared: each call adds to what is there.
#include "cuda_try.h"

static __global__ void sum_buckets_kernel(const int *bucket, const int *value, int *sums, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i >= n || bucket[i] < 0)
        return;
    const unsigned same = __match_any_sync(__activemask(), bucket[i]);
    int sum = 0;
    for (unsigned left = same; left != 0; left &= left - 1)
        sum += __shfl_sync(same, value[i], __ffs((int)left) - 1);
    if ((same & ((1u << threadIdx.x % 32) - 1)) == 0)
        atomicAdd(&sums[bucket[i]], sum);
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    if (n > 0)
        sum_buckets_kernel<<<(unsigned)ceil_div(n, 256), 256, 0, stream>>>(bucket, value, sums, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
