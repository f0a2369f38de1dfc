// Homework 8, cooperative groups: who waits for whom, said by objects.
//
// What each function must do stands in the contract, cooperative_groups.h of this folder,
// which the build includes for you. A group is a set of threads with a size, a rank for
// each member, and a barrier; the same code can serve a tile, a block and a grid.
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <limits.h>

namespace cg = cooperative_groups;

// ---- A worked example: a barrier for the whole grid ---------------------------------

static __global__ void subtract_minimum_kernel(const int *in, int *out, int *lowest, size_t n)
{
    cg::grid_group grid = cg::this_grid();
    int mine = INT_MAX;

    if (grid.thread_rank() == 0)
        *lowest = INT_MAX;
    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        mine = min(mine, in[i]);
    grid.sync(); // correctness: no block lowers *lowest before it is set
    atomicMin(lowest, mine);
    grid.sync(); // correctness: no block reads *lowest before all have lowered it
    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        out[i] = in[i] - *lowest;
}

cudaError_t subtract_minimum(const int *in, int *out, int *lowest, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)subtract_minimum_kernel;
    const unsigned threads = 256;
    const size_t shared_bytes = 0; // dynamic ones: this kernel has none
    int device = 0, supported = 0, processors = 0, blocks_each = 0;
    size_t blocks = 0;
    void *arguments[] = {&in, &out, &lowest, &n}; // not the arguments: where they lie

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    if (!supported)
        return cudaErrorNotSupported;
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, kernel, (int)threads, shared_bytes));
    // correctness: a block that waits for a place would never come to the barrier, so all
    // must be resident at once. The grid-stride loops do with any number of them.
    blocks = min(ceil_div(n, threads), (size_t)processors * (size_t)blocks_each);
    CUDA_TRY(cudaLaunchCooperativeKernel(
        kernel, (unsigned)max(blocks, (size_t)1), threads, arguments, shared_bytes, stream));
done:
    return status;
}

// ---- hw8.1: one function for every kind of group ------------------------------------

// SOLVED(hw8.1)
// The sum of the members' values, in the member of rank 0. All must call it, with `scratch`
// that is theirs alone: as many ints as the group has members.
template <typename Group> static __device__ int reduce(Group group, int *scratch, int value)
{
    const unsigned rank = (unsigned)group.thread_rank();

    for (unsigned left = (unsigned)group.size(), half = 0; left > 1; left = half) {
        half = (left + 1) / 2; // the middle of an odd number waits for the next round
        scratch[rank] = value;
        group.sync(); // correctness: the values are there before they are read
        if (rank + half < left)
            value += scratch[rank + half];
        group.sync(); // correctness: and read before the next round overwrites them
    }
    return value;
}

static __global__ void sum_groups_kernel(const int *in, int *out, size_t n, unsigned size)
{
    extern __shared__ int scratch[]; // an int a thread
    cg::thread_block block = cg::this_thread_block();
    const unsigned first = block.thread_rank() / size * size; // of this thread's group
    const size_t i = blockIdx.x * (size_t)block.size() + block.thread_rank();
    int sum = i < n ? in[i] : 0;

    // correctness: each group has a part of the scratch that is its own.
    if (size == block.size())
        sum = reduce(block, scratch, sum);
    else
        sum = reduce(cg::tiled_partition(block, size), scratch + first, sum);
    if (block.thread_rank() == first && i < n)
        out[i / size] = sum;
}

cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
    const size_t blocks = ceil_div(n, division.block);
    const size_t shared_bytes = division.block * sizeof(int);

    if (blocks == 0)
        return cudaSuccess;
    sum_groups_kernel<<<(unsigned)blocks, division.block, shared_bytes, stream>>>(
        in, out, n, division.group);
    return cudaGetLastError();
}
// END(hw8.1)

// ---- hw8.2: tiles whose size the compiler knows -------------------------------------

// SOLVED(hw8.2)
template <unsigned SIZE> static __device__ int tile_sum(cg::thread_block_tile<SIZE> tile, int value)
{
    for (unsigned offset = SIZE / 2; offset > 0; offset /= 2)
        value += tile.shfl_down(value, offset); // stays within the tile
    return value;
}

