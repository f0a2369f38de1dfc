// Ranks, sizes, tiles and shuffles from cooperative groups; templates where sizes are fixed.
#include "cuda_try.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void add(const float *a, const float *b, float *sum, struct span span)
{
    const cg::grid_group grid = cg::this_grid();
    for (unsigned long long i = grid.thread_rank(); i < span.count; i += grid.size())
        sum[span.first + i] = a[span.first + i] + b[span.first + i];
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span);
    return cudaGetLastError();
}

// Blocks of 512, twice as many as are resident, and never more than there are elements for.
cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    const size_t needed = ceil_div(n, 512), held = gpu->sms * (gpu->threads_per_sm / 512);

    launch->threads = 512;
    launch->blocks = (unsigned)min(max(needed, (size_t)1), 2 * held);
    return cudaSuccess;
}

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    struct limit {
        size_t room, each; // how much an SM has, and a block takes
    };
    const size_t warps = ceil_div(needs->threads, 32);
    const size_t units = ceil_div((size_t)needs->registers * 32, gpu->register_unit);
    const size_t units_a_part = gpu->registers_per_sm / gpu->schedulers / gpu->register_unit;
    const size_t warps_a_part = units == 0 ? warps << 10 : units_a_part / units;
    const struct limit limits[LIMITERS] = {
        {needs->threads > gpu->threads_per_block ? 0 : (size_t)gpu->threads_per_sm / 32, warps},
        {gpu->blocks_per_sm, 1},
        {warps_a_part * gpu->schedulers, warps},
        {needs->shared_bytes > gpu->shared_per_block ? 0 : gpu->shared_per_sm / gpu->shared_unit,
            ceil_div((size_t)needs->shared_bytes + gpu->shared_reserved, gpu->shared_unit)},
    };

    if (warps == 0)
        return cudaErrorInvalidValue;
    found->blocks = 0xffffffff;
    for (int k = 0; k < LIMITERS; k++)
        if (limits[k].each > 0 && limits[k].room / limits[k].each < found->blocks) {
            found->blocks = (unsigned)(limits[k].room / limits[k].each);
            found->limiter = (enum limiter)k;
        }
    return cudaSuccess;
}

// A warp takes 32 particles: four loads of neighbouring floats, and shuffles that sort them.
static __global__ void split_by_shuffle(const float *in, struct columns out, size_t n)
{
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const size_t first = blockIdx.x * (size_t)blockDim.x + 32 * warp.meta_group_rank();
    const unsigned lane = warp.thread_rank();
    float *const columns[4] = {out.x, out.y, out.z, out.mass};
    float loaded[4];

#pragma unroll
    for (unsigned k = 0; k < 4; k++) {
        const size_t i = 4 * first + 32 * k + lane;
        loaded[k] = i < 4 * n ? in[i] : 0.0f;
    }
#pragma unroll
    for (unsigned field = 0; field < 4; field++) {
        float mine = 0.0f;
#pragma unroll
        for (unsigned k = 0; k < 4; k++) {
            const float there = warp.shfl(loaded[k], lane % 8 * 4 + field);
            if (lane / 8 == k)
                mine = there;
        }
        if (first + lane < n)
            columns[field][first + lane] = mine;
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    split_by_shuffle<<<(unsigned)ceil_div(n, 128), 128, 0, stream>>>((const float *)in, out, n);
    return cudaGetLastError();
}

// All loads before the first store of the tile: the bounds of the loops are constants.
template <unsigned SIDE, unsigned THREADS>
static __global__ void transpose_tile(const float *in, float *out, struct matrix_shape shape)
{
    constexpr unsigned EACH = SIDE * SIDE / THREADS;
    __shared__ float tile[SIDE][SIDE + 1];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned across = (unsigned)((shape.columns + SIDE - 1) / SIDE);
    const size_t row = blockIdx.x / across * (size_t)SIDE;
    const size_t column = blockIdx.x % across * (size_t)SIDE;
    const unsigned x = block.thread_rank() % SIDE, y = block.thread_rank() / SIDE;
    float held[EACH];

#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const size_t r = row + y + k * (THREADS / SIDE);
        held[k] = r < shape.rows && column + x < shape.columns ? in[r * shape.columns + column + x]
                                                               : 0.0f;
    }
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        tile[y + k * (THREADS / SIDE)][x] = held[k];
    block.sync();
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        const size_t c = column + y + k * (THREADS / SIDE);
        if (row + x < shape.rows && c < shape.columns)
            out[c * shape.rows + row + x] = tile[x][y + k * (THREADS / SIDE)];
    }
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    constexpr unsigned SIDE = 64, THREADS = 512;
    const size_t tiles = ceil_div(shape.rows, SIDE) * ceil_div(shape.columns, SIDE);

    if (tiles > 0)
        transpose_tile<SIDE, THREADS><<<(unsigned)tiles, THREADS, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

template <class T> static __device__ void copy_one(const T *from, T *to, size_t i, size_t n)
{
    if (i < n)
        to[i] = from[i];
}

// The grid copies `body` elements of type T; its first warp also what lies before and behind.
template <class T>
static __global__ void copy_all(const float *from, float *to, size_t head, size_t body, size_t tail)
{
    constexpr size_t WIDTH = sizeof(T) / sizeof(float);
    const size_t rank = cg::this_grid().thread_rank(), end = head + body * WIDTH;

    copy_one((const T *)(from + head), (T *)(to + head), rank, body);
    copy_one(from, to, rank, head);
    copy_one(from + end, to + end, rank, tail);
}

template <class T>
static void copy_as(const float *from, float *to, size_t head, size_t n, cudaStream_t stream)
{
    constexpr size_t THREADS = 256, WIDTH = sizeof(T) / sizeof(float);
    const size_t body = (n - head) / WIDTH, tail = n - head - body * WIDTH;
    const unsigned blocks = (unsigned)ceil_div(body + (body == 0), THREADS);

    copy_all<T><<<blocks, THREADS, 0, stream>>>(from, to, head, body, tail);
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const size_t head = min((16 - (size_t)to % 16) % 16 / sizeof(float), n);

    if (n == 0)
        return cudaSuccess;
    if ((size_t)from % 16 == (size_t)to % 16)
        copy_as<int4>(from, to, head, n, stream);
    else
        copy_as<int>(from, to, 0, n, stream);
    return cudaGetLastError();
}
