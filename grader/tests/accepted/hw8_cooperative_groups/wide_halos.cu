// Cleverer than the lesson: sixteen steps for one barrier of the grid, because blocks show each
// other sixteen cells; a compaction in one pass that looks back; buckets of a warp in shared memory.
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <limits.h>

namespace cg = cooperative_groups;

// ---- hw8.1: a butterfly, after which every member has the sum ----

template <typename Group> static __device__ int everybodys_sum(Group group, int *scratch, int value)
{
    const unsigned rank = (unsigned)group.thread_rank(), size = (unsigned)group.size();
    unsigned power = 1;

    while (2 * power <= size)
        power *= 2;
    scratch[rank] = value;
    group.sync();
    if (rank + power < size) // those beyond the largest power of two first
        value += scratch[rank + power];
    for (unsigned bit = 1; bit < power; bit *= 2) {
        group.sync();
        scratch[rank] = value;
        group.sync();
        if (rank < power)
            value += scratch[rank ^ bit];
    }
    return value;
}

static __global__ void groups(const int *in, int *out, size_t n, unsigned size)
{
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    const size_t tile = blockIdx.x * (size_t)(blockDim.x / size) + threadIdx.x / size;
    const unsigned rank = threadIdx.x % size;
    const size_t i = tile * size + rank;
    const int value = i < n ? in[i] : 0;
    const int sum = size == blockDim.x ? everybodys_sum(block, scratch, value)
                                       : everybodys_sum(cg::tiled_partition(block, size),
                                             scratch + threadIdx.x - rank, value);
    if (rank == 0 && tile * size < n)
        out[tile] = sum;
}

cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream)
{
    if (n > 0)
        groups<<<(unsigned)ceil_div(n, division.block), division.block, 4 * division.block,
            stream>>>(in, out, n, division.group);
    return cudaGetLastError();
}

// ---- hw8.2: warps in a grid-stride loop, no group objects at all ----

template <unsigned SIZE> static __global__ void tiles(const int *in, int *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    const unsigned lane = threadIdx.x % 32;

    for (size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x - lane; first < n;
         first += stride) {
        int sum = first + lane < n ? in[first + lane] : 0;
        for (unsigned bit = 1; bit < SIZE; bit *= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, bit);
        if (first + lane < n && lane % SIZE == 0)
            out[(first + lane) / SIZE] = sum;
    }
}

cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream)
{
    static void (*const by_log2[])(const int *, int *, size_t) = {
        tiles<1>, tiles<2>, tiles<4>, tiles<8>, tiles<16>, tiles<32>};

    if (tile == 0 || tile > 32 || (tile & (tile - 1)) != 0)
        return cudaErrorInvalidValue;
    by_log2[__builtin_ctz(tile)]<<<64, 256, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}

// ---- hw8.3: each warp has buckets of its own in shared memory ----

