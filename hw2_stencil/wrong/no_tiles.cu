// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=tile-not-reused task=hw2.3
// The product of hw1.3: right, without shared memory.
#include "cuda_try.h"

static __global__ void multiply(const float *a, const float *b, float *c, struct product_shape s)
{
    size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    size_t column = blockIdx.y * (size_t)blockDim.x + threadIdx.x;
    if (row < s.rows && column < s.columns) {
        float sum = 0.0f;
        for (size_t k = 0; k < s.inner; k++)
            sum += a[row * s.inner + k] * b[k * s.columns + column];
        c[row * s.columns + column] = sum;
    }
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    dim3 grid((unsigned)ceil_div(shape.rows, 8), (unsigned)ceil_div(shape.columns, 32));
    if (grid.x > 0 && grid.y > 0)
        multiply<<<grid, dim3(32, 8), 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
