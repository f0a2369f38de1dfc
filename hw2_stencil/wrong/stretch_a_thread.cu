// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw2.2
// Right, and few loads: a window of registers slides along 132 outputs. But the lanes of a warp are
// that far apart, so each of their loads touches 32 sectors.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, WINDOW = 2 * R + 1, STRETCH = 4 * WINDOW;

static __device__ float element(const float *in, size_t n, size_t shifted)
{
    return shifted >= R && shifted - R < n ? in[shifted - R] : 0.0f;
}

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    size_t first = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * STRETCH;
    float ring[WINDOW];
#pragma unroll
    for (unsigned k = 0; k + 1 < WINDOW; k++)
        ring[k] = element(in, n, first + k);
    for (size_t start = first; start < first + STRETCH && start < n; start += WINDOW)
#pragma unroll
        for (unsigned o = 0; o < WINDOW; o++) {
            ring[(o + WINDOW - 1) % WINDOW] = element(in, n, start + o + 2 * R);
            float sum = 0.0f;
#pragma unroll
            for (unsigned k = 0; k < WINDOW; k++)
                sum += w.at[k] * ring[(o + k) % WINDOW];
            if (start + o < n)
                out[start + o] = sum;
        }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        stencil<<<(unsigned)ceil_div(n, 128 * STRETCH), 128, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}
