/* What differs between the kinds of memory. */
#include "residence.h"

#include <stdint.h>

#include "include/cuda_managed.h"

enum { PAGE_BYTES = 4096 }; /* the least that moves: of the host's memory */

static cudaError_t allocate_managed(void **memory, size_t bytes)
{
    return cudaMallocManaged(memory, bytes, cudaMemAttachGlobal);
}

static const struct {
    cudaError_t (*allocate)(void **memory, size_t bytes);
    cudaError_t (*release)(void *memory);
} kinds[RESIDENCES] = {
    [ON_DEVICE] = {cudaMalloc, cudaFree},
    [PINNED_ON_HOST] = {cudaMallocHost, cudaFreeHost},
    [MANAGED_ON_HOST] = {allocate_managed, cudaFree},
};

cudaError_t residence_allocate(enum residence residence, size_t bytes, void **memory)
{
    return kinds[residence].allocate(memory, bytes);
}

void residence_free(enum residence residence, void *memory)
{
    (void)kinds[residence].release(memory);
}

/* Where the host may not touch managed memory while the device works, all of this is refused, and
 * nothing was advised either. */
static void forget_advice(const void *memory, size_t bytes)
{
    int device = 0;

    cudaGetDevice(&device);
    managed_advise(memory, bytes, cudaMemAdviseUnsetReadMostly, device);
    managed_advise(memory, bytes, cudaMemAdviseUnsetPreferredLocation, device);
    managed_advise(memory, bytes, cudaMemAdviseUnsetAccessedBy, device);
    managed_advise(memory, bytes, cudaMemAdviseUnsetAccessedBy, cudaCpuDeviceId);
    cudaGetLastError();
}

/* The prefetch only saves time: pages come by themselves when the host writes to them. */
cudaError_t residence_restore(enum residence residence, void *memory, size_t bytes)
{
    if (residence != MANAGED_ON_HOST)
        return cudaSuccess;
    forget_advice(memory, bytes);
    managed_prefetch(memory, bytes, cudaCpuDeviceId, 0);
    cudaGetLastError();
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
        return status;
    for (size_t at = 0; at < bytes; at += PAGE_BYTES) {
        volatile uint8_t *byte = (uint8_t *)memory + at;
        *byte = *byte;
    }
    return cudaSuccess;
}
