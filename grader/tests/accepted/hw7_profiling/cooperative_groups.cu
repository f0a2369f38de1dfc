// With the library's groups and reductions, and with the standard library on the host.
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "cuda_try.h"

namespace cg = cooperative_groups;

static __global__ void average_columns(const float *in, float *out, struct sets_shape shape)
{
    // A block has a column for each of its threads in x; those in y share the vectors.
    extern __shared__ float sums[];
    const size_t blocks_a_set = (shape.length + blockDim.x - 1) / blockDim.x;
    float total = 0.0f;

    for (size_t b = blockIdx.x; b < shape.sets * blocks_a_set; b += gridDim.x) {
        const size_t set = b / blocks_a_set;
        const size_t column = b % blocks_a_set * blockDim.x + threadIdx.x;
        float sum = 0.0f;
        if (column < shape.length)
            for (size_t v = threadIdx.y; v < shape.vectors; v += blockDim.y)
                sum += in[(set * shape.vectors + v) * shape.length + column];
        sums[threadIdx.y * blockDim.x + threadIdx.x] = sum;
        cg::this_thread_block().sync();
        if (threadIdx.y == 0 && column < shape.length) {
            total = 0.0f;
            for (unsigned k = 0; k < blockDim.y; k++)
                total += sums[k * blockDim.x + threadIdx.x];
            out[set * shape.length + column] = total / (float)shape.vectors;
        }
        cg::this_thread_block().sync();
    }
}

cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    const dim3 block(64, 8);
    const size_t blocks = shape.sets * ceil_div(shape.length, block.x);

    if (shape.vectors == 0)
        return cudaErrorInvalidValue;
    if (blocks == 0)
        return cudaSuccess;
    average_columns<<<(unsigned)std::min(blocks, (size_t)65536), block, 64 * 8 * sizeof(float),
        stream>>>(in, out, shape);
    return cudaGetLastError();
}

// A tile a row, rows in a grid-stride loop; COUNT vectors, of which `count` are there.
template <unsigned COUNT>
static __global__ void tile_a_row(
    const float *matrix, const float *in, float *out, struct matrix_shape shape, unsigned count)
{
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const size_t tiles = gridDim.x * (size_t)(blockDim.x / 32);
    const size_t first = blockIdx.x * (size_t)(blockDim.x / 32) + threadIdx.x / 32;

    for (size_t row = first; row < shape.rows; row += tiles) {
        float sums[COUNT] = {};
#pragma unroll 4
        for (size_t c = tile.thread_rank(); c < shape.columns; c += tile.size()) {
            const float m = matrix[row * shape.columns + c];
#pragma unroll
            for (unsigned v = 0; v < COUNT; v++)
                sums[v] += m * (v < count ? in[v * shape.columns + c] : 0.0f);
        }
#pragma unroll
        for (unsigned v = 0; v < COUNT; v++) {
            const float sum = cg::reduce(tile, sums[v], cg::plus<float>());
            if (v < count && tile.thread_rank() == 0)
                out[v * shape.rows + row] = sum;
        }
    }
}

template <unsigned COUNT>
static cudaError_t multiply(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t count, cudaStream_t stream)
{
    const size_t blocks = std::min(ceil_div(shape.rows, 4), (size_t)100000);

    if (blocks > 0 && count > 0)
        tile_a_row<COUNT><<<(unsigned)blocks, 128, 0, stream>>>(
            matrix, in, out, shape, (unsigned)std::min(count, (size_t)COUNT));
    return cudaGetLastError();
}

cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    return multiply<1>(matrix, in, out, shape, 1, stream);
}

cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;

    for (size_t v = 0; v < vectors; v += 8)
        CUDA_TRY(multiply<8>(
            matrix, in + v * shape.columns, out + v * shape.rows, shape, vectors - v, stream));
done:
    return status;
}

cudaError_t name_limiter(const struct kernel_metrics *m, struct named_limiter *named)
{
    double all[METRICS] = {m->dram_elapsed, m->l2_elapsed, m->l1_elapsed, m->fp32_active,
        m->fp64_active, m->integer_active, m->tensor_active};

    std::transform(all + METRIC_FP32, all + METRICS, all + METRIC_FP32,
        [m](double active) { return active * m->sm_active_elapsed / 100; });
    const double *largest = std::max_element(all, all + METRICS); // of equals the first
    named->metric = static_cast<enum metric>(largest - all);
    named->elapsed = *largest;
    named->limiter = COMPUTE_BOUND;
    if (named->metric < METRIC_FP32)
        named->limiter = MEMORY_BOUND;
    if (*largest < 60)
        named->limiter = LATENCY_BOUND;
    return cudaSuccess;
}

cudaError_t find_roofline_point(
    const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point)
{
    const double elements = static_cast<double>(run->shape.rows) * run->shape.columns;

    if (std::min({run->shape.rows, run->shape.columns, run->vectors, run->vectors_a_pass}) == 0)
        return cudaErrorInvalidValue;
    const double passes = ceil_div(run->vectors, run->vectors_a_pass);
    *point = {};
    point->bytes = 4 * passes * elements + 4.0 * run->vectors * run->shape.columns +
                   4.0 * run->vectors * run->shape.rows;
    point->operations = 2 * elements * run->vectors;
    point->intensity = point->operations / point->bytes;
    point->attainable =
        std::min(gpu->operations_per_second, gpu->bytes_per_second * point->intensity);
    point->achieved_share = point->operations / (run->seconds * point->attainable);
    return cudaSuccess;
}
