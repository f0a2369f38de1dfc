// Homework 1, CUDA C basics: add two vectors, then multiply two matrices.
//
// What each function must do stands in vector_add.h, which the build includes for you.
// Work from top to bottom: hw1.2 launches the kernel of hw1.1. README.md has the rest.
#include "cuda_try.h"

// The x side of a grid takes 2^31 - 1 blocks; y and z take 65,535 each.
constexpr size_t GRID_X_MAX = 2147483647;

// ---- A worked example: y[i] = factor * x[i] for i < n -------------------------------

// Every thread runs this function once, on an element of its own.
static __global__ void scale_kernel(const float *x, float *y, float factor, size_t n)
{
    // My block's number times the size of a block, plus my place in the block. The
    // product is made in size_t: two unsigned numbers would wrap at 2^32.
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    // correctness: whole blocks only cover n, so the last one has threads to spare.
    if (i < n)
        y[i] = factor * x[i];
}

// Queues the kernel on the stream and returns before it has run. x, y: device memory.
cudaError_t scale(const float *x, float *y, float factor, size_t n, cudaStream_t stream)
{
    if (n == 0)
        return cudaSuccess; // correctness: a grid of 0 blocks is an error
    unsigned threads = 256; // of one block
    size_t blocks = ceil_div(n, threads);
    if (blocks > GRID_X_MAX)
        return cudaErrorInvalidValue; // correctness: the cast below would drop bits
    scale_kernel<<<(unsigned)blocks, threads, 0, stream>>>(x, y, factor, n);
    return cudaGetLastError(); // a launch returns nothing: its error waits here
}

// ---- hw1.1: the kernel --------------------------------------------------------------

static __global__ void add_kernel(
    const float *a, const float *b, float *sum, size_t first, size_t count)
{
    // SOLVED(hw1.1)
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[first + i] = a[first + i] + b[first + i];
    // END(hw1.1)
}

cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream)
{
    if (span.count == 0)
        return cudaSuccess;
    size_t blocks = ceil_div(span.count, threads);
    if (blocks > GRID_X_MAX)
        return cudaErrorInvalidValue;
    add_kernel<<<(unsigned)blocks, threads, 0, stream>>>(a, b, sum, span.first, span.count);
    // SOLVED(hw1.1)
    return cudaGetLastError();
    // END(hw1.1)
}

// ---- hw1.2: the host function -------------------------------------------------------

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    float *d_a = NULL, *d_b = NULL, *d_sum = NULL; // d_: the twins in device memory
    // SOLVED(hw1.2)
    unsigned threads = 256;
    size_t blocks = ceil_div(n, threads);
    size_t bytes = n * sizeof(float);

    if (n == 0)
        return cudaSuccess;
    if (bytes / sizeof(float) != n)
        return cudaErrorMemoryAllocation; // correctness: the product has wrapped

    // All allocations before the first copy: an n that is too large fails at once. It also
    // bounds `blocks`, since 2^31 of them would need 2 TB an array.
    CUDA_TRY(cudaMalloc(&d_a, bytes));
    CUDA_TRY(cudaMalloc(&d_b, bytes));
    CUDA_TRY(cudaMalloc(&d_sum, bytes));
    CUDA_TRY(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    add_kernel<<<(unsigned)blocks, threads, 0, 0>>>(d_a, d_b, d_sum, 0, n);
    CUDA_TRY(cudaGetLastError());
    // This copy waits for the kernel, so an error of its execution comes out here too.
    CUDA_TRY(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost));
    // END(hw1.2)
done:
    cudaFree(d_a); // freeing NULL is legal
    cudaFree(d_b);
    cudaFree(d_sum);
    return status;
}

// ---- hw1.3: a matrix product --------------------------------------------------------

// A block is SIDE x SIDE threads and makes SIDE x SIDE elements of C.
constexpr unsigned SIDE = 16;

static __global__ void multiply_kernel(
    const float *a, const float *b, float *c, struct product_shape shape)
{
    // SOLVED(hw1.3)
    // Neighbours in x take neighbours in a row of C, because a warp reads memory best
    // that way (hw3). Blocks along x go down the rows: only x may pass 65,535.
    size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    size_t column = blockIdx.y * (size_t)blockDim.x + threadIdx.x;

    if (row < shape.rows && column < shape.columns) {
        float sum = 0.0f;
        for (size_t k = 0; k < shape.inner; k++)
            sum += a[row * shape.inner + k] * b[k * shape.columns + column];
        c[row * shape.columns + column] = sum;
    }
    // END(hw1.3)
}

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    dim3 block(SIDE, SIDE), grid; // sides in the order x, y; those left out are 1
    // SOLVED(hw1.3)
    if (shape.rows == 0 || shape.columns == 0)
        return cudaSuccess;
    grid.x = (unsigned)ceil_div(shape.rows, SIDE);
    grid.y = (unsigned)ceil_div(shape.columns, SIDE);
    // END(hw1.3)
    multiply_kernel<<<grid, block, 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
