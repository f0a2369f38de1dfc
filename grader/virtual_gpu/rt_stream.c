/* Streams: making, finding, waiting, host functions. */
#include "rt.h"

#include "rt_capture.h"
#include "rt_pool.h"
#include "rt_queue.h"

#include <stdlib.h>

static unsigned long long next_id = 1, next_number = 1;

struct rt_stream *rt_new_stream(enum rt_stream_kind kind, int device, unsigned flags, int priority)
{
    struct rt_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL)
        return NULL;
    stream->kind = kind;
    stream->device = device;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = next_id++;
    if (kind == STREAM_CREATED)
        stream->number = next_number++;
    stream->synchronisation_policy = cudaSyncPolicyAuto;
    stream->next = rt_state.streams;
    rt_state.streams = stream;
    return stream;
}

/* Makes the stream when *place is NULL. These few are never destroyed. */
static struct rt_stream *made_once(struct rt_stream **place, enum rt_stream_kind kind, int device)
{
    if (*place == NULL)
        *place = rt_new_stream(kind, device, cudaStreamDefault, DEVICE_PRIORITY_LEAST);
    if (*place == NULL)
        abort();
    return *place;
}

struct rt_stream *rt_legacy_stream(int device)
{
    return made_once(&rt_state.device[device].legacy, STREAM_LEGACY, device);
}

static struct rt_stream *per_thread_stream(void)
{
    return made_once(
        &rt_thread.default_stream[rt_thread.device], STREAM_PER_THREAD, rt_thread.device);
}

struct rt_stream *rt_find_stream(cudaStream_t handle)
{
    const bool per_thread = (rt_thread.call->traits & CALL_PER_THREAD) != 0;
    if (handle == cudaStreamPerThread || (handle == NULL && per_thread))
        return per_thread_stream();
    if (handle == cudaStreamLegacy || handle == NULL)
        return rt_legacy_stream(rt_thread.device);
    for (struct rt_stream *stream = rt_state.streams; stream != NULL; stream = stream->next)
        if ((cudaStream_t)stream == handle && stream->kind == STREAM_CREATED)
            return stream;
    return NULL;
}

bool rt_stream_blocks(const struct rt_stream *stream)
{
    return (stream->flags & cudaStreamNonBlocking) == 0;
}

/* ---- making and ending ----------------------------------------------------------------------- */

static int clamp(int number, int least, int most)
{
    return number < least ? least : number > most ? most : number;
}

static cudaError_t create(cudaStream_t *handle, unsigned flags, int priority)
{
    if (handle == NULL || (flags & ~(unsigned)cudaStreamNonBlocking) != 0)
        return cudaErrorInvalidValue;
    struct rt_stream *stream = rt_new_stream(STREAM_CREATED, rt_thread.device, flags,
        clamp(priority, DEVICE_PRIORITY_GREATEST, DEVICE_PRIORITY_LEAST));
    if (stream == NULL)
        return cudaErrorMemoryAllocation;
    *handle = (cudaStream_t)stream;
    clock_spend(COST_STREAM);
    return cudaSuccess;
}

/* What is queued still runs, when somebody waits for it. */
static cudaError_t destroy(cudaStream_t handle)
{
    struct rt_stream *stream = handle == NULL ? NULL : rt_find_stream(handle);
    if (stream == NULL || stream->kind != STREAM_CREATED)
        return cudaErrorInvalidResourceHandle;
    clock_spend(COST_STREAM);
    rt_capture_forget_stream(stream);
    rt_queue_forget_stream(stream);
    for (struct rt_stream **at = &rt_state.streams; *at != NULL; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    rt_op_release(stream->tail);
    rt_node_set_clear(&stream->frontier);
    free(stream);
    return cudaSuccess;
}

API(cudaStreamCreate, (cudaStream_t * stream), CALL_NEEDS_DEVICE,
    create(stream, cudaStreamDefault, DEVICE_PRIORITY_LEAST))
API(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), CALL_NEEDS_DEVICE,
    create(stream, flags, DEVICE_PRIORITY_LEAST))
API(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
    CALL_NEEDS_DEVICE, create(stream, flags, priority))
API(cudaStreamDestroy, (cudaStream_t stream), CALL_NEEDS_DEVICE, destroy(stream))

/* ---- asking ---------------------------------------------------------------------------------- */

static cudaError_t get_priority(cudaStream_t handle, int *priority)
{
    const struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (priority == NULL)
        return cudaErrorInvalidValue;
    *priority = stream->priority;
    return cudaSuccess;
}

