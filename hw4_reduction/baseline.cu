// The versions that the timed tasks are to beat. Right, and what one writes first.
#include "cuda_try.h"

// ---- hw4.1: one element a thread, so a tree and an atomic for every 256 elements -----

static __global__ void sum_one_each_kernel(const float *in, float *out, size_t n)
{
    extern __shared__ float tile[];
    const unsigned t = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + t;

    tile[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned left = blockDim.x, half = 0; left > 1; left = half) {
        half = (left + 1) / 2;
        if (t + half < left)
            tile[t] += tile[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, tile[0]);
}

cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    size_t blocks = ceil_div(n, threads);

    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    if (blocks > 0)
        sum_one_each_kernel<<<(unsigned)blocks, threads, threads * sizeof(float), stream>>>(
            in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw4.2: shuffles, but one float at a time ----------------------------------------

static __device__ float warp_sum(float value)
{
    for (unsigned offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

static __global__ void sum_scalar_kernel(const float *in, float *out, size_t n)
{
    __shared__ float warp_sums[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t stride = gridDim.x * (size_t)blockDim.x;
    float sum = 0.0f;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0)
        sum = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)sum_scalar_kernel;
    int device = 0, processors = 0, blocks_each = 0;

    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, kernel, (int)threads, 0));
    CUDA_TRY(cudaMemsetAsync(out, 0, sizeof *out, stream));
    sum_scalar_kernel<<<processors * blocks_each, threads, 0, stream>>>(in, out, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

// ---- hw4.5: a thread a row, so the lanes of a warp read a row's length apart ----------

static __global__ void sum_row_a_thread_kernel(
    const float *in, float *out, struct matrix_shape shape)
{
    size_t row = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (row < shape.rows) {
        float sum = 0.0f;
        for (size_t column = 0; column < shape.columns; column++)
            sum += in[row * shape.columns + column];
        out[row] = sum;
    }
}

cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream)
{
    const unsigned threads = 256;

    if (shape.rows == 0)
        return cudaSuccess;
    sum_row_a_thread_kernel<<<(unsigned)ceil_div(shape.rows, threads), threads, 0, stream>>>(
        in, out, shape);
    return cudaGetLastError();
}

// ---- hw4.7: an atomic for every element that is kept ----------------------------------

static __global__ void compact_each_kernel(const int *in, int *out, unsigned *count, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(count, 1)] = in[i];
}

cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const unsigned threads = 256;

    CUDA_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
    if (n > 0)
        compact_each_kernel<<<(unsigned)ceil_div(n, threads), threads, 0, stream>>>(
            in, out, count, n);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
