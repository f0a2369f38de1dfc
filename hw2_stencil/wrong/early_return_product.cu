// gpu=not checked (what an unset cell holds is luck) virtual=UNINITIALISED diagnosis=uninitialised task=hw2.3
// Threads outside of C leave at once, though they have cells of A or B to load.
#include "cuda_try.h"

constexpr unsigned TILE = 16;

static __global__ void multiply(const float *a, const float *b, float *c, struct product_shape s)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.x * (size_t)TILE + y, column = blockIdx.y * (size_t)TILE + x;
    float sum = 0.0f;
    if (row >= s.rows || column >= s.columns)
        return;
    for (size_t first = 0; first < s.inner; first += TILE) {
        bool in_a = row < s.rows && first + x < s.inner;
        bool in_b = first + y < s.inner && column < s.columns;
        a_tile[y][x] = in_a ? a[row * s.inner + first + x] : 0.0f;
        b_tile[y][x] = in_b ? b[(first + y) * s.columns + column] : 0.0f;
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
