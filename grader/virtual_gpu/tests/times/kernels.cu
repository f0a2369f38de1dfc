/* Kernels of the lessons, fast ones and slow ones, each timed: on a GPU, or on the virtual GPU at a
 * sixteenth of the size. Prints rows: group, kernel, bytes that any solution must move, nanoseconds.
 *
 *     kernels [GROUP…]
 *
 * The size of every row is chosen so that the parallelism of an SM is the same on both devices. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "../../vgpu.h"

namespace groups = cooperative_groups;

static bool is_virtual;
static unsigned sm_count;
static float *in, *out, *more; /* as large as the largest row needs */
static unsigned *counters;     /* 1,024 words, cleared before every launch */

enum : size_t { ROOM_FLOATS = (size_t)1 << 28, FLUSH_BYTES = (size_t)256 << 20 };

static void must(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
    exit(1);
}

/* A size that is given for an H200: a sixteenth of it on the virtual device. */
static size_t scaled(size_t h200_size)
{
    return is_virtual ? h200_size / 16 : h200_size;
}

static unsigned blocks_for(size_t n, size_t each)
{
    return (unsigned)((n + each - 1) / each);
}

static unsigned full_grid(unsigned threads)
{
    return sm_count * (2048 / threads);
}

static __device__ size_t rank_in_grid()
{
    return blockIdx.x * (size_t)blockDim.x + threadIdx.x;
}

static __device__ size_t grid_threads()
{
    return gridDim.x * (size_t)blockDim.x;
}

/* ---- copies ---------------------------------------------------------------------------------- */

template <class T> static __global__ void copy_kernel(const T *from, T *to, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n)
        to[i] = from[i];
}

template <class T, int EACH> static __global__ void copy_tile_kernel(const T *from, T *to, size_t n)
{
    size_t start = blockIdx.x * (size_t)blockDim.x * EACH + threadIdx.x;
    T got[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        got[k] = from[start + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        to[start + k * blockDim.x] = got[k];
}

static __global__ void copy_stride_kernel(const float *from, float *to, size_t n)
{
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        to[i] = from[i];
}

/* One field of a structure of FIELDS floats. */
template <int FIELDS> static __global__ void field_kernel(const float *from, float *to, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n)
        to[i] = from[i * FIELDS];
}

/* All fields, one after the other, into arrays. */
template <int FIELDS> static __global__ void fields_kernel(const float *from, float *to, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n)
#pragma unroll
        for (int k = 0; k < FIELDS; k++)
            to[k * n + i] = from[i * FIELDS + k];
}

/* ---- additions ------------------------------------------------------------------------------- */

template <class T> static __device__ T sum_of(T a, T b);
template <> __device__ float sum_of(float a, float b)
{
    return a + b;
}
template <> __device__ float4 sum_of(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

template <class T> static __global__ void add_kernel(const T *a, const T *b, T *c, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n)
        c[i] = sum_of(a[i], b[i]);
}

static __global__ void add_stride_kernel(const float *a, const float *b, float *c, size_t n)
{
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        c[i] = a[i] + b[i];
}

/* All work for the blocks and warps that are chosen: grid-stride among them, as if no others were there. */
enum chosen { LAST_BLOCK, FIRST_BLOCK, ODD_BLOCKS, A_WARP_OF_A_BLOCK };

template <enum chosen CHOSEN> struct chosen_threads {
    size_t rank, count;
    bool works;

    __device__ chosen_threads()
    {
        works = CHOSEN == LAST_BLOCK    ? blockIdx.x == gridDim.x - 1
                : CHOSEN == FIRST_BLOCK ? blockIdx.x == 0
                : CHOSEN == ODD_BLOCKS  ? blockIdx.x % 2 == 1
                                        : threadIdx.x / 32 == blockIdx.x % (blockDim.x / 32);
        rank = CHOSEN == ODD_BLOCKS          ? blockIdx.x / 2 * (size_t)blockDim.x + threadIdx.x
               : CHOSEN == A_WARP_OF_A_BLOCK ? blockIdx.x * (size_t)32 + threadIdx.x % 32
                                             : threadIdx.x;
        count = CHOSEN == ODD_BLOCKS          ? gridDim.x / 2 * (size_t)blockDim.x
                : CHOSEN == A_WARP_OF_A_BLOCK ? gridDim.x * (size_t)32
                                              : blockDim.x;
    }
};

template <enum chosen CHOSEN>
static __global__ void copy_chosen_kernel(const float *from, float *to, size_t n)
{
    const chosen_threads<CHOSEN> mine;
    for (size_t i = mine.rank; mine.works && i < n; i += mine.count)
        to[i] = from[i];
}

template <enum chosen CHOSEN>
static __global__ void add_chosen_kernel(const float *a, const float *b, float *c, size_t n)
{
    const chosen_threads<CHOSEN> mine;
    for (size_t i = mine.rank; mine.works && i < n; i += mine.count)
        c[i] = a[i] + b[i];
}

static __global__ void add_chunk_kernel(
    const float *a, const float *b, float *c, size_t n, size_t chunk)
{
    size_t start = rank_in_grid() * chunk;
    for (size_t i = start; i < start + chunk && i < n; i++)
        c[i] = a[i] + b[i];
}

