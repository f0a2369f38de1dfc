/* Allocation: device, pinned and managed memory, and what a pointer points to. */
#include "rt.h"

#include "rt_capture.h"
#include "rt_managed.h"
#include "rt_memory.h"
#include "rt_pool.h"
#include "rt_queue.h"

#include <stdlib.h>
#include <string.h>

enum { DEVICE_ALIGNMENT = 512, ACCOUNTED_BYTES = 2 << 20 };

struct rt_memory *rt_memory_of(struct allocation *allocation)
{
    if (allocation->user == NULL)
        allocation->user = calloc(1, sizeof(struct rt_memory));
    return allocation->user;
}

void rt_forget_memory(struct allocation *allocation)
{
    struct rt_memory *memory = allocation->user;
    if (memory != NULL) {
        rt_managed_forget(memory->pages, memory->page_count);
        free(memory->pages);
    }
    free(memory);
    allocation->user = NULL;
}

bool rt_device_reaches(int device, const struct allocation *allocation)
{
    const bool is_owned = allocation->kind == MEMORY_DEVICE ||
                          allocation->kind == MEMORY_VARIABLE ||
                          allocation->kind == MEMORY_CONSTANT || allocation->kind == MEMORY_HEAP;
    return !is_owned || allocation->device == device ||
           (rt_state.device[device].peers_enabled >> allocation->device & 1) != 0;
}

/* ---- allocating ------------------------------------------------------------------------------ */

/* Memory is handed out in units of 2 MiB as far as the total is concerned. */
size_t rt_unmanaged_bytes(int device)
{
    size_t bytes = 0;
    for (const struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at))
        if (at->device == device && (at->kind == MEMORY_DEVICE || at->kind == MEMORY_HEAP))
            bytes += at->size;
    return (bytes + ACCOUNTED_BYTES - 1) / ACCOUNTED_BYTES * ACCOUNTED_BYTES;
}

static cudaError_t allocate(
    void **pointer, size_t size, enum memory_kind kind, size_t align, enum clock_cost cost)
{
    if (pointer == NULL)
        return cudaErrorInvalidValue;
    *pointer = NULL; /* also when it fails */
    if (size == 0)
        return cudaSuccess;
    clock_spend(cost);
    const bool on_device = kind == MEMORY_DEVICE;
    const size_t total = device_memory_bytes(), used = rt_unmanaged_bytes(rt_thread.device);
    const bool must_fit = on_device || (kind == MEMORY_MANAGED && device_managed_is_basic());
    if (must_fit && (size > total || used > total - size))
        return cudaErrorMemoryAllocation;
    struct allocation *made =
        memory_allocate(size, align, kind, kind == MEMORY_PINNED ? -1 : rt_thread.device, NULL);
    if (made == NULL)
        return cudaErrorMemoryAllocation;
    made->site = rt_thread.caller;
    if (on_device)
        rt_managed_make_room(made->device);
    if (!on_device) /* the host may have written it without our seeing it */
        memory_wrote(made->address, size, WRITTEN_BY_HOST);
    *pointer = (void *)(uintptr_t)made->address;
    return cudaSuccess;
}

static cudaError_t allocate_host(void **pointer, size_t size, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0)
        return cudaErrorInvalidValue;
    const cudaError_t status = allocate(pointer, size, MEMORY_PINNED, 0, COST_ALLOCATE_PINNED);
    if (status != cudaSuccess || size == 0)
        return status;
    struct rt_memory *memory = rt_memory_of(memory_find((uintptr_t)*pointer));
    if (memory != NULL)
        memory->host_flags = flags;
    return cudaSuccess;
}

static cudaError_t allocate_managed(void **pointer, size_t size, unsigned flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return cudaErrorInvalidValue;
    const cudaError_t status =
        allocate(pointer, size, MEMORY_MANAGED, DEVICE_ALIGNMENT, COST_ALLOCATE);
    struct allocation *made =
        status == cudaSuccess && size > 0 ? memory_find((uintptr_t)*pointer) : NULL;
    if (made == NULL)
        return status;
    rt_managed_watch(made);
    if (rt_memory_of(made) != NULL)
        rt_memory_of(made)->attached = flags;
    return status;
}

