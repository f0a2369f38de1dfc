/* Events: records, waits across streams, and times. */
#include "rt.h"

#include "rt_capture.h"
#include "rt_graph.h"
#include "rt_pool.h"
#include "rt_queue.h"

#include <stdlib.h>

static struct rt_event *events;

struct rt_event *rt_find_event(cudaEvent_t handle)
{
    for (struct rt_event *event = events; event != NULL; event = event->next)
        if ((cudaEvent_t)event == handle)
            return event;
    return NULL;
}

struct rt_event *rt_first_event(void)
{
    return events;
}

static cudaError_t create(cudaEvent_t *handle, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (handle == NULL || (flags & ~known) != 0)
        return cudaErrorInvalidValue;
    struct rt_event *event = calloc(1, sizeof *event);
    if (event == NULL)
        return cudaErrorMemoryAllocation;
    event->device = rt_thread.device;
    event->flags = flags;
    event->next = events;
    events = event;
    *handle = (cudaEvent_t)event;
    clock_spend(COST_EVENT);
    return cudaSuccess;
}

/* Loops wait for the round before, and in their first round for nothing; but an event that is only
 * ever waited for before it is recorded orders nothing. */
void rt_event_check(const struct rt_event *event)
{
    if (event->waited_in_vain && !event->waited)
        rt_finding("wait", SEVERITY_WARNING,
            "cudaStreamWaitEvent waits for an event that was not recorded yet: it has no effect");
}

static cudaError_t destroy(cudaEvent_t handle)
{
    for (struct rt_event **at = &events; *at != NULL; at = &(*at)->next)
        if ((cudaEvent_t)*at == handle) {
            struct rt_event *event = *at;
            rt_event_check(event);
            rt_graphs_forget_event(event);
            clock_spend(COST_EVENT);
            *at = event->next;
            rt_op_release(event->op);
            rt_node_set_clear(&event->frontier);
            free(event);
            return cudaSuccess;
        }
    return cudaErrorInvalidResourceHandle;
}

static cudaError_t record(cudaEvent_t handle, cudaStream_t stream_handle, unsigned flags)
{
    struct rt_event *event = rt_find_event(handle);
    struct rt_stream *stream = rt_find_stream(stream_handle);
    if (event == NULL || stream == NULL || event->device != stream->device)
        return cudaErrorInvalidResourceHandle;
    if ((flags & ~(unsigned)cudaEventRecordExternal) != 0)
        return cudaErrorInvalidValue;
    clock_spend(COST_RECORD);
    if (stream->capture != NULL && flags == cudaEventRecordExternal)
        return rt_capture_add_event(stream, event, cudaGraphNodeTypeEventRecord);
    if (stream->capture != NULL)
        return rt_capture_record(stream, event);
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_op *op = NULL;
    const cudaError_t status = rt_submit(stream, &work, &op);
    if (status == cudaSuccess) {
        rt_op_release(event->op);
        event->op = op;
        event->captured = false;
        event->capture = NULL;
    }
    return status;
}

/* A wait for an event that was never recorded is no wait at all. */
static cudaError_t wait(cudaStream_t stream_handle, cudaEvent_t handle, unsigned flags)
{
    struct rt_stream *stream = rt_find_stream(stream_handle);
    struct rt_event *event = rt_find_event(handle);
    if (stream == NULL || event == NULL)
        return cudaErrorInvalidResourceHandle;
    if ((flags & ~(unsigned)cudaEventWaitExternal) != 0)
        return cudaErrorInvalidValue;
    clock_spend(COST_WAIT);
    if (stream->capture != NULL && flags == cudaEventWaitExternal)
        return rt_capture_add_event(stream, event, cudaGraphNodeTypeWaitEvent);
    if (stream->capture != NULL || event->captured)
        return rt_capture_wait(stream, event);
    event->waited |= event->op != NULL;
    event->waited_in_vain |= event->op == NULL;
    if (event->op == NULL)
        return cudaSuccess;
    const cudaError_t refused = rt_capture_refuses_legacy(stream);
    if (refused != cudaSuccess)
        return refused;
    struct rt_work work = {.kind = WORK_NOTHING};
    return rt_enqueue(stream, &work, &event->op, 1) == NULL ? cudaErrorMemoryAllocation
                                                            : cudaSuccess;
}

static cudaError_t query(cudaEvent_t handle)
{
    struct rt_event *event = rt_find_event(handle);
    if (event == NULL)
        return cudaErrorInvalidResourceHandle;
    cudaError_t refused = rt_capture_refuses_event(event);
    if (refused == cudaSuccess)
        refused = rt_capture_refuses_unsafe();
    return refused != cudaSuccess ? refused : rt_query(event->op);
}

static cudaError_t synchronise(cudaEvent_t handle)
{
    struct rt_event *event = rt_find_event(handle);
    if (event == NULL)
        return cudaErrorInvalidResourceHandle;
    cudaError_t refused = rt_capture_refuses_event(event);
    if (refused == cudaSuccess)
        refused = rt_capture_refuses_unsafe();
    if (refused != cudaSuccess)
        return refused;
    clock_spend(COST_SYNCHRONISE);
    const cudaError_t status = rt_finish(event->op);
    rt_pools_release(event->device);
    return status;
}

static cudaError_t elapsed(float *ms, cudaEvent_t start_handle, cudaEvent_t end_handle)
{
    const struct rt_event *start = rt_find_event(start_handle), *end = rt_find_event(end_handle);
    if (ms == NULL)
        return cudaErrorInvalidValue;
    if ((start != NULL && start->captured) || (end != NULL && end->captured))
        return cudaErrorInvalidValue;
    if (start == NULL || end == NULL || start->op == NULL || end->op == NULL ||
        start->device != end->device || ((start->flags | end->flags) & cudaEventDisableTiming) != 0)
        return cudaErrorInvalidResourceHandle;
    cudaError_t status = rt_query(start->op);
    if (status == cudaSuccess)
        status = rt_query(end->op);
    if (status == cudaSuccess)
        *ms = (float)(((double)end->op->end_ns - (double)start->op->end_ns) * 1e-6);
    return status;
}

API(cudaEventCreate, (cudaEvent_t * event), CALL_NEEDS_DEVICE, create(event, cudaEventDefault))
API(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), CALL_NEEDS_DEVICE,
    create(event, flags))
API(cudaEventDestroy, (cudaEvent_t event), CALL_NEEDS_DEVICE, destroy(event))
API_STREAM(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), CALL_NEEDS_DEVICE,
    record(event, stream, 0))
API_STREAM(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
    CALL_NEEDS_DEVICE, record(event, stream, flags))
API_STREAM(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
    CALL_NEEDS_DEVICE, wait(stream, event, flags))
API(cudaEventQuery, (cudaEvent_t event), CALL_NEEDS_DEVICE, query(event))
API(cudaEventSynchronize, (cudaEvent_t event), CALL_NEEDS_DEVICE, synchronise(event))
API(cudaEventElapsedTime, (float *ms, cudaEvent_t start, cudaEvent_t end), CALL_NEEDS_DEVICE,
    elapsed(ms, start, end))
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
API_SYMBOL(cudaEventElapsedTime_v2, (float *ms, cudaEvent_t start, cudaEvent_t end),
    CALL_NEEDS_DEVICE, elapsed(ms, start, end))
#endif
