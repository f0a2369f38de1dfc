// gpu=TOO SLOW virtual=TOO SLOW diagnosis=matrix-read-again task=hw7.3
// A good product for every vector, and the whole matrix is read for each.
#include "cuda_try.h"

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    float sum = 0.0f;
    if (row >= shape.rows)
        return;
    for (size_t c = threadIdx.x % 32; c < shape.columns; c += 32)
        sum += matrix[row * shape.columns + c] * in[c];
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        out[row] = sum;
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    for (size_t v = 0; v < vectors && shape.rows > 0; v++)
        multiply<<<(unsigned)ceil_div(shape.rows, 8), 256, 0, stream>>>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape);
    return cudaGetLastError();
}