static size_t pitch_of(size_t width)
{
    return (width + DEVICE_PITCH_ALIGNMENT - 1) / DEVICE_PITCH_ALIGNMENT * DEVICE_PITCH_ALIGNMENT;
}

static cudaError_t allocate_pitched(void **pointer, size_t *pitch, size_t width, size_t rows)
{
    if (pointer == NULL || pitch == NULL)
        return cudaErrorInvalidValue;
    if (width > SIZE_MAX - DEVICE_PITCH_ALIGNMENT ||
        (rows != 0 && pitch_of(width) > SIZE_MAX / rows))
        return cudaErrorInvalidValue;
    *pitch = pitch_of(width);
    return allocate(pointer, *pitch * rows, MEMORY_DEVICE, DEVICE_ALIGNMENT, COST_ALLOCATE);
}

static cudaError_t allocate_3d(struct cudaPitchedPtr *made, struct cudaExtent extent)
{
    if (made == NULL)
        return cudaErrorInvalidValue;
    if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth)
        return cudaErrorInvalidValue;
    made->xsize = extent.width;
    made->ysize = extent.height;
    return allocate_pitched(&made->ptr, &made->pitch, extent.width, extent.height * extent.depth);
}

static void take_from(struct rt_pool *pool, struct allocation *made)
{
    struct rt_memory *memory = made == NULL ? NULL : rt_memory_of(made);
    if (memory == NULL)
        return;
    memory->pool = pool;
    rt_pool_take(pool, made->size);
}

void rt_leave_pool(struct allocation *allocation)
{
    struct rt_memory *memory = allocation->user;
    if (memory == NULL || memory->pool == NULL)
        return;
    if (!memory->freed_later)
        rt_pool_put(memory->pool, allocation->size);
    rt_pool_unbind(memory->pool, allocation->size);
    memory->pool = NULL;
}

cudaError_t rt_allocate_async(
    void **pointer, size_t size, struct rt_pool *pool, cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    const int current = rt_thread.device;
    rt_thread.device = pool == NULL ? stream->device : rt_pool_device(pool);
    const cudaError_t status = allocate(pointer, size, MEMORY_DEVICE, DEVICE_ALIGNMENT, COST_POOL);
    rt_thread.device = current;
    /* What a capture allocates is memory of its graph, which keeps it. */
    if (status == cudaSuccess && size > 0 && stream->capture == NULL)
        take_from(pool == NULL ? rt_pool_current(stream->device) : pool,
            memory_find((uintptr_t)*pointer));
    return status;
}

API(cudaMalloc, (void **pointer, size_t size), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE,
    allocate(pointer, size, MEMORY_DEVICE, DEVICE_ALIGNMENT, COST_ALLOCATE))
API(cudaMallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height),
    CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, allocate_pitched(pointer, pitch, width, height))
API(cudaMalloc3D, (struct cudaPitchedPtr * made, struct cudaExtent extent),
    CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, allocate_3d(made, extent))
API(cudaMallocManaged, (void **pointer, size_t size, unsigned flags),
    CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, allocate_managed(pointer, size, flags))
API(cudaHostAlloc, (void **pointer, size_t size, unsigned flags),
    CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, allocate_host(pointer, size, flags))
API(cudaMallocHost, (void **pointer, size_t size), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE,
    allocate_host(pointer, size, 0))
API_STREAM(cudaMallocAsync, (void **pointer, size_t size, cudaStream_t stream), CALL_NEEDS_DEVICE,
    rt_allocate_async(pointer, size, NULL, stream))

/* ---- freeing --------------------------------------------------------------------------------- */

