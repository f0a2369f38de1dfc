// Right answers of another kind: several elements a thread; copies in chunks on a stream of
// the function's own; a flat grid over the elements of C, its sums in double and backwards,
// in two streams that wait for the caller's, and it for them.
#include "cuda_try.h"
#include <stdint.h>

// Element e of a thread is a whole block away from element e - 1, so warps stay contiguous.
template <unsigned PER_THREAD>
static __global__ void add_several(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x * PER_THREAD + threadIdx.x;
    for (unsigned e = 0; e < PER_THREAD; e++, i += blockDim.x)
        if (i < count)
            sum[first + i] = a[first + i] + b[first + i];
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    constexpr unsigned PER_THREAD = 4;
    if (!span.count)
        return cudaSuccess;
    size_t blocks = ceil_div(span.count, (size_t)threads * PER_THREAD);
    add_several<PER_THREAD>
        <<<(unsigned)blocks, threads, 0, stream>>>(a, b, sum, span.first, span.count);
    return cudaGetLastError();
}

constexpr size_t CHUNK = 4096; // elements of one copy

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    cudaStream_t stream = NULL;
    float *d_a = NULL, *d_b = NULL;
    cudaPitchedPtr memory = {};
    cudaMemPool_t pool = NULL;
    if (n == 0)
        return cudaSuccess;
    if (n > SIZE_MAX / sizeof(float))
        return cudaErrorMemoryAllocation;

    // Memory need not come from cudaMalloc().
    CUDA_TRY(cudaMalloc3D(&memory, make_cudaExtent(n * sizeof(float), 1, 1)));
    d_a = (float *)memory.ptr;
    CUDA_TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
    CUDA_TRY(cudaMallocFromPoolAsync((void **)&d_b, n * sizeof(float), pool, 0));
    CUDA_TRY(cudaStreamCreate(&stream)); // waits for the default stream
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t bytes = (n - i < CHUNK ? n - i : CHUNK) * sizeof(float);
        CUDA_TRY(cudaMemcpyAsync(d_a + i, a + i, bytes, cudaMemcpyHostToDevice, stream));
        CUDA_TRY(cudaMemcpyAsync(d_b + i, b + i, bytes, cudaMemcpyHostToDevice, stream));
        // In place: each element of a is read before the sum takes its place.
        CUDA_TRY(vector_add(d_a, d_b, d_a, {i, bytes / sizeof(float)}, 96, stream));
        CUDA_TRY(cudaMemcpyAsync(sum + i, d_a + i, bytes, cudaMemcpyDeviceToHost, stream));
    }
    CUDA_TRY(cudaStreamSynchronize(stream));
done:
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(d_b);
    cudaFree(d_a);
    return status;
}

static __global__ void multiply_flat(
    const float *a, const float *b, float *c, struct product_shape shape)
{
    size_t elements = shape.rows * shape.columns, stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < elements; i += stride) {
        const float *a_end = a + (i / shape.columns + 1) * shape.inner;
        const float *b_end = b + shape.inner * shape.columns + i % shape.columns;
        double sum = 0.0;
        for (size_t k = 1; k <= shape.inner; k++)
            sum += (double)*--a_end * (double)*(b_end - k * shape.columns);
        c[i] = (float)sum;
    }
}

static void multiply_rows(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    size_t blocks = ceil_div(shape.rows * shape.columns, 128);
    if (blocks > 1000)
        blocks = 1000;
    if (blocks > 0)
        multiply_flat<<<(unsigned)blocks, 128, 0, stream>>>(a, b, c, shape);
}

// The rows of C in two parts, each in a stream of the function's own: they wait for the
// caller's stream, and it for them.
cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    cudaEvent_t event = NULL;
    cudaStream_t parts[2] = {};
    size_t first = 0;

    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (int k = 0; k < 2; k++) {
        const size_t rows = k == 0 ? shape.rows / 2 : shape.rows - first;
        CUDA_TRY(cudaStreamCreateWithFlags(&parts[k], cudaStreamNonBlocking));
        CUDA_TRY(cudaEventRecord(event, stream));
        CUDA_TRY(cudaStreamWaitEvent(parts[k], event, 0));
        multiply_rows(a + first * shape.inner, b, c + first * shape.columns,
            {rows, shape.inner, shape.columns}, parts[k]);
        CUDA_TRY(cudaGetLastError());
        first += rows;
    }
    for (cudaStream_t part : parts) {
        CUDA_TRY(cudaEventRecord(event, part));
        CUDA_TRY(cudaStreamWaitEvent(stream, event, 0));
    }
done:
    for (cudaStream_t part : parts)
        if (part)
            cudaStreamDestroy(part);
    if (event)
        cudaEventDestroy(event);
    return status;
}
