// Homework 7, analysis-driven optimisation.
#include "cuda_try.h"

enum : unsigned {
    WARP = 32,
    ALL_LANES = 0xffffffff,
};

// SOLVED(hw7.1)
constexpr unsigned SLICES = 8;        // warps of a block: each adds every eighth vector
constexpr unsigned AVERAGE_LOADS = 8; // speed: loads that a thread has in flight

// A block averages 32 columns of a set: lane k of every warp adds up column k.
static __global__ void average_columns_kernel(
    const float *in, float *out, struct sets_shape shape, size_t blocks_a_set)
{
    __shared__ float sums[SLICES][WARP];
    const unsigned lane = threadIdx.x % WARP, slice = threadIdx.x / WARP;
    const size_t set = blockIdx.x / blocks_a_set;
    const size_t column = blockIdx.x % blocks_a_set * WARP + lane;
    const float *first = in + set * shape.vectors * shape.length + column;
    float sum = 0.0f;

    if (column < shape.length)
        for (size_t start = slice; start < shape.vectors; start += AVERAGE_LOADS * SLICES) {
            float values[AVERAGE_LOADS];
#pragma unroll
            for (unsigned k = 0; k < AVERAGE_LOADS; k++) {
                const size_t v = start + k * SLICES;
                values[k] = v < shape.vectors ? first[v * shape.length] : 0.0f;
            }
#pragma unroll
            for (unsigned k = 0; k < AVERAGE_LOADS; k++)
                sum += values[k];
        }
    sums[slice][lane] = sum;
    __syncthreads();
    if (slice == 0 && column < shape.length) {
        for (unsigned k = 1; k < SLICES; k++)
            sum += sums[k][lane];
        out[set * shape.length + column] = sum / (float)shape.vectors;
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t blocks_a_set = ceil_div(shape.length, WARP);

    if (shape.sets == 0 || shape.length == 0)
        return cudaSuccess;
    average_columns_kernel<<<(unsigned)(shape.sets * blocks_a_set), SLICES * WARP, 0, stream>>>(
        in, out, shape, blocks_a_set);
    return cudaGetLastError();
}
// END(hw7.1)

// SOLVED(hw7.2)
constexpr unsigned WARPS = 8; // of a block

static __device__ float warp_sum(float value)
{
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL_LANES, value, offset);
    return value;
}

// A warp computes ROWS rows of COUNT products. `Word` is what a lane loads at a time.
template <typename Word> static __device__ float dot(Word a, Word b);
template <> __device__ float dot(float a, float b)
{
    return a * b;
}
template <> __device__ float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <typename Word, unsigned ROWS, unsigned COUNT, unsigned LOADS>
static __global__ void rows_a_warp_kernel(
    const Word *matrix, const Word *in, float *out, size_t rows, size_t words)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t row = (blockIdx.x * (size_t)WARPS + threadIdx.x / WARP) * ROWS;
    float sums[COUNT][ROWS] = {};

    for (size_t start = lane; start < words; start += LOADS * WARP) {
        Word m[LOADS][ROWS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++) {
                const size_t w = start + k * WARP;
                m[k][r] = w < words && row + r < rows ? matrix[(row + r) * words + w] : Word{};
            }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
#pragma unroll
            for (unsigned v = 0; v < COUNT; v++) {
                const size_t w = start + k * WARP;
                const Word x = w < words ? in[v * words + w] : Word{};
#pragma unroll
                for (unsigned r = 0; r < ROWS; r++)
                    sums[v][r] += dot(m[k][r], x);
            }
    }
#pragma unroll
    for (unsigned v = 0; v < COUNT; v++)
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++) {
            const float sum = warp_sum(sums[v][r]);
            if (lane == 0 && row + r < rows)
                out[v * rows + row + r] = sum;
        }
}

// The products of a matrix with COUNT vectors, the matrix read once.
template <unsigned ROWS, unsigned COUNT, unsigned LOADS>
static cudaError_t multiply(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)ceil_div(shape.rows, WARPS * ROWS);
    const size_t columns = shape.columns;

    if (columns % 4 == 0 && (size_t)in % 16 == 0)
        rows_a_warp_kernel<float4, ROWS, COUNT, LOADS><<<blocks, WARPS * WARP, 0, stream>>>(
            (const float4 *)matrix, (const float4 *)in, out, shape.rows, columns / 4);
    else
        rows_a_warp_kernel<float, ROWS, COUNT, LOADS>
            <<<blocks, WARPS * WARP, 0, stream>>>(matrix, in, out, shape.rows, columns);
    return cudaGetLastError();
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows == 0)
        return cudaSuccess;
    return multiply<1, 1, 8>(matrix, in, out, shape, stream);
}
// END(hw7.2)

// SOLVED(hw7.3)
cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    constexpr unsigned ROWS = 4, COUNT = 8;
    cudaError_t status = cudaSuccess;
    size_t v = 0;

    if (shape.rows == 0)
        return cudaSuccess;
    for (; v + COUNT <= vectors; v += COUNT)
        CUDA_TRY((multiply<ROWS, COUNT, 1>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape, stream)));
    for (; v < vectors; v++)
        CUDA_TRY((multiply<1, 1, 8>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape, stream)));
done:
    return status;
}
// END(hw7.3)