static cudaError_t refuse_free(const char *function, uintptr_t address, const char *expected)
{
    int64_t distance = 0;
    const struct allocation *near = memory_nearest(address, &distance);
    const struct allocation *inside = memory_find(address);
    const struct rt_memory *memory = inside == NULL ? NULL : inside->user;
    if (inside != NULL && inside->address != address)
        rt_finding("free", SEVERITY_ERROR,
            "%s of a pointer %llu bytes into %s: only its start can be freed", function,
            (unsigned long long)(address - inside->address), inside->name);
    else if (memory != NULL && memory->freed_later)
        rt_finding(
            "free", SEVERITY_ERROR, "%s of %s, which was freed before", function, inside->name);
    else if (inside != NULL)
        rt_finding(
            "free", SEVERITY_ERROR, "%s of %s, which is not %s", function, inside->name, expected);
    else if (near != NULL && distance == 0)
        rt_finding(
            "free", SEVERITY_ERROR, "%s of %s, which was freed before", function, near->name);
    else
        rt_finding("free", SEVERITY_ERROR, "%s of %p, which is not %s", function, (void *)address,
            expected);
    return cudaErrorInvalidValue;
}

cudaError_t rt_free_now(struct allocation *allocation)
{
    const cudaError_t status = rt_finish_everything();
    clock_spend(allocation->kind == MEMORY_PINNED ? COST_FREE_PINNED : COST_FREE);
    rt_leave_pool(allocation);
    rt_forget_memory(allocation);
    memory_free(allocation->address);
    return status;
}

/* The allocation that starts here and was made by the program, and no cudaFreeAsync of it is queued;
 * or NULL. */
static struct allocation *starts_at(uintptr_t address)
{
    struct allocation *found = memory_find(address);
    if (found == NULL || found->address != address || found->site == NULL)
        return NULL;
    const struct rt_memory *memory = found->user;
    return memory != NULL && memory->freed_later ? NULL : found;
}

/* Like the real one, waits for all work first. */
static cudaError_t free_device(void *pointer)
{
    if (pointer == NULL)
        return cudaSuccess;
    struct allocation *found = starts_at((uintptr_t)pointer);
    if (found == NULL || (found->kind != MEMORY_DEVICE && found->kind != MEMORY_MANAGED))
        return refuse_free("cudaFree", (uintptr_t)pointer, "memory of cudaMalloc");
    return rt_free_now(found);
}

static cudaError_t free_host(void *pointer)
{
    if (pointer == NULL)
        return cudaSuccess;
    struct allocation *found = starts_at((uintptr_t)pointer);
    if (found == NULL || found->kind != MEMORY_PINNED)
        return refuse_free("cudaFreeHost", (uintptr_t)pointer, "memory of cudaMallocHost");
    return rt_free_now(found);
}

static cudaError_t free_async(void *pointer, cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (pointer == NULL)
        return cudaSuccess;
    struct allocation *found = starts_at((uintptr_t)pointer);
    struct rt_memory *memory = found == NULL ? NULL : rt_memory_of(found);
    if (memory == NULL || found->kind != MEMORY_DEVICE)
        return refuse_free("cudaFreeAsync", (uintptr_t)pointer, "memory of cudaMallocAsync");
    clock_spend(COST_POOL);
    if (stream->capture != NULL)
        rt_leave_pool(found);
    else if (memory->pool != NULL)
        rt_pool_put(memory->pool, found->size);
    memory->freed_later = true;
    struct rt_work work = {.kind = WORK_FREE, .address = (uintptr_t)pointer};
    return rt_submit(stream, &work, NULL);
}

API(cudaFree, (void *pointer), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, free_device(pointer))
API(cudaFreeHost, (void *pointer), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, free_host(pointer))
API_STREAM(cudaFreeAsync, (void *pointer, cudaStream_t stream), CALL_NEEDS_DEVICE,
    free_async(pointer, stream))

/* ---- host memory that the device may reach --------------------------------------------------- */

static cudaError_t register_host(void *pointer, size_t size, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (pointer == NULL || size == 0 || (flags & ~known) != 0)
        return cudaErrorInvalidValue;
    if (memory_find((uintptr_t)pointer) != NULL)
        return cudaErrorHostMemoryAlreadyRegistered;
    struct allocation *made = memory_register_host(pointer, size);
    if (made == NULL)
        return cudaErrorHostMemoryAlreadyRegistered;
    made->site = rt_thread.caller;
    struct rt_memory *memory = rt_memory_of(made);
    if (memory != NULL)
        memory->host_flags = flags;
    return cudaSuccess;
}

