// The kernels of hw7.4's records, launched in a fixed order: record.sh reads their metrics.
//
// Prints one line a launch, `place<TAB>label`, in the order in which ncu numbers them. Memory
// is set up before profiling starts. The functions of the homework are here as they are given
// and as the reference solves them.
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_try.h"
#include "../profiling.h"

namespace given
{
#include "../baseline.cu"
}
namespace reference
{
// A call with a struct of the contract finds the contract's function as well as this one.
#define multiply_vector reference_vector
#include "../profiling_solution.cu"
#undef multiply_vector
} // namespace reference

constexpr size_t MIB = (size_t)1 << 20;
constexpr size_t ARRAY_BYTES = 256 * MIB, FLOATS = ARRAY_BYTES / sizeof(float);
constexpr size_t SIDE = 8192; // of a square matrix of FLOATS

struct memory {
    float *a, *b;    // ARRAY_BYTES each, small numbers
    unsigned *chain; // FLOATS places, each naming the next, in no order
    unsigned processors;
};

// ---- memory that streams --------------------------------------------------------------

static __global__ void copy_float4(const float4 *in, float4 *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = in[i];
}

static __global__ void copy_float(const float *in, float *out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

static __global__ void add_into(const float *in, float *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] += in[i];
}

// Lanes lie `step` floats apart, so a request touches as many sectors as lanes.
static __global__ void copy_strided(const float *in, float *out, size_t n, size_t step)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const size_t from = i % (n / step) * step + i / (n / step);
    if (i < n)
        out[from] = in[from];
}

static __global__ void gather(const float *in, const unsigned *places, float *out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[places[i]];
}

static __global__ void fill(float4 *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
}

// ---- memory that is near ----------------------------------------------------------------

// Reads the same `n` words `times` times: whichever cache holds them is busy.
static __global__ void read_again(const float4 *in, float *out, size_t n, unsigned times)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    float sum = 0.0f;
    for (unsigned k = 0; k < times; k++)
#pragma unroll 4
        for (size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x + k * 4096) % n; i < n;
             i += stride) {
            const float4 v = __ldcg(&in[i]);
            sum += v.x + v.y + v.z + v.w;
        }
    if (sum == 0.5f)
        *out = sum;
}

// Every block reads its own 32 KiB over and over: they stay in the L1 cache.
static __global__ void read_l1(const float4 *in, float *out, unsigned times)
{
    const float4 *mine = in + blockIdx.x * (size_t)2048;
    float sum = 0.0f;
    for (unsigned k = 0; k < times; k++)
#pragma unroll
        for (unsigned i = 0; i < 8; i++) {
            const float4 v = mine[(threadIdx.x + i * 256 + k * 32) % 2048];
            sum += v.x + v.y + v.z + v.w;
        }
    if (sum == 0.5f)
        *out = sum;
}

// Shared memory with lanes `step` words apart: step 1 has no bank conflict, step 32 has 32.
static __global__ void shared_steps(float *out, unsigned step, unsigned times)
{
    __shared__ float tile[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
        tile[i] = (float)i;
    __syncthreads();
    float sum = 0.0f;
#pragma unroll 8
    for (unsigned k = 0; k < times; k++)
        sum += tile[(threadIdx.x * step + k) % 4096];
    if (sum == 0.5f)
        *out = sum;
}

constexpr unsigned TILE = 32, TILE_ROWS = 8;

static __global__ void transpose_naive(const float *in, float *out)
{
    const size_t column = blockIdx.x * TILE + threadIdx.x;
    for (unsigned r = threadIdx.y; r < TILE; r += TILE_ROWS) {
        const size_t row = blockIdx.y * TILE + r;
        out[column * SIDE + row] = in[row * SIDE + column];
    }
}

template <unsigned WIDTH> // of a row of the tile: 32 has bank conflicts, 33 has none
static __global__ void transpose_tile(const float *in, float *out)
{
    __shared__ float tile[TILE][WIDTH];
    for (unsigned r = threadIdx.y; r < TILE; r += TILE_ROWS)
        tile[r][threadIdx.x] = in[(blockIdx.y * TILE + r) * SIDE + blockIdx.x * TILE + threadIdx.x];
    __syncthreads();
    for (unsigned r = threadIdx.y; r < TILE; r += TILE_ROWS)
        out[(blockIdx.x * TILE + r) * SIDE + blockIdx.y * TILE + threadIdx.x] =
            tile[threadIdx.x][r];
}

// One output a thread, 33 loads of which the L1 cache gives most.
static __global__ void stencil_naive(const float *in, float *out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < 16 || i + 16 >= n)
        return;
#pragma unroll
    for (int k = -16; k <= 16; k++)
        sum += in[i + k];
    out[i] = sum;
}

