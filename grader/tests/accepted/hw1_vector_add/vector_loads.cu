// Right answers of another kind: 16-byte loads where the alignment allows them; managed memory
// and a host copy on both sides; flat blocks, four threads along each row of C.
#include "cuda_try.h"
#include <stdint.h>
#include <string.h>

// Thread t of the grid takes elements 4t to 4t + 3, counted from an address that 16 divides.
static __global__ void add_quads(
    const float *a, const float *b, float *sum, size_t first, size_t count, size_t skipped)
{
    size_t i = 4 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x);
    if (i >= skipped && i + 4 <= skipped + count) {
        size_t at = first + i - skipped;
        float4 x = *(const float4 *)(a + at), y = *(const float4 *)(b + at);
        *(float4 *)(sum + at) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
        return;
    }
    for (size_t end = i + 4; i < end; i++)
        if (i >= skipped && i < skipped + count)
            sum[first + i - skipped] = a[first + i - skipped] + b[first + i - skipped];
}

static __global__ void add_singles(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
}

// How many floats the address of element `first` lies past a multiple of 16 bytes.
static size_t misalignment(const float *array, size_t first)
{
    return ((uintptr_t)array / sizeof(float) + first) % 4;
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    size_t skipped = misalignment(sum, span.first);
    if (misalignment(a, span.first) == skipped && misalignment(b, span.first) == skipped)
        add_quads<<<(unsigned)ceil_div(skipped + span.count, 4 * (size_t)threads), threads, 0,
            stream>>>(a, b, sum, span.first, span.count, skipped);
    else
        add_singles<<<(unsigned)ceil_div(span.count, threads), threads, 0, stream>>>(
            a, b, sum, span.first, span.count);
    return cudaGetLastError();
}

// Managed memory that frees itself.
struct managed {
    float *floats = NULL;
    cudaError_t status;
    explicit managed(size_t bytes) : status(cudaMallocManaged(&floats, bytes))
    {
    }
    ~managed()
    {
        cudaFree(floats);
    }
};

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    size_t bytes = n * 4;
    if (n == 0)
        return cudaSuccess;
    if (n >> 62)
        return cudaErrorMemoryAllocation;
    managed x(bytes);
    if (x.status != cudaSuccess)
        return x.status;
    managed y(bytes);
    if (y.status != cudaSuccess)
        return y.status;
    managed z(bytes);
    if (z.status != cudaSuccess)
        return z.status;
    memcpy(x.floats, a, bytes);
    memcpy(y.floats, b, bytes);
    cudaError_t status = vector_add(x.floats, y.floats, z.floats, {0, n}, 33, 0);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        memcpy(sum, z.floats, bytes);
    return status;
}

static __global__ void multiply_rows(
    const float *a, const float *b, float *c, struct product_shape shape)
{
    const size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y, columns = shape.columns;
    if (row >= shape.rows)
        return;
    a += row * shape.inner;
    c += row * columns;
    for (size_t column = threadIdx.x; column < columns; column += blockDim.x) {
        float even = 0.0f, odd = 0.0f;
        size_t k = 0;
        for (; k + 1 < shape.inner; k += 2) {
            even = fmaf(a[k], b[k * columns + column], even);
            odd = fmaf(a[k + 1], b[(k + 1) * columns + column], odd);
        }
        if (k < shape.inner)
            even = fmaf(a[k], b[k * columns + column], even);
        c[column] = even + odd;
    }
}

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    dim3 block(4, 64);
    if (shape.rows > 0 && shape.columns > 0)
        multiply_rows<<<(unsigned)ceil_div(shape.rows, block.y), block, 0, stream>>>(
            a, b, c, shape);
    return cudaGetLastError();
}