static cudaError_t get_flags(cudaStream_t handle, unsigned *flags)
{
    const struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (flags == NULL)
        return cudaErrorInvalidValue;
    *flags = stream->flags;
    return cudaSuccess;
}

static cudaError_t get_id(cudaStream_t handle, unsigned long long *id)
{
    const struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (id == NULL)
        return cudaErrorInvalidValue;
    *id = stream->id;
    return cudaSuccess;
}

static cudaError_t get_device(cudaStream_t handle, int *device)
{
    const struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (device == NULL)
        return cudaErrorInvalidValue;
    *device = stream->device;
    return cudaSuccess;
}

static cudaError_t query(cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t refused = rt_capture_refuses(stream);
    return refused != cudaSuccess ? refused : rt_query_stream(stream);
}

static cudaError_t synchronise(cudaStream_t handle)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t refused = rt_capture_refuses(stream);
    if (refused != cudaSuccess)
        return refused;
    const cudaError_t status = rt_finish_stream(stream);
    rt_pools_release(stream->device);
    return status;
}

API_STREAM(cudaStreamGetPriority, (cudaStream_t stream, int *priority), CALL_NEEDS_DEVICE,
    get_priority(stream, priority))
API_STREAM(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), CALL_NEEDS_DEVICE,
    get_flags(stream, flags))
API_STREAM(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id), CALL_NEEDS_DEVICE,
    get_id(stream, id))
API_STREAM(cudaStreamGetDevice, (cudaStream_t stream, int *device), CALL_NEEDS_DEVICE,
    get_device(stream, device))
API_STREAM(cudaStreamQuery, (cudaStream_t stream), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE,
    query(stream))
API_STREAM(cudaStreamSynchronize, (cudaStream_t stream), CALL_NEEDS_DEVICE | CALL_UNSAFE_IN_CAPTURE,
    synchronise(stream))

/* ---- attributes: kept, and without effect here ----------------------------------------------- */

static cudaError_t set_attribute(
    cudaStream_t handle, cudaStreamAttrID attribute, const cudaStreamAttrValue *value)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (value == NULL)
        return cudaErrorInvalidValue;
    if (attribute == cudaStreamAttributeAccessPolicyWindow)
        stream->access_policy = value->accessPolicyWindow;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
        stream->synchronisation_policy = (int)value->syncPolicy;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t get_attribute(
    cudaStream_t handle, cudaStreamAttrID attribute, cudaStreamAttrValue *value)
{
    const struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (value == NULL)
        return cudaErrorInvalidValue;
    if (attribute == cudaStreamAttributeAccessPolicyWindow)
        value->accessPolicyWindow = stream->access_policy;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
        value->syncPolicy = (enum cudaSynchronizationPolicy)stream->synchronisation_policy;
    else
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

API_STREAM(cudaStreamSetAttribute,
    (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value),
    CALL_NEEDS_DEVICE, set_attribute(stream, attribute, value))
API_STREAM(cudaStreamGetAttribute,
    (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value),
    CALL_NEEDS_DEVICE, get_attribute(stream, attribute, value))

/* ---- host functions -------------------------------------------------------------------------- */

static cudaError_t launch_host_function(cudaStream_t handle, cudaHostFn_t function, void *data)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (function == NULL)
        return cudaErrorInvalidValue;
    clock_spend(COST_COPY);
    struct rt_work work = {
        .kind = WORK_HOST_FUNCTION, .host = {.function = function, .data = data}};
    return rt_submit(stream, &work, NULL);
}

static cudaError_t add_callback(
    cudaStream_t handle, cudaStreamCallback_t callback, void *data, unsigned flags)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (callback == NULL || flags != 0)
        return cudaErrorInvalidValue;
    const cudaError_t refused = rt_capture_refuses(stream);
    if (refused != cudaSuccess)
        return refused;
    clock_spend(COST_COPY);
    struct rt_work work = {
        .kind = WORK_HOST_FUNCTION, .host = {.callback = callback, .stream = handle, .data = data}};
    return rt_submit(stream, &work, NULL);
}

API_STREAM(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data),
    CALL_NEEDS_DEVICE, launch_host_function(stream, function, data))
API_STREAM(cudaStreamAddCallback,
    (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags),
    CALL_NEEDS_DEVICE, add_callback(stream, callback, data, flags))