static cudaError_t unregister_host(void *pointer)
{
    struct allocation *found = memory_find((uintptr_t)pointer);
    if (found == NULL || found->kind != MEMORY_REGISTERED || found->address != (uintptr_t)pointer)
        return cudaErrorHostMemoryNotRegistered;
    return rt_free_now(found);
}

static const struct allocation *pinned_at(const void *pointer)
{
    const struct allocation *found = memory_find((uintptr_t)pointer);
    const bool pinned =
        found != NULL && (found->kind == MEMORY_PINNED || found->kind == MEMORY_REGISTERED);
    return pinned ? found : NULL;
}

static cudaError_t get_device_pointer(void **device, void *host, unsigned flags)
{
    if (device == NULL || flags != 0 || pinned_at(host) == NULL)
        return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
}

static cudaError_t get_host_flags(unsigned *flags, void *host)
{
    const struct allocation *found = pinned_at(host);
    if (flags == NULL || found == NULL)
        return cudaErrorInvalidValue;
    const struct rt_memory *memory = found->user;
    *flags = (memory == NULL ? 0 : memory->host_flags) | cudaHostAllocMapped;
    return cudaSuccess;
}

API(cudaHostRegister, (void *pointer, size_t size, unsigned flags),
    CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE, register_host(pointer, size, flags))
API(cudaHostUnregister, (void *pointer), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE,
    unregister_host(pointer))
API(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags), CALL_NEEDS_DEVICE,
    get_device_pointer(device, host, flags))
API(cudaHostGetFlags, (unsigned *flags, void *host), CALL_NEEDS_DEVICE, get_host_flags(flags, host))

/* ---- asking ---------------------------------------------------------------------------------- */

static cudaError_t get_info(size_t *free_bytes, size_t *total_bytes)
{
    if (free_bytes == NULL || total_bytes == NULL)
        return cudaErrorInvalidValue;
    const size_t total = device_memory_bytes();
    const size_t used =
        rt_unmanaged_bytes(rt_thread.device) + rt_managed_resident_bytes(rt_thread.device);
    *total_bytes = total;
    *free_bytes = used > total ? 0 : total - used;
    return cudaSuccess;
}

static const enum cudaMemoryType type_of_kind[] = {
    [MEMORY_DEVICE] = cudaMemoryTypeDevice,
    [MEMORY_MANAGED] = cudaMemoryTypeManaged,
    [MEMORY_PINNED] = cudaMemoryTypeHost,
    [MEMORY_REGISTERED] = cudaMemoryTypeHost,
    [MEMORY_VARIABLE] = cudaMemoryTypeDevice,
    [MEMORY_CONSTANT] = cudaMemoryTypeDevice,
    [MEMORY_HEAP] = cudaMemoryTypeDevice,
    [MEMORY_INTERNAL] = cudaMemoryTypeDevice,
};

static cudaError_t get_attributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    if (attributes == NULL)
        return cudaErrorInvalidValue;
    memset(attributes, 0, sizeof *attributes);
    void *const same = (void *)(uintptr_t)pointer;
    const struct allocation *found = memory_find((uintptr_t)pointer);
    if (found == NULL) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = same;
        return cudaSuccess;
    }
    attributes->type = type_of_kind[found->kind];
    attributes->device = found->device < 0 ? 0 : found->device;
    if (rt_device_reaches(rt_thread.device, found))
        attributes->devicePointer = same;
    if (attributes->type != cudaMemoryTypeDevice)
        attributes->hostPointer = same;
    return cudaSuccess;
}

API(cudaMemGetInfo, (size_t * free_bytes, size_t *total_bytes), CALL_NEEDS_DEVICE,
    get_info(free_bytes, total_bytes))
/* Answers even after the device was lost. */
API(cudaPointerGetAttributes, (struct cudaPointerAttributes * attributes, const void *pointer), 0,
    get_attributes(attributes, pointer))
