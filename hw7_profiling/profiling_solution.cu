// Homework 7, analysis-driven optimisation: measure, name the limiter, change that.
//
// What each function must do stands in profiling.h, which the build includes for you.
// The given_ functions are right, and each is slow for one reason. Begin a task with
// `return given_…(…);`, profile that, name the reason, then write your own.
#include "cuda_try.h"

enum : unsigned {
    WARP = 32,
    ALL_LANES = 0xffffffff,
};

// ---- A worked example: one round of the loop ----------------------------------------

static __global__ void copy_kernel(const float4 *in, float4 *out, size_t n)
{
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = in[i];
}

// Profile   Nsight Compute, H200, blocks_per_sm = 1, threads = 32: SMs active 97.5 % of
//           the time, DRAM at 5.7 % of its peak, L2 3.1, L1 1.0, all units below 1.
// Limiter   Nothing is near 60 %: latency. The SMs are there all the time, and wait.
// Study     Each holds one warp, of 64 that there is room for, and the warp has one load
//           of 512 bytes under way, for 0.43 µs; then a store, and the next.
// Optimise  The launch alone: blocks_per_sm = 8, threads = 256. The kernel stays.
// Profile   DRAM 81.6 %: bound by memory, and 13 times as many bytes a second. The
//           limiter has moved, and from here on only fewer bytes would help.
cudaError_t copy_vectors(const float4 *in, float4 *out, size_t n, unsigned blocks_per_sm,
    unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int device = 0, processors = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    copy_kernel<<<(unsigned)processors * blocks_per_sm, threads, 0, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw7.1: the averages of few sets ------------------------------------------------

// Given: a block of one warp for each set. A lane adds up every 32nd column.
static __global__ void given_average_kernel(const float *in, float *out, struct sets_shape shape)
{
    for (size_t set = blockIdx.x; set < shape.sets; set += gridDim.x)
        for (size_t column = threadIdx.x; column < shape.length; column += blockDim.x) {
            const float *first = in + set * shape.vectors * shape.length + column;
            float sum = 0.0f;
            for (size_t v = 0; v < shape.vectors; v++)
                sum += first[v * shape.length];
            out[set * shape.length + column] = sum / (float)shape.vectors;
        }
}

cudaError_t given_average_sets(
    const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t blocks_most = 0x7fffffff;

    if (shape.vectors == 0)
        return cudaErrorInvalidValue; // correctness: nothing has no average
    if (shape.sets == 0 || shape.length == 0)
        return cudaSuccess;
    const size_t blocks = shape.sets < blocks_most ? shape.sets : blocks_most;
    given_average_kernel<<<(unsigned)blocks, WARP, 0, stream>>>(in, out, shape);
    return cudaGetLastError();
}

// SOLVED(hw7.1)
constexpr unsigned SLICES = 8;        // warps of a block: each adds every eighth vector
constexpr unsigned AVERAGE_LOADS = 8; // speed: loads that a thread has under way

// A block averages 32 columns of a set: lane k of every warp adds up column k.
static __global__ void average_columns_kernel(
    const float *in, float *out, struct sets_shape shape, size_t blocks_a_set)
{
    __shared__ float sums[SLICES][WARP];
    const unsigned lane = threadIdx.x % WARP, slice = threadIdx.x / WARP;
    const size_t set = blockIdx.x / blocks_a_set;
    const size_t column = blockIdx.x % blocks_a_set * WARP + lane;
    const float *first = in + set * shape.vectors * shape.length + column;
    float sum = 0.0f;

    if (column < shape.length)
        for (size_t start = slice; start < shape.vectors; start += AVERAGE_LOADS * SLICES) {
            float values[AVERAGE_LOADS];
#pragma unroll
            for (unsigned k = 0; k < AVERAGE_LOADS; k++) {
                const size_t v = start + k * SLICES;
                values[k] = v < shape.vectors ? first[v * shape.length] : 0.0f;
            }
#pragma unroll
            for (unsigned k = 0; k < AVERAGE_LOADS; k++)
                sum += values[k];
        }
    sums[slice][lane] = sum;
    __syncthreads();
    if (slice == 0 && column < shape.length) {
        for (unsigned k = 1; k < SLICES; k++)
            sum += sums[k][lane];
        out[set * shape.length + column] = sum / (float)shape.vectors;
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const size_t blocks_a_set = ceil_div(shape.length, WARP);
    const size_t blocks = shape.sets * blocks_a_set; // more need more memory than a GPU has

    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (blocks == 0)
        return cudaSuccess;
    average_columns_kernel<<<(unsigned)blocks, SLICES * WARP, 0, stream>>>(
        in, out, shape, blocks_a_set);
    return cudaGetLastError();
}
// END(hw7.1)

// ---- hw7.2: a matrix times a vector -------------------------------------------------

// Given: a thread for each row.
static __global__ void given_multiply_kernel(
    const float *matrix, const float *in, float *out, struct matrix_shape shape)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < shape.rows) {
        float sum = 0.0f;
        for (size_t column = 0; column < shape.columns; column++)
            sum += matrix[row * shape.columns + column] * in[column];
        out[row] = sum;
    }
}

cudaError_t given_multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    const unsigned threads = 256;

    if (shape.rows == 0)
        return cudaSuccess;
    given_multiply_kernel<<<(unsigned)ceil_div(shape.rows, threads), threads, 0, stream>>>(
        matrix, in, out, shape);
    return cudaGetLastError();
}

// SOLVED(hw7.2)
constexpr unsigned WARPS = 8; // of a block

static __device__ float warp_sum(float value)
{
    for (unsigned offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL_LANES, value, offset);
    return value;
}

