/* In which memory an array of a timed problem lies, and on which side before a call. */
#ifndef GRADER_RESIDENCE_H
#define GRADER_RESIDENCE_H

#include <cuda_runtime_api.h>
#include <stddef.h>

enum residence {
    ON_DEVICE,       /* cudaMalloc; what a speed test gets that says nothing */
    PINNED_ON_HOST,  /* page-locked host memory, cudaMallocHost: both sides use the same address */
    MANAGED_ON_HOST, /* cudaMallocManaged, without advice; the host has just written every page */
    RESIDENCES
};

cudaError_t residence_allocate(enum residence residence, size_t bytes, void **memory);
void residence_free(enum residence residence, void *memory);

/* Brings back to its side what earlier calls have moved, and forgets what they have advised; the
 * contents stay. The device must be idle, and is idle afterwards. */
cudaError_t residence_restore(enum residence residence, void *memory, size_t bytes);

#endif