template <unsigned SIZE> static __global__ void sum_tiles_kernel(const int *in, int *out, size_t n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<SIZE> tile = cg::tiled_partition<SIZE>(block);
    const size_t i = blockIdx.x * (size_t)block.size() + block.thread_rank();
    const int sum = tile_sum<SIZE>(tile, i < n ? in[i] : 0);

    if (tile.thread_rank() == 0 && i < n)
        out[i / SIZE] = sum;
}

cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
    void (*const kernels[])(const int *, int *, size_t) = {sum_tiles_kernel<1>, sum_tiles_kernel<2>,
        sum_tiles_kernel<4>, sum_tiles_kernel<8>, sum_tiles_kernel<16>, sum_tiles_kernel<32>};
    const unsigned threads = 256;

    for (unsigned k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (tile != 1u << k)
            continue;
        if (n > 0)
            kernels[k]<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(in, out, n);
        return cudaGetLastError();
    }
    return cudaErrorInvalidValue;
}
// END(hw8.2)

// ---- hw8.3: lanes that belong together ----------------------------------------------

// SOLVED(hw8.3)
static __global__ void sum_buckets_kernel(const int *bucket, const int *value, int *sums, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        const int mine = bucket[i];
        if (mine < 0)
            continue;
        // Who is here, and of those, who has the same bucket. Neither group is known
        // before the data is: the compiler could not form it.
        cg::coalesced_group here = cg::coalesced_threads();
        cg::coalesced_group same = cg::labeled_partition(here, mine);
        const int sum = cg::reduce(same, value[i], cg::plus<int>());
        if (same.thread_rank() == 0) // correctness: rank 0 may be any lane of the warp
            atomicAdd(&sums[mine], sum);
    }
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    const unsigned threads = 256;
    const size_t blocks_most = 4096; // the loop takes the rest
    const size_t blocks = min(ceil_div(n, threads), blocks_most);
    cudaError_t status = cudaSuccess;

    CUDA_TRY(cudaMemsetAsync(sums, 0, BUCKETS * sizeof *sums, stream));
    if (blocks > 0)
        sum_buckets_kernel<<<(unsigned)blocks, threads, 0, stream>>>(bucket, value, sums, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw8.3)

// ---- hw8.4: state that stays on the chip --------------------------------------------

// Given: what blocks show each other. Block b's edges lie at [b] of a set. There are two
// sets, used in turn: while a slow block still reads the edges of one step, a fast one
// already writes those of the next, and only one barrier lies between.
struct edges {
    float first, last;
};

inline __device__ struct edges *edges_of_step(struct edges *halos, unsigned step)
{
    return halos + step % 2 * gridDim.x;
}

// One thread a block: shows the edges of `count` cells, before the barrier of the step.
inline __device__ void show_edges(
    struct edges *halos, unsigned step, const float *cells, unsigned count)
{
    edges_of_step(halos, step)[blockIdx.x] = {cells[0], cells[count - 1]};
}

// One thread a block, after the barrier: cells[-1] and cells[count] become what the
// neighbours showed. The blocks at the ends of the row have one neighbour only.
inline __device__ void fetch_halo(struct edges *halos, unsigned step, float *cells, unsigned count)
{
    const struct edges *shown = edges_of_step(halos, step);

    if (blockIdx.x > 0)
        cells[-1] = shown[blockIdx.x - 1].last;
    if (blockIdx.x + 1 < gridDim.x)
        cells[count] = shown[blockIdx.x + 1].first;
}

// SOLVED(hw8.4)
// The blocks of a cooperative launch that are resident at once; 0 where there is none.
static cudaError_t resident_blocks(
    const void *kernel, unsigned threads, size_t shared_bytes, size_t *blocks)
{
    cudaError_t status = cudaSuccess;
    int device = 0, supported = 0, processors = 0, blocks_each = 0;

    *blocks = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    if (!supported)
        return cudaErrorNotSupported;
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, kernel, (int)threads, shared_bytes));
    *blocks = (size_t)processors * (size_t)blocks_each;
done:
    return status;
}

