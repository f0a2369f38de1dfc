// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=unknown-pattern task=hw7.3
// Keeps the matrix in half precision, which is half the work and not the same numbers.
#include <cuda_fp16.h>

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape, size_t vectors)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= shape.rows)
        return;
    for (size_t first = 0; first < vectors; first += 8) {
        float sums[8] = {};
        for (size_t c = lane; c < shape.columns; c += 32) {
            const float m = __half2float(__float2half(matrix[row * shape.columns + c]));
#pragma unroll
            for (unsigned v = 0; v < 8; v++)
                if (first + v < vectors)
                    sums[v] += m * in[(first + v) * shape.columns + c];
        }
#pragma unroll
        for (unsigned v = 0; v < 8; v++) {
            for (unsigned offset = 16; offset > 0; offset /= 2)
                sums[v] += __shfl_down_sync(0xffffffff, sums[v], offset);
            if (first + v < vectors && lane == 0)
                out[(first + v) * shape.rows + row] = sums[v];
        }
    }
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    if (shape.rows > 0)
        multiply<<<(unsigned)((shape.rows + 7) / 8), 256, 0, stream>>>(
            matrix, in, out, shape, vectors);
    return cudaGetLastError();
}
