// gpu=RACE virtual=RACE diagnosis=other-stream task=hw7.2
// A stream of the function's own: nobody waits for it, and it waits for nobody.
#include "cuda_try.h"

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    float sum = 0.0f;
    if (row >= shape.rows) // the whole warp
        return;
    for (size_t c = lane; c < shape.columns; c += 32)
        sum += matrix[row * shape.columns + c] * in[c];
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        out[row] = sum;
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    static cudaStream_t mine;
    cudaError_t status = cudaSuccess;

    if (!mine)
        CUDA_TRY(cudaStreamCreate(&mine));
    if (shape.rows > 0)
        multiply<<<(unsigned)ceil_div(shape.rows, 8), 256, 0, mine>>>(matrix, in, out, shape);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
