// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw7.3
// Two vectors a pass: the matrix is read half as often, which is not yet twice as fast.
#include "cuda_try.h"

// The products of the next `count` vectors, at most 2.
static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape, size_t count)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    float sums[2] = {};
    if (row >= shape.rows)
        return;
    for (size_t c = threadIdx.x % 32; c < shape.columns; c += 32) {
        const float m = matrix[row * shape.columns + c];
#pragma unroll
        for (unsigned v = 0; v < 2; v++)
            if (v < count)
                sums[v] += m * in[v * shape.columns + c];
    }
#pragma unroll
    for (unsigned v = 0; v < 2; v++) {
        for (unsigned offset = 16; offset > 0; offset /= 2)
            sums[v] += __shfl_down_sync(0xffffffff, sums[v], offset);
        if (v < count && threadIdx.x % 32 == 0)
            out[v * shape.rows + row] = sums[v];
    }
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    for (size_t v = 0; v < vectors && shape.rows > 0; v += 2)
        multiply<<<(unsigned)ceil_div(shape.rows, 8), 256, 0, stream>>>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape, vectors - v);
    return cudaGetLastError();
}
