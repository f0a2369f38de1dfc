// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=vector-dropped task=hw7.1
// Eight warps take an eighth of the vectors each, rounded down: up to seven are left out.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape, size_t blocks)
{
    __shared__ float sums[8][32];
    const unsigned lane = threadIdx.x % 32, slice = threadIdx.x / 32;
    const size_t set = blockIdx.x / blocks, column = blockIdx.x % blocks * 32 + lane;
    const float *first = in + set * shape.vectors * shape.length + column;
    const size_t share = shape.vectors / 8;
    float sum = 0.0f;
    if (column < shape.length)
        for (size_t v = slice * share; v < (slice + 1) * share; v++)
            sum += first[v * shape.length];
    sums[slice][lane] = sum;
    __syncthreads();
    if (slice == 0 && column < shape.length) {
        for (unsigned k = 1; k < 8; k++)
            sum += sums[k][lane];
        out[set * shape.length + column] = sum / (float)shape.vectors;
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t blocks = ceil_div(shape.length, 32);
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets * blocks > 0)
        average<<<(unsigned)(shape.sets * blocks), 256, 0, stream>>>(in, out, shape, blocks);
    return cudaGetLastError();
}
