/* Standing in the way of the calls that ask what the device has, and of those on managed memory.
 * Launches pass through runtime_calls.c. */
#include "restricted.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "forward.h"

enum { NO_SUCH_DEVICE = 4096 };

/* Where a restriction shows: an attribute, and an int of the properties. */
static const struct {
    enum cudaDeviceAttr attribute;
    size_t property;
} shown[RESTRICTIONS] = {
    [NO_CONCURRENT_MANAGED_ACCESS] = {cudaDevAttrConcurrentManagedAccess,
        offsetof(struct cudaDeviceProp, concurrentManagedAccess)},
    [NO_COOPERATIVE_LAUNCH] = {cudaDevAttrCooperativeLaunch,
        offsetof(struct cudaDeviceProp, cooperativeLaunch)},
};

static bool restricted[RESTRICTIONS]; /* the candidate may ask from a thread of its own */

void restrict_device(enum restriction restriction, bool on)
{
    __atomic_store_n(&restricted[restriction], on, __ATOMIC_SEQ_CST);
}

bool is_restricted(enum restriction restriction)
{
    return __atomic_load_n(&restricted[restriction], __ATOMIC_SEQ_CST);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    RUNTIME(cudaDeviceGetAttribute);
    const cudaError_t status = next(value, attribute, device);

    for (int i = 0; i < RESTRICTIONS && status == cudaSuccess; i++)
        if (is_restricted(i) && attribute == shown[i].attribute)
            *value = 0;
    return status;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    RUNTIME(cudaGetDeviceProperties);
    const cudaError_t status = next(properties, device);

    for (int i = 0; i < RESTRICTIONS && status == cudaSuccess; i++)
        if (is_restricted(i))
            *(int *)((char *)properties + shown[i].property) = 0;
    return status;
}

/* What is refused goes to a device that does not exist: then the runtime knows of the error, too. */
#if CUDART_VERSION >= 13000
static struct cudaMemLocation refused(struct cudaMemLocation place)
{
    if (is_restricted(NO_CONCURRENT_MANAGED_ACCESS)) {
        place.type = cudaMemLocationTypeDevice;
        place.id = NO_SUCH_DEVICE;
    }
    return place;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation place,
    unsigned flags, cudaStream_t stream)
{
    FORWARD(cudaMemPrefetchAsync, (pointer, bytes, refused(place), flags, stream), (void)0);
}

cudaError_t cudaMemAdvise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation place)
{
    FORWARD(cudaMemAdvise, (pointer, bytes, advice, refused(place)), (void)0);
}
#else
static int refused(int place)
{
    return is_restricted(NO_CONCURRENT_MANAGED_ACCESS) ? NO_SUCH_DEVICE : place;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int place, cudaStream_t stream)
{
    FORWARD(cudaMemPrefetchAsync, (pointer, bytes, refused(place), stream), (void)0);
}

cudaError_t cudaMemAdvise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int place)
{
    FORWARD(cudaMemAdvise, (pointer, bytes, advice, refused(place)), (void)0);
}
#endif
