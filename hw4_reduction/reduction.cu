// Homework 4, atomics, reduction and warp shuffle: many numbers become one.
//
// What each function must do stands in reduction.h, which the build includes for you.
// Threads of one warp exchange registers, threads of one block share memory and a
// barrier; between blocks there is only global memory, and atomics on it.
#include "cuda_try.h"

enum : unsigned {
    WARP = 32,
    ALL_LANES = 0xffffffff, // a mask: bit k stands for lane k of the warp
};

// How many blocks to launch: enough for `wanted`, at least 1, and no more than the device
// holds at once, because the others would only queue.
static cudaError_t choose_blocks(
    const void *kernel, unsigned threads, size_t shared_bytes, size_t wanted, unsigned *blocks)
{
    cudaError_t status = cudaSuccess;
    int device = 0, processors = 0, blocks_each = 0;
    size_t resident = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, kernel, (int)threads, shared_bytes));
    resident = (size_t)processors * (size_t)blocks_each;
    *blocks = wanted == 0 ? 1 : (unsigned)(wanted < resident ? wanted : resident);
done:
    return status;
}

// ---- A worked example: how many elements are positive? ------------------------------

static __global__ void count_positive_kernel(const int *in, unsigned *count, size_t n)
{
    size_t stride = gridDim.x * (size_t)blockDim.x;
    unsigned total = 0; // of the whole block: every thread keeps the same number

    // correctness: the loop runs on the index of the block's first thread, not on i, so
    // all threads make the same number of rounds and meet at the barrier inside.
    for (size_t first = blockIdx.x * (size_t)blockDim.x; first < n; first += stride) {
        size_t i = first + threadIdx.x;
        total += __syncthreads_count(i < n && in[i] > 0); // a barrier that counts
    }
    // One atomic a block: *count is read, increased and written back in one step, so no
    // other block's addition is lost in between.
    if (threadIdx.x == 0)
        atomicAdd(count, total);
}

cudaError_t count_positive(const int *in, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    unsigned threads = 256, blocks = 0;

    CUDA_TRY(choose_blocks(
        (const void *)count_positive_kernel, threads, 0, ceil_div(n, threads), &blocks));
    // correctness: atomics add to what is there, and in *count that is junk.
    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    count_positive_kernel<<<blocks, threads, 0, stream>>>(in, count, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw4.1: a tree in shared memory -------------------------------------------------

// TODO(hw4.1): a kernel, about 20 lines, and its launch, about 10.
//   Given  blocks of `threads` threads, 1 to 1,024; the launch above as a pattern.
//   Leave  *out = the sum of n floats: each thread sums its share in a grid-stride loop
//          and stores it in shared memory (extern __shared__ float tile[]; its bytes are
//          the launch's third argument), the block adds halves until one number is left,
//          and one thread adds that to *out with one atomicAdd.
//   Mind   an odd number has no halves; every thread must come to every barrier.
cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented; // the launch; the kernel goes above
}
// END(hw4.1)

// ---- hw4.2: two levels of shuffles, 16-byte loads -----------------------------------

// TODO(hw4.2): a kernel, about 35 lines in two or three functions, and its launch.
//   Given  blocks of a multiple of 32 threads; in is 16-byte aligned; __shfl_down_sync.
//   Leave  *out as in hw4.1. A thread loads a float4 at a time, and four of them before
//          it adds the first; each warp folds its values by shuffles, lane 0 stores
//          the warp's sum in shared memory, and the first warp folds those.
//   Mind   n need not be a multiple of 4; fewer than 32 warps leave lanes without a sum;
//          the first warp may read only what is certain to be written.
cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw4.2)

// ---- hw4.3: the maximum and where it is ---------------------------------------------

// TODO(hw4.3): about 50 lines. One launch finds the best of each block, a second the best
// of those, which wait in `scratch`; or a 64-bit atomicMax, cleared before the first use.
//   Leave  *value = the largest element, *index = the lowest index where it stands.
//   Mind   all elements negative, all -infinity, all equal; -0 equals +0; threads without
//          an element. Value and index in one 64-bit number make one comparison of two.
cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw4.3)

// ---- hw4.4 (star): one pass, the same bits every time -------------------------------

// TODO(hw4.4): about 40 lines. Each block leaves its sum in `scratch` and draws a ticket
// with an atomic; the block that draws the last one adds up all the sums, in order.
//   Given  `scratch` is zero before the first call, and is yours from then on.
//   Leave  *out = the sum, in one launch, the same bits on every call.
//   Mind   whoever sees your ticket must also see your sum (__threadfence); the next call
//          needs a ticket counter of 0 again.
cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw4.4)

// ---- hw4.5: a block a row -----------------------------------------------------------

// TODO(hw4.5): about 20 lines with what hw4.2 has made.
//   Leave  out[r] = the sum of row r, by one block whose threads stride along the row.
//   Mind   a row need not begin on a 16-byte boundary; there may be no rows, no columns,
//          or more rows than grid.y takes; shared memory that the last row still reads.
cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw4.5)

// ---- hw4.6: a prefix sum in each warp -----------------------------------------------

// TODO(hw4.6): about 25 lines.
//   Leave  out[i] = the sum of in[i] and the elements before it among its 32.
//          __shfl_up_sync brings the value from 1, 2, 4, 8 and 16 lanes below.
//   Mind   the lowest lanes have no lane so far below and get their own value. All lanes
//          that the mask names and that have not ended execute the shuffle, and none
//          reads from one that has ended: think of the last, partial warp.
cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw4.6)

// ---- hw4.7 (star): keep the positive elements ---------------------------------------

// TODO(hw4.7): about 50 lines. A block counts what it keeps, reserves that much of `out`
// with one atomicAdd, whose old value is where its part begins, and divides it by a scan.
//   Leave  out[0 … *count - 1] = the positive elements in any order, the rest untouched.
//   Mind   the whole block must know where its part begins before anyone writes.
cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw4.7)
