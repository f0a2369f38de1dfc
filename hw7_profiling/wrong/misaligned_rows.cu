// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=misaligned-address task=hw7.2
// Reads every row as float4s, also those that do not begin on a 16-byte boundary.
#include "cuda_try.h"

static __global__ void multiply(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    const size_t row = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    float sum = 0.0f;
    if (row >= shape.rows) // the whole warp
        return;
    const float4 *words = (const float4 *)(matrix + row * shape.columns), *x = (const float4 *)in;
    for (size_t w = lane; w < shape.columns / 4; w += 32)
        sum +=
            words[w].x * x[w].x + words[w].y * x[w].y + words[w].z * x[w].z + words[w].w * x[w].w;
    if (lane < shape.columns % 4) {
        const size_t c = shape.columns / 4 * 4 + lane;
        sum += matrix[row * shape.columns + c] * in[c];
    }
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        out[row] = sum;
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows > 0)
        multiply<<<(unsigned)ceil_div(shape.rows, 8), 256, 0, stream>>>(matrix, in, out, shape);
    return cudaGetLastError();
}
