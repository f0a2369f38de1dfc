/* Homework 4, the contract: what your file defines and the grader calls.
 *
 * All pointers are device pointers from cudaMalloc. Every function queues its work on `stream` and
 * returns; the caller synchronises. Outputs are overwritten, never accumulated. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the scratch memory that hw4.3 and hw4.4 are given. It is zero before the first call, and
 * what a call leaves in it is what the next call finds. */
enum { SCRATCH_BYTES = 64 * 1024 };

/* A row-major matrix. */
struct matrix_shape {
    size_t rows, columns;
};

/* hw4.1: *out = in[0] + … + in[n - 1], by a tree in shared memory and one atomic a block.
 * hw4.2: the same by warp shuffles, loading 16 bytes at a time.
 *
 *   in      n floats, 16-byte aligned, not modified
 *   out     1 float
 *   n       any; 0 yields 0.0f
 *   threads the block size of the launch: 1 to 1,024 for hw4.1, a multiple of 32 for hw4.2
 *
 * Returns the first error.  |error| <= (log2(n) + 8) * 2^-24 * sum |in|.  Reads 4n bytes.
 */
cudaError_t sum_tree(const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream);
cudaError_t sum_shuffle(
    const float *in, float *out, size_t n, unsigned threads, cudaStream_t stream);

/* hw4.3: the largest element and the lowest index where it stands.
 *
 *   in      n floats, no NaN; -infinity is legal, and -0 equals +0
 *   value   1 float
 *   index   1 unsigned
 *   n       1 to 2^32 - 1; 0 returns cudaErrorInvalidValue and writes nothing
 *   scratch SCRATCH_BYTES
 */
cudaError_t find_maximum(
    const float *in, float *value, unsigned *index, size_t n, void *scratch, cudaStream_t stream);

/* hw4.4 (star): the sum of n floats in one kernel launch, with the same bits on every call.
 *
 *   in, out, n and the bound as for hw4.1; scratch as for hw4.3
 */
cudaError_t sum_single_pass(
    const float *in, float *out, size_t n, void *scratch, cudaStream_t stream);

/* hw4.5: out[r] = the sum of row r, one block a row.
 *
 *   in      rows x columns floats
 *   out     rows floats
 *   shape   any; rows of 0 columns sum to 0.0f; rows may pass 65,535
 *
 * The bound is that of hw4.1 with n = columns.  Reads 4 * rows * columns bytes.
 */
cudaError_t sum_rows(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream);

/* hw4.6: inclusive prefix sums within each 32 elements: out[i] = in[32 * (i / 32)] + … + in[i].
 *
 *   in, out n ints, distinct arrays; n any, so the last 32 may be partial.  No sum overflows.
 */
cudaError_t scan_warps(const int *in, int *out, size_t n, cudaStream_t stream);

/* hw4.7 (star): copies the elements that are greater than 0, in any order, and counts them.
 *
 *   in      n ints, 16-byte aligned
 *   out     n ints; those past *count are not written
 *   count   1 unsigned
 *   n       0 to 2^32 - 1
 */
cudaError_t compact_positive(
    const int *in, int *out, unsigned *count, size_t n, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
