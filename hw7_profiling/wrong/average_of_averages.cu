// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=average-of-averages task=hw7.1
// Each of eight warps averages its vectors, and then the eight averages are averaged.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape, size_t blocks)
{
    __shared__ float averages[8][32];
    const unsigned lane = threadIdx.x % 32, slice = threadIdx.x / 32;
    const size_t set = blockIdx.x / blocks, column = blockIdx.x % blocks * 32 + lane;
    const float *first = in + set * shape.vectors * shape.length + column;
    float sum = 0.0f;
    unsigned count = 0;
    if (column < shape.length)
        for (size_t v = slice; v < shape.vectors; v += 8, count++)
            sum += first[v * shape.length];
    averages[slice][lane] = sum / (float)count;
    __syncthreads();
    if (slice == 0 && column < shape.length) {
        sum = 0.0f;
        for (unsigned k = 0; k < 8; k++)
            sum += averages[k][lane];
        out[set * shape.length + column] = sum / 8;
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
