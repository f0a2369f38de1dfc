// Homework 9, histograms: count values in memory that a block shares.
//
// What each function must do stands in histogram.h, which the build includes for you.
#include "cuda_try.h"

// ---- A worked example: how many of n values are 0 -----------------------------------

// Each thread counts its own in a register; one atomic a thread joins them.
static __global__ void count_zeros_kernel(const unsigned *values, unsigned *count, size_t n)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;
    unsigned mine = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        mine += values[i] == 0;
    atomicAdd(count, mine);
}

cudaError_t count_zeros(const unsigned *values, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (n > 0)
        count_zeros_kernel<<<64, 256, 0, stream>>>(values, count, n);
    status = cudaGetLastError();
done:
    return status;
}

// ---- hw9.1: a histogram in shared memory --------------------------------------------

constexpr unsigned THREADS = 256, BLOCKS_MAX = 64;

static __global__ void histogram_kernel(const unsigned *values, unsigned *counts, size_t n)
{
    // SOLVED(hw9.1)
    __shared__ unsigned mine[BINS];
    size_t stride = gridDim.x * (size_t)blockDim.x;

    for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        mine[bin] = 0;
    __syncthreads(); // correctness: no thread counts before all bins are 0
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[values[i]], 1);
    __syncthreads(); // correctness: no bin is read before all have counted
    for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        atomicAdd(&counts[bin], mine[bin]);
    // END(hw9.1)
}

cudaError_t histogram(const unsigned *values, unsigned *counts, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    size_t blocks = ceil_div(n, THREADS);
    if (blocks > BLOCKS_MAX)
        blocks = BLOCKS_MAX;
    // SOLVED(hw9.1)
    CUDA_TRY(cudaMemsetAsync(counts, 0, BINS * sizeof *counts, stream));
    // END(hw9.1)
    if (blocks > 0)
        histogram_kernel<<<(unsigned)blocks, THREADS, 0, stream>>>(values, counts, n);
    status = cudaGetLastError();
done:
    return status;
}
