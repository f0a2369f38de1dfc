// The baseline asks 33 times an output whether an element exists, although the answer is yes
// but for the first and last 16 outputs of the array. Here an output asks once, and only
// those at the ends go the slow way. What is left are 33 loads an output, nearly all of which
// the L1 cache answers: each of them is an instruction all the same.
#include "cuda_try.h"

constexpr unsigned THREADS = 256; // of a block

template <unsigned RADIUS, class Weights>
static __global__ void stencil_kernel(const float *in, float *out, size_t n, const Weights weights)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    float sum = 0.0f;

    if (i >= n)
        return;
    // SOLVED(hw2.2)
    if (i >= RADIUS && i + RADIUS < n) {
#pragma unroll
        for (unsigned k = 0; k <= 2 * RADIUS; k++)
            sum += weights.at[k] * in[i + k - RADIUS];
    } else {
#pragma unroll
        for (unsigned k = 0; k <= 2 * RADIUS; k++)
            if (i + k >= RADIUS && i + k - RADIUS < n)
                sum += weights.at[k] * in[i + k - RADIUS];
    }
    // END(hw2.2)
    out[i] = sum;
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    stencil_kernel<WIDE_RADIUS>
        <<<(unsigned)ceil_div(n, THREADS), THREADS, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}

// ---- the other tasks ----------------------------------------------------------------

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
