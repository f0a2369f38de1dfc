// The whole homework with cooperative groups: tiles, their reduce and scan, a grid barrier.
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// The largest grid that is resident at once, as a cooperative launch needs it.
static unsigned resident(const void *kernel, unsigned threads, size_t bytes)
{
    int device = 0, processors = 0, each = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)threads, bytes);
    return (unsigned)(processors * each);
}

static __global__ void tree(const float *in, float *out, size_t n)
{
    extern __shared__ float tile[];
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    float sum = 0.0f;

    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        sum += in[i];
    tile[block.thread_rank()] = sum;
    // From the smallest power of two that is not below the block.
    unsigned size = 1;
    while (size < block.size())
        size *= 2;
    for (unsigned half = size / 2; half > 0; half /= 2) {
        block.sync();
        if (block.thread_rank() < half && block.thread_rank() + half < block.size())
            tile[block.thread_rank()] += tile[block.thread_rank() + half];
    }
    if (block.thread_rank() == 0)
        atomicAdd(out, tile[0]);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    size_t bytes = threads * sizeof(float);
    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    tree<<<resident((const void *)tree, threads, bytes), threads, bytes, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// The sum over a block of whole warps, in its thread 0; `sums` holds 32 floats.
static __device__ float block_sum(cg::thread_block block, float value, float *sums)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    value = cg::reduce(warp, value, cg::plus<float>());
    if (warp.thread_rank() == 0)
        sums[warp.meta_group_rank()] = value;
    block.sync();
    value = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0f;
    value = cg::reduce(warp, value, cg::plus<float>()); // in every warp; only warp 0 is asked
    block.sync();
    return value;
}

static __device__ float sum4(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

static __device__ float share(const float *in, size_t n)
{
    cg::grid_group grid = cg::this_grid();
    const size_t step = grid.size(), vectors = n / 4;
    const float4 *in4 = (const float4 *)in;
    size_t i = grid.thread_rank();
    float sum = 0.0f;

    if (i < n % 4)
        sum = in[4 * vectors + i];
    for (; i + 3 * step < vectors; i += 4 * step) {
        float4 a = in4[i], b = in4[i + step], c = in4[i + 2 * step], d = in4[i + 3 * step];
        sum += (sum4(a) + sum4(b)) + (sum4(c) + sum4(d));
    }
    for (; i < vectors; i += step)
        sum += sum4(in4[i]);
    return sum;
}

static __global__ void shuffle(const float *in, float *out, size_t n)
{
    __shared__ float sums[32];
    cg::thread_block block = cg::this_thread_block();
    float sum = block_sum(block, share(in, n), sums);
    if (block.thread_rank() == 0)
        atomicAdd(out, sum);
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    shuffle<<<resident((const void *)shuffle, threads, 0), threads, 0, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// Larger is better, and of two equal values the lower index.
struct candidate {
    float value;
    unsigned index;
};

struct better {
    __device__ candidate operator()(candidate a, candidate b) const
    {
        bool first = a.value > b.value || (a.value == b.value && a.index < b.index);
        return first ? a : b;
    }
};

static __global__ void maximum(const float *in, float *value, unsigned *index, size_t n,
    struct candidate *best, unsigned *ticket)
{
    __shared__ candidate of_warp[32];
    __shared__ bool last;
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    candidate mine = {-INFINITY, 0xffffffff};

    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        mine = better()(mine, candidate{in[i], (unsigned)i});
    mine = cg::reduce(warp, mine, better());
    if (warp.thread_rank() == 0)
        of_warp[warp.meta_group_rank()] = mine;
    block.sync();
    if (block.thread_rank() == 0) {
        for (unsigned w = 1; w < warp.meta_group_size(); w++)
            mine = better()(mine, of_warp[w]);
        best[blockIdx.x] = mine;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    block.sync();
    if (last && warp.meta_group_rank() == 0) {
        mine = candidate{-INFINITY, 0xffffffff};
        for (unsigned b = warp.thread_rank(); b < gridDim.x; b += 32)
            mine = better()(mine, best[b]);
        mine = cg::reduce(warp, mine, better());
        if (warp.thread_rank() == 0) {
            *value = mine.value;
            *index = mine.index;
        }
    }
}

cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream)
{
    struct candidate *best = (struct candidate *)scratch;
    size_t blocks = ceil_div(n, 4096);
    if (n == 0)
        return cudaErrorInvalidValue;
    maximum<<<(unsigned)(blocks < 512 ? blocks : 512), 256, 0, stream>>>(
        in, value, index, n, best, (unsigned *)(best + 512));
    return cudaGetLastError();
}

// No ticket: the grid meets at a barrier, then block 0 adds the sums of all.
static __global__ void single_pass(const float *in, float *out, size_t n, float *sums)
{
    __shared__ float of_warp[32];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    float sum = block_sum(block, share(in, n), of_warp);

    if (block.thread_rank() == 0)
        sums[blockIdx.x] = sum;
    grid.sync();
    if (blockIdx.x > 0)
        return;
    sum = 0.0f;
    for (unsigned b = block.thread_rank(); b < gridDim.x; b += block.size())
        sum += sums[b];
    sum = block_sum(block, sum, of_warp);
    if (block.thread_rank() == 0)
        *out = sum;
}

cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream)
{
    float *sums = (float *)scratch;
    const void *kernel = (const void *)single_pass;
    void *args[] = {&in, &out, &n, &sums};
    unsigned blocks = resident(kernel, 256, 0);
    blocks = blocks < SCRATCH_BYTES / sizeof(float) ? blocks : SCRATCH_BYTES / sizeof(float);
    return cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(256), args, 0, stream);
}

