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

// SOLVED(hw4.1)
static __global__ void sum_tree_kernel(const float *in, float *out, size_t n)
{
    extern __shared__ float tile[]; // one float a thread; the launch says how many
    const unsigned t = threadIdx.x;
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    float sum = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + t; i < n; i += stride)
        sum += in[i];
    tile[t] = sum;
    __syncthreads();

    // The upper half of what is left is added to the lower half. Neighbours read
    // neighbours, so no bank is asked twice. An odd number leaves its middle for later.
    for (unsigned left = blockDim.x, half = 0; left > 1; left = half) {
        half = (left + 1) / 2;
        if (t + half < left)
            tile[t] += tile[t + half];
        __syncthreads(); // correctness: outside the if, where every thread comes by
    }
    if (t == 0)
        atomicAdd(out, tile[0]);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)sum_tree_kernel;
    size_t shared_bytes = threads * sizeof(float);
    unsigned blocks = 0;

    CUDA_TRY(choose_blocks(kernel, threads, shared_bytes, ceil_div(n, threads), &blocks));
    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    sum_tree_kernel<<<blocks, threads, shared_bytes, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw4.1)

// ---- hw4.2: two levels of shuffles, 16-byte loads -----------------------------------

// SOLVED(hw4.2)
constexpr unsigned LOADS = 4; // speed: 16-byte loads that a thread has in flight

// What thread `rank` of `threads` adds of n floats.
static __device__ float thread_sum(const float *in, size_t n, size_t rank, size_t threads)
{
    // Up to 3 floats before the first 16-byte boundary, whole vectors, up to 3 floats.
    const size_t misaligned = (size_t)in / sizeof(float) % 4;
    const size_t head = min(n, (4 - misaligned) % 4);
    const size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
    const float4 *body = (const float4 *)(in + head);
    float sum = 0.0f;

    for (size_t first = rank; first < vectors; first += LOADS * threads) {
        float4 v[LOADS];
        // speed: no load needs the value of another, so all can be on their way at once.
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            size_t i = first + k * threads;
            v[k] = i < vectors ? body[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    if (rank < head)
        sum += in[rank];
    if (rank < n - tail)
        sum += in[tail + rank];
    return sum;
}

// The sum over the lanes of a warp, in lane 0. All 32 must call it.
static __device__ float warp_sum(float value)
{
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL_LANES, value, offset);
    return value;
}

// The sum over the threads of a block, in thread 0. All must call it, and a barrier must
// lie between two calls, because they share `warp_sums`.
static __device__ float block_sum(float value)
{
    __shared__ float warp_sums[WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    value = warp_sum(value);
    if (lane == 0)
        warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) // the second level: lane k takes the sum of warp k, if there is one
        value = warp_sum(lane < blockDim.x / WARP ? warp_sums[lane] : 0.0f);
    return value;
}

static __global__ void sum_shuffle_kernel(const float *in, float *out, size_t n)
{
    size_t rank = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float sum = block_sum(thread_sum(in, n, rank, gridDim.x * (size_t)blockDim.x));
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    size_t wanted = ceil_div(n, threads * (size_t)(4 * LOADS));
    unsigned blocks = 0;

    CUDA_TRY(choose_blocks((const void *)sum_shuffle_kernel, threads, 0, wanted, &blocks));
    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    sum_shuffle_kernel<<<blocks, threads, 0, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw4.2)

// ---- hw4.3: the maximum and where it is ---------------------------------------------

// SOLVED(hw4.3)
typedef unsigned long long key64;

// Value and index in one number: the larger value has the larger key, and of two equal
// values the one with the lower index. Every key is above 0.
static __device__ key64 key_of(float value, unsigned index)
{
    unsigned bits = __float_as_uint(value + 0.0f); // correctness: -0 + 0 is +0
    // Floats order like integers with a separate sign: the larger the bits, the larger
    // a positive and the smaller a negative number.
    bits ^= bits >> 31 ? 0xffffffff : 0x80000000;
    return (key64)bits << 32 | (0xffffffff - index);
}

static __device__ key64 warp_max(key64 key)
{
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        key = max(key, __shfl_down_sync(ALL_LANES, key, offset));
    return key;
}

static __device__ key64 block_max(key64 key)
{
    __shared__ key64 warp_keys[WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    key = warp_max(key);
    if (lane == 0)
        warp_keys[warp] = key;
    __syncthreads();
    if (warp == 0)
        key = warp_max(lane < blockDim.x / WARP ? warp_keys[lane] : 0);
    return key;
}

static __global__ void maximum_a_block_kernel(const float *in, size_t n, key64 *keys)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    key64 best = 0;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        best = max(best, key_of(in[i], (unsigned)i));
    best = block_max(best);
    if (threadIdx.x == 0)
        keys[blockIdx.x] = best;
}

// A second launch starts when the first has ended: a barrier for the whole grid.
static __global__ void maximum_of_blocks_kernel(
    const float *in, const key64 *keys, unsigned count, float *value, unsigned *index)
{
    key64 best = 0;
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x)
        best = max(best, keys[k]);
    best = block_max(best);
    if (threadIdx.x == 0) {
        *index = 0xffffffff - (unsigned)best;
        *value = in[*index];
    }
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)maximum_a_block_kernel;
    const unsigned threads = 512;
    key64 *keys = (key64 *)scratch;
    size_t wanted = min(ceil_div(n, threads), SCRATCH_BYTES / sizeof(key64));
    unsigned blocks = 0;

    if (n == 0)
        return cudaErrorInvalidValue;
    CUDA_TRY(choose_blocks(kernel, threads, 0, wanted, &blocks));
    maximum_a_block_kernel<<<blocks, threads, 0, stream>>>(in, n, keys);
    CUDA_TRY(cudaGetLastError());
    maximum_of_blocks_kernel<<<1, threads, 0, stream>>>(in, keys, blocks, value, index);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw4.3)

