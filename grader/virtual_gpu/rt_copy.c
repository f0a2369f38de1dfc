/* Copies: what is legal, which way the bytes go, and whether the host waits. */
#include "rt_copy.h"

#include "rt_queue.h"

#include <stdlib.h>
#include <string.h>

/* ---- copies: checking ------------------------------------------------------------------------ */

static size_t span_of(const struct rt_copy_work *copy, size_t pitch, size_t slice)
{
    return (copy->slices - 1) * slice + (copy->rows - 1) * pitch + copy->width;
}

cudaError_t rt_check_end(const struct rt_end *end, bool called_device)
{
    if (end->address == 0)
        return cudaErrorInvalidValue;
    if (end->allocation == NULL) {
        int64_t distance = 0;
        const struct allocation *near = memory_nearest(end->address, &distance);
        if (!called_device && !memory_in_arena(end->address))
            return cudaSuccess;
        if (near != NULL && distance == 0)
            rt_finding("copy", SEVERITY_ERROR, "%s: its %s is in %s, which was freed",
                rt_thread.call->name, end->what, near->name);
        else
            rt_finding("copy", SEVERITY_ERROR,
                "%s: the direction says that its %s is device memory, but %p is not",
                rt_thread.call->name, end->what, (void *)end->address);
        return cudaErrorInvalidValue;
    }
    const size_t room = end->allocation->size - (size_t)(end->address - end->allocation->address);
    if (end->span <= room)
        return cudaSuccess;
    rt_finding("copy", SEVERITY_ERROR,
        "%s: its %s needs %zu bytes, but %s has %zu from there on (%zu in all)",
        rt_thread.call->name, end->what, end->span, end->allocation->name, room,
        end->allocation->size);
    return cudaErrorInvalidValue;
}

/* Does the direction call the target, or the source, a device pointer? */
static const struct {
    bool target, source;
} called_device[] = {
    [cudaMemcpyHostToHost] = {false, false},
    [cudaMemcpyHostToDevice] = {true, false},
    [cudaMemcpyDeviceToHost] = {false, true},
    [cudaMemcpyDeviceToDevice] = {true, true},
    [cudaMemcpyDefault] = {false, false},
};

bool rt_is_device_memory(const struct allocation *allocation)
{
    return allocation != NULL && allocation->kind != MEMORY_PINNED &&
           allocation->kind != MEMORY_REGISTERED;
}

static bool is_pageable(const struct allocation *allocation)
{
    return allocation == NULL;
}

static void choose_route(
    struct rt_copy_work *copy, const struct allocation *target, const struct allocation *source)
{
    copy->engine = ENGINE_NONE;
    copy->route = ROUTE_HOST_TO_HOST;
    if (rt_is_device_memory(target) && rt_is_device_memory(source)) {
        const bool peers = target->device != source->device && target->kind == MEMORY_DEVICE;
        copy->engine = peers ? ENGINE_COPY_OUT : ENGINE_COMPUTE;
        copy->route = peers ? ROUTE_PEER : ROUTE_DEVICE_TO_DEVICE;
    } else if (rt_is_device_memory(target)) {
        copy->engine = ENGINE_COPY_IN;
        copy->route = is_pageable(source) ? ROUTE_PAGEABLE_TO_DEVICE : ROUTE_PINNED_TO_DEVICE;
    } else if (rt_is_device_memory(source)) {
        copy->engine = ENGINE_COPY_OUT;
        copy->route = is_pageable(target) ? ROUTE_DEVICE_TO_PAGEABLE : ROUTE_DEVICE_TO_PINNED;
    }
}

