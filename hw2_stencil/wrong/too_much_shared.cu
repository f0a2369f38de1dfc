// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=shared-too-large task=hw2.3
// Tiles of 32 x 256 and 256 x 32: 64 KB, which a block gets only if cudaFuncSetAttribute has asked.
#include "cuda_try.h"

constexpr unsigned TILE = 32, DEPTH = 256;

static __global__ void multiply(const float *a, const float *b, float *c, struct product_shape s)
{
    extern __shared__ float both[];
    float *a_tile = both, *b_tile = both + TILE * DEPTH;
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.x * (size_t)TILE + y, column = blockIdx.y * (size_t)TILE + x;
    float sum = 0.0f;
    for (size_t first = 0; first < s.inner; first += DEPTH) {
        for (unsigned k = x; k < DEPTH; k += TILE) {
            bool in_a = row < s.rows && first + k < s.inner;
            a_tile[y * DEPTH + k] = in_a ? a[row * s.inner + first + k] : 0.0f;
        }
        for (unsigned k = y; k < DEPTH; k += TILE) {
            bool in_b = first + k < s.inner && column < s.columns;
            b_tile[k * TILE + x] = in_b ? b[(first + k) * s.columns + column] : 0.0f;
        }
        __syncthreads();
        for (unsigned k = 0; k < DEPTH; k++)
            sum += a_tile[y * DEPTH + k] * b_tile[k * TILE + x];
        __syncthreads();
    }
    if (row < s.rows && column < s.columns)
        c[row * s.columns + column] = sum;
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    dim3 grid((unsigned)ceil_div(shape.rows, TILE), (unsigned)ceil_div(shape.columns, TILE));
    if (grid.x > 0 && grid.y > 0)
        multiply<<<grid, dim3(TILE, TILE), 2 * TILE * DEPTH * sizeof(float), stream>>>(
            a, b, c, shape);
    return cudaGetLastError();
}
