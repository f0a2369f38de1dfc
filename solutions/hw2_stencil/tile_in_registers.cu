// With one element of C a thread, each multiplication reads two numbers from the tiles: shared
// memory is busier than the arithmetic. Here a thread makes 8 x 8 elements of C, in registers.
// For each k it reads 8 numbers of either tile and makes 64 products of them: a fourth of a read
// for each, instead of two. A block makes 128 x 128 elements, and a number that it fetches is
// used 128 times. That is the window of hw2.2 in two dimensions.
#include "cuda_try.h"

constexpr unsigned SIDE = 128;  // of the part of C that a block makes
constexpr unsigned DEPTH = 8;   // of a tile, along inner
constexpr unsigned ACROSS = 16; // threads of a block along either side of C
constexpr unsigned EACH = 8;    // elements of C a thread, along either side
constexpr unsigned THREADS = ACROSS * ACROSS;
static_assert(SIDE == ACROSS * EACH && EACH == 8, "eight_from reads two vectors of four");

// A tile is DEPTH rows of SIDE floats, as vectors; the padding of A's spreads the stores over
// the banks, because A is stored transposed.
struct tiles {
    float4 a[DEPTH][SIDE / 4 + 1], b[DEPTH][SIDE / 4];
};

// Fills both tiles, zeros outside of the matrices. The part of C begins at (row, column), the
// tiles at number `first` along inner.
static __device__ void load_tiles(const float *a, const float *b, struct product_shape shape,
    size_t row, size_t column, size_t first, struct tiles *tiles)
{
#pragma unroll
    for (unsigned e = threadIdx.x; e < SIDE * DEPTH; e += THREADS) {
        const size_t r = row + e / DEPTH, k = first + e % DEPTH;
        const bool exists = r < shape.rows && k < shape.inner;
        ((float *)tiles->a[e % DEPTH])[e / DEPTH] = exists ? a[r * shape.inner + k] : 0.0f;
    }
#pragma unroll
    for (unsigned e = threadIdx.x; e < SIDE * DEPTH; e += THREADS) {
        const size_t k = first + e / SIDE, q = column + e % SIDE;
        const bool exists = k < shape.inner && q < shape.columns;
        ((float *)tiles->b[e / SIDE])[e % SIDE] = exists ? b[k * shape.columns + q] : 0.0f;
    }
}

// Which row or column of the part is number e of the thread at `place`: two groups of four,
// half a part from each other.
static __device__ unsigned nth(unsigned place, unsigned e)
{
    return e / 4 * (SIDE / 2) + 4 * place + e % 4;
}

// speed: neighbouring threads read neighbouring vectors, so that no bank is asked twice.
static __device__ void eight_from(const float4 *row, unsigned place, float (&eight)[EACH])
{
    const float4 low = row[place], high = row[place + SIDE / 8];
    eight[0] = low.x, eight[1] = low.y, eight[2] = low.z, eight[3] = low.w;
    eight[4] = high.x, eight[5] = high.y, eight[6] = high.z, eight[7] = high.w;
}

static __global__ void __launch_bounds__(THREADS)
    multiply_kernel(const float *a, const float *b, float *c, struct product_shape shape)
{
    __shared__ struct tiles tiles;
    const unsigned x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    const size_t row = blockIdx.x * (size_t)SIDE, column = blockIdx.y * (size_t)SIDE;
    float sum[EACH][EACH] = {{0.0f}}, from_a[EACH], from_b[EACH];

    for (size_t first = 0; first < shape.inner; first += DEPTH) {
        load_tiles(a, b, shape, row, column, first, &tiles);
        __syncthreads(); // correctness: read after write
                         // SOLVED(hw2.3)
#pragma unroll
        for (unsigned k = 0; k < DEPTH; k++) {
            eight_from(tiles.a[k], y, from_a);
            eight_from(tiles.b[k], x, from_b);
#pragma unroll
            for (unsigned i = 0; i < EACH; i++)
#pragma unroll
                for (unsigned j = 0; j < EACH; j++)
                    sum[i][j] += from_a[i] * from_b[j];
        }
        // END(hw2.3)
        __syncthreads(); // correctness: write after read, in the next round
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
#pragma unroll
        for (unsigned j = 0; j < EACH; j++) {
            const size_t r = row + nth(y, i), q = column + nth(x, j);
            if (r < shape.rows && q < shape.columns)
                c[r * shape.columns + q] = sum[i][j];
        }
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    const dim3 grid((unsigned)ceil_div(shape.rows, SIDE), (unsigned)ceil_div(shape.columns, SIDE));

    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    multiply_kernel<<<grid, THREADS, 0, stream>>>(a, b, c, shape);
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