static __global__ void jacobi_kernel(
    const float *in, float *out, size_t n, unsigned cells_each, unsigned steps, struct edges *halos)
{
    extern __shared__ float memory[]; // two buffers, each with a halo cell at both ends
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank(), threads = block.size();
    const size_t first = blockIdx.x * (size_t)cells_each;
    const unsigned count = (unsigned)min((size_t)cells_each, n - first);
    // The ends of the row do not change, so they are right in both buffers from the start.
    const unsigned begin = blockIdx.x == 0, end = count - (blockIdx.x + 1 == gridDim.x);
    float *now = memory + 1, *next = now + cells_each + 2;

    for (unsigned i = rank; i < count; i += threads)
        now[i] = next[i] = in[first + i];
    for (unsigned step = 0; step < steps; step++) {
        block.sync(); // correctness: all of `now` is written
        if (rank == 0)
            show_edges(halos, step, now, count);
        grid.sync();
        if (rank == 0)
            fetch_halo(halos, step, now, count);
        block.sync(); // correctness: the halo is there
        for (unsigned i = begin + rank; i < end; i += threads)
            next[i] = 0.5f * (now[(int)i - 1] + now[i + 1]);
        float *other = now;
        now = next;
        next = other;
    }
    block.sync();
    for (unsigned i = rank; i < count; i += threads)
        out[first + i] = now[i];
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)jacobi_kernel;
    const unsigned threads = 1024;
    struct edges *halos = (struct edges *)scratch;
    int device = 0, processors = 0;
    size_t blocks = 0, resident = 0, shared_bytes = 0;
    unsigned cells_each = 0;
    void *arguments[] = {&in, &out, &n, &cells_each, &steps, &halos};

    // A block for each multiprocessor, and no block with less than 32 cells.
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    blocks = max(min(ceil_div(n, 32), (size_t)processors), (size_t)1);
    cells_each = (unsigned)ceil_div(n, blocks);
    shared_bytes = 2 * (cells_each + 2) * sizeof(float);
    // correctness: above 48 KB a kernel must be allowed to, and that before the question
    // how many of its blocks are resident, which is asked with the bytes they will have.
    CUDA_TRY(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes));
    CUDA_TRY(resident_blocks(kernel, threads, shared_bytes, &resident));
    if (n == 0)
        return cudaSuccess;
    blocks = ceil_div(n, cells_each); // rounding up may leave less to do
    if (blocks > resident)
        return cudaErrorCooperativeLaunchTooLarge;
    CUDA_TRY(cudaLaunchCooperativeKernel(
        kernel, (unsigned)blocks, threads, arguments, shared_bytes, stream));
done:
    return status;
}
// END(hw8.4)

// ---- hw8.5 (star): compaction that keeps the order ----------------------------------

// SOLVED(hw8.5)
constexpr unsigned WARP = 32, ROWS = 8; // speed: loads that a lane has in flight
constexpr unsigned COMPACT_THREADS = 512, WARPS = COMPACT_THREADS / WARP;

// Elements first + 32 row + lane, for ROWS rows; those past the end are not kept.
static __device__ void load_rows(const int *in, size_t first, size_t end, int *items)
{
    const unsigned lane = threadIdx.x % WARP;
#pragma unroll
    for (unsigned row = 0; row < ROWS; row++) {
        const size_t i = first + row * WARP + lane;
        items[row] = i < end ? in[i] : 0;
    }
}

// The sum over a block of COMPACT_THREADS, in every thread.
static __device__ unsigned block_sum(cg::thread_block block, unsigned value, unsigned *sums)
{
    cg::thread_block_tile<WARP> warp = cg::tiled_partition<WARP>(block);

    value = cg::reduce(warp, value, cg::plus<unsigned>());
    if (warp.thread_rank() == 0)
        sums[threadIdx.x / WARP] = value;
    block.sync();
    value = warp.thread_rank() < WARPS ? sums[warp.thread_rank()] : 0;
    return cg::reduce(warp, value, cg::plus<unsigned>());
}