static __global__ void add_across_kernel(const float *a, const float *b, float *c, size_t n)
{
    size_t i = threadIdx.x * (size_t)gridDim.x + blockIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

/* ---- one-dimensional stencils ---------------------------------------------------------------- */

__constant__ float weights[65];

template <int RADIUS, bool BYPASS>
static __global__ void stencil_kernel(const float *from, float *to, size_t n)
{
    size_t i = rank_in_grid();
    if (i < RADIUS || i + RADIUS >= n)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += weights[k + RADIUS] * (BYPASS ? __ldcg(from + i + k) : from[i + k]);
    to[i] = sum;
}

/* Each thread computes OUTPUTS results a block's width apart, out of a tile with halos. */
template <int RADIUS, int OUTPUTS>
static __global__ void stencil_tile_kernel(const float *from, float *to, size_t n)
{
    __shared__ float tile[256 * OUTPUTS + 2 * RADIUS];
    const size_t start = blockIdx.x * (size_t)(256 * OUTPUTS);
    for (unsigned k = threadIdx.x; k < 256 * OUTPUTS + 2 * RADIUS; k += 256) {
        size_t i = start + k;
        tile[k] = i >= RADIUS && i - RADIUS < n ? from[i - RADIUS] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * RADIUS; k++)
            sum += weights[k] * tile[threadIdx.x + o * 256 + k];
        to[start + o * 256 + threadIdx.x] = sum;
    }
}

/* Each thread computes OUTPUTS neighbours from a window in registers. */
template <int RADIUS, int OUTPUTS>
static __global__ void stencil_window_kernel(const float *from, float *to, size_t n)
{
    __shared__ float4 tile[(256 * OUTPUTS + 2 * RADIUS + 7) / 4];
    float *cells = (float *)tile;
    const size_t start = blockIdx.x * (size_t)(256 * OUTPUTS);
    for (unsigned k = threadIdx.x; k < sizeof tile / sizeof(float); k += 256) {
        size_t i = start + k;
        cells[k] = i >= RADIUS && i - RADIUS < n ? from[i - RADIUS] : 0.0f;
    }
    __syncthreads();
    float window[(OUTPUTS + 2 * RADIUS + 3) / 4 * 4], sum[OUTPUTS];
#pragma unroll
    for (int k = 0; k < (OUTPUTS + 2 * RADIUS + 3) / 4; k++)
        *(float4 *)&window[4 * k] = tile[threadIdx.x * OUTPUTS / 4 + k];
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        sum[o] = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * RADIUS; k++)
            sum[o] += weights[k] * window[o + k];
    }
#pragma unroll
    for (int o = 0; o < OUTPUTS; o += 4)
        *(float4 *)(to + start + threadIdx.x * OUTPUTS + o) =
            make_float4(sum[o], sum[o + 1], sum[o + 2], sum[o + 3]);
}

/* The same straight from global memory, in vectors. */
template <int RADIUS>
static __global__ void stencil_registers_kernel(const float4 *from, float *to, size_t n)
{
    enum { SIDE = (RADIUS + 3) / 4, VECTORS = 2 * SIDE + 1, SHIFT = 4 * SIDE - RADIUS };
    const size_t v = rank_in_grid();
    if (v < SIDE || v + SIDE >= n / 4)
        return;
    float window[4 * VECTORS], sum[4];
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        *(float4 *)&window[4 * k] = from[v - SIDE + k];
#pragma unroll
    for (int o = 0; o < 4; o++) {
        sum[o] = 0.0f;
#pragma unroll
        for (int k = 0; k <= 2 * RADIUS; k++)
            sum[o] += weights[k] * window[o + k + SHIFT];
    }
    *(float4 *)(to + 4 * v) = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

/* ---- two-dimensional stencils ---------------------------------------------------------------- */

template <int RADIUS> static __global__ void box_kernel(const float *from, float *to, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < RADIUS || y < RADIUS || x + RADIUS >= width || y + RADIUS >= (int)gridDim.y * 8)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
#pragma unroll
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            sum += from[(size_t)(y + dy) * width + x + dx];
    to[(size_t)y * width + x] = sum;
}

template <int RADIUS>
static __global__ void box_tile_kernel(const float *from, float *to, int width)
{
    __shared__ float tile[8 + 2 * RADIUS][32 + 2 * RADIUS];
    int height = gridDim.y * 8;
    for (int r = threadIdx.y; r < 8 + 2 * RADIUS; r += 8)
        for (int c = threadIdx.x; c < 32 + 2 * RADIUS; c += 32) {
            int y = (int)blockIdx.y * 8 + r - RADIUS, x = (int)blockIdx.x * 32 + c - RADIUS;
            bool inside = x >= 0 && y >= 0 && x < width && y < height;
            tile[r][c] = inside ? from[(size_t)y * width + x] : 0.0f;
        }
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int dy = 0; dy <= 2 * RADIUS; dy++)
#pragma unroll
        for (int dx = 0; dx <= 2 * RADIUS; dx++)
            sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    to[(size_t)(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] = sum;
}

/* ---- products -------------------------------------------------------------------------------- */

static __global__ void multiply_kernel(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[(size_t)row * n + k] * b[(size_t)k * n + column];
    c[(size_t)row * n + column] = sum;
}

template <int TILE>
static __global__ void multiply_tile_kernel(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile_a[threadIdx.y][threadIdx.x] =
            row < n && start + (int)threadIdx.x < n ? a[(size_t)row * n + start + threadIdx.x] : 0;
        tile_b[threadIdx.y][threadIdx.x] = column < n && start + (int)threadIdx.y < n
                                               ? b[(size_t)(start + threadIdx.y) * n + column]
                                               : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[(size_t)row * n + column] = sum;
}

