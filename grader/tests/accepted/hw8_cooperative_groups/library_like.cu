// With all that the headers offer: their reduce and scan, labelled groups, launch attributes. The
// cells of hw8.4 live in registers.
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <limits.h>

namespace cg = cooperative_groups;

// ---- hw8.1: a pointer to the base class is enough ----

static __device__ int reduce_any(const cg::thread_group &group, int *scratch, int value)
{
    unsigned rank = (unsigned)group.thread_rank(), size = (unsigned)group.size(), power = 1;
    while (power < size)
        power *= 2;
    scratch[rank] = value;
    for (unsigned half = power / 2; half > 0; half /= 2) {
        group.sync();
        if (rank < half && rank + half < size)
            scratch[rank] += scratch[rank + half];
    }
    return scratch[rank];
}

static __global__ void groups(const int *in, int *out, size_t n, struct division division)
{
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group tile = cg::tiled_partition(block, min(division.group, 32));
    const bool whole = division.group == division.block;
    const size_t i = cg::this_grid().thread_rank();
    int *mine = scratch + block.thread_rank() / division.group * division.group;
    int sum = reduce_any(whole ? (const cg::thread_group &)block : tile, mine, i < n ? in[i] : 0);

    if (i < n && block.thread_rank() % division.group == 0)
        out[i / division.group] = sum;
}

static cudaError_t launch(const void *kernel, size_t blocks, unsigned threads, size_t bytes,
    bool cooperative, void **arguments, cudaStream_t stream)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t configuration = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = cooperative;
    configuration.gridDim = dim3((unsigned)blocks);
    configuration.blockDim = dim3(threads);
    configuration.dynamicSmemBytes = bytes;
    configuration.stream = stream;
    configuration.attrs = &attribute;
    configuration.numAttrs = 1;
    return blocks == 0 ? cudaSuccess : cudaLaunchKernelExC(&configuration, kernel, arguments);
}

cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
    void *arguments[] = {&in, &out, &n, &division};
    return launch((const void *)groups, ceil_div(n, division.block), division.block,
        division.block * sizeof(int), false, arguments, stream);
}

// ---- hw8.2 ----

template <unsigned SIZE> static __global__ void tiles(const int *in, int *out, size_t n)
{
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    const size_t i = cg::this_grid().thread_rank();
    const int sum = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<int>());

    if (tile.thread_rank() == 0 && i < n)
        out[i / SIZE] = sum;
}

template <unsigned SIZE>
static cudaError_t launch_tiles(
    const int *in, int *out, size_t n, unsigned size, cudaStream_t stream)
{
    void *arguments[] = {&in, &out, &n};
    if constexpr (SIZE > 32)
        return cudaErrorInvalidValue;
    else if (size == SIZE)
        return launch(
            (const void *)tiles<SIZE>, ceil_div(n, 512), 512, 0, false, arguments, stream);
    else
        return launch_tiles<2 * SIZE>(in, out, n, size, stream);
}

cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
    return launch_tiles<1>(in, out, n, tile, stream);
}

// ---- hw8.3: the whole warp, divided by bucket; those in none are a group, too ----

static __global__ void buckets(const int *bucket, const int *value, int *sums, size_t n)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const size_t i = cg::this_grid().thread_rank();
    const int mine = i < n ? bucket[i] : -1;
    cg::coalesced_group same = cg::labeled_partition(warp, mine);
    const int sum = cg::reduce(same, i < n ? value[i] : 0, cg::plus<int>());

    if (mine >= 0 && same.thread_rank() == 0)
        atomicAdd(&sums[mine], sum);
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    void *arguments[] = {&bucket, &value, &sums, &n};
    CUDA_TRY(cudaMemsetAsync(sums, 0, BUCKETS * sizeof *sums, stream));
    CUDA_TRY(launch((const void *)buckets, ceil_div(n, 1024), 1024, 0, false, arguments, stream));
done:
    return status;
}

// ---- hw8.4: sixteen cells a thread, in registers ----

constexpr unsigned CELLS = 16, THREADS = 1024, CELLS_EACH = CELLS * THREADS;

