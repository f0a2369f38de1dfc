// The product of hw1.3 loads two numbers for each multiplication, and loads are what it spends
// its time on. Here the threads of a block fetch a tile of A and a tile of B together, each
// number once, and use it eight times. But eight is few: the two barriers of a round are paid
// for by eight multiplications a thread, and a sector of 32 bytes is just a row of a tile.
#include "cuda_try.h"

constexpr unsigned TILE = 8;
constexpr size_t GRID_X_MAX = 2147483647;

static __global__ void multiply_kernel(
    const float *a, const float *b, float *c, struct product_shape shape, unsigned tiles_across)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t row = blockIdx.x / tiles_across * (size_t)TILE + y;
    const size_t column = blockIdx.x % tiles_across * (size_t)TILE + x;
    float sum = 0.0f;

    // SOLVED(hw2.3)
    for (size_t first = 0; first < shape.inner; first += TILE) {
        const bool in_a = row < shape.rows && first + x < shape.inner;
        const bool in_b = first + y < shape.inner && column < shape.columns;
        a_tile[y][x] = in_a ? a[row * shape.inner + first + x] : 0.0f;
        b_tile[y][x] = in_b ? b[(first + y) * shape.columns + column] : 0.0f;
        __syncthreads(); // correctness: read after write
        for (unsigned k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads(); // correctness: write after read, in the next round
    }
    // END(hw2.3)
    if (row < shape.rows && column < shape.columns)
        c[row * shape.columns + column] = sum;
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    // correctness: a side of C may be 131,070 tiles, and of a grid only x takes as many.
    const size_t down = ceil_div(shape.rows, TILE), across = ceil_div(shape.columns, TILE);

    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    if (down * across > GRID_X_MAX)
        return cudaErrorInvalidValue; // 2^31 tiles would be 512 GB
    multiply_kernel<<<(unsigned)(down * across), dim3(TILE, TILE), 0, stream>>>(
        a, b, c, shape, (unsigned)across);
    return cudaGetLastError();
}

// ---- the other tasks ----------------------------------------------------------------

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