/* 64 x 64 results a block of 16 x 16 threads, 4 x 4 a thread. n is a multiple of 64. */
static __global__ void multiply_registers_kernel(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[16][64], tile_b[16][64];
    const int t = threadIdx.y * 16 + threadIdx.x;
    const float *rows = a + (size_t)blockIdx.y * 64 * n, *columns = b + blockIdx.x * 64;
    float sum[4][4] = {};
    for (int start = 0; start < n; start += 16) {
        for (int k = t; k < 1024; k += 256) {
            tile_a[k % 16][k / 16] = rows[(size_t)(k / 16) * n + start + k % 16];
            tile_b[k / 64][k % 64] = columns[(size_t)(start + k / 64) * n + k % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 x = *(float4 *)&tile_a[k][4 * threadIdx.y];
            float4 y = *(float4 *)&tile_b[k][4 * threadIdx.x];
            const float left[4] = {x.x, x.y, x.z, x.w}, right[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4 *)(c + (size_t)(blockIdx.y * 64 + 4 * threadIdx.y + i) * n + blockIdx.x * 64 +
                    4 * threadIdx.x) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static __device__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

static __device__ float block_sum(float value)
{
    __shared__ float sums[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0.0f;
    if (threadIdx.x < 32)
        value = warp_sum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0.0f);
    __syncthreads();
    return value;
}

static __device__ float tree_sum(float value)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    return tile[0];
}

static __global__ void sum_atomic_kernel(const float *from, float *sum, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n)
        atomicAdd(sum, from[i]);
}

static __global__ void count_atomic_kernel(const int *from, unsigned *count, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n && from[i] > 0)
        atomicAdd(count, 1);
}

static __global__ void sum_tree_kernel(const float *from, float *sum, size_t n)
{
    size_t i = rank_in_grid();
    float total = tree_sum(i < n ? from[i] : 0.0f);
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

static __global__ void sum_tree_stride_kernel(const float *from, float *sum, size_t n)
{
    float mine = 0.0f;
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        mine += from[i];
    float total = tree_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

static __global__ void sum_shuffle_kernel(const float *from, float *sum, size_t n)
{
    float mine = 0.0f;
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        mine += from[i];
    float total = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

template <int LOADS>
static __device__ float sum_vectors(const float4 *from, size_t n, size_t rank, size_t threads)
{
    float mine = 0.0f;
    for (size_t first = rank; first < n; first += LOADS * threads) {
        float4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            size_t i = first + k * threads;
            v[k] = i < n ? from[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            mine += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    return mine;
}

template <int LOADS>
static __global__ void sum_vectors_kernel(const float4 *from, float *sum, size_t n)
{
    float total = block_sum(sum_vectors<LOADS>(from, n, rank_in_grid(), grid_threads()));
    if (threadIdx.x == 0)
        atomicAdd(sum, total);
}

static __global__ void row_a_thread_kernel(
    const float *from, float *sums, size_t rows, size_t columns)
{
    size_t row = rank_in_grid();
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (size_t k = 0; k < columns; k++)
        sum += from[row * columns + k];
    sums[row] = sum;
}

static __global__ void column_a_thread_kernel(
    const float *from, float *sums, size_t rows, size_t columns)
{
    size_t column = rank_in_grid();
    if (column >= columns)
        return;
    float sum = 0.0f;
    for (size_t k = 0; k < rows; k++)
        sum += from[k * columns + column];
    sums[column] = sum;
}

static __global__ void row_a_warp_kernel(
    const float *from, float *sums, size_t rows, size_t columns)
{
    size_t row = rank_in_grid() / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (size_t k = threadIdx.x % 32; k < columns; k += 32)
        sum += from[row * columns + k];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        sums[row] = sum;
}

static __global__ void row_a_block_kernel(const float *from, float *sums, size_t columns)
{
    const float *row = from + blockIdx.x * columns;
    float sum = 0.0f;
    for (size_t k = threadIdx.x; k < columns; k += blockDim.x)
        sum += row[k];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

static __global__ void row_a_block_vectors_kernel(const float *from, float *sums, size_t columns)
{
    const float4 *row = (const float4 *)(from + blockIdx.x * columns);
    float sum = block_sum(sum_vectors<4>(row, columns / 4, threadIdx.x, blockDim.x));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* ---- transposition --------------------------------------------------------------------------- */

static __global__ void transpose_kernel(const float *from, float *to, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    to[(size_t)x * n + y] = from[(size_t)y * n + x];
}

static __global__ void transpose_reads_kernel(const float *from, float *to, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    to[(size_t)y * n + x] = from[(size_t)x * n + y];
}

template <int PAD> static __global__ void transpose_tile_kernel(const float *from, float *to, int n)
{
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = from[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        to[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

/* 64 x 64, 16 bytes a thread both ways; blocks of 16 x 16. */
static __global__ void transpose_vectors_kernel(const float *from, float *to, int n)
{
    __shared__ float tile[64][65];
    int x = blockIdx.x * 64, y = blockIdx.y * 64;
    for (int k = threadIdx.y; k < 64; k += 16) {
        float4 v = *(const float4 *)(from + (size_t)(y + k) * n + x + 4 * threadIdx.x);
        tile[k][4 * threadIdx.x] = v.x, tile[k][4 * threadIdx.x + 1] = v.y;
        tile[k][4 * threadIdx.x + 2] = v.z, tile[k][4 * threadIdx.x + 3] = v.w;
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 64; k += 16)
        *(float4 *)(to + (size_t)(x + k) * n + y + 4 * threadIdx.x) =
            make_float4(tile[4 * threadIdx.x][k], tile[4 * threadIdx.x + 1][k],
                tile[4 * threadIdx.x + 2][k], tile[4 * threadIdx.x + 3][k]);
}

/* ---- compaction and histograms --------------------------------------------------------------- */

static __global__ void compact_kernel(const int *from, int *to, unsigned *count, size_t n)
{
    size_t i = rank_in_grid();
    if (i < n && from[i] > 0)
        to[atomicAdd(count, 1)] = from[i];
}

static __global__ void compact_warp_kernel(const int *from, int *to, unsigned *count, size_t n)
{
    size_t i = rank_in_grid();
    int item = i < n ? from[i] : 0;
    unsigned lane = threadIdx.x % 32, keepers = __ballot_sync(0xffffffff, item > 0), start = 0;
    if (lane == 0)
        start = atomicAdd(count, __popc(keepers));
    start = __shfl_sync(0xffffffff, start, 0);
    if (item > 0)
        to[start + __popc(keepers & ((1u << lane) - 1))] = item;
}

/* A block of 256 threads reserves once for 256 * ITEMS elements. */
template <int ITEMS>
static __global__ void compact_block_kernel(const int *from, int *to, unsigned *count, size_t n)
{
    __shared__ unsigned starts[8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned keepers[ITEMS], kept = 0;
    int item[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        size_t i = (blockIdx.x * (size_t)ITEMS + k) * 256 + threadIdx.x;
        item[k] = i < n ? from[i] : 0;
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        keepers[k] = __ballot_sync(0xffffffff, item[k] > 0);
        kept += __popc(keepers[k]);
    }
    if (lane == 0)
        starts[warp] = kept;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (int w = 0; w < 8; w++) {
            unsigned mine = starts[w];
            starts[w] = all;
            all += mine;
        }
        unsigned start = atomicAdd(count, all);
        for (int w = 0; w < 8; w++)
            starts[w] += start;
    }
    __syncthreads();
    unsigned at = starts[warp];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        if (item[k] > 0)
            to[at + __popc(keepers[k] & ((1u << lane) - 1))] = item[k];
        at += __popc(keepers[k]);
    }
}

template <unsigned BINS>
static __global__ void histogram_kernel(const unsigned *from, unsigned *bins, size_t n)
{
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        atomicAdd(&bins[from[i] % BINS], 1);
}

template <unsigned BINS>
static __global__ void histogram_shared_kernel(const unsigned *from, unsigned *bins, size_t n)
{
    __shared__ unsigned mine[BINS];
    for (unsigned k = threadIdx.x; k < BINS; k += blockDim.x)
        mine[k] = 0;
    __syncthreads();
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        atomicAdd(&mine[from[i] % BINS], 1);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < BINS; k += blockDim.x)
        atomicAdd(&bins[k], mine[k]);
}

template <unsigned BINS>
static __global__ void bins_float_kernel(const unsigned *from, float *bins, size_t n)
{
    for (size_t i = rank_in_grid(); i < n; i += grid_threads())
        atomicAdd(&bins[from[i] % BINS], 1.0f);
}

/* ---- averages and products of hw7 ------------------------------------------------------------ */

enum { VECTORS = 1024, LENGTH = 1024 };

/* Block s averages set s, a tree for every element; or a thread for every element. */
static __global__ void average_tree_kernel(const float *sets, float *means)
{
    for (int k = 0; k < LENGTH; k++) {
        float mine = 0.0f;
        for (int v = threadIdx.x; v < VECTORS; v += blockDim.x)
            mine += sets[((size_t)blockIdx.x * VECTORS + v) * LENGTH + k];
        mine = block_sum(mine);
        if (threadIdx.x == 0)
            means[blockIdx.x * LENGTH + k] = mine / VECTORS;
    }
}

static __global__ void average_kernel(const float *sets, float *means)
{
    unsigned parts = gridDim.y, width = LENGTH / parts;
    for (unsigned k = blockIdx.y * width + threadIdx.x; k < (blockIdx.y + 1) * width;
         k += blockDim.x) {
        float sum = 0.0f;
        for (int v = 0; v < VECTORS; v++)
            sum += sets[((size_t)blockIdx.x * VECTORS + v) * LENGTH + k];
        means[blockIdx.x * LENGTH + k] = sum / VECTORS;
    }
}

/* Slices of the vectors, four columns a thread, added by atomics. */
static __global__ void average_slices_kernel(const float4 *sets, float *means)
{
    unsigned each = VECTORS / gridDim.y;
    const float4 *from = sets + ((size_t)blockIdx.x * VECTORS + blockIdx.y * each) * (LENGTH / 4);
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 8
    for (unsigned v = 0; v < each; v++) {
        float4 x = from[v * (LENGTH / 4) + threadIdx.x];
        sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
    }
    float *to = means + blockIdx.x * LENGTH + 4 * threadIdx.x;
    atomicAdd(to, sum.x / VECTORS), atomicAdd(to + 1, sum.y / VECTORS);
    atomicAdd(to + 2, sum.z / VECTORS), atomicAdd(to + 3, sum.w / VECTORS);
}

static __global__ void product_thread_kernel(
    const float *matrix, const float *vector, float *to, size_t rows)
{
    size_t row = rank_in_grid();
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = 0; k < LENGTH; k++)
        sum += matrix[row * LENGTH + k] * vector[k];
    to[row] = sum;
}

template <int EACH>
static __global__ void product_warp_kernel(
    const float *matrix, const float *vectors, float *to, size_t rows)
{
    size_t row = rank_in_grid() / 32;
    unsigned lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum[EACH] = {};
    for (int k = lane; k < LENGTH; k += 32) {
        float x = matrix[row * LENGTH + k];
#pragma unroll
        for (int e = 0; e < EACH; e++)
            sum[e] += x * vectors[e * LENGTH + k];
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        float total = warp_sum(sum[e]);
        if (lane == 0)
            to[e * rows + row] = total;
    }
}

/* ---- arithmetic, barriers -------------------------------------------------------------------- */

static __global__ void terms_kernel(const float *from, float *to, size_t n, int terms)
{
    size_t i = rank_in_grid();
    if (i >= n)
        return;
    float x = from[i], sum = 0.0f;
    for (int k = 0; k < terms; k++)
        sum += expf(-(x - k) * (x - k));
    to[i] = sum;
}

static __global__ void polynomial_kernel(const float *from, float *to, size_t n, int terms)
{
    size_t i = rank_in_grid();
    if (i >= n)
        return;
    float x = from[i], y = x;
#pragma unroll 16
    for (int k = 0; k < terms; k++)
        y = y * x + 0.5f;
    to[i] = y;
}

static __global__ void grid_sync_kernel(int steps)
{
    for (int k = 0; k < steps; k++)
        groups::this_grid().sync();
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct row {
    const char *group, *name;
    void (*launch)();
    double (*bytes)(); /* on this device; NULL: none */
};

static const size_t million = (size_t)1 << 20;

static size_t vector_n()
{
    return scaled(64 * million);
}
static double copy_bytes()
{
    return 8.0 * vector_n();
}
static double add_bytes()
{
    return 12.0 * vector_n();
}
/* Arithmetic takes long to interpret. */
static size_t terms_n()
{
    return is_virtual ? vector_n() / 4 : vector_n();
}
static double terms_bytes()
{
    return 8.0 * terms_n();
}
static double read_bytes()
{
    return 4.0 * vector_n();
}
static double matrix_read_bytes()
{
    return 4.0 * scaled(256 * million);
}
/* Of matrices; the virtual device has enough to do with a sixty-fourth. */
static int side()
{
    return is_virtual ? 2048 : 16384;
}
static size_t square()
{
    return (size_t)side() * side();
}
static double square_copy_bytes()
{
    return 8.0 * square();
}
static double compact_bytes()
{
    return 6.0 * scaled(32 * million);
}
static int box_side()
{
    return is_virtual ? 2048 : 8192;
}
static int product_side()
{
    return is_virtual ? 384 : 4096;
}
static int set_count()
{
    return is_virtual ? 4 : 64;
}

template <int RADIUS> static void stencil_naive()
{
    stencil_kernel<RADIUS, false><<<blocks_for(vector_n(), 256), 256>>>(in, out, vector_n());
}
template <int RADIUS> static void stencil_bypass()
{
    stencil_kernel<RADIUS, true><<<blocks_for(vector_n(), 256), 256>>>(in, out, vector_n());
}
template <int RADIUS, int OUTPUTS> static void stencil_tile()
{
    stencil_tile_kernel<RADIUS, OUTPUTS>
        <<<blocks_for(vector_n(), 256 * OUTPUTS), 256>>>(in, out, vector_n());
}
template <int RADIUS, int OUTPUTS> static void stencil_window()
{
    stencil_window_kernel<RADIUS, OUTPUTS>
        <<<blocks_for(vector_n(), 256 * OUTPUTS), 256>>>(in, out, vector_n());
}
template <int RADIUS> static void stencil_registers()
{
    stencil_registers_kernel<RADIUS>
        <<<blocks_for(vector_n() / 4, 256), 256>>>((const float4 *)in, out, vector_n());
}
template <int RADIUS> static void box()
{
    box_kernel<RADIUS><<<dim3(box_side() / 32, box_side() / 8), dim3(32, 8)>>>(in, out, box_side());
}
template <int RADIUS> static void box_tile()
{
    box_tile_kernel<RADIUS>
        <<<dim3(box_side() / 32, box_side() / 8), dim3(32, 8)>>>(in, out, box_side());
}
template <int LOADS> static void sum_vectors_row()
{
    sum_vectors_kernel<LOADS>
        <<<full_grid(256), 256>>>((const float4 *)in, (float *)counters, vector_n() / 4);
}
template <int EACH> static void product_warp()
{
    product_warp_kernel<EACH><<<scaled(65536) / 8, 256>>>(in, more, out, scaled(65536));
}

static void grid_sync(unsigned blocks_per_sm)
{
    int steps = 100;
    void *args[] = {&steps};
    must(cudaLaunchCooperativeKernel(
        (const void *)grid_sync_kernel, dim3(blocks_per_sm * sm_count), dim3(256), args, 0, 0));
}

#define STENCIL_ROWS(group, radius)                                           \
    {group, "naive", stencil_naive<radius>, copy_bytes},                      \
        {group, "naive, L1 bypassed", stencil_bypass<radius>, copy_bytes},    \
        {group, "tile, 1 output", stencil_tile<radius, 1>, copy_bytes},       \
        {group, "tile, 4 outputs", stencil_tile<radius, 4>, copy_bytes},      \
        {group, "tile and window, 4", stencil_window<radius, 4>, copy_bytes}, \
        {group, "tile and window, 8", stencil_window<radius, 8>, copy_bytes}, \
        {group, "window from global, 4", stencil_registers<radius>, copy_bytes},

#define N vector_n()
static const struct row rows[] = {
    {"copy", "limit",
        [] { copy_tile_kernel<float4, 4><<<N / 4096, 256>>>((float4 *)in, (float4 *)out, N / 4); },
        copy_bytes},
    {"copy", "float4", [] { copy_kernel<<<N / 1024, 256>>>((float4 *)in, (float4 *)out, N / 4); },
        copy_bytes},
    {"copy", "float2", [] { copy_kernel<<<N / 512, 256>>>((float2 *)in, (float2 *)out, N / 2); },
        copy_bytes},
    {"copy", "float", [] { copy_kernel<<<N / 256, 256>>>(in, out, N); }, copy_bytes},
    {"copy", "float, blocks of 64", [] { copy_kernel<<<N / 64, 64>>>(in, out, N); }, copy_bytes},
    {"copy", "float, blocks of 32", [] { copy_kernel<<<N / 32, 32>>>(in, out, N); }, copy_bytes},
    {"copy", "float, blocks of 1024", [] { copy_kernel<<<N / 1024, 1024>>>(in, out, N); },
        copy_bytes},
    {"copy", "float, 4 a thread", [] { copy_tile_kernel<float, 4><<<N / 1024, 256>>>(in, out, N); },
        copy_bytes},
    {"copy", "char", [] { copy_kernel<<<N / 256, 256>>>((char *)in, (char *)out, N); }, read_bytes},
    {"copy", "float, grid-stride", [] { copy_stride_kernel<<<full_grid(256), 256>>>(in, out, N); },
        copy_bytes},
    {"copy", "float, grid-stride, half of the threads",
        [] { copy_stride_kernel<<<full_grid(256) / 2, 256>>>(in, out, N); }, copy_bytes},
    {"copy", "float, grid-stride, a block an SM",
        [] { copy_stride_kernel<<<sm_count, 256>>>(in, out, N); }, copy_bytes},
    {"copy", "float, read one off", [] { copy_kernel<<<N / 256, 256>>>(in + 1, out, N); },
        copy_bytes},
    {"copy", "float, write one off", [] { copy_kernel<<<N / 256, 256>>>(in, out + 1, N); },
        copy_bytes},
    {"copy", "field of 2", [] { field_kernel<2><<<N / 256, 256>>>(in, out, N); }, copy_bytes},
    {"copy", "field of 4", [] { field_kernel<4><<<N / 256, 256>>>(in, out, N); }, copy_bytes},
    {"copy", "fields of 4", [] { fields_kernel<4><<<N / 1024, 256>>>(in, out, N / 4); },
        copy_bytes},
    {"copy", "fields of 8", [] { fields_kernel<8><<<N / 2048, 256>>>(in, out, N / 8); },
        copy_bytes},
    {"copy", "fields of 16", [] { fields_kernel<16><<<N / 4096, 256>>>(in, out, N / 16); },
        copy_bytes},

    {"add", "limit",
        [] { add_kernel<<<N / 1024, 256>>>((float4 *)in, (float4 *)more, (float4 *)out, N / 4); },
        add_bytes},
    {"add", "float", [] { add_kernel<<<N / 256, 256>>>(in, more, out, N); }, add_bytes},
    {"add", "float, grid-stride",
        [] { add_stride_kernel<<<full_grid(256), 256>>>(in, more, out, N); }, add_bytes},
    {"add", "one block", [] { add_stride_kernel<<<1, 256>>>(in, more, out, N); }, add_bytes},
    {"add", "chunk a thread",
        [] {
            add_chunk_kernel<<<full_grid(256), 256>>>(
                in, more, out, N, N / (full_grid(256) * 256) + 1);
        },
        add_bytes},
    {"add", "chunk of 16", [] { add_chunk_kernel<<<N / 4096, 256>>>(in, more, out, N, 16); },
        add_bytes},
    {"add", "across", [] { add_across_kernel<<<N / 256, 256>>>(in, more, out, N); }, add_bytes},

    {"unbalanced", "the last block",
        [] { add_chosen_kernel<LAST_BLOCK><<<full_grid(256), 256>>>(in, more, out, N); },
        add_bytes},
    {"unbalanced", "the first block",
        [] { add_chosen_kernel<FIRST_BLOCK><<<full_grid(256), 256>>>(in, more, out, N); },
        add_bytes},
    {"unbalanced", "the last block of many",
        [] { add_chosen_kernel<LAST_BLOCK><<<N / 256, 256>>>(in, more, out, N); }, add_bytes},
    {"unbalanced", "the first block of many",
        [] { add_chosen_kernel<FIRST_BLOCK><<<N / 256, 256>>>(in, more, out, N); }, add_bytes},
    {"unbalanced", "odd blocks",
        [] { copy_chosen_kernel<ODD_BLOCKS><<<full_grid(256), 256>>>(in, out, N); }, copy_bytes},
    {"unbalanced", "a warp of each block",
        [] { copy_chosen_kernel<A_WARP_OF_A_BLOCK><<<full_grid(256), 256>>>(in, out, N); },
        copy_bytes},

    STENCIL_ROWS("stencil 3", 3) STENCIL_ROWS("stencil 7", 7) STENCIL_ROWS("stencil 16", 16)
        STENCIL_ROWS("stencil 32", 32)

            {"box 1", "naive", box<1>, copy_bytes},
    {"box 1", "tile", box_tile<1>, copy_bytes},
    {"box 2", "naive", box<2>, copy_bytes},
    {"box 2", "tile", box_tile<2>, copy_bytes},
    {"box 4", "naive", box<4>, copy_bytes},
    {"box 4", "tile", box_tile<4>, copy_bytes},

    {"multiply", "naive, 16 x 16",
        [] {
            int n = product_side();
            multiply_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, more, out, n);
        },
        NULL},
    {"multiply", "naive, 32 x 32",
        [] {
            int n = product_side();
            multiply_kernel<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, more, out, n);
        },
        NULL},
    {"multiply", "tile 16",
        [] {
            int n = product_side();
            multiply_tile_kernel<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, more, out, n);
        },
        NULL},
    {"multiply", "tile 32",
        [] {
            int n = product_side();
            multiply_tile_kernel<32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, more, out, n);
        },
        NULL},
    {"multiply", "registers 4 x 4",
        [] {
            int n = product_side();
            multiply_registers_kernel<<<dim3(n / 64, n / 64), dim3(16, 16)>>>(in, more, out, n);
        },
        NULL},

    {"sum", "limit", sum_vectors_row<4>, read_bytes},
    {"sum", "atomic, an element",
        [] { sum_atomic_kernel<<<N / 256, 256>>>(in, (float *)counters, N); }, read_bytes},
    {"sum", "integer atomic, an element",
        [] { count_atomic_kernel<<<N / 256, 256>>>((int *)in, counters, N); }, read_bytes},
    {"sum", "tree, an element a thread",
        [] { sum_tree_kernel<<<N / 256, 256>>>(in, (float *)counters, N); }, read_bytes},
    {"sum", "tree, grid-stride",
        [] { sum_tree_stride_kernel<<<full_grid(256), 256>>>(in, (float *)counters, N); },
        read_bytes},
    {"sum", "shuffle, grid-stride",
        [] { sum_shuffle_kernel<<<full_grid(256), 256>>>(in, (float *)counters, N); }, read_bytes},
    {"sum", "shuffle, float4", sum_vectors_row<1>, read_bytes},
    {"sum", "shuffle, 2 float4", sum_vectors_row<2>, read_bytes},
    {"sum", "shuffle, 8 float4", sum_vectors_row<8>, read_bytes},

    {"rows", "limit",
        [] {
            size_t n = scaled(16384);
            row_a_block_vectors_kernel<<<n, 256>>>(in, out, 16384);
        },
        matrix_read_bytes},
    {"rows", "a thread",
        [] {
            size_t n = scaled(16384);
            row_a_thread_kernel<<<blocks_for(n, 256), 256>>>(in, out, n, 16384);
        },
        matrix_read_bytes},
    {"rows", "a thread, blocks of 32",
        [] {
            size_t n = scaled(16384);
            row_a_thread_kernel<<<blocks_for(n, 32), 32>>>(in, out, n, 16384);
        },
        matrix_read_bytes},
    {"rows", "a warp",
        [] {
            size_t n = scaled(16384);
            row_a_warp_kernel<<<n / 8, 256>>>(in, out, n, 16384);
        },
        matrix_read_bytes},
    {"rows", "a block",
        [] {
            size_t n = scaled(16384);
            row_a_block_kernel<<<n, 256>>>(in, out, 16384);
        },
        matrix_read_bytes},
    {"rows", "columns, a thread",
        [] {
            size_t n = scaled(16384);
            column_a_thread_kernel<<<blocks_for(n, 256), 256>>>(in, out, 16384, n);
        },
        matrix_read_bytes},
    {"rows", "columns, a thread, blocks of 32",
        [] {
            size_t n = scaled(16384);
            column_a_thread_kernel<<<blocks_for(n, 32), 32>>>(in, out, 16384, n);
        },
        matrix_read_bytes},

    {"transpose", "limit",
        [] {
            size_t n = square();
            copy_tile_kernel<float4, 4><<<n / 4096, 256>>>((float4 *)in, (float4 *)out, n / 4);
        },
        square_copy_bytes},
    {"transpose", "naive",
        [] { transpose_kernel<<<dim3(side() / 32, side() / 8), dim3(32, 8)>>>(in, out, side()); },
        square_copy_bytes},
    {"transpose", "naive, reads columns",
        [] {
            transpose_reads_kernel<<<dim3(side() / 32, side() / 8), dim3(32, 8)>>>(in, out, side());
        },
        square_copy_bytes},
    {"transpose", "tile",
        [] {
            transpose_tile_kernel<0>
                <<<dim3(side() / 32, side() / 32), dim3(32, 8)>>>(in, out, side());
        },
        square_copy_bytes},
    {"transpose", "tile, padded",
        [] {
            transpose_tile_kernel<1>
                <<<dim3(side() / 32, side() / 32), dim3(32, 8)>>>(in, out, side());
        },
        square_copy_bytes},
    {"transpose", "tile, float4",
        [] {
            transpose_vectors_kernel<<<dim3(side() / 64, side() / 64), dim3(16, 16)>>>(
                in, out, side());
        },
        square_copy_bytes},

    {"compact", "atomic, an element",
        [] {
            size_t n = scaled(32 * million);
            compact_kernel<<<n / 256, 256>>>((int *)in, (int *)out, counters, n);
        },
        compact_bytes},
    {"compact", "atomic, a warp",
        [] {
            size_t n = scaled(32 * million);
            compact_warp_kernel<<<n / 256, 256>>>((int *)in, (int *)out, counters, n);
        },
        compact_bytes},
    {"compact", "atomic, a block of 256",
        [] {
            size_t n = scaled(32 * million);
            compact_block_kernel<1><<<n / 256, 256>>>((int *)in, (int *)out, counters, n);
        },
        compact_bytes},
    {"compact", "atomic, a block of 2048",
        [] {
            size_t n = scaled(32 * million);
            compact_block_kernel<8><<<n / 2048, 256>>>((int *)in, (int *)out, counters, n);
        },
        compact_bytes},

    {"histogram", "16 bins",
        [] { histogram_kernel<16><<<full_grid(256), 256>>>((unsigned *)in, counters, N); },
        read_bytes},
    {"histogram", "256 bins",
        [] { histogram_kernel<256><<<full_grid(256), 256>>>((unsigned *)in, counters, N); },
        read_bytes},
    {"histogram", "16 bins, shared",
        [] { histogram_shared_kernel<16><<<full_grid(256), 256>>>((unsigned *)in, counters, N); },
        read_bytes},
    {"histogram", "256 bins, shared",
        [] { histogram_shared_kernel<256><<<full_grid(256), 256>>>((unsigned *)in, counters, N); },
        read_bytes},
    {"histogram", "16 float bins",
        [] {
            bins_float_kernel<16><<<full_grid(256), 256>>>((unsigned *)in, (float *)counters, N);
        },
        read_bytes},
    {"histogram", "1024 float bins",
        [] {
            bins_float_kernel<1024><<<full_grid(256), 256>>>((unsigned *)in, (float *)counters, N);
        },
        read_bytes},

    {"average", "a block a set, tree", [] { average_tree_kernel<<<set_count(), 256>>>(in, out); },
        read_bytes},
    {"average", "32 threads a set", [] { average_kernel<<<dim3(set_count(), 1), 32>>>(in, out); },
        read_bytes},
    {"average", "1024 threads a set",
        [] { average_kernel<<<dim3(set_count(), 1), 1024>>>(in, out); }, read_bytes},
    {"average", "32 blocks of 32 a set",
        [] { average_kernel<<<dim3(set_count(), 32), 32>>>(in, out); }, read_bytes},
    {"average", "16 slices a set",
        [] { average_slices_kernel<<<dim3(set_count(), 16), 256>>>((float4 *)in, out); },
        read_bytes},

    {"product", "a thread a row",
        [] {
            size_t n = scaled(65536);
            product_thread_kernel<<<n / 256, 256>>>(in, more, out, n);
        },
        read_bytes},
    {"product", "a warp a row", product_warp<1>, read_bytes},
    {"product", "a warp a row, 4 vectors", product_warp<4>, read_bytes},
    {"product", "a warp a row, 8 vectors", product_warp<8>, read_bytes},

    {"arithmetic", "22 exponentials",
        [] { terms_kernel<<<terms_n() / 256, 256>>>(in, out, terms_n(), 22); }, terms_bytes},
    {"arithmetic", "60 exponentials",
        [] { terms_kernel<<<terms_n() / 256, 256>>>(in, out, terms_n(), 60); }, terms_bytes},
    {"arithmetic", "polynomial of 64",
        [] { polynomial_kernel<<<terms_n() / 256, 256>>>(in, out, terms_n(), 64); }, terms_bytes},
    {"arithmetic", "polynomial of 256",
        [] { polynomial_kernel<<<terms_n() / 256, 256>>>(in, out, terms_n(), 256); }, terms_bytes},

    {"barrier", "100 of the grid, a block an SM", [] { grid_sync(1); }, NULL},
    {"barrier", "100 of the grid, 8 blocks an SM", [] { grid_sync(8); }, NULL},
};

/* ---- timing ---------------------------------------------------------------------------------- */

static __global__ void read_kernel(const float4 *from, float *sink, size_t n)
{
    float4 v = from[rank_in_grid()];
    if (v.x + v.y + v.z + v.w == 1e30f)
        *sink = v.x;
}

/* Nothing of the rows' memory is left in the caches. */
static void flush()
{
    static float4 *memory;
    if (is_virtual)
        return;
    if (memory == NULL) {
        must(cudaMalloc(&memory, FLUSH_BYTES));
        must(cudaMemset(memory, 0, FLUSH_BYTES));
    }
    read_kernel<<<FLUSH_BYTES / 16 / 256, 256>>>(memory, out, FLUSH_BYTES / 16);
}

static double time_once(const struct row *row, cudaEvent_t start, cudaEvent_t end)
{
    float ms = 0.0f;
    must(cudaMemset(counters, 0, 4096));
    flush();
    must(cudaDeviceSynchronize());
    must(cudaEventRecord(start));
    row->launch();
    must(cudaGetLastError());
    must(cudaEventRecord(end));
    must(cudaDeviceSynchronize());
    must(cudaEventElapsedTime(&ms, start, end));
    return ms * 1e6;
}

static void time_row(const struct row *row, cudaEvent_t start, cudaEvent_t end)
{
    enum { SAMPLES = 9 };
    double ns[SAMPLES];
    int samples = is_virtual ? 1 : SAMPLES;
    if (!is_virtual && time_once(row, start, end) > 2e7)
        samples = 3;
    for (int k = 0; k < samples; k++)
        ns[k] = time_once(row, start, end);
    std::sort(ns, ns + samples);
    printf("%s\t%s\t%.0f\t%.0f\n", row->group, row->name, row->bytes ? row->bytes() : 0.0,
        ns[samples / 2]);
    fflush(stdout);
}

/* Random floats between -1 and 1; as integers, half of them are positive. */
static void fill(float *to, size_t count)
{
    const size_t part = std::min(count, (size_t)1 << 22);
    float *host = (float *)malloc(part * sizeof *host);
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < part; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        host[i] = (float)((double)(state >> 40) / (1 << 23) - 1.0);
    }
    for (size_t at = 0; at < count; at += part)
        must(cudaMemcpy(
            to + at, host, std::min(part, count - at) * sizeof *host, cudaMemcpyHostToDevice));
    free(host);
}

static bool is_wanted(const char *group, char **groups, int count)
{
    for (int k = 0; k < count; k++)
        if (strcmp(group, groups[k]) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    cudaEvent_t start, end;
    cudaDeviceProp properties;
    is_virtual = dlsym(RTLD_DEFAULT, "vgpu_now_ns") != NULL;
    must(cudaGetDeviceProperties(&properties, 0));
    sm_count = properties.multiProcessorCount;
    const size_t room = scaled(ROOM_FLOATS) + 1024;
    for (float **array : {&in, &out, &more}) {
        must(cudaMalloc(array, room * sizeof **array));
        fill(*array, room);
    }
    must(cudaMalloc(&counters, 4096));
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&end));
    for (const struct row &row : rows)
        if (is_wanted(row.group, argv + 1, argc - 1))
            time_row(&row, start, end);
    return 0;
}