static __global__ void __launch_bounds__(THREADS)
    cells_in_registers(const float *in, float *out, size_t n, unsigned steps, float2 *edges)
{
    __shared__ float firsts[2][THREADS + 1], lasts[2][THREADS + 1];
    cg::grid_group grid = cg::this_grid();
    const unsigned t = threadIdx.x;
    const size_t first = grid.thread_rank() * CELLS;
    float cell[CELLS];

#pragma unroll
    for (unsigned k = 0; k < CELLS; k++)
        cell[k] = first + k < n ? in[first + k] : 0.0f;
    for (unsigned step = 0; step < steps; step++) {
        const unsigned set = step % 2;
        firsts[set][t] = cell[0];
        lasts[set][t + 1] = cell[CELLS - 1];
        if (t == 0)
            edges[set * gridDim.x + blockIdx.x].x = cell[0];
        if (t == THREADS - 1)
            edges[set * gridDim.x + blockIdx.x].y = cell[CELLS - 1];
        grid.sync();
        float left = t > 0            ? lasts[set][t]
                     : blockIdx.x > 0 ? edges[set * gridDim.x + blockIdx.x - 1].y
                                      : 0.0f;
        float right = t < THREADS - 1              ? firsts[set][t + 1]
                      : blockIdx.x + 1 < gridDim.x ? edges[set * gridDim.x + blockIdx.x + 1].x
                                                   : 0.0f;
#pragma unroll
        for (unsigned k = 0; k < CELLS; k++) {
            const float old = cell[k], after = k + 1 < CELLS ? cell[k + 1] : right;
            if (first + k > 0 && first + k + 1 < n)
                cell[k] = 0.5f * (left + after);
            left = old;
        }
    }
#pragma unroll
    for (unsigned k = 0; k < CELLS; k++)
        if (first + k < n)
            out[first + k] = cell[k];
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    void *arguments[] = {&in, &out, &n, &steps, &scratch};
    if (n == 0)
        return cudaSuccess;
    return launch((const void *)cells_in_registers, ceil_div(n, CELLS_EACH), THREADS, 0, true,
        arguments, stream); // no cooperative launch: this says so
}

// ---- hw8.5: tile after tile, with the scan of the header ----

static __global__ void ordered(
    const int *in, int *out, unsigned *count, size_t n, unsigned *kept_by_block)
{
    __shared__ unsigned by_warp[16], total;
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const size_t tiles = (n + 511) / 512, each = (tiles + gridDim.x - 1) / gridDim.x;
    const size_t begin = min(n, blockIdx.x * each * 512), end = min(n, begin + each * 512);
    unsigned kept = 0, at = 0;

    if (block.thread_rank() == 0)
        total = 0;
    block.sync();
    for (size_t i = begin + threadIdx.x; i < end; i += 512)
        kept += in[i] > 0;
    kept = cg::reduce(warp, kept, cg::plus<unsigned>());
    if (warp.thread_rank() == 0)
        atomicAdd(&total, kept);
    block.sync();
    if (block.thread_rank() == 0)
        kept_by_block[blockIdx.x] = total;
    grid.sync();
    for (unsigned b = 0; b < blockIdx.x; b++)
        at += kept_by_block[b];
    if (grid.thread_rank() == grid.size() - 1)
        *count = at + kept_by_block[blockIdx.x];
    for (size_t first = begin; first < end; first += 512) {
        const size_t i = first + threadIdx.x;
        const int item = i < end ? in[i] : 0;
        const unsigned before =
            cg::exclusive_scan(warp, (unsigned)(item > 0), cg::plus<unsigned>());
        if (warp.thread_rank() == 31)
            by_warp[warp.meta_group_rank()] = before + (item > 0);
        block.sync();
        const unsigned lane = warp.thread_rank();
        const unsigned sums =
            cg::inclusive_scan(warp, lane < 16 ? by_warp[lane] : 0u, cg::plus<unsigned>());
        const unsigned mine =
            warp.shfl(sums, warp.meta_group_rank()) - by_warp[warp.meta_group_rank()];
        if (item > 0)
            out[at + mine + before] = item;
        at += warp.shfl(sums, 15);
        block.sync();
    }
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0, each = 0;
    void *arguments[] = {&in, &out, &count, &n, &scratch};
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, ordered, 512, 0));
    CUDA_TRY(launch(
        (const void *)ordered, (size_t)(processors * each), 512, 0, true, arguments, stream));
done:
    return status;
}

// ---- hw8.6: one block asks for all of its threads whether anything changed ----

static __global__ void paths(
    struct graph graph, unsigned source, int *distance, unsigned *busy_blocks)
{
    cg::grid_group grid = cg::this_grid();
    unsigned busy_before = 0;

    if (grid.thread_rank() == 0)
        *busy_blocks = 0;
    for (size_t v = grid.thread_rank(); v < graph.vertices; v += grid.size())
        distance[v] = v == source ? 0 : INT_MAX;
    grid.sync();
    for (;;) {
        bool changed = false;
        for (size_t e = grid.thread_rank(); e < graph.edges; e += grid.size()) {
            const int reached = atomicAdd(&distance[graph.from[e]], 0);
            if (reached != INT_MAX) {
                const int offer = reached + graph.weight[e];
                changed = atomicMin(&distance[graph.to[e]], offer) > offer || changed;
            }
        }
        // A count that only grows need not be cleared: it stands still when nothing changes.
        if (__syncthreads_or(changed) && threadIdx.x == 0)
            atomicAdd(busy_blocks, 1);
        grid.sync();
        const unsigned busy = *busy_blocks;
        grid.sync();
        if (busy == busy_before)
            return;
        busy_before = busy;
    }
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0, each = 0;
    void *arguments[] = {&graph, &source, &distance, &scratch};
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, paths, 256, 0));
    CUDA_TRY(
        launch((const void *)paths, (size_t)(processors * each), 256, 0, true, arguments, stream));
done:
    return status;
}
