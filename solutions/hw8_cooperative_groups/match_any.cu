// A rung of the buckets: lanes that share a bucket find each other. In the rung before each
// lane came with an atomic of its own; here a warp asks who has the same bucket, those lanes
// add up their values, and one of them adds the sum. Every lane takes part, also without an
// element, so that the mask of the question is known; groups find out who is there.
#include "cuda_try.h"

enum : unsigned {
    WARP = 32,
    ALL_LANES = 0xffffffff, // a mask: bit k stands for lane k of the warp
};

// SOLVED(hw8.3)
// The sum over the lanes that `same` names, in each of them. They all call it.
static __device__ int sum_of_lanes(unsigned same, int value)
{
    int sum = 0;

    for (unsigned left = same; left != 0; left &= left - 1) // takes the lowest lane away
        sum += __shfl_sync(same, value, __ffs((int)left) - 1);
    return sum;
}

static __global__ void buckets_kernel(const int *bucket, const int *value, int *sums, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    const unsigned lane = threadIdx.x % WARP;

    // The loop runs on the index of the warp's first lane, so all 32 stay together.
    for (size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x - lane; first < n;
         first += stride) {
        const size_t i = first + lane;
        const int mine = i < n ? bucket[i] : -1;
        const unsigned same = __match_any_sync(ALL_LANES, mine);
        const int sum = sum_of_lanes(same, i < n ? value[i] : 0);
        if (mine >= 0 && (int)lane == __ffs((int)same) - 1) // the lowest lane of the group
            atomicAdd(&sums[mine], sum);
        __syncwarp(); // correctness: all 32 come to the next question
    }
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = 256;
    const size_t blocks_most = 4096; // the loop takes the rest
    const size_t blocks = min(ceil_div(n, threads), blocks_most);

    CUDA_TRY(cudaMemsetAsync(sums, 0, BUCKETS * sizeof *sums, stream));
    if (blocks > 0)
        buckets_kernel<<<(unsigned)blocks, threads, 0, stream>>>(bucket, value, sums, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw8.3)

// ---- The other tasks are not of this ladder -----------------------------------------

cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
