// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw2.2
// Right: a window of 33 that goes round in a ring, so that its index is known only at run time.
// Registers have no such index: the ring lies in local memory.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, WINDOW = 2 * R + 1, OUTPUTS = 8;

static __device__ float element(const float *in, size_t n, size_t shifted)
{
    return shifted >= R && shifted - R < n ? in[shifted - R] : 0.0f;
}

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    size_t first = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * OUTPUTS;
    float ring[WINDOW];
    for (unsigned k = 0; k + 1 < WINDOW; k++)
        ring[k] = element(in, n, first + k);
    for (unsigned o = 0, oldest = 0; o < OUTPUTS && first + o < n; o++) {
        ring[(oldest + WINDOW - 1) % WINDOW] = element(in, n, first + o + 2 * R);
        float sum = 0.0f;
        for (unsigned k = 0; k < WINDOW; k++)
            sum += w.at[k] * ring[(oldest + k) % WINDOW];
        out[first + o] = sum;
        oldest = (oldest + 1) % WINDOW;
    }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        stencil<<<(unsigned)ceil_div(n, 256 * OUTPUTS), 256, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}
