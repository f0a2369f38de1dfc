// Right answers of another kind: a grid as large as the device, with a stride; one allocation
// for all three arrays; a product in tiles of shared memory, for which
// the host waits.
#include "cuda_try.h"
#include <stdint.h>

static __global__ void add_strided(
    const float *a, const float *b, float *sum, size_t first, size_t end)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = first + blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < end; i += stride)
        sum[i] = a[i] + b[i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    int device = 0, processors = 0;
    size_t blocks = ceil_div(span.count, threads);
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (status != cudaSuccess || blocks == 0)
        return status;
    size_t most = (size_t)processors * ceil_div(2048, threads);
    if (blocks > most)
        blocks = most;
    add_strided<<<(unsigned)blocks, threads, 0, stream>>>(
        a, b, sum, span.first, span.first + span.count);
    return cudaGetLastError();
}

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    if (n == 0)
        return cudaSuccess;
    if (n > SIZE_MAX / (3 * sizeof(float)))
        return cudaErrorInvalidValue;
    size_t bytes = n * sizeof(float);
    float *arrays = NULL;
    cudaError_t status = cudaMalloc(&arrays, 3 * bytes);
    if (status != cudaSuccess)
        return status;
    status = cudaMemcpy(arrays, a, bytes, cudaMemcpyDefault);
    if (status == cudaSuccess)
        status = cudaMemcpy(arrays + n, b, bytes, cudaMemcpyDefault);
    if (status == cudaSuccess)
        status = vector_add(arrays, arrays + n, arrays + 2 * n, {0, n}, 1024, 0);
    if (status == cudaSuccess)
        status = cudaMemcpy(sum, arrays + 2 * n, bytes, cudaMemcpyDefault);
    cudaError_t freed = cudaFree(arrays);
    return status == cudaSuccess ? freed : status;
}

constexpr unsigned TILE = 16;

static __global__ void multiply_tiled(
    const float *a, const float *b, float *c, size_t rows, size_t inner, size_t columns)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t row = blockIdx.x * (size_t)TILE + threadIdx.y;
    size_t column = blockIdx.y * (size_t)TILE + threadIdx.x;
    float sum = 0.0f;
    for (size_t k0 = 0; k0 < inner; k0 += TILE) {
        size_t k = k0 + threadIdx.x;
        tile_a[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0.0f;
        k = k0 + threadIdx.y;
        tile_b[threadIdx.y][threadIdx.x] =
            column < columns && k < inner ? b[k * columns + column] : 0.0f;
        __syncthreads();
        for (unsigned t = 0; t < TILE && k0 + t < inner; t++)
            sum += tile_a[threadIdx.y][t] * tile_b[t][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    if (shape.rows * shape.columns == 0)
        return cudaSuccess;
    dim3 block(TILE, TILE);
    dim3 grid((unsigned)ceil_div(shape.rows, TILE), (unsigned)ceil_div(shape.columns, TILE));
    // The host may wait instead: for all that was there before, and for what is new.
    cudaError_t status = cudaStreamSynchronize(stream);
    if (status != cudaSuccess)
        return status;
    multiply_tiled<<<grid, block>>>(a, b, c, shape.rows, shape.inner, shape.columns);
    status = cudaGetLastError();
    return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}