cudaError_t rt_make_copy_work(
    struct rt_work *work, const struct rt_copy_work *region, enum cudaMemcpyKind kind)
{
    *work = (struct rt_work){.kind = WORK_NOTHING};
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (region->width == 0 || region->rows == 0 || region->slices == 0)
        return cudaSuccess;
    if ((region->rows > 1 || region->slices > 1) &&
        (region->target_pitch < region->width || region->source_pitch < region->width))
        return cudaErrorInvalidPitchValue;
    const struct rt_end target = {"target", region->target,
        span_of(region, region->target_pitch, region->target_slice), memory_find(region->target)};
    const struct rt_end source = {"source", region->source,
        span_of(region, region->source_pitch, region->source_slice), memory_find(region->source)};
    cudaError_t status = rt_check_end(&target, called_device[kind].target);
    if (status == cudaSuccess)
        status = rt_check_end(&source, called_device[kind].source);
    if (status != cudaSuccess)
        return status;
    work->kind = WORK_COPY;
    work->copy = *region;
    choose_route(&work->copy, target.allocation, source.allocation);
    return cudaSuccess;
}

struct rt_copy_work rt_plain_copy(void *target, const void *source, size_t bytes)
{
    return (struct rt_copy_work){.target = (uintptr_t)target,
        .source = (uintptr_t)source,
        .target_pitch = bytes,
        .source_pitch = bytes,
        .width = bytes,
        .rows = 1,
        .slices = 1};
}

/* ---- copies: submitting ---------------------------------------------------------------------- */

/* Pageable memory is read when the copy is submitted, as by the staging buffer of a real one. */
static cudaError_t stage(struct rt_copy_work *copy)
{
    char *staged = malloc(copy->width * copy->rows * copy->slices);
    if (staged == NULL)
        return cudaErrorMemoryAllocation;
    char *to = staged;
    for (size_t slice = 0; slice < copy->slices; slice++)
        for (size_t row = 0; row < copy->rows; row++, to += copy->width)
            memcpy(to,
                (const void *)(copy->source + slice * copy->source_slice +
                               row * copy->source_pitch),
                copy->width);
    copy->staged = staged;
    return cudaSuccess;
}

cudaError_t rt_submit_copy(struct rt_stream *stream, struct rt_work *work, bool wait)
{
    clock_spend(COST_COPY);
    if (work->kind != WORK_COPY)
        return cudaSuccess; /* nothing to copy */
    const enum clock_route route = work->copy.route;
    const bool captured = stream->capture != NULL;
    if (!wait && !captured && route == ROUTE_PAGEABLE_TO_DEVICE) {
        const cudaError_t staged = stage(&work->copy);
        if (staged != cudaSuccess)
            return staged;
    }
    /* A copy to pageable memory, or between host buffers, is over when the call returns. */
    const bool blocks = route == ROUTE_DEVICE_TO_PAGEABLE || route == ROUTE_HOST_TO_HOST ||
                        (wait && route != ROUTE_DEVICE_TO_DEVICE && route != ROUTE_PEER);
    struct rt_op *op = NULL;
    cudaError_t status = rt_submit(stream, work, &op);
    if (status == cudaSuccess && op != NULL && blocks)
        status = rt_finish(op);
    rt_op_release(op);
    return status;
}

static cudaError_t copy(
    const struct rt_copy_work *region, enum cudaMemcpyKind kind, cudaStream_t handle, bool wait)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    struct rt_work work;
    const cudaError_t status = rt_make_copy_work(&work, region, kind);
    return status != cudaSuccess ? status : rt_submit_copy(stream, &work, wait);
}

static cudaError_t copy_1d(void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind,
    cudaStream_t stream, bool wait)
{
    const struct rt_copy_work region = rt_plain_copy(target, source, bytes);
    return copy(&region, kind, stream, wait);
}

static cudaError_t copy_2d(void *target, size_t target_pitch, const void *source,
    size_t source_pitch, size_t width, size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream,
    bool wait)
{
    if (width > target_pitch || width > source_pitch)
        return cudaErrorInvalidPitchValue;
    const struct rt_copy_work region = {.target = (uintptr_t)target,
        .source = (uintptr_t)source,
        .target_pitch = target_pitch,
        .source_pitch = source_pitch,
        .width = width,
        .rows = rows,
        .slices = 1};
    return copy(&region, kind, stream, wait);
}

