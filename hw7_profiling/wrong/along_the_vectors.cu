// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=uncoalesced task=hw7.1
// A warp for each element: enough to do, but its lanes read different vectors, so each of
// their sectors is filled to an eighth.
#include "cuda_try.h"

static __global__ void average(const float *in, float *out, struct sets_shape shape)
{
    const size_t i = blockIdx.x * (size_t)8 + threadIdx.x / 32;
    if (i >= shape.sets * shape.length)
        return;
    const float *first = in + i / shape.length * shape.vectors * shape.length + i % shape.length;
    float sum = 0.0f;
    for (size_t v = threadIdx.x % 32; v < shape.vectors; v += 32)
        sum += first[v * shape.length];
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        out[i] = sum / (float)shape.vectors;
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t count = shape.sets * shape.length;
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (count > 0)
        average<<<(unsigned)ceil_div(count, 8), 256, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}