static __global__ void buckets(const int *bucket, const int *value, int *sums, size_t n)
{
    __shared__ int own[8][BUCKETS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t stride = gridDim.x * (size_t)blockDim.x;

    if (lane < BUCKETS)
        own[warp][lane] = 0;
    __syncwarp();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        if (bucket[i] >= 0)
            atomicAdd(&own[warp][bucket[i]], value[i]);
    __syncthreads();
    if (threadIdx.x < BUCKETS) {
        int sum = 0;
        for (unsigned w = 0; w < 8; w++)
            sum += own[w][threadIdx.x];
        atomicAdd(&sums[threadIdx.x], sum);
    }
}

cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    CUDA_TRY(cudaMemsetAsync(sums, 0, BUCKETS * sizeof *sums, stream));
    buckets<<<64, 256, 0, stream>>>(bucket, value, sums, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw8.4: a halo of HALO cells lasts for HALO steps ----

constexpr unsigned HALO = 16;

// `each` cells a block, at least HALO of them in every one; sets of 2 * HALO floats a block.
static __global__ void wide(
    const float *in, float *out, size_t n, unsigned each, unsigned steps, float *shown)
{
    extern __shared__ float memory[];
    cg::grid_group grid = cg::this_grid();
    const unsigned t = threadIdx.x, room = each + HALO + 2 * HALO;
    const size_t first = blockIdx.x * (size_t)each;
    const bool is_first = blockIdx.x == 0, is_last = blockIdx.x + 1 == gridDim.x;
    const unsigned count = is_last ? (unsigned)(n - first) : each;
    float *now = memory + HALO, *next = memory + room + HALO;

    for (unsigned i = t; i < count; i += blockDim.x)
        now[i] = next[i] = in[first + i];
    for (unsigned done = 0, set = 0; done < steps; done += HALO, set = !set) {
        float *mine = shown + (set * gridDim.x + blockIdx.x) * 2 * HALO;
        const unsigned now_steps = min(HALO, steps - done);
        __syncthreads();
        if (t < HALO && gridDim.x > 1) {
            mine[t] = now[t];
            mine[HALO + t] = now[count - HALO + t];
        }
        grid.sync();
        if (t < HALO && !is_first)
            now[(int)t - (int)HALO] = mine[(int)t - (int)HALO]; // the end of the block before
        if (t < HALO && !is_last)
            now[count + t] = mine[2 * HALO + t]; // the beginning of the block behind
        for (unsigned step = 1; step <= now_steps; step++) {
            const int margin = (int)(now_steps - step); // still needed by later steps
            const int begin = is_first ? 1 : -margin, end = (int)count + (is_last ? -1 : margin);
            __syncthreads();
            for (int i = begin + (int)t; i < end; i += (int)blockDim.x)
                next[i] = 0.5f * now[i - 1] + 0.5f * now[i + 1];
            float *other = now;
            now = next;
            next = other;
        }
    }
    __syncthreads();
    for (unsigned i = t; i < count; i += blockDim.x)
        out[first + i] = now[i];
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, supported = 0, processors = 0, fitting = 0;
    unsigned each = 0, blocks = 0;
    size_t bytes = 0;
    void *arguments[] = {&in, &out, &n, &each, &steps, &scratch};

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    if (!supported)
        return cudaErrorNotSupported;
    if (n == 0)
        return cudaSuccess;
    each = (unsigned)max(ceil_div(n, (size_t)processors), (size_t)(2 * HALO));
    blocks = (unsigned)max(n / each, (size_t)1);
    if (blocks < (unsigned)processors && n > blocks * (size_t)each + HALO)
        blocks++; // else the last block takes what is left over
    bytes = 2 * (each + 3 * HALO) * sizeof(float);
    CUDA_TRY(cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, wide, 1024, bytes));
    if (blocks > (unsigned)(processors * fitting))
        return cudaErrorCooperativeLaunchTooLarge;
    CUDA_TRY(cudaLaunchCooperativeKernel(
        (const void *)wide, dim3(blocks), dim3(1024), arguments, bytes, stream));
done:
    return status;
}

// ---- hw8.5: one pass; a tile waits for the one before it, which is sure to be resident ----

constexpr unsigned TILE_THREADS = 256, ITEMS = 8, TILE = TILE_THREADS * ITEMS;

// Tile k's place is told to tile k + 1 as its number of the call above, its value below.
static __global__ void one_pass(
    const int *in, int *out, unsigned *count, size_t n, unsigned long long *told, unsigned *calls)
{
    __shared__ unsigned by_warp[TILE_THREADS / 32], before;
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const size_t tiles = (n + TILE - 1) / TILE;
    const unsigned long long call = *calls + 1ull;

    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int item[ITEMS];
        unsigned kept = 0, mine = 0;
        for (unsigned k = 0; k < ITEMS; k++) { // eight neighbours a thread
            const size_t i = tile * TILE + t * ITEMS + k;
            item[k] = i < n ? in[i] : 0;
            mine += item[k] > 0;
        }
        kept = mine;
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const unsigned below = __shfl_up_sync(0xffffffff, kept, offset);
            kept += lane >= offset ? below : 0;
        }
        if (lane == 31)
            by_warp[warp] = kept;
        __syncthreads();
        if (t == 0) {
            volatile unsigned long long *word = told + tile % (SCRATCH_WORDS / 4);
            unsigned start = 0, total = 0;
            for (unsigned w = 0; w < TILE_THREADS / 32; w++) {
                const unsigned of_warp = by_warp[w];
                by_warp[w] = total;
                total += of_warp;
            }
            if (tile > 0) {
                volatile unsigned long long *previous = told + (tile - 1) % (SCRATCH_WORDS / 4);
                unsigned long long heard;
                // The tag holds the call and the tile, so that nothing old is taken for new.
                while ((heard = *previous) >> 32 != (call << 20 | tile % (1 << 20)))
                    ;
                start = (unsigned)heard;
            }
            *word = (call << 20 | (tile + 1) % (1 << 20)) << 32 | (start + total);
            before = start;
            if (tile + 1 == tiles)
                *count = start + total;
        }
        __syncthreads();
        unsigned at = before + by_warp[warp] + kept - mine;
        for (unsigned k = 0; k < ITEMS; k++)
            if (item[k] > 0)
                out[at++] = item[k];
        __syncthreads();
    }
    if (tiles == 0 && blockIdx.x == 0 && t == 0)
        *count = 0;
    cg::this_grid().sync(); // all have read the number of the call
    if (blockIdx.x == 0 && t == 0)
        *calls = (unsigned)call % 4095;
}

cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0, each = 0;
    size_t blocks = 0;
    unsigned *calls = (unsigned *)scratch;
    unsigned long long *told = (unsigned long long *)scratch + 1;
    void *arguments[] = {&in, &out, &count, &n, &told, &calls};

    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, one_pass, TILE_THREADS, 0));
    blocks = min(max(ceil_div(n, TILE), (size_t)1), (size_t)processors * (size_t)each);
    CUDA_TRY(cudaLaunchCooperativeKernel(
        (const void *)one_pass, dim3((unsigned)blocks), dim3(TILE_THREADS), arguments, 0, stream));
done:
    return status;
}

// ---- hw8.6: several rounds for a barrier, and a preparing kernel ----

static __global__ void prepare(struct graph graph, unsigned source, int *distance, int *flags)
{
    const size_t v = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (v < graph.vertices)
        distance[v] = v == source ? 0 : INT_MAX;
    if (v < 2)
        flags[v] = 1;
}

static __global__ void paths(struct graph graph, int *distance, int *flags)
{
    cg::grid_group grid = cg::this_grid();
    const unsigned rank = (unsigned)grid.thread_rank(), stride = (unsigned)grid.size();
    volatile int *far = distance;
    bool again = true;

    for (unsigned phase = 0; again; phase = !phase) {
        bool changed = false;
        for (unsigned sweep = 0; sweep < 2; sweep++)
            for (unsigned e = rank; e < graph.edges; e += stride) {
                const int reached = far[graph.from[e]];
                if (reached < INT_MAX)
                    changed |= atomicMin(&distance[graph.to[e]], reached + graph.weight[e]) >
                               reached + graph.weight[e];
            }
        if (rank == 0) // lowered by nobody in this phase, and read before the last barrier
            atomicExch(&flags[!phase], 0);
        if (changed)
            atomicExch(&flags[phase], 1);
        grid.sync();
        again = atomicAdd(&flags[phase], 0) != 0;
        grid.sync();
    }
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0;
    int *flags = (int *)scratch;
    void *arguments[] = {&graph, &distance, &flags};

    prepare<<<(unsigned)ceil_div(max(graph.vertices, 2u), 128), 128, 0, stream>>>(
        graph, source, distance, flags);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemsetAsync(flags, 0, 2 * sizeof *flags, stream));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaLaunchCooperativeKernel(
        (const void *)paths, dim3((unsigned)processors), dim3(512), arguments, 0, stream));
done:
    return status;
}
