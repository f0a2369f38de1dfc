// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=loads-not-shared task=hw2.1
// Right, without a tile: each element is fetched seven times, for seven outputs.
#include "cuda_try.h"

constexpr unsigned R = NARROW_RADIUS;
static __constant__ struct narrow_weights w;

static __global__ void stencil(const float *in, float *out, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
        for (unsigned k = 0; k <= 2 * R; k++)
            if (i + k >= R && i + k - R < n)
                sum += w.at[k] * in[i + k - R];
        out[i] = sum;
    }
}

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    cudaMemcpyToSymbolAsync(w, &weights, sizeof weights, 0, cudaMemcpyHostToDevice, stream);
    stencil<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(in, out, n);
    return cudaGetLastError();
}
