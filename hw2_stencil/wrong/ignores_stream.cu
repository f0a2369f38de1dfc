// gpu=RACE virtual=RACE diagnosis=other-stream task=hw2.1
// The weights are copied in the caller's stream; the launch ends with the shared bytes.
#include "cuda_try.h"

constexpr unsigned R = NARROW_RADIUS;
static __constant__ struct narrow_weights w;

static __global__ void stencil(const float *in, float *out, size_t n)
{
    extern __shared__ float tile[];
    size_t first = blockIdx.x * (size_t)blockDim.x;
    for (unsigned c = threadIdx.x; c < blockDim.x + 2 * R; c += blockDim.x)
        tile[c] = first + c >= R && first + c - R < n ? in[first + c - R] : 0.0f;
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
    stencil<<<(unsigned)ceil_div(n, threads), threads, (threads + 2 * R) * sizeof(float)>>>(
        in, out, n);
    return cudaGetLastError();
}
