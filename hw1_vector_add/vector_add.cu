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
    // TODO(hw1.1): add one element in each thread. About 3 lines.
    //   Given  a grid of at least `count` threads, in blocks of any size.
    //   Leave  sum[i] = a[i] + b[i] for i = first, first + 1, …, first + count - 1.
    //   Mind   outside that range the arrays hold nothing, not even to read; and `first`
    //          can be 4,294,967,289: indices need more than 32 bits.
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
    // TODO(hw1.1): the kernel first, then delete one line here.
    return cudaErrorNotYetImplemented; // delete this line once the kernel is written
    return cudaGetLastError();
    // END(hw1.1)
}

// ---- hw1.2: the host function -------------------------------------------------------

cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n)
{
    cudaError_t status = cudaSuccess;
    float *d_a = NULL, *d_b = NULL, *d_sum = NULL; // d_: the twins in device memory
    // TODO(hw1.2): add two arrays of the host on the GPU. About 15 lines.
    //   Given  a, b and sum in host memory, which a kernel must not touch; CUDA_TRY,
    //          which keeps an error in `status` and jumps to `done`.
    //   Leave  sum complete, by cudaMalloc, cudaMemcpy, a launch of add_kernel, cudaMemcpy.
    //          On an error: that error in `status`, and everything freed.
    //   Mind   n = 0; n so large that n * sizeof(float) wraps; a launch returns nothing;
    //          declare every variable above the first CUDA_TRY.
    CUDA_TRY(cudaErrorNotYetImplemented); // delete this line
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
    // TODO(hw1.3): one element of C in each thread. About 8 lines.
    //   Given  blocks of SIDE x SIDE threads: threadIdx and blockIdx have an x and a y.
    //   Leave  c[row * columns + column] = row `row` of A times column `column` of B.
    //   Mind   C holds junk before the call; rows and columns need a bounds test each.
    // END(hw1.3)
}

cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream)
{
    dim3 block(SIDE, SIDE), grid; // sides in the order x, y; those left out are 1
    // TODO(hw1.3): the grid that covers C. About 4 lines.
    //   Leave  grid.x and grid.y in blocks; nothing launched for a C without elements.
    //   Mind   which of the two sides may pass 65,535 blocks, and which sides of C may.
    return cudaErrorNotYetImplemented; // delete this line
    // END(hw1.3)
    multiply_kernel<<<grid, block, 0, stream>>>(a, b, c, shape);
    return cudaGetLastError();
}
