/* Managed memory: prefetch, advice, and what was advised. */
#include "rt_managed.h"

#include "rt_managed_pages.h"
#include "rt_memory.h"
#include "rt_queue.h"

/* ---- prefetch and advice --------------------------------------------------------------------- */

/* cudaCpuDeviceId, or a device that exists. */
static bool is_place(int device)
{
    return device == HOST || (device >= 0 && device < rt_state.devices);
}

static cudaError_t prefetch(const void *pointer, size_t bytes, int device, cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    struct rt_managed_stretch stretch;
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (!is_place(device) || device_managed_is_basic())
        return cudaErrorInvalidDevice;
    if (!rt_managed_find((uintptr_t)pointer, bytes, &stretch)) {
        rt_finding("prefetch", SEVERITY_WARNING,
            "%s: %p and the %zu bytes from there on are not all managed memory",
            rt_thread.call->name, pointer, bytes);
        return cudaErrorInvalidValue;
    }
    clock_spend(COST_COPY);
    for (size_t i = stretch.first; i < stretch.end; i++)
        stretch.pages[i].last_prefetch = (int8_t)device;
    struct rt_work work = {.kind = WORK_PREFETCH, .prefetch = {(uintptr_t)pointer, bytes, device}};
    return rt_submit(stream, &work, NULL);
}

static void advise_page(struct rt_managed_page *page, enum cudaMemoryAdvise advice, int device)
{
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
        page->read_mostly = true;
        break;
    case cudaMemAdviseUnsetReadMostly:
        page->read_mostly = false;
        rt_managed_drop_copies(page);
        break;
    case cudaMemAdviseSetPreferredLocation:
        page->preferred = (int8_t)device;
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        page->preferred = NOWHERE;
        break;
    case cudaMemAdviseSetAccessedBy:
        page->accessed_by |= rt_place_bit(device);
        break;
    case cudaMemAdviseUnsetAccessedBy:
        page->accessed_by &= (uint16_t)~rt_place_bit(device);
        break;
    }
}

static bool names_a_place(enum cudaMemoryAdvise advice)
{
    return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
           advice == cudaMemAdviseUnsetAccessedBy;
}

static cudaError_t advise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
    struct rt_managed_stretch stretch;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return cudaErrorInvalidValue;
    /* An H200 (driver 580, CUDA 13.0) says InvalidValue of an advice that a device which is not
     * there will access the range, and InvalidDevice of a prefetch to it. */
    if (advice == cudaMemAdviseSetAccessedBy && !is_place(device))
        return cudaErrorInvalidValue;
    if (names_a_place(advice) &&
        (!is_place(device) || (device != HOST && device_managed_is_basic())))
        return cudaErrorInvalidDevice;
    if (!rt_managed_find((uintptr_t)pointer, bytes, &stretch))
        return cudaErrorInvalidValue;
    for (size_t i = stretch.first; i < stretch.end; i++)
        advise_page(&stretch.pages[i], advice, device);
    return cudaSuccess;
}

/* ---- asking for advice ----------------------------------------------------------------------- */

static int page_attribute(const struct rt_managed_page *page, enum cudaMemRangeAttribute attribute)
{
    if (attribute == cudaMemRangeAttributeReadMostly)
        return page->read_mostly;
    return attribute == cudaMemRangeAttributePreferredLocation ? page->preferred
                                                               : page->last_prefetch;
}

/* The value that all pages share; 0 or "nowhere" when they differ. */
static int common_attribute(
    const struct rt_managed_stretch *stretch, enum cudaMemRangeAttribute attribute)
{
    const int value = page_attribute(&stretch->pages[stretch->first], attribute);
    for (size_t i = stretch->first; i < stretch->end; i++)
        if (page_attribute(&stretch->pages[i], attribute) != value)
            return attribute == cudaMemRangeAttributeReadMostly ? 0 : NOWHERE;
    return value;
}

/* The devices that the whole range was advised to be accessed by. */
static void give_accessed_by(const struct rt_managed_stretch *stretch, int *devices, size_t count)
{
    uint16_t all = UINT16_MAX;
    size_t given = 0;
    for (size_t i = stretch->first; i < stretch->end; i++)
        all &= stretch->pages[i].accessed_by;
    for (int place = HOST; place < rt_state.devices && given < count; place++)
        if ((all & rt_place_bit(place)) != 0)
            devices[given++] = place;
    while (given < count)
        devices[given++] = NOWHERE;
}

