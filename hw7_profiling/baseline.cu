// What the times are compared with: each function is right, and slow for one reason.
// hw7.3 is not: it is a good hw7.2 for every vector, which leaves the matrix to be read
// as often as there are vectors.
#include "cuda_try.h"

constexpr unsigned WARP = 32, ALL_LANES = 0xffffffff;

// ---- hw7.1: one block of 32 threads a set: most of the GPU has nothing to do --------

static __global__ void average_kernel(const float *in, float *out, struct sets_shape shape)
{
    for (size_t set = blockIdx.x; set < shape.sets; set += gridDim.x)
        for (size_t column = threadIdx.x; column < shape.length; column += blockDim.x) {
            const float *first = in + set * shape.vectors * shape.length + column;
            float sum = 0.0f;
            for (size_t v = 0; v < shape.vectors; v++)
                sum += first[v * shape.length];
            out[set * shape.length + column] = sum / (float)shape.vectors;
        }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t blocks_most = 0x7fffffff;
    const size_t blocks = shape.sets < blocks_most ? shape.sets : blocks_most;

    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets == 0 || shape.length == 0)
        return cudaSuccess;
    average_kernel<<<(unsigned)blocks, WARP, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

// ---- hw7.2: a thread a row, so the lanes of a warp read a row's length apart ---------

static __global__ void row_a_thread_kernel(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < shape.rows) {
        float sum = 0.0f;
        for (size_t column = 0; column < shape.columns; column++)
            sum += matrix[row * shape.columns + column] * in[column];
        out[row] = sum;
    }
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    const unsigned threads = 256;

    if (shape.rows == 0)
        return cudaSuccess;
    row_a_thread_kernel<<<(unsigned)ceil_div(shape.rows, threads), threads, 0, stream>>>(
        matrix, in, out, shape);
    return cudaGetLastError();
}

// ---- hw7.3: a launch a vector, and each reads the whole matrix ------------------------

// A warp a row, with eight loads under way before the first is used.
static __global__ void row_a_warp_kernel(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    constexpr unsigned LOADS = 8;
    const size_t row = blockIdx.x * (size_t)(blockDim.x / WARP) + threadIdx.x / WARP;
    const float *mine = matrix + row * shape.columns;
    float sum = 0.0f;

    if (row >= shape.rows) // the whole warp
        return;
    for (size_t start = threadIdx.x % WARP; start < shape.columns; start += LOADS * WARP) {
        float values[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            values[k] = start + k * WARP < shape.columns ? mine[start + k * WARP] : 0.0f;
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            if (start + k * WARP < shape.columns)
                sum += values[k] * in[start + k * WARP];
    }
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, offset);
    if (threadIdx.x % WARP == 0)
        out[row] = sum;
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = 256;

    if (shape.rows == 0)
        return cudaSuccess;
    for (size_t v = 0; v < vectors; v++) {
        row_a_warp_kernel<<<(unsigned)ceil_div(shape.rows, threads / WARP), threads, 0, stream>>>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape);
        CUDA_TRY(cudaGetLastError());
    }
done:
    return status;
}
