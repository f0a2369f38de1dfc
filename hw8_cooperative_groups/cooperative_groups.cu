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

// TODO(hw8.1): a device function, about 15 lines, its kernel, about 15, and the launch.
//   Given  blocks of division.block threads, in groups of division.group: the whole block,
//          or tiles that cg::tiled_partition(block, size) makes. An element a thread.
//   Leave  out[k] = the sum of group k, by one function that does not know which kind of
//          group it serves: size(), thread_rank() and sync() are all it asks for. Write
//          it as a template on the group's type, or for a cg::thread_group.
//   Mind   96 cannot be halved down to 1; which tiles share what; a barrier before a value is
//          read, and one before it is overwritten; n = 0.
cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented; // the launch; the kernel goes above
}
// END(hw8.1)

// ---- hw8.2: tiles whose size the compiler knows -------------------------------------

// TODO(hw8.2): a device function of 5 lines, a kernel of 10, and 10 for the host.
//   Given  cg::tiled_partition<SIZE>(block) makes a tile whose size the compiler knows. It
//          has shfl_down(value, offset), and needs no shared memory and no barrier.
//   Leave  out[k] = the sum of tile k, for every power of two up to 32 from one template.
//   Mind   the host learns the size when it runs: it chooses among six kernels.
cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw8.2)

// ---- hw8.3: lanes that belong together ----------------------------------------------

// TODO(hw8.3): a kernel, about 15 lines, and its launch.
//   Given  elements in bucket -1 belong nowhere, so the lanes of a warp part ways.
//          cg::coalesced_threads() is the group of those that are here, and
//          cg::labeled_partition(group, label) divides it; __match_any_sync does both.
//   Leave  sums[b] = the sum of the values in bucket b, with one atomicAdd a group.
//   Mind   rank 0 of a group need not be lane 0; sums holds junk before the call.
cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
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

// TODO(hw8.4): a kernel, about 30 lines, and its launch, about 25.
//   Given  show_edges() and fetch_halo(), above; the worked example for the launch.
//   Leave  out = the cells after all steps. A block copies its cells into shared memory
//          once, with a halo cell at both ends; in each step it shows its edges, waits for
//          the grid, fetches its halo, and computes from one buffer into the other.
//   Mind   who wrote what you read, and does a barrier lie between? More than 48 KB of
//          shared memory a block needs cudaFuncSetAttribute, and the occupancy query needs
//          the bytes of the launch. All threads of all blocks come to every grid barrier.
//          No block may be without cells, however few there are.
cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw8.4)

// ---- hw8.5 (star): compaction that keeps the order ----------------------------------

// TODO(hw8.5): about 80 lines. Blocks count what they keep, the grid waits, blocks write.
//   Leave  out = the elements above 0 in their order, *count = how many, in one launch.
//   Mind   a block begins to write where all blocks before it end.
cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw8.5)

// ---- hw8.6 (star): shortest paths ---------------------------------------------------

// TODO(hw8.6): about 50 lines. In each round, every edge offers its far end a distance; the
// kernel ends after a round in which none was taken.
//   Leave  distance[v] = the weight of the lightest path, INT_MAX where there is none.
//   Mind   distances are lowered while others read them: atomicMin, and volatile reads,
//          all of them. A flag that many threads set is volatile as well, and must not be
//          cleared while somebody may still have to read it.
cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw8.6)
