// gpu=not checked (undefined: it may hang, or pass) virtual=BARRIER diagnosis=warp-sync task=hw8.3
// The mask names all lanes of the warp, and those without a bucket are not here.
#include "cuda_try.h"

static __global__ void sum_buckets_kernel(const int *bucket, const int *value, int *sums, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        if (bucket[i] < 0)
            continue;
        const unsigned same = __match_any_sync(0xffffffff, bucket[i]);
        int sum = 0;
        for (unsigned left = same; left != 0; left &= left - 1)
            sum += __shfl_sync(same, value[i], __ffs((int)left) - 1);
        if ((same & ((1u << threadIdx.x % 32) - 1)) == 0)
            atomicAdd(&sums[bucket[i]], sum);
    }
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    CUDA_TRY(cudaMemsetAsync(sums, 0, BUCKETS * sizeof *sums, stream));
    sum_buckets_kernel<<<16, 256, 0, stream>>>(bucket, value, sums, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