// A product of two square matrices of `side`, through 32 x 32 tiles.
static __global__ void multiply_tiled(const float *a, const float *b, float *c, unsigned side)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const unsigned row = blockIdx.y * TILE + threadIdx.y;
    const unsigned column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (unsigned first = 0; first < side; first += TILE) {
        tile_a[threadIdx.y][threadIdx.x] = a[(size_t)row * side + first + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(size_t)(first + threadIdx.y) * side + column];
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < TILE; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[(size_t)row * side + column] = sum;
}

// ---- arithmetic ---------------------------------------------------------------------------

// CHAINS independent chains of fused multiply-adds a thread: 1 waits for itself.
template <typename Real, unsigned CHAINS>
static __global__ void multiply_add(Real *out, unsigned times, Real factor)
{
    Real x[CHAINS];
#pragma unroll
    for (unsigned c = 0; c < CHAINS; c++)
        x[c] = (Real)(threadIdx.x + c);
#pragma unroll 8
    for (unsigned k = 0; k < times; k++)
#pragma unroll
        for (unsigned c = 0; c < CHAINS; c++)
            x[c] = x[c] * factor + (Real)1;
    Real sum = 0;
#pragma unroll
    for (unsigned c = 0; c < CHAINS; c++)
        sum += x[c];
    if (sum == (Real)0.5)
        *out = sum;
}

static __global__ void multiply_add_half(__half2 *out, unsigned times, __half2 factor)
{
    __half2 x[8];
#pragma unroll
    for (unsigned c = 0; c < 8; c++)
        x[c] = __float2half2_rn((float)(threadIdx.x + c));
#pragma unroll 8
    for (unsigned k = 0; k < times; k++)
#pragma unroll
        for (unsigned c = 0; c < 8; c++)
            x[c] = __hfma2(x[c], factor, factor);
    __half2 sum = x[0];
#pragma unroll
    for (unsigned c = 1; c < 8; c++)
        sum = __hadd2(sum, x[c]);
    if (__low2float(sum) == 0.5f)
        *out = sum;
}

static __global__ void hash_integers(unsigned *out, unsigned times)
{
    unsigned x[4];
#pragma unroll
    for (unsigned c = 0; c < 4; c++)
        x[c] = blockIdx.x * blockDim.x + threadIdx.x + c;
#pragma unroll 4
    for (unsigned k = 0; k < times; k++)
#pragma unroll
        for (unsigned c = 0; c < 4; c++) {
            x[c] ^= x[c] << 13;
            x[c] ^= x[c] >> 17;
            x[c] ^= x[c] << 5;
        }
    const unsigned sum = x[0] ^ x[1] ^ x[2] ^ x[3];
    if (sum == 12345)
        *out = sum;
}

static __global__ void multiply_integers(unsigned *out, unsigned times, unsigned factor)
{
    unsigned x[8];
#pragma unroll
    for (unsigned c = 0; c < 8; c++)
        x[c] = blockIdx.x * blockDim.x + threadIdx.x + c;
#pragma unroll 8
    for (unsigned k = 0; k < times; k++)
#pragma unroll
        for (unsigned c = 0; c < 8; c++)
            x[c] = x[c] * factor + 1;
    const unsigned sum = x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[4] ^ x[5] ^ x[6] ^ x[7];
    if (sum == 12345)
        *out = sum;
}

static __global__ void sines(float *out, unsigned times)
{
    float x[4] = {threadIdx.x + 0.1f, threadIdx.x + 0.2f, threadIdx.x + 0.3f, 0.4f};
#pragma unroll 4
    for (unsigned k = 0; k < times; k++)
#pragma unroll
        for (unsigned c = 0; c < 4; c++)
            x[c] = __sinf(x[c]);
    if (x[0] + x[1] + x[2] + x[3] == 0.5f)
        *out = x[0];
}

