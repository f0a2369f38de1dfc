// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=bank-conflicts task=hw3.5
// Two columns of padding: every second bank is free, and lanes wait in pairs.
#include "cuda_try.h"

static __global__ void turn(const float *in, float *out, struct matrix_shape shape)
{
    __shared__ float tile[32][34];
    const unsigned x = threadIdx.x;
    const size_t row = blockIdx.y * (size_t)32, column = blockIdx.x * (size_t)32;

    for (unsigned y = threadIdx.y; y < 32; y += 8)
        if (row + y < shape.rows && column + x < shape.columns)
            tile[y][x] = in[(row + y) * shape.columns + column + x];
    __syncthreads();
    for (unsigned y = threadIdx.y; y < 32; y += 8)
        if (column + y < shape.columns && row + x < shape.rows)
            out[(column + y) * shape.rows + row + x] = tile[x][y];
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const dim3 block(32, 8);
    const dim3 grid((unsigned)ceil_div(shape.columns, 32), (unsigned)ceil_div(shape.rows, 32));

    if (grid.x > 0 && grid.y > 0)
        turn<<<grid, block, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
