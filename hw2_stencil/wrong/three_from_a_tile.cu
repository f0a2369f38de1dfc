// gpu=INEFFICIENT virtual=TOO SLOW diagnosis=loads-an-output|below-the-gate task=hw2.2
// Right and fast enough: three outputs a thread, each number read from the tile by itself. That is 35
// reads for three outputs, and the loads that fill the tile.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, THREADS = 128, OUTPUTS = 3, PART = THREADS * OUTPUTS;

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    __shared__ float tile[PART + 2 * R];
    const size_t first = blockIdx.x * (size_t)PART;
    const unsigned mine = threadIdx.x * OUTPUTS;
    float x[OUTPUTS + 2 * R];

#pragma unroll
    for (unsigned c = threadIdx.x; c < PART + 2 * R; c += THREADS)
        tile[c] = first + c >= R && first + c - R < n ? in[first + c - R] : 0.0f;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * R; k++)
        x[k] = tile[mine + k];
#pragma unroll
    for (unsigned o = 0; o < OUTPUTS; o++) {
        float sum = 0.0f;
#pragma unroll
        for (unsigned k = 0; k <= 2 * R; k++)
            sum += w.at[k] * x[o + k];
        if (first + mine + o < n)
            out[first + mine + o] = sum;
    }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        stencil<<<(unsigned)ceil_div(n, PART), THREADS, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}
