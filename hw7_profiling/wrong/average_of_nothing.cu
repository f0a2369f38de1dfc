// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=error-not-returned task=hw7.1
// Divides by the number of vectors, whatever it is.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= shape.sets * shape.length)
        return;
    const float *first = in + i / shape.length * shape.vectors * shape.length + i % shape.length;
    float sum = 0.0f;
    for (size_t v = 0; v < shape.vectors; v++)
        sum += first[v * shape.length];
    out[i] = sum / (float)shape.vectors;
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t count = shape.sets * shape.length;
    if (count > 0)
        average<<<(unsigned)ceil_div(count, 64), 64, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