static __global__ void tensor_tiles(float *out, unsigned times)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> a;
    fragment<matrix_b, 16, 16, 16, __half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> c[4];
    fill_fragment(a, __float2half(0.5f));
    fill_fragment(b, __float2half(0.25f));
#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        fill_fragment(c[k], (float)k);
    for (unsigned t = 0; t < times; t++)
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            mma_sync(c[k], a, b, c[k]);
    if (c[0].x[0] + c[1].x[0] + c[2].x[0] + c[3].x[0] == 0.5f)
        *out = 1.0f;
}

// A polynomial of DEGREE of each element: from bound by memory to bound by arithmetic.
template <unsigned DEGREE>
static __global__ void polynomial(const float4 *in, float4 *out, size_t n, float factor)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        const float4 x = in[i];
        float4 y = x;
#pragma unroll
        for (unsigned k = 0; k < DEGREE; k++) {
            y.x = y.x * x.x + factor;
            y.y = y.y * x.y + factor;
            y.z = y.z * x.z + factor;
            y.w = y.w * x.w + factor;
        }
        out[i] = y;
    }
}

// Only the first of every `step` lanes works: the warp takes as long as for all.
static __global__ void divergent(float *out, unsigned step, unsigned times, float factor)
{
    float x = (float)threadIdx.x, y = x + 1.0f, z = x + 2.0f, w = x + 3.0f;
    if (threadIdx.x % step == 0)
#pragma unroll 8
        for (unsigned k = 0; k < times; k++) {
            x = x * factor + 1.0f;
            y = y * factor + 1.0f;
            z = z * factor + 1.0f;
            w = w * factor + 1.0f;
        }
    if (x + y + z + w == 0.5f)
        *out = x;
}

// ---- waiting ------------------------------------------------------------------------------

static __global__ void follow_chain(const unsigned *chain, unsigned *out, unsigned steps)
{
    unsigned place = (blockIdx.x * blockDim.x + threadIdx.x) * 977u % (unsigned)FLOATS;
    for (unsigned k = 0; k < steps; k++)
        place = chain[place];
    if (place == 0xffffffff)
        *out = place;
}

static __global__ void sum_atomic(const float *in, float *out, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}

// The halving tree in shared memory, one element a thread: a barrier in every round.
static __global__ void sum_tree(const float *in, float *out, size_t n)
{
    __shared__ float tile[256];
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, tile[0]);
}

static __global__ void histogram_global(const unsigned *in, unsigned *bins, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[in[i] % 256], 1);
}

