// A rung of the compaction: a block reserves once. In the rung before every warp queued up at
// the counter; here the warps of a block put down how many they keep, one of them scans those
// numbers, and only it draws. What is left: loads of 4 bytes, four of them on their way.
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

constexpr unsigned ITEMS = 4; // of each thread, loaded before the first is looked at

static __global__ void compact_positive_kernel(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned starts[WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned lanes_below = (1u << lane) - 1;
    const size_t first = blockIdx.x * (size_t)blockDim.x * ITEMS + threadIdx.x;
    unsigned keepers[ITEMS], kept = 0; // the same in every lane of the warp
    int item[ITEMS];

#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        size_t i = first + k * blockDim.x;
        item[k] = i < n ? in[i] : 0; // what lies past n is not kept
    }
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        keepers[k] = __ballot_sync(ALL_LANES, item[k] > 0);
        kept += __popc(keepers[k]);
    }
    if (lane == 0)
        starts[warp] = kept;
    __syncthreads();
    if (warp == 0) {
        unsigned mine = lane < blockDim.x / WARP ? starts[lane] : 0;
        unsigned through = warp_scan(mine), start = 0;
        if (lane == WARP - 1) // the last lane has the number of the whole block
            start = atomicAdd(count, through);
        start = __shfl_sync(ALL_LANES, start, WARP - 1);
        starts[lane] = start + through - mine;
    }
    __syncthreads(); // correctness: all wait for the place before anyone writes
    unsigned at = starts[warp];
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        if (item[k] > 0)
            out[at + __popc(keepers[k] & lanes_below)] = item[k];
        at += __popc(keepers[k]);
    }
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = 256;
    const size_t blocks = ceil_div(n, threads * (size_t)ITEMS);

    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (blocks > 0)
        compact_positive_kernel<<<(unsigned)blocks, threads, 0, stream>>>(in, out, count, n);
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
