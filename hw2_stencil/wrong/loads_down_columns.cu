// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=tile-not-reused task=hw2.3
// Right, but neighbouring threads load elements that lie below each other: a sector for each.
#include "cuda_try.h"

constexpr unsigned TILE = 16;

static __global__ void multiply(const float *a, const float *b, float *c, struct product_shape s)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.x * (size_t)TILE + y, column = blockIdx.y * (size_t)TILE + x;
    size_t a_row = row - y + x, b_column = column - x + y;
    float sum = 0.0f;
    for (size_t first = 0; first < s.inner; first += TILE) {
        bool in_a = a_row < s.rows && first + y < s.inner;
        bool in_b = first + x < s.inner && b_column < s.columns;
        a_tile[x][y] = in_a ? a[a_row * s.inner + first + y] : 0.0f;
        b_tile[x][y] = in_b ? b[(first + x) * s.columns + b_column] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
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
        multiply<<<grid, dim3(TILE, TILE), 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