static __global__ void histogram_shared(const unsigned *in, unsigned *bins, size_t n)
{
    __shared__ unsigned mine[256];
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&mine[in[i] % 256], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Block 0 works `times` as long as the others: at the end the GPU waits for one SM.
static __global__ void one_long_block(float *out, unsigned rounds, unsigned times, float factor)
{
    float x = (float)threadIdx.x, y = x + 1.0f, z = x + 2.0f, w = x + 3.0f;
    const unsigned mine = blockIdx.x == 0 ? rounds * times : rounds;
#pragma unroll 8
    for (unsigned k = 0; k < mine; k++) {
        x = x * factor + 1.0f;
        y = y * factor + 1.0f;
        z = z * factor + 1.0f;
        w = w * factor + 1.0f;
    }
    if (x + y + z + w == 0.5f)
        *out = x;
}

// ---- the launches -------------------------------------------------------------------------

static const struct sets_shape few_sets = {64, 1024, 1024};
static const struct matrix_shape tall = {65536, 1024};
constexpr size_t VECTORS = 8;

#define BLOCKS(n, threads) (unsigned)ceil_div(n, threads)
#define RUN(name, ...)                               \
    {                                                \
        name, [](const struct memory *m) __VA_ARGS__ \
    }

// Every label is a launch of one kernel; those that launch several are told apart by ncu.
static const struct {
    const char *label;
    void (*run)(const struct memory *);
} launches[] = {
    RUN("copy-float4",
        { copy_float4<<<m->processors * 8, 256>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4); }),
    RUN("copy-float", { copy_float<<<BLOCKS(FLOATS, 256), 256>>>(m->a, m->b, FLOATS); }),
    RUN("add-into", { add_into<<<m->processors * 8, 256>>>(m->a, m->b, FLOATS); }),
    RUN("fill", { fill<<<m->processors * 8, 256>>>((float4 *)m->b, FLOATS / 4); }),
    RUN("copy-step-8", { copy_strided<<<BLOCKS(FLOATS, 256), 256>>>(m->a, m->b, FLOATS, 8); }),
    RUN("copy-step-32", { copy_strided<<<BLOCKS(FLOATS, 256), 256>>>(m->a, m->b, FLOATS, 32); }),
    RUN("gather", { gather<<<BLOCKS(FLOATS / 4, 256), 256>>>(m->a, m->chain, m->b, FLOATS / 4); }),
    RUN("copy-one-warp-an-sm",
        { copy_float4<<<m->processors, 32>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 16); }),
    RUN("copy-one-block",
        { copy_float4<<<1, 1024>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 256); }),
    RUN("copy-four-warps-an-sm",
        { copy_float4<<<m->processors, 128>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4); }),
    RUN("read-l2",
        { read_again<<<m->processors * 8, 256>>>((float4 *)m->a, m->b, 16 * MIB / 16, 16); }),
    RUN("read-l1", { read_l1<<<m->processors * 4, 256>>>((float4 *)m->a, m->b, 400); }),
    RUN("shared-step-1", { shared_steps<<<m->processors * 8, 256>>>(m->b, 1, 8000); }),
    RUN("shared-step-2", { shared_steps<<<m->processors * 8, 256>>>(m->b, 2, 4000); }),
    RUN("shared-step-32", { shared_steps<<<m->processors * 8, 256>>>(m->b, 32, 500); }),
    RUN("transpose-naive",
        {
            transpose_naive<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE_ROWS)>>>(m->a, m->b);
        }),
    RUN("transpose-tile",
        {
            transpose_tile<32>
                <<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE_ROWS)>>>(m->a, m->b);
        }),
    RUN("transpose-padded",
        {
            transpose_tile<33>
                <<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE_ROWS)>>>(m->a, m->b);
        }),
    RUN("stencil-radius-16", { stencil_naive<<<BLOCKS(FLOATS, 256), 256>>>(m->a, m->b, FLOATS); }),
    RUN("multiply-tiled",
        {
            multiply_tiled<<<dim3(64, 64), dim3(TILE, TILE)>>>(m->a, m->a + FLOATS / 2, m->b, 2048);
        }),
    RUN("fma-8-chains",
        { (multiply_add<float, 8>)<<<m->processors * 8, 256>>>(m->b, 4000, 1.0001f); }),
    RUN("fma-1-chain", { (multiply_add<float, 1>)<<<m->processors, 128>>>(m->b, 20000, 1.0001f); }),
    RUN("fma-4-chains-few-warps",
        { (multiply_add<float, 4>)<<<m->processors, 128>>>(m->b, 20000, 1.0001f); }),
    RUN("fma-one-block", { (multiply_add<float, 8>)<<<1, 1024>>>(m->b, 8000, 1.0001f); }),
    RUN("fma-half-the-sms",
        { (multiply_add<float, 8>)<<<m->processors / 2, 1024>>>(m->b, 8000, 1.0001f); }),
    RUN("fma-three-quarters",
        { (multiply_add<float, 8>)<<<m->processors * 3 / 4, 1024>>>(m->b, 8000, 1.0001f); }),
    RUN("fp64-fma",
        { (multiply_add<double, 8>)<<<m->processors * 8, 256>>>((double *)m->b, 4000, 1.0001); }),
    RUN("fp64-fma-one-block",
        { (multiply_add<double, 8>)<<<1, 1024>>>((double *)m->b, 4000, 1.0001); }),
    RUN("half2-fma",
        {
            multiply_add_half<<<m->processors * 8, 256>>>(
                (__half2 *)m->b, 4000, __float2half2_rn(1.001f));
        }),
    RUN("hash-integers", { hash_integers<<<m->processors * 8, 256>>>((unsigned *)m->b, 2000); }),
    RUN("multiply-integers",
        { multiply_integers<<<m->processors * 8, 256>>>((unsigned *)m->b, 4000, 1664525); }),
    RUN("sines", { sines<<<m->processors * 8, 256>>>(m->b, 1000); }),
    RUN("tensor-tiles", { tensor_tiles<<<m->processors * 4, 256>>>(m->b, 2000); }),
    RUN("polynomial-4",
        {
            polynomial<4>
                <<<m->processors * 8, 256>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4, 0.5f);
        }),
    RUN("polynomial-64",
        {
            polynomial<64>
                <<<m->processors * 8, 256>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4, 0.5f);
        }),
    RUN("polynomial-96",
        {
            polynomial<96>
                <<<m->processors * 8, 256>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4, 0.5f);
        }),
    RUN("polynomial-128",
        {
            polynomial<128>
                <<<m->processors * 8, 256>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4, 0.5f);
        }),
    RUN("polynomial-256",
        {
            polynomial<256>
                <<<m->processors * 8, 256>>>((float4 *)m->a, (float4 *)m->b, FLOATS / 4, 0.5f);
        }),
    RUN("divergent-4-lanes", { divergent<<<m->processors * 8, 256>>>(m->b, 8, 8000, 1.0001f); }),
    RUN("chase-one-warp", { follow_chain<<<1, 32>>>(m->chain, (unsigned *)m->b, 1000); }),
    RUN("chase-all",
        { follow_chain<<<m->processors * 8, 256>>>(m->chain, (unsigned *)m->b, 100); }),
    RUN("sum-atomic",
        { sum_atomic<<<BLOCKS(FLOATS / 256, 256), 256>>>(m->a, m->b, FLOATS / 256); }),
    RUN("sum-tree", { sum_tree<<<BLOCKS(FLOATS, 256), 256>>>(m->a, m->b, FLOATS); }),
    RUN("histogram-global",
        {
            histogram_global<<<BLOCKS(FLOATS / 16, 256), 256>>>(
                m->chain, (unsigned *)m->b, FLOATS / 16);
        }),
    RUN("histogram-shared",
        { histogram_shared<<<m->processors * 8, 256>>>(m->chain, (unsigned *)m->b, FLOATS); }),
    RUN("one-long-block", { one_long_block<<<m->processors * 2, 1024>>>(m->b, 2000, 6, 1.0001f); }),
    RUN("given-average", { given::average_sets(m->a, m->b, few_sets, 0); }),
    RUN("reference-average", { reference::average_sets(m->a, m->b, few_sets, 0); }),
    RUN("given-vector", { given::multiply_vector(m->a, m->b, m->b + FLOATS / 2, tall, 0); }),
    RUN("reference-vector",
        { reference::reference_vector(m->a, m->b, m->b + FLOATS / 2, tall, 0); }),
    RUN("reference-vectors",
        { reference::multiply_vectors(m->a, m->b, m->b + FLOATS / 2, tall, VECTORS, 0); }),
};

