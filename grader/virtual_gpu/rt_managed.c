/* Managed memory: pages, advice, prefetch. See rt_managed.h. */
#include "rt_managed.h"

#include "rt_memory.h"
#include "rt_queue.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HOST = -1, NOWHERE = -2 }; /* as cudaCpuDeviceId and cudaInvalidDeviceId */

struct rt_managed_page {
    int8_t where;         /* a device, HOST, or NOWHERE before the first touch */
    int8_t preferred;     /* NOWHERE: no advice */
    int8_t last_prefetch; /* NOWHERE: never */
    bool read_mostly;
    bool closed;          /* the host's view is PROT_NONE */
    uint16_t accessed_by; /* bit i: device i, bit 15: the host */
    uint16_t copies;      /* read-mostly: who else has a copy, same bits */
};

static struct {
    uint64_t faults, moved_bytes;
    int launch_device;
    uint64_t launch_moved_bytes;
    bool closed_for_queue;
} managed;

static uint16_t bit_of(int place)
{
    return (uint16_t)(1u << (place == HOST ? 15 : place));
}

/* The pages of an allocation, made at their first use. NULL for memory that is not managed. */
static struct rt_managed_page *pages_of(struct allocation *allocation, size_t *count)
{
    struct rt_memory *memory =
        allocation == NULL || allocation->kind != MEMORY_MANAGED ? NULL : rt_memory_of(allocation);
    if (memory == NULL)
        return NULL;
    if (memory->pages == NULL) {
        memory->page_count = (allocation->size + MANAGED_PAGE_BYTES - 1) / MANAGED_PAGE_BYTES;
        memory->pages = calloc(memory->page_count, sizeof *memory->pages);
        for (size_t i = 0; memory->pages != NULL && i < memory->page_count; i++)
            memory->pages[i] = (struct rt_managed_page){
                .where = NOWHERE, .preferred = NOWHERE, .last_prefetch = NOWHERE};
    }
    *count = memory->page_count;
    return memory->pages;
}

/* A stretch of pages in one allocation. */
struct stretch {
    const struct allocation *allocation;
    struct rt_managed_page *pages;
    size_t first, end;
};

static bool find_stretch(uintptr_t address, size_t bytes, struct stretch *stretch)
{
    size_t count = 0;
    struct allocation *found = memory_find(address);
    struct rt_managed_page *pages = pages_of(found, &count);
    if (pages == NULL || bytes == 0 || bytes > found->size - (address - found->address))
        return false;
    const size_t offset = address - found->address;
    *stretch = (struct stretch){found, pages, offset / MANAGED_PAGE_BYTES,
        (offset + bytes + MANAGED_PAGE_BYTES - 1) / MANAGED_PAGE_BYTES};
    return true;
}

