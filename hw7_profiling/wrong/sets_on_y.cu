// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=grid-y-too-large task=hw7.1
// A row of blocks for each set, and y ends at 65,535.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape)
{
    const size_t column = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const float *first = in + blockIdx.y * shape.vectors * shape.length + column;
    float sum = 0.0f;
    if (column >= shape.length)
        return;
    for (size_t v = 0; v < shape.vectors; v++)
        sum += first[v * shape.length];
    out[blockIdx.y * shape.length + column] = sum / (float)shape.vectors;
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const dim3 grid((unsigned)ceil_div(shape.length, 32), (unsigned)shape.sets);
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets * shape.length > 0)
        average<<<grid, 32, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
