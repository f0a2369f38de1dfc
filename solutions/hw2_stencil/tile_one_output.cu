// Without a tile every element is asked for 33 times, and each time it is the L1 cache that
// looks it up. Here it is fetched from global memory once a block, into shared memory, as in
// the textbook. An address there is shorter to compute and needs no look-up. But the tile is
// read 33 times for each output: the number of loads is what it was, and storing the cells
// and the barrier come on top. On an H200 all of it is slower than the rung before.
#include "cuda_try.h"

constexpr unsigned THREADS = 256; // of a block, which makes as many outputs

template <unsigned RADIUS, class Weights>
static __global__ void stencil_kernel(const float *in, float *out, size_t n, const Weights weights)
{
    __shared__ float tile[THREADS + 2 * RADIUS];
    const size_t first = blockIdx.x * (size_t)THREADS, i = first + threadIdx.x;
    float sum = 0.0f;

    // SOLVED(hw2.2)
    for (unsigned c = threadIdx.x; c < THREADS + 2 * RADIUS; c += THREADS) {
        const size_t shifted = first + c; // the element's index plus RADIUS
        const bool exists = shifted >= RADIUS && shifted - RADIUS < n;
        tile[c] = exists ? in[shifted - RADIUS] : 0.0f;
    }
    __syncthreads(); // correctness: threads past n have loaded cells, too
    if (i >= n)
        return;
#pragma unroll
    for (unsigned k = 0; k <= 2 * RADIUS; k++)
        sum += weights.at[k] * tile[threadIdx.x + k];
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
