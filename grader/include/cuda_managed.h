/* Prefetch and advice for managed memory, in one form for CUDA 11.8 to 13.
 *
 * Up to CUDA 12 both calls take the number of a device, cudaCpuDeviceId for the host; since CUDA 13
 * they take a struct that says what kind of place it is. `place` is the former here:
 *
 *     CUDA_TRY(managed_prefetch(data, bytes, device, stream));
 *     CUDA_TRY(managed_advise(table, bytes, cudaMemAdviseSetReadMostly, device));
 */
#ifndef CUDA_MANAGED_H
#define CUDA_MANAGED_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#if CUDART_VERSION >= 13000
static inline struct cudaMemLocation managed_place(int place)
{
    struct cudaMemLocation location;

    location.type = place == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = place == cudaCpuDeviceId ? 0 : place;
    return location;
}
#endif

/* Queues the move of `bytes` bytes to a device or to the host. An error where
 * cudaDevAttrConcurrentManagedAccess is 0. */
static inline cudaError_t managed_prefetch(
    const void *pointer, size_t bytes, int place, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    return cudaMemPrefetchAsync(pointer, bytes, managed_place(place), 0, stream);
#else
    return cudaMemPrefetchAsync(pointer, bytes, place, stream);
#endif
}

/* Tells the driver how a range is used; nothing moves. Read-mostly names no place: any will do. */
static inline cudaError_t managed_advise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int place)
{
#if CUDART_VERSION >= 13000
    return cudaMemAdvise(pointer, bytes, advice, managed_place(place));
#else
    return cudaMemAdvise(pointer, bytes, advice, place);
#endif
}

#endif
