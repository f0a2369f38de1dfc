// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=other-set task=hw7.1
// The sum is set to 0 once, and not again for the next set.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape)
{
    const size_t column = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (column >= shape.length)
        return;
    for (size_t set = 0; set < shape.sets; set++) {
        const float *first = in + set * shape.vectors * shape.length + column;
        for (size_t v = 0; v < shape.vectors; v++)
            sum += first[v * shape.length];
        out[set * shape.length + column] = sum / (float)shape.vectors;
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets * shape.length > 0)
        average<<<(unsigned)ceil_div(shape.length, 32), 32, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
