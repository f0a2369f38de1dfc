// gpu=MEMORY ERROR virtual=MEMORY ERROR diagnosis=guard-zone|out-of-bounds task=hw1.3
#include "cuda_try.h"

constexpr unsigned SIDE = 16;

static __global__ void multiply_kernel(
    const float *a, const float *b, float *c, struct product_shape shape)
{
    size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    size_t column = blockIdx.y * (size_t)blockDim.x + threadIdx.x;
    if (column < shape.columns) {
        float sum = 0.0f;
        for (size_t k = 0; k < shape.inner; k++)
            sum += a[row * shape.inner + k] * b[k * shape.columns + column];
        c[row * shape.columns + column] = sum;
    }
}

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    dim3 block(SIDE, SIDE), grid;
    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    grid.x = (unsigned)ceil_div(shape.rows, SIDE);
    grid.y = (unsigned)ceil_div(shape.columns, SIDE);
    multiply_kernel<<<grid, block, 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
