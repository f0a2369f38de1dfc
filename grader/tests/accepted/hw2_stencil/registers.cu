// The work in registers: asynchronous copies into the tile of hw2.1, eight outputs a thread
// from a padded tile in hw2.2, and 8 x 8 elements of C a thread in hw2.3.
#include <cuda_pipeline.h>

#include "cuda_try.h"

// ---- hw2.1: the copies go past the registers ----------------------------------------

static __global__ void narrow_kernel(
    const float *in, float *out, size_t n, const struct narrow_weights weights)
{
    constexpr unsigned R = NARROW_RADIUS;
    extern __shared__ float cells[];
    const size_t first = blockIdx.x * (size_t)blockDim.x, i = first + threadIdx.x;

    for (unsigned c = threadIdx.x; c < blockDim.x + 2 * R; c += blockDim.x)
        if (first + c >= R && first + c - R < n)
            __pipeline_memcpy_async(&cells[c], &in[first + c - R], sizeof(float));
        else
            cells[c] = 0.0f;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (i < n) {
        float sum = 0.0f;
#pragma unroll
        for (unsigned k = 0; k <= 2 * R; k++)
            sum = fmaf(weights.at[k], cells[threadIdx.x + k], sum);
        out[i] = sum;
    }
}

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    if (n > 0)
        narrow_kernel<<<(unsigned)ceil_div(n, threads), threads,
            (threads + 2 * NARROW_RADIUS) * sizeof(float), stream>>>(in, out, n, weights);
    return cudaGetLastError();
}

// ---- hw2.2: eight outputs a thread --------------------------------------------------

constexpr unsigned R = WIDE_RADIUS, OUTPUTS = 8, THREADS = 128, PART = THREADS * OUTPUTS;

// Four cells of padding after each 32: threads read 32 bytes apart, and so the eight
// threads that are served at a time want different banks.
static __device__ unsigned padded(unsigned cell)
{
    return cell + cell / 32 * 4;
}

static __device__ float4 four_from(const float *in, size_t n, size_t shifted)
{
    float x[4];
    if (shifted >= R && shifted - R + 4 <= n)
        return *(const float4 *)(in + shifted - R);
    for (unsigned k = 0; k < 4; k++)
        x[k] = shifted + k >= R && shifted + k - R < n ? in[shifted + k - R] : 0.0f;
    return make_float4(x[0], x[1], x[2], x[3]);
}

static __global__ void wide_kernel(
    const float *in, float *out, size_t n, const struct wide_weights weights)
{
    __shared__ float4 tile4[(PART + 2 * R) / 32 * 36 / 4];
    float *tile = (float *)tile4;
    const size_t first = blockIdx.x * (size_t)PART;
    const unsigned mine = threadIdx.x * OUTPUTS;
    float x[OUTPUTS + 2 * R], sum[OUTPUTS] = {0};

    for (unsigned c = 4 * threadIdx.x; c < PART + 2 * R; c += 4 * THREADS)
        *(float4 *)&tile[padded(c)] = four_from(in, n, first + c);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * R; k += 4) {
        const float4 four = *(const float4 *)&tile[padded(mine + k)];
        x[k] = four.x, x[k + 1] = four.y, x[k + 2] = four.z, x[k + 3] = four.w;
    }
#pragma unroll
    for (unsigned k = 0; k <= 2 * R; k++)
#pragma unroll
        for (unsigned o = 0; o < OUTPUTS; o++)
            sum[o] = fmaf(weights.at[k], x[o + k], sum[o]);
#pragma unroll
    for (unsigned o = 0; o < OUTPUTS; o += 4)
        if (first + mine + o + 4 <= n)
            *(float4 *)(out + first + mine + o) =
                make_float4(sum[o], sum[o + 1], sum[o + 2], sum[o + 3]);
        else
#pragma unroll
            for (unsigned k = 0; k < 4; k++)
                if (first + mine + o + k < n)
                    out[first + mine + o + k] = sum[o + k];
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        wide_kernel<<<(unsigned)ceil_div(n, PART), THREADS, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}

// ---- hw2.3: 8 x 8 elements of C a thread --------------------------------------------

// A block of 16 x 16 threads makes 128 x 128 elements. For each k a thread reads 8 elements
// of either tile and makes 64 products of them: a quarter of a read for each.
constexpr unsigned SIDE = 128, DEPTH = 8, ACROSS = 16, EACH = SIDE / ACROSS;

static __global__ void __launch_bounds__(ACROSS *ACROSS)
    product_kernel(const float *a, const float *b, float *c, struct product_shape shape)
{
    __shared__ float a_tile[DEPTH][SIDE + 4], b_tile[DEPTH][SIDE]; // A lies transposed
    const unsigned t = threadIdx.x, x = t % ACROSS, y = t / ACROSS;
    const size_t row = blockIdx.x * (size_t)SIDE, column = blockIdx.y * (size_t)SIDE;
    float sum[EACH][EACH] = {{0}};

    for (size_t first = 0; first < shape.inner; first += DEPTH) {
#pragma unroll
        for (unsigned e = t; e < SIDE * DEPTH; e += ACROSS * ACROSS) {
            const unsigned r = e / DEPTH, k = e % DEPTH;
            const bool exists = row + r < shape.rows && first + k < shape.inner;
            a_tile[k][r] = exists ? a[(row + r) * shape.inner + first + k] : 0.0f;
        }
#pragma unroll
        for (unsigned e = t; e < SIDE * DEPTH; e += ACROSS * ACROSS) {
            const unsigned k = e / SIDE, q = e % SIDE;
            const bool exists = first + k < shape.inner && column + q < shape.columns;
            b_tile[k][q] = exists ? b[(first + k) * shape.columns + column + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < DEPTH; k++) {
            float from_a[EACH], from_b[EACH];
#pragma unroll
            for (unsigned e = 0; e < EACH; e++) {
                // Two groups of four a thread, so that neighbours read neighbouring words.
                const unsigned at = e / 4 * (SIDE / 2) + e % 4;
                from_a[e] = a_tile[k][4 * y + at];
                from_b[e] = b_tile[k][4 * x + at];
            }
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
#pragma unroll
                for (unsigned j = 0; j < EACH; j++)
                    sum[i][j] = fmaf(from_a[i], from_b[j], sum[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
#pragma unroll
        for (unsigned j = 0; j < EACH; j++) {
            const size_t r = row + 4 * y + i / 4 * (SIDE / 2) + i % 4;
            const size_t q = column + 4 * x + j / 4 * (SIDE / 2) + j % 4;
            if (r < shape.rows && q < shape.columns)
                c[r * shape.columns + q] = sum[i][j];
        }
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    const dim3 grid((unsigned)ceil_div(shape.rows, SIDE), (unsigned)ceil_div(shape.columns, SIDE));

    if (shape.rows > 0 && shape.columns > 0)
        product_kernel<<<grid, ACROSS * ACROSS, 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