static __global__ void rows(const float *in, float *out, struct matrix_shape shape)
{
    __shared__ float of_warp[32];
    cg::thread_block block = cg::this_thread_block();
    const float *row = in + blockIdx.x * shape.columns;
    float sum = 0.0f;

    if (shape.columns % 4 == 0) { // then every row begins on a 16-byte boundary
        const float4 *row4 = (const float4 *)row;
#pragma unroll 4
        for (size_t c = block.thread_rank(); c < shape.columns / 4; c += block.size())
            sum += sum4(row4[c]);
    } else {
        for (size_t c = block.thread_rank(); c < shape.columns; c += block.size())
            sum += row[c];
    }
    sum = block_sum(block, sum, of_warp);
    if (block.thread_rank() == 0)
        out[blockIdx.x] = sum;
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        rows<<<(unsigned)shape.rows, 128, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

static __global__ void scan(const int *in, int *out, size_t n)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    size_t i = cg::this_grid().thread_rank();
    int sum = cg::inclusive_scan(warp, i < n ? in[i] : 0);
    if (i < n)
        out[i] = sum;
}

cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream)
{
    if (n > 0)
        scan<<<(unsigned)ceil_div(n, 512), 512, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}

static __global__ void compact(const int *in, int *out, unsigned *count, size_t n)
{
    __shared__ unsigned places[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const size_t first = blockIdx.x * (size_t)(8 * blockDim.x) + warp.meta_group_rank() * 256;
    int items[8];
    unsigned kept = 0;

    for (unsigned k = 0; k < 8; k++) {
        size_t i = first + 32 * k + warp.thread_rank();
        items[k] = i < n ? in[i] : 0;
        kept += __popc(warp.ballot(items[k] > 0));
    }
    if (warp.thread_rank() == 0)
        places[warp.meta_group_rank()] = kept;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        unsigned mine =
            warp.thread_rank() < warp.meta_group_size() ? places[warp.thread_rank()] : 0;
        unsigned below = cg::exclusive_scan(warp, mine), start = 0;
        if (warp.thread_rank() == 31)
            start = atomicAdd(count, below + mine);
        places[warp.thread_rank()] = warp.shfl(start, 31) + below;
    }
    block.sync();
    unsigned place = places[warp.meta_group_rank()];
    for (unsigned k = 0; k < 8; k++) {
        unsigned keepers = warp.ballot(items[k] > 0);
        if (items[k] > 0)
            out[place + __popc(keepers & ((1u << warp.thread_rank()) - 1))] = items[k];
        place += __popc(keepers);
    }
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (n > 0)
        compact<<<(unsigned)ceil_div(n, 8 * 256), 256, 0, stream>>>(in, out, count, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
