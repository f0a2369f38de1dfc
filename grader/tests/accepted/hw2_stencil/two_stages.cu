// Another structure: a fixed grid whose blocks go on to the next part, two tiles in turn so
// that one barrier a round is enough, and cooperative groups instead of built-in variables.
#include <cooperative_groups.h>

#include "cuda_try.h"

namespace cg = cooperative_groups;

// ---- hw2.1: two tiles in turn -------------------------------------------------------

static __constant__ float coefficients[2 * NARROW_RADIUS + 1];

static __device__ float element_or_zero(const float *in, size_t n, long long i)
{
    return i >= 0 && (size_t)i < n ? __ldg(&in[i]) : 0.0f;
}

static __global__ void strided_tile_kernel(const float *in, float *out, size_t n)
{
    constexpr int R = NARROW_RADIUS;
    extern __shared__ float tiles[];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank(), size = block.size(), cells = size + 2 * R;
    unsigned round = 0;

    for (size_t part = blockIdx.x; part * size < n; part += gridDim.x, round++) {
        float *tile = tiles + round % 2 * cells; // nobody still reads the one before this one
        const long long start = (long long)(part * size) - R;
        for (unsigned k = rank; k < cells; k += size)
            tile[k] = element_or_zero(in, n, start + k);
        block.sync();
        float sum = 0.0f;
        for (int k = 2 * R; k >= 0; k--)
            sum += coefficients[k] * tile[rank + k];
        if (part * size + rank < n)
            out[part * size + rank] = sum;
    }
}

cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const size_t blocks = min(ceil_div(n, threads), (size_t)4096);
    const size_t tile_bytes = (threads + 2 * NARROW_RADIUS) * sizeof(float);
    void *address = NULL;

    if (blocks == 0)
        return status;
    CUDA_TRY(cudaGetSymbolAddress(&address, coefficients));
    CUDA_TRY(cudaMemcpyAsync(address, &weights, sizeof weights, cudaMemcpyDefault, stream));
    strided_tile_kernel<<<(unsigned)blocks, threads, 2 * tile_bytes, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw2.2: four floats a lane, those of other lanes by shuffles --------------------

// Lane l holds the elements 4l to 4l + 3 of the warp's part and gets the fours of the lanes
// beside it; the first and last four lanes of a warp have halos and make no outputs.
static __global__ void shuffled_kernel(
    const float *in, float *out, size_t n, const struct wide_weights weights)
{
    constexpr int R = WIDE_RADIUS, REACH = R / 4, LANES = 32 - 2 * REACH;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = (int)warp.thread_rank();
    const size_t warps = gridDim.x * (size_t)blockDim.x / 32;
    size_t number = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32;

    for (; number * LANES * 4 < n; number += warps) {
        const long long at = (long long)(number * LANES * 4) + 4 * (lane - REACH);
        float own[4], sum[4] = {0};
        if (at >= 0 && at + 4 <= (long long)n) {
            const float4 four = *(const float4 *)(in + at);
            own[0] = four.x, own[1] = four.y, own[2] = four.z, own[3] = four.w;
        } else {
            for (int e = 0; e < 4; e++)
                own[e] = element_or_zero(in, n, at + e);
        }
#pragma unroll
        for (int from = -REACH; from <= REACH; from++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const float x = warp.shfl(own[e], lane + from);
#pragma unroll
                for (int o = 0; o < 4; o++) {
                    const int k = 4 * from + e - o;
                    if (k >= -R && k <= R)
                        sum[o] = fmaf(weights.at[R + k], x, sum[o]);
                }
            }
        if (lane < REACH || lane >= REACH + LANES)
            continue;
        for (int o = 0; o < 4; o++)
            if (at + o < (long long)n)
                out[at + o] = sum[o];
    }
}

cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream)
{
    const size_t blocks = min(ceil_div(n, 8 * 24 * 4), (size_t)65536);

    if (n > 0)
        shuffled_kernel<<<(unsigned)blocks, 256, 0, stream>>>(in, out, n, weights);
    return cudaGetLastError();
}

// ---- hw2.3: two stages, each element of the next tile already on its way ------------

template <int TILE> struct stage {
    float a[TILE][TILE], b[TILE][TILE];
};

template <int TILE>
static __global__ void staged_kernel(
    const float *a, const float *b, float *c, struct product_shape s)
{
    __shared__ stage<TILE> stages[2];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t row = blockIdx.y * (size_t)TILE + y, column = blockIdx.x * (size_t)TILE + x;
    const size_t rounds = (s.inner + TILE - 1) / TILE;
    float next_a = row < s.rows && x < s.inner ? a[row * s.inner + x] : 0.0f;
    float next_b = y < s.inner && column < s.columns ? b[y * s.columns + column] : 0.0f;
    float sum = 0.0f;

    for (size_t round = 0; round < rounds; round++) {
        stage<TILE> *now = &stages[round % 2];
        const size_t k_a = (round + 1) * TILE + x, k_b = (round + 1) * TILE + y;
        now->a[y][x] = next_a;
        now->b[y][x] = next_b;
        block.sync(); // the other stage is free: all have come here after reading it
        next_a = row < s.rows && k_a < s.inner ? a[row * s.inner + k_a] : 0.0f;
        next_b = k_b < s.inner && column < s.columns ? b[k_b * s.columns + column] : 0.0f;
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum = fmaf(now->a[y][k], now->b[k][x], sum);
    }
    if (row < s.rows && column < s.columns)
        c[row * s.columns + column] = sum;
}

cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    constexpr int TILE = 32;
    const dim3 grid((unsigned)ceil_div(shape.columns, TILE), (unsigned)ceil_div(shape.rows, TILE));

    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    staged_kernel<TILE><<<grid, dim3(TILE, TILE), 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
