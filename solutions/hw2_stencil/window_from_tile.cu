// Four outputs a block's width apart share nothing, so each number is read from the tile 33
// times still. Here the four outputs of a thread lie beside each other and need 36 numbers in
// all: nine loads of a float4 bring them into registers, and all four sums are made from
// there. That is 2.25 loads of the tile for an output instead of 33. What is left is the
// way through the tile, and the barrier at which the whole block waits for its slowest load.
#include "cuda_try.h"

constexpr unsigned THREADS = 256, OUTPUTS = 4; // of a block, and of each of its threads
constexpr unsigned PART = THREADS * OUTPUTS;   // outputs of a block

// Fills the tile with in[first - RADIUS] and what follows, zeros outside of the array.
template <unsigned RADIUS>
static __device__ void load_tile(const float *in, size_t n, size_t first, float *tile)
{
    for (unsigned c = threadIdx.x; c < PART + 2 * RADIUS; c += THREADS) {
        const size_t shifted = first + c; // the element's index plus RADIUS
        const bool exists = shifted >= RADIUS && shifted - RADIUS < n;
        tile[c] = exists ? in[shifted - RADIUS] : 0.0f;
    }
}

// Stores the sums of a thread, four at a time where all of them lie within the array.
static __device__ void store_sums(float *out, size_t n, size_t first, const float (&sum)[OUTPUTS])
{
    if (first + OUTPUTS <= n) {
#pragma unroll
        for (unsigned o = 0; o < OUTPUTS; o += 4)
            *(float4 *)(out + first + o) = make_float4(sum[o], sum[o + 1], sum[o + 2], sum[o + 3]);
    } else {
#pragma unroll
        for (unsigned o = 0; o < OUTPUTS; o++)
            if (first + o < n)
                out[first + o] = sum[o];
    }
}

template <unsigned RADIUS, class Weights>
static __global__ void stencil_kernel(const float *in, float *out, size_t n, const Weights weights)
{
    static_assert(RADIUS % 2 == 0 && OUTPUTS % 4 == 0, "a tile is whole vectors of four");
    __shared__ float4 tile[(PART + 2 * RADIUS) / 4];
    const size_t start = blockIdx.x * (size_t)PART, first = start + threadIdx.x * OUTPUTS;
    float x[OUTPUTS + 2 * RADIUS], sum[OUTPUTS]; // x[k] = in[first + k - RADIUS]

    load_tile<RADIUS>(in, n, start, (float *)tile);
    __syncthreads();
    // SOLVED(hw2.2)
#pragma unroll
    for (unsigned k = 0; k < OUTPUTS + 2 * RADIUS; k += 4) {
        const float4 four = tile[(threadIdx.x * OUTPUTS + k) / 4];
        x[k] = four.x, x[k + 1] = four.y, x[k + 2] = four.z, x[k + 3] = four.w;
    }
#pragma unroll
    for (unsigned o = 0; o < OUTPUTS; o++) {
        sum[o] = 0.0f;
#pragma unroll
        for (unsigned k = 0; k <= 2 * RADIUS; k++)
            sum[o] += weights.at[k] * x[o + k];
    }
    // END(hw2.2)
    store_sums(out, n, first, sum);
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess;
    stencil_kernel<WIDE_RADIUS>
        <<<(unsigned)ceil_div(n, PART), THREADS, 0, stream>>>(in, out, n, weights);
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
