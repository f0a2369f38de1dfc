// gpu=not checked (what an unset cell holds is luck) virtual=UNINITIALISED diagnosis=uninitialised task=hw2.1
// The first RADIUS threads load a cell of each halo: blocks of fewer threads leave cells unset.
#include "cuda_try.h"

constexpr unsigned R = NARROW_RADIUS;
static __constant__ struct narrow_weights w;

static __global__ void stencil(const float *in, float *out, size_t n)
{
    extern __shared__ float tile[];
    size_t first = blockIdx.x * (size_t)blockDim.x;
    unsigned t = threadIdx.x;
    size_t i = first + t;
    tile[t + R] = i < n ? in[i] : 0.0f;
    if (t < R) {
        tile[t] = i >= R && i - R < n ? in[i - R] : 0.0f;
        tile[t + R + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
    }
    __syncthreads();
    if (first + threadIdx.x < n) {
        float sum = 0.0f;
        for (unsigned k = 0; k <= 2 * R; k++)
            sum += w.at[k] * tile[threadIdx.x + k];
        out[first + threadIdx.x] = sum;
    }
}

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    cudaMemcpyToSymbolAsync(w, &weights, sizeof weights, 0, cudaMemcpyHostToDevice, stream);
    stencil<<<(unsigned)ceil_div(n, threads), threads, (threads + 2 * R) * sizeof(float), stream>>>(
        in, out, n);
    return cudaGetLastError();
}
