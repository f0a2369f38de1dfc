/* Homework 1, the contract: what your file defines and the grader calls. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The elements first, first + 1, …, first + count - 1 of an array. */
struct span {
    size_t first, count;
};

/* A is rows x inner, B is inner x columns, C is rows x columns; all row-major. */
struct product_shape {
    size_t rows, inner, columns;
};

/* hw1.1: sum[i] = a[i] + b[i] for every i of the span.
 *
 *   a, b    device, read at the indices of the span only; not modified
 *   sum     device, written at the indices of the span only
 *   span    span.first + span.count may pass 2^32; count 0 is legal and launches nothing;
 *           count is at most (2^31 - 1) * threads
 *   threads the block size of the launch, 1 to 1,024
 *   stream  the work is queued here; the caller synchronises
 *
 * Returns the launch's error.  Exact.  Reads 8 bytes an element, writes 4.
 */
cudaError_t vector_add(const float *a, const float *b, float *sum, struct span span,
    unsigned threads, cudaStream_t stream);

/* hw1.2: sum[i] = a[i] + b[i] for i < n, on the GPU, from host memory to host memory.
 *
 *   a, b    host, n floats, not modified
 *   sum     host, n floats, overwritten; unspecified after an error
 *   n       any; 0 is legal and launches nothing; n * sizeof(float) may not fit in a size_t:
 *           that is an error, not a smaller copy
 *
 * Allocates before it reads a or b.  Blocks until sum is complete.  Returns the first error that
 * any CUDA call gave, with everything it allocated freed on every path.
 */
cudaError_t add_on_gpu(const float *a, const float *b, float *sum, size_t n);

/* hw1.3: C = A B.
 *
 *   a, b    device, row-major, not modified
 *   c       device, row-major, overwritten (not accumulated)
 *   shape   rows may pass 65,535 x 16, columns are at most 65,535 x 16; with rows or columns 0
 *           nothing is launched
 *   stream  the work is queued here; the caller synchronises
 *
 * Returns the launch's error.  Any order of additions: |error| <= (inner + 1) * 2^-24 * (|A| |B|).
 */
cudaError_t multiply(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
