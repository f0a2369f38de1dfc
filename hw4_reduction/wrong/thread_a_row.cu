// gpu=TOO SLOW virtual=TOO SLOW diagnosis=uncoalesced task=hw4.5
// A thread a row: the lanes of a warp read addresses a whole row apart.
#include "cuda_try.h"

static __global__ void rows(const float *in, float *out, struct matrix_shape shape)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < shape.rows) {
        float sum = 0.0f;
        for (size_t c = 0; c < shape.columns; c++)
            sum += in[row * shape.columns + c];
        out[row] = sum;
    }
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        rows<<<(unsigned)ceil_div(shape.rows, 256), 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
