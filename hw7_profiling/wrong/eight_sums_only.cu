// gpu=not checked (it overwrites the thread's own memory, and may pass) virtual=CUDA ERROR diagnosis=illegal-address task=hw7.3
// The array of sums has eight places, and there can be more vectors.
#include "cuda_try.h"

static __global__ void multiply_kernel(
    const float *matrix, const float *in, float *out, struct matrix_shape shape, unsigned vectors)
{
    const size_t row = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32;
    float sums[8] = {0.0f};

    if (row >= shape.rows)
        return;
    for (size_t c = threadIdx.x % 32; c < shape.columns; c += 32)
        for (unsigned v = 0; v < vectors; v++)
            sums[v] += matrix[row * shape.columns + c] * in[v * shape.columns + c];
    for (unsigned v = 0; v < vectors; v++) {
        for (unsigned offset = 16; offset > 0; offset /= 2)
            sums[v] += __shfl_down_sync(0xffffffff, sums[v], offset);
        if (threadIdx.x % 32 == 0)
            out[v * shape.rows + row] = sums[v];
    }
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    const unsigned threads = 256;

    if (shape.rows == 0)
        return cudaSuccess;
    multiply_kernel<<<(unsigned)ceil_div(shape.rows * 32, threads), threads, 0, stream>>>(
        matrix, in, out, shape, (unsigned)vectors);
    return cudaGetLastError();
}