cudaError_t rt_region_of_3d(const struct cudaMemcpy3DParms *parameters, struct rt_copy_work *region)
{
    if (parameters == NULL)
        return cudaErrorInvalidValue;
    if (parameters->srcArray != NULL || parameters->dstArray != NULL) {
        rt_finding("needs-gpu", SEVERITY_ERROR, "a copy of a CUDA array needs a GPU");
        return cudaErrorNotSupported;
    }
    const struct cudaPitchedPtr *to = &parameters->dstPtr, *from = &parameters->srcPtr;
    const struct cudaPos *to_at = &parameters->dstPos, *from_at = &parameters->srcPos;
    if (parameters->extent.depth > 1 &&
        (to->ysize < parameters->extent.height || from->ysize < parameters->extent.height))
        return cudaErrorInvalidPitchValue;
    const size_t to_slice = to->pitch * to->ysize, from_slice = from->pitch * from->ysize;
    *region = (struct rt_copy_work){
        .target = (uintptr_t)to->ptr + to_at->z * to_slice + to_at->y * to->pitch + to_at->x,
        .source =
            (uintptr_t)from->ptr + from_at->z * from_slice + from_at->y * from->pitch + from_at->x,
        .target_pitch = to->pitch,
        .source_pitch = from->pitch,
        .target_slice = to_slice,
        .source_slice = from_slice,
        .width = parameters->extent.width,
        .rows = parameters->extent.height,
        .slices = parameters->extent.depth};
    return cudaSuccess;
}

static cudaError_t copy_3d(
    const struct cudaMemcpy3DParms *parameters, cudaStream_t stream, bool wait)
{
    struct rt_copy_work region;
    const cudaError_t status = rt_region_of_3d(parameters, &region);
    return status != cudaSuccess ? status : copy(&region, parameters->kind, stream, wait);
}

static cudaError_t copy_peer(void *target, int target_device, const void *source, int source_device,
    size_t bytes, cudaStream_t stream)
{
    if (target_device < 0 || target_device >= rt_state.devices || source_device < 0 ||
        source_device >= rt_state.devices)
        return cudaErrorInvalidDevice;
    return copy_1d(target, source, bytes, cudaMemcpyDefault, stream, false);
}

#define COPY_1D (void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
#define COPY_1D_ASYNC \
    (void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
#define COPY_2D                                                                                \
    (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, \
        size_t height, enum cudaMemcpyKind kind)
#define COPY_2D_ASYNC                                                                          \
    (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, \
        size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)

API_DEFAULT_STREAM(
    cudaMemcpy, COPY_1D, CALL_NEEDS_DEVICE, copy_1d(target, source, bytes, kind, NULL, true))
API_STREAM(cudaMemcpyAsync, COPY_1D_ASYNC, CALL_NEEDS_DEVICE,
    copy_1d(target, source, bytes, kind, stream, false))
API_DEFAULT_STREAM(cudaMemcpy2D, COPY_2D, CALL_NEEDS_DEVICE,
    copy_2d(target, target_pitch, source, source_pitch, width, height, kind, NULL, true))
API_STREAM(cudaMemcpy2DAsync, COPY_2D_ASYNC, CALL_NEEDS_DEVICE,
    copy_2d(target, target_pitch, source, source_pitch, width, height, kind, stream, false))
API_DEFAULT_STREAM(cudaMemcpy3D, (const struct cudaMemcpy3DParms *parameters), CALL_NEEDS_DEVICE,
    copy_3d(parameters, NULL, true))
API_STREAM(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *parameters, cudaStream_t stream),
    CALL_NEEDS_DEVICE, copy_3d(parameters, stream, false))
API(cudaMemcpyPeer,
    (void *target, int target_device, const void *source, int source_device, size_t bytes),
    CALL_NEEDS_DEVICE, copy_peer(target, target_device, source, source_device, bytes, NULL))
API(cudaMemcpyPeerAsync,
    (void *target, int target_device, const void *source, int source_device, size_t bytes,
        cudaStream_t stream),
    CALL_NEEDS_DEVICE, copy_peer(target, target_device, source, source_device, bytes, stream))
