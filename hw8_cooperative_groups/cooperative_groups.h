/* Homework 8, the contract: what your file defines and the grader calls.
 *
 * Not CUDA's <cooperative_groups.h>, which has the same name: that one is found in angle brackets.
 *
 * All pointers are device pointers from cudaMalloc. Every function queues its work on `stream` and
 * returns; the caller synchronises. Outputs are overwritten, never accumulated. Scratch memory is
 * zero before the first call, and what a call leaves in it is what the next call finds.
 *
 * hw8.4 to hw8.6 need a barrier for the whole grid. Where the device has no cooperative launch they
 * launch nothing and return an error; cudaErrorNotSupported is its name. */
#ifndef COOPERATIVE_GROUPS_CONTRACT_H
#define COOPERATIVE_GROUPS_CONTRACT_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BUCKETS = 16,
    SCRATCH_WORDS = 64 * 1024, /* of 4 bytes */
};

/* How the threads of a launch are divided: into blocks, and these into groups.
 *
 *   block   threads of a block, 1 to 1,024
 *   group   threads of a group: all of the block, or a power of two up to 32 that divides it
 */
struct division {
    unsigned block, group;
};

/* hw8.1: out[k] = in[k * group] + … + in[k * group + group - 1], an element a thread, by one
 * function for every kind of group.
 *
 *   in      n ints; a last group that is not full is the sum of what there is
 *   out     ceil(n / group) ints
 *   n       any; 0 writes nothing.  No sum overflows, here and below.
 */
cudaError_t sum_groups(
    const int *in, int *out, size_t n, struct division division, cudaStream_t stream);

/* hw8.2: the same for tiles of `tile` threads, by shuffles and without shared memory.
 *
 *   tile    1, 2, 4, 8, 16 or 32; anything else returns cudaErrorInvalidValue
 */
cudaError_t sum_tiles(const int *in, int *out, size_t n, unsigned tile, cudaStream_t stream);

/* hw8.3: sums[b] = the sum of the values whose bucket is b.
 *
 *   bucket  n ints from -1 to BUCKETS - 1; -1: in no bucket
 *   value   n ints
 *   sums    BUCKETS ints
 *   n       any; 0 yields zeros
 *
 * Lanes of a warp with the same bucket add up their values first: where neighbours often share a
 * bucket, at most one atomic on global memory for 4 elements.
 */
cudaError_t sum_buckets(
    const int *bucket, const int *value, int *sums, size_t n, cudaStream_t stream);

/* hw8.4: `steps` Jacobi steps on n cells in a row, in one cooperative launch. In a step every cell
 * becomes half the sum of its two neighbours as they were before the step; the first and the last
 * cell of the row keep their value.
 *
 *   in      n floats, the cells before the first step
 *   out     n floats, the cells after the last one
 *   n       0 to where 2n floats fill half of the shared memory of all multiprocessors
 *   steps   any; 0 copies
 *   scratch n + SCRATCH_WORDS words
 *
 * |error| <= steps * 2^-23 * max |in|.  The cells are read from global memory once and written to
 * it once. In between, each step moves only what blocks show each other of their edges: on average
 * at most half a byte is written a cell and step, where there are many of both.
 */
cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream);

/* hw8.5 (star): copies the elements that are greater than 0, in order, and counts them, in one
 * launch.
 *
 *   in      n ints
 *   out     n ints; those past *count may hold anything afterwards
 *   count   1 unsigned
 *   n       0 to 2^32 - 1
 *   scratch SCRATCH_WORDS words
 */
cudaError_t compact_in_order(
    const int *in, int *out, unsigned *count, size_t n, void *scratch, cudaStream_t stream);

/* A directed graph as a list of its edges, in no order; loops and repeated edges are legal.
 *
 *   vertices    at least 1
 *   edges       any
 *   from, to    vertex numbers of each edge, below `vertices`
 *   weight      of each edge, any sign; no path weighs more than 10^9 or less than -10^9, and
 *               no cycle that the source reaches weighs less than 0
 */
struct graph {
    unsigned vertices, edges;
    const unsigned *from, *to;
    const int *weight;
};

/* hw8.6 (star): the weight of the lightest path from `source` to every vertex, in one cooperative
 * launch that stops when a round over the edges changes nothing. Kernels that only prepare memory
 * may come before it.
 *
 *   distance   vertices ints; INT_MAX where no path leads
 *   scratch    vertices + SCRATCH_WORDS words
 */
cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
