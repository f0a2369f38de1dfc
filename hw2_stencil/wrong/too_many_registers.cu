// gpu=CUDA ERROR virtual=CUDA ERROR diagnosis=launch-resources task=hw2.2
// 1,024 threads with a window of 96 registers each: more than a multiprocessor has.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, OUTPUTS = 64, THREADS = 1024;

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    size_t first = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * OUTPUTS;
    float x[OUTPUTS + 2 * R];
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * R; k++)
        x[k] = first + k >= R && first + k - R < n ? in[first + k - R] : 0.0f;
#pragma unroll
    for (unsigned o = 0; o < OUTPUTS; o++) {
        float sum = 0.0f;
#pragma unroll
        for (unsigned k = 0; k <= 2 * R; k++)
            sum += w.at[k] * x[o + k];
        if (first + o < n)
            out[first + o] = sum;
    }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        stencil<<<(unsigned)ceil_div(n, THREADS * OUTPUTS), THREADS, 0, stream>>>(
            in, out, n, weights);
    return cudaGetLastError();
}
