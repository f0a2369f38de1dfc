// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw3.5
// Reads along rows and writes along columns: 32 sectors for each store of a warp.
#include "cuda_try.h"

static __global__ void turn(const float *in, float *out, struct matrix_shape shape)
{
    const size_t column = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t row = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    if (row < shape.rows && column < shape.columns)
        out[column * shape.rows + row] = in[row * shape.columns + column];
}

cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const dim3 block(32, 8);
    const dim3 grid((unsigned)ceil_div(shape.columns, 32), (unsigned)ceil_div(shape.rows, 8));

    if (grid.x > 0 && grid.y > 0)
        turn<<<grid, block, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
