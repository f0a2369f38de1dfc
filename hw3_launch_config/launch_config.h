/* Homework 3, the contract: what your file defines and the grader calls.
 *
 * hw3.2 and hw3.3 compute on the host and launch nothing. In the others all pointers
 * are device pointers from cudaMalloc; the work is queued on `stream`, and the caller
 * synchronises. Outputs are overwritten.
 *
 * "Sectors at most k times": over the whole call, warps touch at most k times the 32-byte
 * sectors that the bytes of their loads and stores fill. Counted on the virtual GPU, for
 * large arrays that begin on a sector. */
#ifndef LAUNCH_CONFIG_H
#define LAUNCH_CONFIG_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The elements first, first + 1, …, first + count - 1 of an array. */
struct span {
    size_t first, count;
};

/* What stands between <<< and >>>. */
struct launch {
    unsigned blocks, threads; /* threads: of one block */
};

/* Limits of a GPU. SM: one of its multiprocessors. */
struct gpu {
    unsigned sms;
    unsigned threads_per_block; /* at most */
    unsigned threads_per_sm;    /* at most, at a time: those that are resident */
    unsigned blocks_per_sm;     /* the same for blocks */
    unsigned registers_per_sm;  /* of 32 bits */
    unsigned register_unit;     /* registers are given to a warp in multiples of this */
    unsigned schedulers;        /* each has an equal part of the registers */
    unsigned shared_per_sm;     /* bytes of shared memory */
    unsigned shared_per_block;  /* at most, of a block's own */
    unsigned shared_reserved;   /* what the system takes besides, for every block */
    unsigned shared_unit;       /* a block gets multiples of this, all together */
};

/* What a block of a kernel needs. */
struct block_needs {
    unsigned threads;
    unsigned registers;    /* of each thread; 0: none */
    unsigned shared_bytes; /* static and dynamic together */
};

/* What lets no further block onto an SM. Several at the same number: the first here. */
enum limiter {
    LIMITED_BY_WARPS, /* also: more threads than a block may have */
    LIMITED_BY_BLOCKS,
    LIMITED_BY_REGISTERS,
    LIMITED_BY_SHARED, /* also: more shared memory than a block may have */
    LIMITERS
};

struct residency {
    unsigned blocks; /* that one SM holds at a time */
    enum limiter limiter;
};

/* An array of structures … */
struct particle {
    float x, y, z, mass;
};

/* … and the structure of arrays with the same contents. */
struct columns {
    float *x, *y, *z, *mass;
};

/* A row-major matrix. */
struct matrix_shape {
    size_t rows, columns;
};

/* hw3.1: sum[i] = a[i] + b[i] for every i of the span, under any launch.
 *
 *   a, b    read at the indices of the span only; not modified
 *   sum     written at the indices of the span only
 *   span    span.first + span.count may pass 2^32; count may be 0
 *   launch  the one to use: from one thread for all elements to 2^32 threads for a few
 *
 * Neighbouring threads add neighbouring elements, and each element is added once.
 * Sectors at most 3 times.
 * Returns the launch's error.  Exact.  Reads 8 bytes an element, writes 4.
 */
cudaError_t add_under_launch(const float *a, const float *b, float *sum, struct span span,
    struct launch launch, cudaStream_t stream);

/* hw3.2: a launch for a grid-stride kernel over n elements, on a GPU with these limits.
 * The kernel needs few registers and no shared memory: threads and blocks decide.
 *
 *   gpu     any GPU, not only the one in this machine
 *   n       any; with 0 the kernel does nothing, but is launched
 *   launch  receives the choice. Right is every one with
 *             threads  a multiple of 32, at most threads_per_block;
 *             blocks   from 1 to 2^31 - 1, and none but the first without an element,
 *           that fills the GPU: each SM holds threads_per_sm threads. While n is less
 *           than 4 elements for each of those, it is enough that no thread has more.
 *
 * On this GPU the choice is timed as well: at least 80 % of the speed of the best of 24
 * launches. Starting a block takes time, too, so many small ones are right and too slow.
 *
 * Returns cudaSuccess.
 */
cudaError_t choose_launch(const struct gpu *gpu, size_t n, struct launch *launch);

/* hw3.3: how many blocks of a kernel one SM holds at a time, and what lets no more in.
 *
 *   gpu     any GPU
 *   needs   threads at least 1
 *   found   receives the answer: 0 blocks if not even one fits
 *
 * Returns cudaSuccess; cudaErrorInvalidValue for a block of 0 threads.
 */
cudaError_t count_resident(
    const struct gpu *gpu, const struct block_needs *needs, struct residency *found);

/* hw3.4: x[i] = in[i].x, and the same for y, z and mass, for every i < n.
 *
 *   in      n particles, 16-byte aligned, not modified
 *   out     four arrays of n floats, 16-byte aligned
 *   n       0 to 2^37; 0 launches nothing
 *
 * Sectors at most 2 times (field by field takes 2.5).  Returns the launch's error.
 * Reads 16 bytes a particle, writes 16.
 */
cudaError_t split_particles(
    const struct particle *in, struct columns out, size_t n, cudaStream_t stream);

/* hw3.5: out = the transpose of in: out[c * rows + r] = in[r * columns + c].
 *
 *   in      rows x columns floats, row-major, not modified
 *   out     columns x rows floats, row-major; another array
 *   shape   of `in`; each side 0 to 2^20; with a side of 0 nothing is launched
 *
 * Sectors at most 1.3 times; at most 2 % of the wavefronts of shared memory are bank
 * conflicts.  Returns the launch's error.  Reads 4 bytes an element, writes 4.
 */
cudaError_t transpose(const float *in, float *out, struct matrix_shape shape, cudaStream_t stream);

/* hw3.6 (star): to[i] = from[i] for i < n, 16 bytes at a time where that is possible.
 *
 *   from    n floats, not modified; aligned to 4 bytes, no more
 *   to      n floats, not those of `from`; aligned to 4 bytes, no more
 *   n       any; 0 launches nothing
 *
 * Where `from` and `to` are equal modulo 16, at least 95 % of the bytes are loaded and
 * stored by 16-byte instructions.  A kernel is to do it, not cudaMemcpyAsync.
 * Returns the launch's error.
 */
cudaError_t copy_floats(const float *from, float *to, size_t n, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