static void protect(const struct stretch *stretch, size_t page, bool closed)
{
    void *start = (void *)(uintptr_t)(stretch->allocation->address + page * MANAGED_PAGE_BYTES);
    if (stretch->pages[page].closed == closed)
        return;
    stretch->pages[page].closed = closed;
    mprotect(start, MANAGED_PAGE_BYTES, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Brings a page to `place`; returns the bytes that had to move. */
static size_t move(struct rt_managed_page *page, int place)
{
    const bool moves = page->where != NOWHERE && page->where != place;
    page->where = (int8_t)place;
    page->copies = 0;
    if (!moves)
        return 0;
    managed.moved_bytes += MANAGED_PAGE_BYTES;
    return MANAGED_PAGE_BYTES;
}

/* The least that lets `place` access the page. */
static size_t reach(struct rt_managed_page *page, int place, bool is_write)
{
    const bool mapped = (page->accessed_by & bit_of(place)) != 0 ||
                        (page->preferred != NOWHERE && page->preferred == page->where);
    if (page->where == place || (!is_write && (page->copies & bit_of(place)) != 0)) {
        if (is_write)
            page->copies = 0;
        return 0;
    }
    if (page->where != NOWHERE && page->read_mostly && !is_write) {
        page->copies |= bit_of(place);
        managed.moved_bytes += MANAGED_PAGE_BYTES;
        return MANAGED_PAGE_BYTES;
    }
    if (page->where != NOWHERE && mapped)
        return 0; /* used from afar */
    if (place != HOST)
        managed.faults++;
    return move(page, place);
}

size_t rt_managed_prefetch(uintptr_t address, size_t bytes, int device)
{
    struct stretch stretch;
    size_t moved = 0;
    if (!find_stretch(address, bytes, &stretch))
        return 0;
    for (size_t i = stretch.first; i < stretch.end; i++) {
        struct rt_managed_page *page = &stretch.pages[i];
        moved += page->read_mostly && page->where != NOWHERE ? reach(page, device, false)
                                                             : move(page, device);
        protect(&stretch, i, page->where != HOST && (page->copies & bit_of(HOST)) == 0);
    }
    return moved;
}

void rt_managed_begin_launch(int device)
{
    managed.launch_device = device;
    managed.launch_moved_bytes = 0;
}

void rt_managed_touch(uint64_t address, bool is_write)
{
    struct stretch stretch;
    if (!find_stretch((uintptr_t)address, 1, &stretch))
        return;
    struct rt_managed_page *page = &stretch.pages[stretch.first];
    managed.launch_moved_bytes += reach(page, managed.launch_device, is_write);
    protect(&stretch, stretch.first, page->where != HOST);
}

uint64_t rt_managed_end_launch(void)
{
    return managed.launch_moved_bytes == 0
               ? 0
               : clock_transfer_ns(ROUTE_FAULTING, managed.launch_moved_bytes);
}

/* ---- the host's view ------------------------------------------------------------------------- */

static void for_all_pages(void (*act)(const struct stretch *, size_t page))
{
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at)) {
        size_t count = 0;
        struct stretch stretch = {at, NULL, 0, 0};
        stretch.pages = pages_of(at, &count);
        for (size_t i = 0; stretch.pages != NULL && i < count; i++)
            act(&stretch, i);
    }
}

static void close_page(const struct stretch *stretch, size_t page)
{
    protect(stretch, page, true);
}

static void open_host_page(const struct stretch *stretch, size_t page)
{
    const struct rt_managed_page *at = &stretch->pages[page];
    if (at->where == HOST || (at->copies & bit_of(HOST)) != 0)
        protect(stretch, page, false);
}

void rt_managed_watch(struct allocation *allocation)
{
    struct stretch stretch = {allocation, NULL, 0, 0};
    size_t count = 0;
    stretch.pages = pages_of(allocation, &count);
    for (size_t i = 0; stretch.pages != NULL && i < count; i++)
        protect(&stretch, i, true);
}

void rt_managed_close(void)
{
    if (!managed.closed_for_queue)
        for_all_pages(close_page);
    managed.closed_for_queue = true;
}

void rt_managed_open(void)
{
    if (managed.closed_for_queue)
        for_all_pages(open_host_page);
    managed.closed_for_queue = false;
}

bool rt_managed_host_touch(uintptr_t address)
{
    struct stretch stretch;
    const struct allocation *found = memory_find(address);
    if (found == NULL || found->kind != MEMORY_MANAGED || !find_stretch(address, 1, &stretch) ||
        !stretch.pages[stretch.first].closed)
        return false;
    if (managed.closed_for_queue && rt_thread.depth == 0)
        rt_finding("managed-touch", SEVERITY_WARNING,
            "the host touches managed memory (%s) while work is queued that it has not waited for",
            found->name);
    const size_t moved = reach(&stretch.pages[stretch.first], HOST, true);
    if (moved > 0)
        clock_wait_until(clock_now() + clock_transfer_ns(ROUTE_FAULTING, moved));
    protect(&stretch, stretch.first, false);
    return true;
}

