/* Homework 2, the contract: what your file defines and the grader calls.
 *
 * Arrays and matrices are device memory from cudaMalloc. Every function queues its work on `stream`
 * and returns; the caller synchronises. Outputs are overwritten, never accumulated. */
#ifndef STENCIL_H
#define STENCIL_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far a stencil reaches to either side. */
enum { NARROW_RADIUS = 3, WIDE_RADIUS = 16 };

/* at[radius + k] is the weight of the neighbour k elements further on; k < 0: before. */
struct narrow_weights {
    float at[2 * NARROW_RADIUS + 1];
};
struct wide_weights {
    float at[2 * WIDE_RADIUS + 1];
};

/* A is rows x inner, B is inner x columns, C is rows x columns; all row-major. */
struct product_shape {
    size_t rows, inner, columns;
};

/* hw2.1: out[i] = the sum of weights.at[radius + k] * in[i + k] over k = -radius … radius, with
 * radius = NARROW_RADIUS, through a tile in shared memory.
 *
 *   in      n floats, not modified; outside of the array there are zeros
 *   out     n floats, another array than in
 *   n       0 to 2^31; below the radius, too; 0 launches nothing
 *   weights host, by value; meant for constant memory
 *   threads the block size of the launch, 1 to 1,024; below the radius, too
 *
 * Returns the first error.  |error| <= (2 radius + 1) * 2^-24 * (the same sum of magnitudes).
 * Reads 4n bytes, writes 4n.  At most 3 requests for global loads for each 32 outputs.
 */
cudaError_t stencil_tile(const float *in, float *out, size_t n, struct narrow_weights weights,
    unsigned threads, cudaStream_t stream);

/* hw2.2: the same with radius = WIDE_RADIUS, by several outputs a thread.
 *
 *   in, out 16-byte aligned; all else as above; block and grid are yours to choose
 *
 * At most 12 requests for loads, global, shared and local, for each 32 outputs.
 */
cudaError_t stencil_window(
    const float *in, float *out, size_t n, struct wide_weights weights, cudaStream_t stream);

/* hw2.3: C = A B, through tiles of A and B in shared memory.
 *
 *   a, b    row-major, not modified
 *   c       row-major
 *   shape   any; no side passes 65,535 x 16; inner = 0 makes C all zeros; with rows or columns 0
 *           nothing is launched
 *
 * Returns the first error.  Any order of additions: |error| <= (inner + 1) * 2^-24 * (|A| |B|).
 * At most 16 sectors of global loads for each 1,000 multiplications, if all sides are multiples of
 * the tile's.
 */
cudaError_t multiply_tiled(
    const float *a, const float *b, float *c, struct product_shape shape, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