static cudaError_t get_attribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
    const void *pointer, size_t bytes)
{
    struct rt_managed_stretch stretch;
    if (data == NULL || size < sizeof(int) || size % sizeof(int) != 0 ||
        !rt_managed_find((uintptr_t)pointer, bytes, &stretch))
        return cudaErrorInvalidValue;
    if (attribute == cudaMemRangeAttributeAccessedBy) {
        give_accessed_by(&stretch, data, size / sizeof(int));
        return cudaSuccess;
    }
    if (attribute == cudaMemRangeAttributeReadMostly ||
        attribute == cudaMemRangeAttributePreferredLocation ||
        attribute == cudaMemRangeAttributeLastPrefetchLocation) {
        *(int *)data = common_attribute(&stretch, attribute);
        return cudaSuccess;
    }
#if CUDART_VERSION >= 12020
    if (attribute >= cudaMemRangeAttributePreferredLocationType &&
        attribute <= cudaMemRangeAttributeLastPrefetchLocationId) {
        const bool preferred = attribute <= cudaMemRangeAttributePreferredLocationId;
        const int place =
            common_attribute(&stretch, preferred ? cudaMemRangeAttributePreferredLocation
                                                 : cudaMemRangeAttributeLastPrefetchLocation);
        const bool type = attribute == cudaMemRangeAttributePreferredLocationType ||
                          attribute == cudaMemRangeAttributeLastPrefetchLocationType;
        const int kind = place == NOWHERE ? cudaMemLocationTypeInvalid
                         : place == HOST  ? cudaMemLocationTypeHost
                                          : cudaMemLocationTypeDevice;
        *(int *)data = type ? kind : place < 0 ? 0 : place;
        return cudaSuccess;
    }
#endif
    return cudaErrorInvalidValue;
}

static cudaError_t get_attributes(void **data, size_t *sizes,
    enum cudaMemRangeAttribute *attributes, size_t count, const void *pointer, size_t bytes)
{
    cudaError_t status = data == NULL || sizes == NULL || attributes == NULL || count == 0
                             ? cudaErrorInvalidValue
                             : cudaSuccess;
    for (size_t i = 0; status == cudaSuccess && i < count; i++)
        status = get_attribute(data[i], sizes[i], attributes[i], pointer, bytes);
    return status;
}

static cudaError_t attach(cudaStream_t handle, void *pointer, size_t bytes, unsigned flags)
{
    struct allocation *found = memory_find((uintptr_t)pointer);
    const bool known =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (rt_find_stream(handle) == NULL)
        return cudaErrorInvalidResourceHandle;
    if (!known || found == NULL || found->kind != MEMORY_MANAGED ||
        (bytes != 0 && bytes != found->size))
        return cudaErrorInvalidValue;
    struct rt_memory *memory = rt_memory_of(found);
    if (memory == NULL)
        return cudaErrorMemoryAllocation;
    memory->attached = flags;
    memory->attached_to = flags == cudaMemAttachSingle ? rt_find_stream(handle) : NULL;
    return cudaSuccess;
}

API(cudaMemRangeGetAttribute,
    (void *data, size_t size, enum cudaMemRangeAttribute attribute, const void *pointer,
        size_t bytes),
    CALL_NEEDS_DEVICE, get_attribute(data, size, attribute, pointer, bytes))
API(cudaMemRangeGetAttributes,
    (void **data, size_t *sizes, enum cudaMemRangeAttribute *attributes, size_t count,
        const void *pointer, size_t bytes),
    CALL_NEEDS_DEVICE, get_attributes(data, sizes, attributes, count, pointer, bytes))
API_STREAM(cudaStreamAttachMemAsync,
    (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags), CALL_NEEDS_DEVICE,
    attach(stream, pointer, bytes, flags))

#if CUDART_VERSION >= 12020
static int place_of(struct cudaMemLocation location)
{
    enum { NO_SUCH_PLACE = -99 };
    if (location.type == cudaMemLocationTypeDevice)
        return location.id;
    return location.type == cudaMemLocationTypeHost ||
                   location.type == cudaMemLocationTypeHostNuma ||
                   location.type == cudaMemLocationTypeHostNumaCurrent
               ? HOST
               : NO_SUCH_PLACE;
}
#endif

#if CUDART_VERSION >= 13000
API_STREAM(cudaMemPrefetchAsync,
    (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
        cudaStream_t stream),
    CALL_NEEDS_DEVICE,
    flags != 0 ? cudaErrorInvalidValue : prefetch(pointer, bytes, place_of(location), stream))
API(cudaMemAdvise,
    (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
        struct cudaMemLocation location),
    CALL_NEEDS_DEVICE, advise(pointer, bytes, advice, place_of(location)))
#else
API_SYMBOL_STREAM(cudaMemPrefetchAsync,
    (const void *pointer, size_t bytes, int device, cudaStream_t stream), CALL_NEEDS_DEVICE,
    prefetch(pointer, bytes, device, stream))
API_SYMBOL(cudaMemAdvise,
    (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device),
    CALL_NEEDS_DEVICE, advise(pointer, bytes, advice, device))
#if CUDART_VERSION >= 12020
API_SYMBOL_STREAM(cudaMemPrefetchAsync_v2,
    (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
        cudaStream_t stream),
    CALL_NEEDS_DEVICE,
    flags != 0 ? cudaErrorInvalidValue : prefetch(pointer, bytes, place_of(location), stream))
API_SYMBOL(cudaMemAdvise_v2,
    (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
        struct cudaMemLocation location),
    CALL_NEEDS_DEVICE, advise(pointer, bytes, advice, place_of(location)))
#endif
#endif