uint64_t rt_managed_faults(void)
{
    return managed.faults;
}

uint64_t rt_managed_moved_bytes(void)
{
    return managed.moved_bytes;
}

void rt_managed_clear_counters(void)
{
    managed.faults = managed.moved_bytes = 0;
}

/* ---- prefetch and advice --------------------------------------------------------------------- */

/* cudaCpuDeviceId, or a device that exists. */
static bool is_place(int device)
{
    return device == HOST || (device >= 0 && device < rt_state.devices);
}

static cudaError_t prefetch(const void *pointer, size_t bytes, int device, cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    struct stretch stretch;
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (!is_place(device))
        return cudaErrorInvalidDevice;
    if (!find_stretch((uintptr_t)pointer, bytes, &stretch)) {
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
        page->copies = 0;
        break;
    case cudaMemAdviseSetPreferredLocation:
        page->preferred = (int8_t)device;
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        page->preferred = NOWHERE;
        break;
    case cudaMemAdviseSetAccessedBy:
        page->accessed_by |= bit_of(device);
        break;
    case cudaMemAdviseUnsetAccessedBy:
        page->accessed_by &= (uint16_t)~bit_of(device);
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
    struct stretch stretch;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return cudaErrorInvalidValue;
    if (names_a_place(advice) && !is_place(device))
        return cudaErrorInvalidDevice;
    if (!find_stretch((uintptr_t)pointer, bytes, &stretch))
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
static int common_attribute(const struct stretch *stretch, enum cudaMemRangeAttribute attribute)
{
    const int value = page_attribute(&stretch->pages[stretch->first], attribute);
    for (size_t i = stretch->first; i < stretch->end; i++)
        if (page_attribute(&stretch->pages[i], attribute) != value)
            return attribute == cudaMemRangeAttributeReadMostly ? 0 : NOWHERE;
    return value;
}

/* The devices that the whole range was advised to be accessed by. */
static void give_accessed_by(const struct stretch *stretch, int *devices, size_t count)
{
    uint16_t all = UINT16_MAX;
    size_t given = 0;
    for (size_t i = stretch->first; i < stretch->end; i++)
        all &= stretch->pages[i].accessed_by;
    for (int place = HOST; place < rt_state.devices && given < count; place++)
        if ((all & bit_of(place)) != 0)
            devices[given++] = place;
    while (given < count)
        devices[given++] = NOWHERE;
}

static cudaError_t get_attribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
    const void *pointer, size_t bytes)
{
    struct stretch stretch;
    if (data == NULL || size < sizeof(int) || size % sizeof(int) != 0 ||
        !find_stretch((uintptr_t)pointer, bytes, &stretch))
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
    const struct allocation *found = memory_find((uintptr_t)pointer);
    const bool known =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (rt_find_stream(handle) == NULL)
        return cudaErrorInvalidResourceHandle;
    if (!known || found == NULL || found->kind != MEMORY_MANAGED ||
        (bytes != 0 && bytes != found->size))
        return cudaErrorInvalidValue;
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
API_STREAM(cudaMemPrefetchAsync,
    (const void *pointer, size_t bytes, int device, cudaStream_t stream), CALL_NEEDS_DEVICE,
    prefetch(pointer, bytes, device, stream))
API(cudaMemAdvise, (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device),
    CALL_NEEDS_DEVICE, advise(pointer, bytes, advice, device))
#if CUDART_VERSION >= 12020
API_STREAM(cudaMemPrefetchAsync_v2,
    (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
        cudaStream_t stream),
    CALL_NEEDS_DEVICE,
    flags != 0 ? cudaErrorInvalidValue : prefetch(pointer, bytes, place_of(location), stream))
API(cudaMemAdvise_v2,
    (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
        struct cudaMemLocation location),
    CALL_NEEDS_DEVICE, advise(pointer, bytes, advice, place_of(location)))
#endif
#endif
