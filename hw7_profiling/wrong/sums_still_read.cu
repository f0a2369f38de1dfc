// gpu=not checked (right by luck on silicon) virtual=RACE diagnosis=shared-race task=hw7.1
// A fast warp stores its sum of the next set while warp 0 still adds up those of this one.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape)
{
    __shared__ float sums[8][32];
    const unsigned lane = threadIdx.x % 32, slice = threadIdx.x / 32;
    const size_t column = blockIdx.x * (size_t)32 + lane;
    for (size_t set = 0; set < shape.sets; set++) {
        const float *first = in + set * shape.vectors * shape.length + column;
        float sum = 0.0f;
        if (column < shape.length)
            for (size_t v = slice; v < shape.vectors; v += 8)
                sum += first[v * shape.length];
        sums[slice][lane] = sum;
        __syncthreads();
        if (slice == 0 && column < shape.length) {
            for (unsigned k = 1; k < 8; k++)
                sum += sums[k][lane];
            out[set * shape.length + column] = sum / (float)shape.vectors;
        }
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets * shape.length > 0)
        average<<<(unsigned)ceil_div(shape.length, 32), 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
