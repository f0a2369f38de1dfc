// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=sums-kept task=hw7.3
// One launch makes all passes, and the second goes on with the sums of the first.
#include "cuda_try.h"

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape, size_t vectors)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    float sums[4] = {};
    if (row >= shape.rows)
        return;
    for (size_t first = 0; first < vectors; first += 4) {
        for (size_t c = threadIdx.x % 32; c < shape.columns; c += 32) {
            const float m = matrix[row * shape.columns + c];
#pragma unroll
            for (unsigned v = 0; v < 4; v++)
                if (first + v < vectors)
                    sums[v] += m * in[(first + v) * shape.columns + c];
        }
#pragma unroll
        for (unsigned v = 0; v < 4; v++) {
            float sum = sums[v];
            for (unsigned offset = 16; offset > 0; offset /= 2)
                sum += __shfl_down_sync(0xffffffff, sum, offset);
            if (first + v < vectors && threadIdx.x % 32 == 0)
                out[(first + v) * shape.rows + row] = sum;
        }
    }
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    if (vectors > 0 && shape.rows > 0)
        multiply<<<(unsigned)ceil_div(shape.rows, 8), 256, 0, stream>>>(
            matrix, in, out, shape, vectors);
    return cudaGetLastError();
}
