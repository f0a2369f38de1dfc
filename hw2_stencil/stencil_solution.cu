// Homework 2, shared memory: read an element once and use it many times.
//
// What each function must do stands in stencil.h, which the build includes for you.
// The threads of a block share a tile of memory; a thread has registers to itself; and
// what all threads read at the same time, but never write, is constant memory.
#include "cuda_try.h"

// ---- A worked example: mirror every block's part, times a gain ----------------------

// One number for all threads of a launch: constant memory, written from the host.
static __constant__ float gain_of_all;

static __global__ void mirror_blocks_kernel(const float *in, float *out, size_t n)
{
    // One array for each block, with the block's lifetime. How long it is says the
    // launch; with a constant between the brackets it would be fixed here.
    extern __shared__ float tile[];
    const size_t first = blockIdx.x * (size_t)blockDim.x; // of the block's elements
    const unsigned t = threadIdx.x;
    const size_t count = min(n - first, (size_t)blockDim.x); // of the block's elements

    if (t < count)
        tile[t] = in[first + t];
    // correctness: below, a thread reads what another has stored. The barrier makes that
    // read come after the write, and all threads of the block must reach it: it stands
    // outside of the if, and nobody returns before it.
    __syncthreads();
    if (t < count)
        out[first + t] = gain_of_all * tile[count - 1 - t];
}

cudaError_t mirror_blocks(
    const float *in, float *out, size_t n, float gain, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const size_t shared_bytes = threads * sizeof(float); // bytes, not elements

    if (n == 0)
        return cudaSuccess;
    // The variable itself is named, not its address. The copy waits for its turn on the
    // stream; what is copied is fetched before the call returns.
    CUDA_TRY(cudaMemcpyToSymbolAsync(
        gain_of_all, &gain, sizeof gain, 0, cudaMemcpyHostToDevice, stream));
    mirror_blocks_kernel<<<(unsigned)ceil_div(n, threads), threads, shared_bytes, stream>>>(
        in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw2.1: a tile with halos -------------------------------------------------------

// SOLVED(hw2.1)
static __constant__ struct narrow_weights constant_weights;

static __global__ void stencil_tile_kernel(const float *in, float *out, size_t n)
{
    constexpr unsigned RADIUS = NARROW_RADIUS;
    extern __shared__ float tile[];                       // cell c: element first + c - RADIUS
    const size_t first = blockIdx.x * (size_t)blockDim.x; // of the block's outputs
    const size_t i = first + threadIdx.x;                 // my output
    const unsigned cells = blockDim.x + 2 * RADIUS;

    // A loop, because a block below the radius has fewer threads than a halo has cells.
    for (unsigned c = threadIdx.x; c < cells; c += blockDim.x) {
        const size_t shifted = first + c; // an index plus RADIUS: it cannot fall below 0
        const bool exists = shifted >= RADIUS && shifted - RADIUS < n;
        tile[c] = exists ? in[shifted - RADIUS] : 0.0f;
    }
    __syncthreads(); // correctness: threads past n have loaded cells, too, and come here
    if (i < n) {
        float sum = 0.0f;
        for (unsigned k = 0; k <= 2 * RADIUS; k++)
            sum += constant_weights.at[k] * tile[threadIdx.x + k];
        out[i] = sum;
    }
}

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned blocks = (unsigned)ceil_div(n, threads);
    const size_t shared_bytes = (threads + 2 * NARROW_RADIUS) * sizeof(float);

    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaMemcpyToSymbolAsync(
        constant_weights, &weights, sizeof weights, 0, cudaMemcpyHostToDevice, stream));
    stencil_tile_kernel<<<blocks, threads, shared_bytes, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
// END(hw2.1)

// ---- hw2.2: a window of registers ---------------------------------------------------

// SOLVED(hw2.2)
constexpr unsigned WARP = 32, WINDOW_THREADS = 128; // lanes of a warp, threads of a block
constexpr unsigned ALONGSIDE = 12;                  // outputs a thread, beside each other

// Fills the tile of a warp with in[first - RADIUS] and all that follows, zeros outside the
// array. All 32 lanes must call it; `first` and RADIUS are multiples of 4.
template <unsigned RADIUS, unsigned VECTORS>
static __device__ void load_tile(const float *in, size_t n, size_t first, float4 *tile)
{
    constexpr unsigned LOADS = (VECTORS + WARP - 1) / WARP; // of a lane
    const unsigned lane = threadIdx.x % WARP;

    if (first < RADIUS || first - RADIUS + 4 * VECTORS > n) { // a few warps at both ends
        for (unsigned k = lane; k < 4 * VECTORS; k += WARP) {
            const size_t i = first + k; // the element, plus RADIUS
            const float value = i >= RADIUS && i - RADIUS < n ? in[i - RADIUS] : 0.0f;
            ((float *)tile)[k] = value;
        }
        return;
    }
    const float4 *from = (const float4 *)(in + first - RADIUS);
    float4 four[LOADS];
    // speed: all loads of a lane are on their way before the first one is waited for.
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (lane + k * WARP < VECTORS)
            four[k] = from[lane + k * WARP];
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++)
        if (lane + k * WARP < VECTORS)
            tile[lane + k * WARP] = four[k];
}