// ---- setting up ---------------------------------------------------------------------------

static __global__ void make_floats(float *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = (float)(i % 1009) / 1009.0f;
}

// place -> 1,664,525 place + 1,013,904,223 mod n: one cycle through all n, a power of two.
static __global__ void make_chain(unsigned *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = (unsigned)((i * 1664525 + 1013904223) % n);
}

static cudaError_t set_up(struct memory *m)
{
    cudaError_t status = cudaSuccess;
    int processors = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    m->processors = (unsigned)processors;
    CUDA_TRY(cudaMalloc(&m->a, ARRAY_BYTES));
    CUDA_TRY(cudaMalloc(&m->b, ARRAY_BYTES));
    CUDA_TRY(cudaMalloc(&m->chain, ARRAY_BYTES));
    make_floats<<<1024, 256>>>(m->a, FLOATS);
    make_floats<<<1024, 256>>>(m->b, FLOATS);
    make_chain<<<1024, 256>>>(m->chain, FLOATS);
    CUDA_TRY(cudaDeviceSynchronize());
done:
    return status;
}

int main(void)
{
    struct memory memory = {};
    cudaError_t status = set_up(&memory);

    if (status == cudaSuccess)
        status = cudaProfilerStart();
    for (size_t k = 0; k < sizeof launches / sizeof *launches && status == cudaSuccess; k++) {
        launches[k].run(&memory);
        status = cudaGetLastError();
        if (status == cudaSuccess)
            status = cudaDeviceSynchronize();
        printf("%zu\t%s\t%s\n", k, launches[k].label, cudaGetErrorName(status));
    }
    if (status != cudaSuccess)
        fprintf(stderr, "kernels: %s\n", cudaGetErrorString(status));
    cudaProfilerStop();
    return status != cudaSuccess;
}