static __global__ void __launch_bounds__(COMPACT_THREADS, 3) compact_in_order_kernel(
    const int *in, int *out, unsigned *count, size_t n, size_t stretch, unsigned *kept_by_block)
{
    __shared__ unsigned kept_by_warp[WARPS], sums[WARPS];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<WARP> warp = cg::tiled_partition<WARP>(block);
    const unsigned lane = warp.thread_rank(), place = threadIdx.x / WARP;
    const unsigned lanes_below = (1u << lane) - 1;
    // Every warp has a stretch of its own, so no other warp counts what comes in between.
    const size_t step = WARP * ROWS;
    const size_t begin = min(n, (blockIdx.x * (size_t)WARPS + place) * stretch);
    const size_t end = min(n, begin + stretch);
    int items[ROWS];
    unsigned kept = 0, before = 0;

    // Scan, first part: how many does each warp keep, and each block?
    // speed: backwards, so that what the second pass reads first is still in the L2.
    for (size_t first = begin + (end - begin + step - 1) / step * step; first > begin;) {
        first -= step;
        load_rows(in, first, end, items);
#pragma unroll
        for (unsigned row = 0; row < ROWS; row++)
            kept += items[row] > 0;
    }
    kept = cg::reduce(warp, kept, cg::plus<unsigned>());
    if (lane == 0)
        kept_by_warp[place] = kept;
    block.sync();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned w = 0; w < WARPS; w++)
            total += kept_by_warp[w];
        kept_by_block[blockIdx.x] = total;
    }
    grid.sync(); // correctness: every block's number is there

    // Scan, second part: where does this warp's share begin?
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += COMPACT_THREADS)
        before += kept_by_block[b];
    size_t at = block_sum(block, before, sums);
    for (unsigned w = 0; w < place; w++)
        at += kept_by_warp[w];
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == COMPACT_THREADS - 1)
        *count = (unsigned)at + kept;

    // Scatter, in order.
    for (size_t first = begin; first < end; first += step) {
        load_rows(in, first, end, items);
#pragma unroll
        for (unsigned row = 0; row < ROWS; row++) {
            const unsigned keepers = warp.ballot(items[row] > 0);
            if (items[row] > 0)
                out[at + __popc(keepers & lanes_below)] = items[row];
            at += __popc(keepers);
        }
    }
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)compact_in_order_kernel;
    unsigned *kept_by_block = (unsigned *)scratch;
    size_t blocks = 0, stretch = 0;
    void *arguments[] = {&in, &out, &count, &n, &stretch, &kept_by_block};

    CUDA_TRY(resident_blocks(kernel, COMPACT_THREADS, 0, &blocks));
    blocks = max(min(blocks, ceil_div(n, COMPACT_THREADS * ROWS)), (size_t)1);
    stretch = ceil_div(ceil_div(n, WARP), blocks * WARPS) * WARP; // whole rows of a warp
    CUDA_TRY(cudaLaunchCooperativeKernel(
        kernel, (unsigned)blocks, COMPACT_THREADS, arguments, 0, stream));
done:
    return status;
}
// END(hw8.5)

// ---- hw8.6 (star): shortest paths ---------------------------------------------------

// SOLVED(hw8.6)
constexpr unsigned FLAGS = 3;

static __global__ void shortest_paths_kernel(
    struct graph graph, unsigned source, int *distance, int *changed)
{
    cg::grid_group grid = cg::this_grid();
    const size_t rank = grid.thread_rank(), threads = grid.size();
    // correctness: other threads lower a distance while it is read. A volatile read takes
    // what is there now; that it may be lowered a moment later is what the flag is for.
    const volatile int *lowered = distance;

    for (size_t v = rank; v < graph.vertices; v += threads)
        distance[v] = v == source ? 0 : INT_MAX;
    if (rank < FLAGS)
        changed[rank] = 0;
    grid.sync();

    // Round r raises flag r % 3 and reads it after the barrier. Meanwhile it clears the flag
    // of round r + 1, which was last read in round r - 2: a barrier lies between.
    for (unsigned round = 0;; round++) {
        volatile int *flag = &changed[round % FLAGS];
        if (rank == 0)
            changed[(round + 1) % FLAGS] = 0;
        for (size_t e = rank; e < graph.edges; e += threads) {
            const int reached = lowered[graph.from[e]];
            if (reached == INT_MAX) // correctness: INT_MAX + weight would wrap
                continue;
            const int offer = reached + graph.weight[e];
            if (offer < lowered[graph.to[e]] && offer < atomicMin(&distance[graph.to[e]], offer))
                *flag = 1;
        }
        grid.sync();
        if (!*flag) // the same for all blocks: nobody writes this flag before the next barrier
            break;
    }
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)shortest_paths_kernel;
    const unsigned threads = 256;
    int *changed = (int *)scratch;
    size_t blocks = 0, work = max(graph.vertices, graph.edges);
    void *arguments[] = {&graph, &source, &distance, &changed};

    CUDA_TRY(resident_blocks(kernel, threads, 0, &blocks));
    blocks = min(blocks, ceil_div(work, threads)); // speed: a barrier of fewer blocks is faster
    CUDA_TRY(cudaLaunchCooperativeKernel(kernel, (unsigned)blocks, threads, arguments, 0, stream));
done:
    return status;
}
// END(hw8.6)
