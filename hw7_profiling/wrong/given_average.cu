// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw7.1
// The given function, handed in as it is.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape)
{
    for (size_t column = threadIdx.x; column < shape.length; column += 32) {
        const float *first = in + blockIdx.x * shape.vectors * shape.length + column;
        float sum = 0.0f;
        for (size_t v = 0; v < shape.vectors; v++)
            sum += first[v * shape.length];
        out[blockIdx.x * shape.length + column] = sum / (float)shape.vectors;
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets * shape.length > 0)
        average<<<(unsigned)shape.sets, 32, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
