// A stretch for each thread wastes most of what is fetched: the lanes of a warp are far apart,
// and of each sector of 32 bytes that a load touches, it uses 4. Here the elements are dealt
// out the other way round: the threads with the same number in all blocks are neighbours. The
// lanes are still far apart, a grid's width. But blocks that run at the same time use the same
// sectors, and what one has fetched, the L2 cache still holds for the other seven.
#include "cuda_try.h"

constexpr size_t GRID_X_MAX = 2147483647;

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    // SOLVED(hw1.1)
    size_t i = threadIdx.x * (size_t)gridDim.x + blockIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
    // END(hw1.1)
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    // SOLVED(hw1.1)
    size_t blocks = ceil_div(span.count, threads);
    if (blocks > GRID_X_MAX)
        return cudaErrorInvalidValue;
    add_kernel<<<(unsigned)blocks, threads, 0, stream>>>(a, b, sum, span.first, span.count);
    // END(hw1.1)
    return cudaGetLastError();
}

// ---- the other tasks ----------------------------------------------------------------

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
