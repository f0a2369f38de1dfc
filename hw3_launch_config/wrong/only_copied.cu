// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=copy-of-input task=hw3.5
// In and out of the tile, but both times along the same index: nothing is exchanged.
#include "cuda_try.h"

static __global__ void turn(const float *in, float *out, struct matrix_shape shape)
{
    __shared__ float tile[32][33];
    const size_t column = blockIdx.x * (size_t)32 + threadIdx.x;
    const size_t row = blockIdx.y * (size_t)32 + threadIdx.y;
    const bool inside = row < shape.rows && column < shape.columns;

    if (inside)
        tile[threadIdx.y][threadIdx.x] = in[row * shape.columns + column];
    __syncthreads();
    if (inside)
        out[row * shape.columns + column] = tile[threadIdx.y][threadIdx.x];
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const dim3 block(32, 32);
    const dim3 grid((unsigned)ceil_div(shape.columns, 32), (unsigned)ceil_div(shape.rows, 32));

    if (grid.x > 0 && grid.y > 0)
        turn<<<grid, block, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