// ---- hw4.4 (star): one pass, the same bits every time -------------------------------

// SOLVED(hw4.4)
struct single_pass {
    unsigned ticket; // blocks that have stored their sum; 0 between calls
    float sums[1024];
};
static_assert(sizeof(struct single_pass) <= SCRATCH_BYTES, "the scratch is too small");

static __global__ void sum_single_pass_kernel(
    const float *in, float *out, size_t n, struct single_pass *scratch)
{
    __shared__ bool is_last;
    size_t rank = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float sum = block_sum(thread_sum(in, n, rank, gridDim.x * (size_t)blockDim.x));

    if (threadIdx.x == 0) {
        scratch->sums[blockIdx.x] = sum;
        // correctness: a block that sees this one's ticket also sees its sum. The first
        // fence orders the store before the ticket, the second the ticket before the
        // loads below.
        __threadfence();
        // Counts 0, 1, … gridDim.x - 1, and then 0 again: ready for the next call.
        is_last = atomicInc(&scratch->ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last)
        return;
    // One block, whichever came last, adds all sums in the same order in every run.
    sum = block_sum(thread_sum(scratch->sums, gridDim.x, threadIdx.x, blockDim.x));
    if (threadIdx.x == 0)
        *out = sum;
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)sum_single_pass_kernel;
    const unsigned threads = 512;
    struct single_pass *pass = (struct single_pass *)scratch;
    size_t most = sizeof pass->sums / sizeof pass->sums[0];
    size_t wanted = min(ceil_div(n, threads * (size_t)(4 * LOADS)), most);
    unsigned blocks = 0;

    CUDA_TRY(choose_blocks(kernel, threads, 0, wanted, &blocks));
    sum_single_pass_kernel<<<blocks, threads, 0, stream>>>(in, out, n, pass);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw4.4)

// ---- hw4.5: a block a row -----------------------------------------------------------

// SOLVED(hw4.5)
static __global__ void sum_rows_kernel(const float *in, float *out, struct matrix_shape shape)
{
    for (size_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
        const float *start = in + row * shape.columns;
        float sum = thread_sum(start, shape.columns, threadIdx.x, blockDim.x);
        sum = block_sum(sum);
        if (threadIdx.x == 0)
            out[row] = sum;
        __syncthreads(); // correctness: the next row's block_sum uses the same memory
    }
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const size_t blocks_most = 0x7fffffff; // of the x side of a grid; y and z take 65,535
    const unsigned blocks = (unsigned)min(shape.rows, blocks_most);
    const unsigned threads = shape.columns < 1024 ? 32 : 256; // speed: no idle warps

    if (blocks == 0)
        return cudaSuccess; // correctness: an empty grid is an error
    sum_rows_kernel<<<blocks, threads, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
// END(hw4.5)

// ---- hw4.6: a prefix sum in each warp -----------------------------------------------

// SOLVED(hw4.6)
// The sum over this lane and those below it. All 32 lanes must call it.
static __device__ int warp_scan(int value)
{
    const unsigned lane = threadIdx.x % WARP;
    for (unsigned offset = 1; offset < WARP; offset *= 2) {
        int below = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane >= offset) // correctness: the lowest lanes got their own value back
            value += below;
    }
    return value;
}

static __global__ void scan_warps_kernel(const int *in, int *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    int sum = warp_scan(i < n ? in[i] : 0); // lanes past n take part, with a 0
    if (i < n)
        out[i] = sum;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    const unsigned threads = 256;

    if (n == 0)
        return cudaSuccess;
    scan_warps_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
// END(hw4.6)

// ---- hw4.7 (star): keep the positive elements ---------------------------------------

// SOLVED(hw4.7)
constexpr unsigned VECTORS = 4, ITEMS = 4 * VECTORS; // of each thread

// Elements 4v to 4v + 3; where they lie past n, a 0, which is not kept.
static __device__ int4 four_from(const int *in, size_t v, size_t n)
{
    const size_t i = 4 * v;
    if (i + 4 <= n)
        return ((const int4 *)in)[v];
    return make_int4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0);
}

static __global__ void compact_positive_kernel(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned warp_starts[WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned lanes_below = (1u << lane) - 1;
    int item[ITEMS];
    unsigned keepers[ITEMS], kept = 0; // the same in every lane of the warp

#pragma unroll
    for (unsigned k = 0; k < VECTORS; k++) {
        size_t row = blockIdx.x * (size_t)VECTORS + k;
        int4 four = four_from(in, row * blockDim.x + threadIdx.x, n);
        item[4 * k] = four.x, item[4 * k + 1] = four.y;
        item[4 * k + 2] = four.z, item[4 * k + 3] = four.w;
    }
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        keepers[k] = __ballot_sync(ALL_LANES, item[k] > 0);
        kept += __popc(keepers[k]);
    }
    if (lane == 0)
        warp_starts[warp] = kept;
    __syncthreads();
    // Warp 0 turns the counts into places: one atomic reserves room for the whole block,
    // the last lane broadcasts where it begins, and a scan divides it among the warps.
    if (warp == 0) {
        unsigned mine = lane < blockDim.x / WARP ? warp_starts[lane] : 0;
        unsigned through = (unsigned)warp_scan((int)mine), start = 0;
        if (lane == WARP - 1)
            start = atomicAdd(count, through);
        start = __shfl_sync(ALL_LANES, start, WARP - 1);
        warp_starts[lane] = start + through - mine;
    }
    __syncthreads();
    unsigned at = warp_starts[warp];
#pragma unroll
    for (unsigned k = 0; k < ITEMS; k++) {
        // speed: the lanes that keep an item write neighbouring words.
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
