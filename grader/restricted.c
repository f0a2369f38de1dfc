/* Standing in the way of the four calls that the rules change. */
#define _GNU_SOURCE
#include "restricted.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

enum { NO_SUCH_DEVICE = 4096 };

/* The name after the toolkit's own macros: some functions have a second version. */
#define NAME(function) NAME_AS_IT_IS(function)
#define NAME_AS_IT_IS(function) #function

/* The runtime's own function, looked up once. */
#define RUNTIME(function)                                               \
    static __typeof__(&function) next;                                  \
    if (!next)                                                          \
        next = (__typeof__(&function))dlsym(RTLD_NEXT, NAME(function)); \
    if (!next)                                                          \
    return cudaErrorNotSupported

static bool restricted;

void restrict_managed_memory(bool on)
{
    restricted = on;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    RUNTIME(cudaDeviceGetAttribute);
    const cudaError_t status = next(value, attribute, device);

    if (restricted && status == cudaSuccess && attribute == cudaDevAttrConcurrentManagedAccess)
        *value = 0;
    return status;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    RUNTIME(cudaGetDeviceProperties);
    const cudaError_t status = next(properties, device);

    if (restricted && status == cudaSuccess)
        properties->concurrentManagedAccess = 0;
    return status;
}

/* What is refused goes to a device that does not exist: then the runtime knows of the error, too. */
#if CUDART_VERSION >= 13000
static struct cudaMemLocation refused(struct cudaMemLocation place)
{
    if (restricted) {
        place.type = cudaMemLocationTypeDevice;
        place.id = NO_SUCH_DEVICE;
    }
    return place;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation place,
    unsigned flags, cudaStream_t stream)
{
    RUNTIME(cudaMemPrefetchAsync);
    return next(pointer, bytes, refused(place), flags, stream);
}

cudaError_t cudaMemAdvise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation place)
{
    RUNTIME(cudaMemAdvise);
    return next(pointer, bytes, advice, refused(place));
}
#else
static int refused(int place)
{
    return restricted ? NO_SUCH_DEVICE : place;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int place, cudaStream_t stream)
{
    RUNTIME(cudaMemPrefetchAsync);
    return next(pointer, bytes, refused(place), stream);
}

cudaError_t cudaMemAdvise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int place)
{
    RUNTIME(cudaMemAdvise);
    return next(pointer, bytes, advice, refused(place));
}
#endif