// A warp computes ROWS rows of COUNT products. `Word` is what a lane loads at a time.
template <typename Word> static __device__ float dot(Word a, Word b);
template <> __device__ float dot(float a, float b)
{
    return a * b;
}
template <> __device__ float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <typename Word, unsigned ROWS, unsigned COUNT, unsigned LOADS>
static __global__ void rows_a_warp_kernel(
    const Word *matrix, const Word *in, float *out, size_t rows, size_t words)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t row = (blockIdx.x * (size_t)WARPS + threadIdx.x / WARP) * ROWS;
    float sums[COUNT][ROWS] = {};

    for (size_t start = lane; start < words; start += LOADS * WARP) {
        Word m[LOADS][ROWS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
#pragma unroll
            for (unsigned r = 0; r < ROWS; r++) {
                const size_t w = start + k * WARP;
                m[k][r] = w < words && row + r < rows ? matrix[(row + r) * words + w] : Word{};
            }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
#pragma unroll
            for (unsigned v = 0; v < COUNT; v++) {
                const size_t w = start + k * WARP;
                const Word x = w < words ? in[v * words + w] : Word{};
#pragma unroll
                for (unsigned r = 0; r < ROWS; r++)
                    sums[v][r] += dot(m[k][r], x);
            }
    }
#pragma unroll
    for (unsigned v = 0; v < COUNT; v++)
#pragma unroll
        for (unsigned r = 0; r < ROWS; r++) {
            const float sum = warp_sum(sums[v][r]);
            if (lane == 0 && row + r < rows)
                out[v * rows + row + r] = sum;
        }
}

// The products of a matrix with COUNT vectors, the matrix read once.
template <unsigned ROWS, unsigned COUNT, unsigned LOADS>
static cudaError_t multiply(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)ceil_div(shape.rows, WARPS * ROWS);
    const size_t columns = shape.columns;

    if (columns % 4 == 0 && (size_t)in % 16 == 0)
        rows_a_warp_kernel<float4, ROWS, COUNT, LOADS><<<blocks, WARPS * WARP, 0, stream>>>(
            (const float4 *)matrix, (const float4 *)in, out, shape.rows, columns / 4);
    else
        rows_a_warp_kernel<float, ROWS, COUNT, LOADS>
            <<<blocks, WARPS * WARP, 0, stream>>>(matrix, in, out, shape.rows, columns);
    return cudaGetLastError();
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    if (shape.rows == 0)
        return cudaSuccess;
    return multiply<1, 1, 8>(matrix, in, out, shape, stream);
}
// END(hw7.2)

// ---- hw7.3: a matrix times several vectors ------------------------------------------

// Given: your own multiply_vector, once for each vector.
cudaError_t given_multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    for (size_t v = 0; v < vectors; v++)
        CUDA_TRY(
            multiply_vector(matrix, in + v * shape.columns, out + v * shape.rows, shape, stream));
done:
    return status;
}

// SOLVED(hw7.3)
cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    constexpr unsigned ROWS = 4, COUNT = 8;
    cudaError_t status = cudaSuccess;
    size_t v = 0;

    if (shape.rows == 0)
        return cudaSuccess;
    for (; v + COUNT <= vectors; v += COUNT)
        CUDA_TRY((multiply<ROWS, COUNT, 1>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape, stream)));
    for (; v < vectors; v++)
        CUDA_TRY((multiply<1, 1, 8>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape, stream)));
done:
    return status;
}
// END(hw7.3)

// ---- hw7.4: name the limiter --------------------------------------------------------

// SOLVED(hw7.4)
cudaError_t name_limiter(const struct kernel_metrics *metrics, struct named_limiter *named)
{
    // correctness: a unit that is busy 95 % of half the time is busy 47 % of the whole.
    const double active = metrics->sm_active_elapsed / 100;
    const struct {
        enum limiter limiter;
        double elapsed;
    } all[METRICS] = {
        {MEMORY_BOUND, metrics->dram_elapsed},
        {MEMORY_BOUND, metrics->l2_elapsed},
        {MEMORY_BOUND, metrics->l1_elapsed},
        {COMPUTE_BOUND, metrics->fp32_active * active},
        {COMPUTE_BOUND, metrics->fp64_active * active},
        {COMPUTE_BOUND, metrics->integer_active * active},
        {COMPUTE_BOUND, metrics->tensor_active * active},
    };
    const double bound = 60;
    int largest = 0;

    for (int k = 1; k < METRICS; k++)
        if (all[k].elapsed > all[largest].elapsed)
            largest = k;
    named->metric = (enum metric)largest;
    named->elapsed = all[largest].elapsed;
    named->limiter = named->elapsed >= bound ? all[largest].limiter : LATENCY_BOUND;
    return cudaSuccess;
}
// END(hw7.4)

// ---- hw7.5: the roofline ------------------------------------------------------------

// SOLVED(hw7.5)
cudaError_t find_roofline_point(
    const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point)
{
    const double rows = (double)run->shape.rows, columns = (double)run->shape.columns;
    const double vectors = (double)run->vectors;
    double passes, under_the_slope;

    if (rows == 0 || columns == 0 || vectors == 0 || run->vectors_a_pass == 0)
        return cudaErrorInvalidValue;
    passes = (double)ceil_div(run->vectors, run->vectors_a_pass);
    point->bytes = sizeof(float) * (passes * rows * columns + vectors * (columns + rows));
    point->operations = 2 * rows * columns * vectors;
    point->intensity = point->operations / point->bytes;
    under_the_slope = point->intensity * gpu->bytes_per_second;
    point->attainable =
        under_the_slope < gpu->operations_per_second ? under_the_slope : gpu->operations_per_second;
    point->achieved_share = point->operations / run->seconds / point->attainable;
    return cudaSuccess;
}
// END(hw7.5)
