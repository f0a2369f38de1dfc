// Everything by float4 where it is aligned: sixteen warps a block for the averages, eight
// lanes a row for the product, and the vectors of a pass in shared memory.
#include "cuda_try.h"

static __device__ float4 plus(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static __device__ float plus(float a, float b)
{
    return a + b;
}

static __device__ float4 over(float4 a, float n)
{
    return make_float4(a.x / n, a.y / n, a.z / n, a.w / n);
}

static __device__ float over(float a, float n)
{
    return a / n;
}

template <typename Word>
static __global__ void average_words(
    const Word *in, Word *out, size_t vectors, size_t words, size_t columns)
{
    constexpr unsigned SLICES = 16;
    __shared__ Word sums[SLICES][32];
    const unsigned lane = threadIdx.x, slice = threadIdx.y;
    const size_t set = blockIdx.x / columns, word = blockIdx.x % columns * 32 + lane;
    const Word *first = in + set * vectors * words + word;
    Word sum = {};

    if (word < words)
#pragma unroll 4
        for (size_t v = slice; v < vectors; v += SLICES)
            sum = plus(sum, first[v * words]);
    sums[slice][lane] = sum;
    for (unsigned half = SLICES / 2; half > 0; half /= 2) {
        __syncthreads();
        if (slice < half)
            sums[slice][lane] = plus(sums[slice][lane], sums[slice + half][lane]);
    }
    if (slice == 0 && word < words)
        out[set * words + word] = over(sums[0][lane], (float)vectors);
}

template <typename Word>
static cudaError_t average(
    const float *in, float *out, struct sets_shape shape, size_t words, cudaStream_t stream)
{
    const size_t columns = ceil_div(words, 32);
    average_words<Word><<<(unsigned)(shape.sets * columns), dim3(32, 16), 0, stream>>>(
        (const Word *)in, (Word *)out, shape.vectors, words, columns);
    return cudaGetLastError();
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (shape.sets * shape.length == 0)
        return cudaSuccess;
    return shape.length % 4 == 0 ? average<float4>(in, out, shape, shape.length / 4, stream)
                                 : average<float>(in, out, shape, shape.length, stream);
}

// Eight lanes a row, sixteen bytes each: four whole sectors of each of four rows.
static __global__ void quarter_warp_a_row(
    const float4 *matrix, const float4 *in, float *out, size_t rows, size_t words)
{
    const size_t row = blockIdx.x * (size_t)32 + threadIdx.x / 8;
    float sum = 0.0f;

    if (row < rows)
#pragma unroll 8
        for (size_t w = threadIdx.x % 8; w < words; w += 8) {
            const float4 m = matrix[row * words + w], x = in[w];
            sum += m.x * x.x + m.y * x.y + (m.z * x.z + m.w * x.w);
        }
    for (unsigned mask = 4; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (row < rows && threadIdx.x % 8 == 0)
        out[row] = sum;
}

// COUNT vectors at once, a tile of 256 columns of each in shared memory; a warp has two rows.
template <unsigned COUNT>
static __global__ void tile_of_vectors(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    constexpr unsigned TILE = 256, ROWS = 2;
    __shared__ float tile[COUNT][TILE];
    const unsigned lane = threadIdx.x % 32;
    const size_t row = (blockIdx.x * (size_t)(blockDim.x / 32) + threadIdx.x / 32) * ROWS;
    float sums[ROWS][COUNT] = {};

    for (size_t first = 0; first < shape.columns; first += TILE) {
        __syncthreads();
        for (unsigned k = threadIdx.x; k < COUNT * TILE; k += blockDim.x) {
            const size_t c = first + k % TILE;
            tile[k / TILE][k % TILE] = c < shape.columns ? in[k / TILE * shape.columns + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (unsigned k = 0; k < TILE; k += 32) {
            const size_t c = first + k + lane;
            float m[ROWS];
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++)
                m[r] = c < shape.columns && row + r < shape.rows
                           ? matrix[(row + r) * shape.columns + c]
                           : 0.0f;
#pragma unroll
            for (unsigned v = 0; v < COUNT; v++)
#pragma unroll
                for (unsigned r = 0; r < ROWS; r++)
                    sums[r][v] += m[r] * tile[v][k + lane];
        }
    }
#pragma unroll
    for (unsigned r = 0; r < ROWS; r++)
#pragma unroll
        for (unsigned v = 0; v < COUNT; v++) {
            float sum = sums[r][v];
            for (unsigned mask = 16; mask > 0; mask /= 2)
                sum += __shfl_xor_sync(0xffffffff, sum, mask);
            if (lane == 0 && row + r < shape.rows)
                out[v * shape.rows + row + r] = sum;
        }
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows == 0)
        return cudaSuccess;
    if (shape.columns % 4 == 0)
        quarter_warp_a_row<<<(unsigned)ceil_div(shape.rows, 32), 256, 0, stream>>>(
            (const float4 *)matrix, (const float4 *)in, out, shape.rows, shape.columns / 4);
    else
        tile_of_vectors<1>
            <<<(unsigned)ceil_div(shape.rows, 16), 256, 0, stream>>>(matrix, in, out, shape);
    return cudaGetLastError();
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)ceil_div(shape.rows, 16);

    if (shape.rows == 0)
        return cudaSuccess;
    while (vectors > 0) {
        const unsigned count = vectors >= 8 ? 8 : vectors >= 4 ? 4 : vectors >= 2 ? 2 : 1;
        if (count == 8)
            tile_of_vectors<8><<<blocks, 256, 0, stream>>>(matrix, in, out, shape);
        else if (count == 4)
            tile_of_vectors<4><<<blocks, 256, 0, stream>>>(matrix, in, out, shape);
        else if (count == 2)
            tile_of_vectors<2><<<blocks, 256, 0, stream>>>(matrix, in, out, shape);
        else
            tile_of_vectors<1><<<blocks, 256, 0, stream>>>(matrix, in, out, shape);
        in += count * shape.columns;
        out += count * shape.rows;
        vectors -= count;
    }
    return cudaGetLastError();
}

// The members of the struct lie one behind the other, in the order of the enumeration.
cudaError_t name_limiter(const struct kernel_metrics *m, struct named_limiter *named)
{
    const double *values = &m->dram_elapsed;
    double largest = -1;

    for (unsigned k = 0; k < METRICS; k++) {
        const double elapsed =
            k < METRIC_FP32 ? values[k] : values[k] * (m->sm_active_elapsed * 0.01);
        if (elapsed > largest + 1e-9) {
            largest = elapsed;
            named->metric = (enum metric)k;
        }
    }
    named->elapsed = largest;
    named->limiter = largest < 60 - 1e-9            ? LATENCY_BOUND
                     : named->metric >= METRIC_FP32 ? COMPUTE_BOUND
                                                    : MEMORY_BOUND;
    return cudaSuccess;
}

// By times instead of rates: what the roof allows is the operations over the longer time.
cudaError_t find_roofline_point(
    const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point)
{
    const struct matrix_shape shape = run->shape;

    if (!shape.rows || !shape.columns || !run->vectors || !run->vectors_a_pass)
        return cudaErrorInvalidValue;
    const size_t passes = (run->vectors + run->vectors_a_pass - 1) / run->vectors_a_pass;
    const double elements = (double)shape.rows * (double)shape.columns;
    const double ends = (double)shape.rows + (double)shape.columns;
    point->bytes = sizeof(float) * ((double)passes * elements + (double)run->vectors * ends);
    point->operations = 2.0 * (double)run->vectors * elements;
    point->intensity = point->operations / point->bytes;
    const double memory_s = point->bytes / gpu->bytes_per_second;
    const double units_s = point->operations / gpu->operations_per_second;
    const double least_s = memory_s > units_s ? memory_s : units_s;
    point->attainable = point->operations / least_s;
    point->achieved_share = least_s / run->seconds;
    return cudaSuccess;
}
