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

// TODO(hw7.1): a kernel, about 30 lines, and its launch, about 10.
//   Given  the timed sets are half as many as this GPU has SMs, their vectors long, and
//          every byte that is loaded is used. What is missing, then?
//   Leave  the same averages, at least 2 times as fast as given_average_sets.
//   Mind   a number of vectors that your division of the work does not fit; the end of
//          a row; sums that start from 0 for every set; neighbours read neighbours.
cudaError_t average_sets(const float *in, float *out, struct sets_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented; // return given_average_sets(in, out, shape, stream);
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

// TODO(hw7.2): a kernel, about 20 lines, and its launch, about 8.
//   Given  there is more than enough to do: 65,536 rows of 1,024 columns are timed.
//   Leave  the same products, at least 2 times as fast as given_multiply_vector, the
//          sectors that the loads touch filled with what was asked for.
//   Mind   columns that are no multiple of anything; a row need not begin on a 16-byte
//          boundary; all lanes that a shuffle names must come to it.
cudaError_t multiply_vector(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
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

// TODO(hw7.3): about 45 lines; a template<unsigned COUNT> of hw7.2 is a good start.
//   Given  8 vectors are timed, with the matrix of hw7.2, which no cache holds.
//   Leave  the same products, at least 2 times as fast as a good hw7.2 for each vector:
//          whoever has an element of the matrix in a register uses it for several.
//   Mind   vectors left over from the last pass; sums that start from 0 in every
//          pass; an array that is indexed at run time does not stay in registers.
cudaError_t multiply_vectors(const float *matrix, const float *in, float *out,
    struct matrix_shape shape, size_t vectors, cudaStream_t stream)
{
    return cudaErrorNotYetImplemented;
}
// END(hw7.3)

// ---- hw7.4: name the limiter --------------------------------------------------------

// TODO(hw7.4): about 25 lines of C for the host.
//   Given  the metrics of a kernel in per cent: memory's of the whole time, the units'
//          of the time in which SMs had work, and how much of the whole that was.
//   Leave  the largest once all count the whole time, its value, and what it makes the
//          kernel: bound by memory or compute from 60 on, below that by latency.
//   Mind   one metric says nothing; neither does a comparison across denominators.
cudaError_t name_limiter(const struct kernel_metrics *metrics, struct named_limiter *named)
{
    return cudaErrorNotYetImplemented;
}
// END(hw7.4)

// ---- hw7.5: the roofline ------------------------------------------------------------

// TODO(hw7.5): about 20 lines of C for the host.
//   Leave  bytes, operations, intensity, what the roof allows there, how much of that
//          was achieved.
//   Mind   the last pass may hold fewer vectors, and reads the whole matrix; the roof
//          is the lower of two lines; counts past 2^32.
cudaError_t find_roofline_point(
    const struct product_run *run, const struct gpu_peaks *gpu, struct roofline_point *point)
{
    return cudaErrorNotYetImplemented;
}
// END(hw7.5)
