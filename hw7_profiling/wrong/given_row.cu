// gpu=TOO SLOW virtual=TOO SLOW diagnosis=uncoalesced task=hw7.2
// The given function, handed in as it is: a thread a row.
#include "cuda_try.h"

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (row >= shape.rows)
        return;
    for (size_t c = 0; c < shape.columns; c++)
        sum += matrix[row * shape.columns + c] * in[c];
    out[row] = sum;
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        multiply<<<(unsigned)ceil_div(shape.rows, 256), 256, 0, stream>>>(matrix, in, out, shape);
    return cudaGetLastError();
}
