// gpu=WRONG ANSWER virtual=CUDA ERROR diagnosis=ends-not-zero|illegal-address task=hw2.2
// The window is loaded without a look at where the array begins and ends.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, OUTPUTS = 4, THREADS = 256;

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    size_t first = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * OUTPUTS;
    float x[OUTPUTS + 2 * R];
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * R; k++)
        x[k] = in[first + k - R];
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
