// gpu=TOO SLOW virtual=TOO SLOW diagnosis=below-the-gate task=hw2.2
// Right: a tile in shared memory and four outputs a thread, but 33 reads of the tile for each.
#include "cuda_try.h"

constexpr unsigned R = WIDE_RADIUS, THREADS = 256, OUTPUTS = 4, PART = THREADS * OUTPUTS;

static __global__ void stencil(const float *in, float *out, size_t n, struct wide_weights w)
{
    __shared__ float tile[PART + 2 * R];
    size_t first = blockIdx.x * (size_t)PART;
    for (unsigned c = threadIdx.x; c < PART + 2 * R; c += THREADS)
        tile[c] = first + c >= R && first + c - R < n ? in[first + c - R] : 0.0f;
    __syncthreads();
    for (unsigned t = threadIdx.x; t < PART && first + t < n; t += THREADS) {
        float sum = 0.0f;
#pragma unroll
        for (unsigned k = 0; k <= 2 * R; k++)
            sum += w.at[k] * tile[t + k];
        out[first + t] = sum;
    }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n > 0)
        stencil<<<(unsigned)ceil_div(n, PART), THREADS, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}