// OUTPUTS neighbours in each thread. Two outputs beside each other share all their inputs
// but two, so a thread reads OUTPUTS + 2 * RADIUS numbers for all its sums, not 2 * RADIUS
// + 1 for each. The loops are unrolled, so every index is a constant, and x stays in
// registers; weights are an argument, and arguments lie in constant memory.
template <unsigned RADIUS, unsigned OUTPUTS, class Weights>
static __global__ void stencil_window_kernel(
    const float *in, float *out, size_t n, const Weights weights)
{
    static_assert(RADIUS % 4 == 0 && OUTPUTS % 4 == 0, "a window begins on a 16-byte boundary");
    // A pass of shared memory serves eight lanes with 16 bytes each. Their windows lie
    // OUTPUTS / 4 vectors apart: an odd number, so the eight are in different banks.
    static_assert(OUTPUTS / 4 % 2 == 1, "neighbours would wait for each other's banks");
    constexpr unsigned VECTORS = (WARP * OUTPUTS + 2 * RADIUS) / 4; // of a warp's tile
    __shared__ float4 tiles[WINDOW_THREADS / WARP][VECTORS];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t start = (blockIdx.x * (size_t)WINDOW_THREADS + warp * WARP) * OUTPUTS;
    const size_t first = start + lane * OUTPUTS;
    float x[OUTPUTS + 2 * RADIUS], sum[OUTPUTS]; // x[k] = in[first + k - RADIUS]

    // speed: a tile a warp needs no barrier of the block, for which all its warps would wait.
    load_tile<RADIUS, VECTORS>(in, n, start, tiles[warp]);
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * RADIUS; k += 4) {
        const float4 four = tiles[warp][(lane * OUTPUTS + k) / 4];
        x[k] = four.x, x[k + 1] = four.y, x[k + 2] = four.z, x[k + 3] = four.w;
    }
#pragma unroll
    for (unsigned o = 0; o < OUTPUTS; o++) {
        sum[o] = 0.0f;
#pragma unroll
        for (unsigned k = 0; k <= 2 * RADIUS; k++)
            sum[o] += weights.at[k] * x[o + k];
    }
    if (first + OUTPUTS <= n) { // speed: __stcs, since nobody reads these soon
#pragma unroll
        for (unsigned o = 0; o < OUTPUTS; o += 4)
            __stcs((float4 *)(out + first + o),
                make_float4(sum[o], sum[o + 1], sum[o + 2], sum[o + 3]));
    } else {
#pragma unroll
        for (unsigned o = 0; o < OUTPUTS; o++)
            if (first + o < n)
                out[first + o] = sum[o];
    }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)ceil_div(n, WINDOW_THREADS * ALONGSIDE);

    if (n == 0)
        return cudaSuccess;
    stencil_window_kernel<WIDE_RADIUS, ALONGSIDE>
        <<<blocks, WINDOW_THREADS, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}
// END(hw2.2)

// ---- hw2.3: a matrix product through tiles ------------------------------------------

// SOLVED(hw2.3)
// A block is TILE x TILE threads and makes TILE x TILE elements of C. Each element of A and
// B that it loads is used TILE times.
constexpr unsigned TILE = 32;

static __global__ void multiply_tiled_kernel(
    const float *a, const float *b, float *c, struct product_shape shape)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t row = blockIdx.x * (size_t)TILE + y, column = blockIdx.y * (size_t)TILE + x;
    float sum = 0.0f;

    for (size_t first = 0; first < shape.inner; first += TILE) {
        const size_t a_column = first + x, b_row = first + y;
        const bool in_a = row < shape.rows && a_column < shape.inner;
        const bool in_b = b_row < shape.inner && column < shape.columns;
        // A cell that lies outside of its matrix must add nothing to the sum.
        a_tile[y][x] = in_a ? a[row * shape.inner + a_column] : 0.0f;
        b_tile[y][x] = in_b ? b[b_row * shape.columns + column] : 0.0f;
        __syncthreads(); // correctness: read after write
#pragma unroll
        for (unsigned k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads(); // correctness: write after read, in the next round
    }
    if (row < shape.rows && column < shape.columns)
        c[row * shape.columns + column] = sum;
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)ceil_div(shape.rows, TILE), (unsigned)ceil_div(shape.columns, TILE));

    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    multiply_tiled_kernel<<<grid, block, 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
// END(hw2.3)
