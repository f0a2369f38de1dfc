/* Kernels that only take time: the limits of memory, a cache flush, an empty launch, a delay.
 * They queue their work on the default stream unless they are given one. */
#ifndef GRADER_DEVICE_LOAD_H
#define GRADER_DEVICE_LOAD_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each limit exists in several shapes, since no one shape is the fastest on every GPU. */
struct limit_shape {
    unsigned threads;       /* a block */
    unsigned vectors;       /* of 16 bytes, loaded by a thread before it uses the first */
    unsigned blocks_per_sm; /* the grid covers the data in strides; 0: one tile a block */
    bool streaming;         /* loads and stores that are marked as used once */
};
size_t device_limit_shapes(void);

/* Move `bytes` in total, reads plus writes, within `memory` (256-byte aligned; less what is left
 * over when they are divided into lines of 256 bytes). */
cudaError_t device_limit_copy(size_t shape, void *memory, size_t bytes); /* first half to second */
cudaError_t device_limit_add(size_t shape, void *memory, size_t bytes);  /* thirds: a + b to c */
cudaError_t device_limit_read(size_t shape, void *memory, size_t bytes);

/* sums[i] = a[i] + b[i] for i < n, by a grid-stride loop under exactly this launch: what a choice of
 * blocks and threads is judged by. */
cudaError_t device_add_launched(
    unsigned blocks, unsigned threads, const float *a, const float *b, float *sums, size_t n);

/* Kernels that differ in registers and shared memory, to ask the runtime about; never launched. */
size_t device_occupancy_kernels(void);
const void *device_occupancy_kernel(size_t kernel);

/* Leaves nothing of earlier work in the L2 cache: reads twice its size of other memory, which is
 * allocated by the first call. Reads, because lines that were written would have to be written
 * back during whatever is measured next. */
cudaError_t device_flush_l2(void);

/* A kernel that does nothing. */
cudaError_t device_empty_launch(void);

/* One thread that keeps its stream busy for about this long, at most 0.5 s: counted in cycles of
 * the highest clock, so a slower one makes it longer. */
cudaError_t device_spin(uint64_t ns, cudaStream_t stream);

/* One kernel of one warp: it waits like device_spin() and then copies `count` words on the device. */
cudaError_t device_delayed_copy(
    uint32_t *to, const uint32_t *from, size_t count, uint64_t ns, cudaStream_t stream);

/* One kernel that fills the device `waves` times over, with blocks that take about `ns` each. */
cudaError_t device_occupy(unsigned waves, uint64_t ns, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
