// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=stops-early task=hw2.2
// The last outputs do not fill a thread's share of eight, and nobody makes them.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, OUTPUTS = 8, THREADS = 128;

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
        if (first + OUTPUTS <= n)
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
