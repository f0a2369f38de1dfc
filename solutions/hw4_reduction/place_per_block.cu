// A rung of the compaction: a block reserves once. In the rung before every warp queued up at
// the counter; here the 32 warps of a block put down what they keep, one of them scans those
// numbers, and only it draws. What is left: a thread loads one element and waits for it.
#include "cuda_try.h"

enum : unsigned {
    WARP = 32,
    ALL_LANES = 0xffffffff, // a mask: bit k stands for lane k of the warp
};

// SOLVED(hw4.7)
// The sum over this lane and those below it. All 32 lanes must call it.
static __device__ unsigned warp_scan(unsigned value)
{
    const unsigned lane = threadIdx.x % WARP;
    for (unsigned offset = 1; offset < WARP; offset *= 2) {
        unsigned below = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane >= offset) // correctness: the lowest lanes got their own value back
            value += below;
    }
    return value;
}

// Blocks of 32 warps, an element a thread.
static __global__ void compact_positive_kernel(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned starts[WARP];
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned lanes_below = (1u << lane) - 1;
    const int item = i < n ? in[i] : 0;
    const unsigned keepers = __ballot_sync(ALL_LANES, item > 0);

    if (lane == 0)
        starts[warp] = __popc(keepers);
    __syncthreads();
    if (warp == 0) {
        unsigned mine = starts[lane], through = warp_scan(mine), start = 0;
        if (lane == WARP - 1) // the last lane has the number of the whole block
            start = atomicAdd(count, through);
        start = __shfl_sync(ALL_LANES, start, WARP - 1);
        starts[lane] = start + through - mine;
    }
    __syncthreads(); // correctness: all wait for the place before anyone writes
    if (item > 0)
        out[starts[warp] + __popc(keepers & lanes_below)] = item;
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = WARP * WARP;

    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (n > 0)
        compact_positive_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(
            in, out, count, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw4.7)

// ---- The other tasks are not of this ladder -----------------------------------------

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
