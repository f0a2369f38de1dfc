// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=past-the-last-rank task=hw8.3
// Begins at 16 for every group: the shuffle reaches past its last rank.
#include "cuda_try.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void sum_buckets_kernel(const int *bucket, const int *value, int *sums, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        if (bucket[i] < 0)
            continue;
        cg::coalesced_group same = cg::labeled_partition(cg::coalesced_threads(), bucket[i]);
        int sum = value[i];
        for (unsigned offset = 16; offset > 0; offset /= 2)
            sum += same.shfl_down(sum, offset);
        if (same.thread_rank() == 0)
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
