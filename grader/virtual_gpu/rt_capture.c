/* Stream capture. A capture begins on one stream and spreads to others through events. */
#include "rt_capture.h"

#include "rt_graph.h"

#include <stdlib.h>

struct rt_capture {
    struct rt_capture *next;
    unsigned long long id;
    struct rt_graph *graph;
    struct rt_stream *origin;
    enum cudaStreamCaptureMode mode;
    const struct rt_thread *owner;
    bool invalid;
};

static unsigned long long next_id = 1;

void rt_node_set_add(struct rt_node_set *set, struct rt_node *node)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->nodes[i] == node)
            return;
    struct rt_node **nodes = realloc(set->nodes, (set->count + 1) * sizeof(struct rt_node *));
    if (nodes == NULL)
        abort();
    set->nodes = nodes;
    set->nodes[set->count++] = node;
}

void rt_node_set_clear(struct rt_node_set *set)
{
    free(set->nodes);
    *set = (struct rt_node_set){NULL, 0};
}

static void add_all(struct rt_node_set *to, const struct rt_node_set *from)
{
    for (size_t i = 0; i < from->count; i++)
        rt_node_set_add(to, from->nodes[i]);
}

static cudaError_t invalidate(struct rt_capture *capture, cudaError_t error)
{
    capture->invalid = true;
    return error;
}

/* ---- what a capture forbids ------------------------------------------------------------------ */

/* Only captures in the global mode, and the thread's own in the thread-local mode, mind. */
static bool minds_unsafe_calls(const struct rt_capture *capture)
{
    if (rt_thread.capture_mode == cudaStreamCaptureModeRelaxed || capture->invalid)
        return false;
    return capture->mode == cudaStreamCaptureModeGlobal ||
           (capture->mode == cudaStreamCaptureModeThreadLocal && capture->owner == &rt_thread);
}

cudaError_t rt_capture_refuses_unsafe(void)
{
    cudaError_t status = cudaSuccess;
    for (struct rt_capture *at = rt_state.captures; at != NULL; at = at->next)
        if (minds_unsafe_calls(at))
            status = invalidate(at, cudaErrorStreamCaptureUnsupported);
    if (status != cudaSuccess)
        rt_finding("capture", SEVERITY_WARNING,
            "%s is not allowed while a stream captures: the capture is invalid now",
            rt_thread.call->name);
    return status;
}

cudaError_t rt_capture_refuses_legacy(const struct rt_stream *stream)
{
    if (stream->kind != STREAM_LEGACY || rt_state.captures == NULL)
        return cudaSuccess;
    cudaError_t status = cudaSuccess;
    for (struct rt_stream *other = rt_state.streams; other != NULL; other = other->next)
        if (other->capture != NULL && other->device == stream->device && rt_stream_blocks(other))
            status = invalidate(other->capture, cudaErrorStreamCaptureImplicit);
    if (status != cudaSuccess)
        rt_finding("capture", SEVERITY_WARNING,
            "%s uses the default stream, which waits for a stream that captures: the capture is "
            "invalid now",
            rt_thread.call->name);
    return status;
}

cudaError_t rt_capture_refuses(struct rt_stream *stream)
{
    if (stream->capture != NULL)
        return invalidate(stream->capture, cudaErrorStreamCaptureUnsupported);
    return rt_capture_refuses_legacy(stream);
}

cudaError_t rt_capture_refuses_device(void)
{
    cudaError_t status = cudaSuccess;
    for (struct rt_capture *at = rt_state.captures; at != NULL; at = at->next)
        if (!at->invalid)
            status = invalidate(at, cudaErrorStreamCaptureUnsupported);
    return status;
}

cudaError_t rt_capture_refuses_event(const struct rt_event *event)
{
    if (!event->captured)
        return cudaSuccess;
    if (event->capture == NULL) /* its capture has ended */
        return cudaErrorInvalidValue;
    return invalidate(event->capture, cudaErrorCapturedEvent);
}

void rt_capture_invalidate(struct rt_stream *stream)
{
    if (stream->capture != NULL)
        stream->capture->invalid = true;
}

/* ---- what a capture collects ----------------------------------------------------------------- */

/* A node after all that the stream has so far. NULL when out of memory. */
static struct rt_node *append(
    struct rt_stream *stream, enum cudaGraphNodeType type, struct rt_work *work)
{
    struct rt_node *node = rt_add_node(
        stream->capture->graph, type, work, stream->frontier.nodes, stream->frontier.count);
    if (node == NULL)
        return NULL;
    rt_node_set_clear(&stream->frontier);
    rt_node_set_add(&stream->frontier, node);
    return node;
}

cudaError_t rt_capture_add(struct rt_stream *stream, struct rt_work *work)
{
    if (stream->capture->invalid) {
        rt_work_release(work);
        return cudaErrorStreamCaptureInvalidated;
    }
    if (work->kind == WORK_FREE) /* the memory stays, so that the graph can be launched again */
        *work = (struct rt_work){.kind = WORK_NOTHING};
    return append(stream, rt_node_type_of(work), work) == NULL ? cudaErrorMemoryAllocation
                                                               : cudaSuccess;
}

cudaError_t rt_capture_add_event(
    struct rt_stream *stream, struct rt_event *event, enum cudaGraphNodeType type)
{
    struct rt_work nothing = {.kind = WORK_NOTHING};
    if (stream->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    struct rt_node *node = append(stream, type, &nothing);
    if (node == NULL)
        return cudaErrorMemoryAllocation;
    node->event = event;
    return cudaSuccess;
}

cudaError_t rt_capture_record(struct rt_stream *stream, struct rt_event *event)
{
    if (stream->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    event->captured = true;
    event->capture = stream->capture;
    rt_node_set_clear(&event->frontier);
    add_all(&event->frontier, &stream->frontier);
    return cudaSuccess;
}

cudaError_t rt_capture_wait(struct rt_stream *stream, struct rt_event *event)
{
    if (event->captured && event->capture == NULL)
        return cudaErrorCapturedEvent;
    if (!event->captured)
        return event->op == NULL ? cudaSuccess
                                 : invalidate(stream->capture, cudaErrorStreamCaptureIsolation);
    if (event->capture->invalid)
        return cudaErrorStreamCaptureInvalidated;
    if (stream->kind == STREAM_LEGACY)
        return invalidate(event->capture, cudaErrorStreamCaptureImplicit);
    if (stream->capture != NULL && stream->capture != event->capture) {
        invalidate(stream->capture, cudaErrorStreamCaptureMerge);
        return invalidate(event->capture, cudaErrorStreamCaptureMerge);
    }
    stream->capture = event->capture;
    add_all(&stream->frontier, &event->frontier);
    return cudaSuccess;
}

/* ---- beginning and ending -------------------------------------------------------------------- */

static cudaError_t begin(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (stream->kind == STREAM_LEGACY)
        return cudaErrorStreamCaptureUnsupported;
    if (stream->capture != NULL)
        return cudaErrorIllegalState;
    struct rt_capture *capture = calloc(1, sizeof *capture);
    struct rt_graph *graph = rt_new_graph();
    if (capture == NULL || graph == NULL) {
        free(capture);
        rt_free_graph(graph);
        return cudaErrorMemoryAllocation;
    }
    *capture = (struct rt_capture){.next = rt_state.captures,
        .id = next_id++,
        .graph = graph,
        .origin = stream,
        .mode = mode,
        .owner = &rt_thread};
    rt_state.captures = capture;
    stream->capture = capture;
    return cudaSuccess;
}

/* Every stream that took part must have come back to the first one. */
static bool is_joined(const struct rt_capture *capture)
{
    for (const struct rt_stream *at = rt_state.streams; at != NULL; at = at->next) {
        if (at->capture != capture || at == capture->origin)
            continue;
        for (size_t i = 0; i < at->frontier.count; i++) {
            bool reached = false;
            for (size_t j = 0; j < capture->origin->frontier.count; j++)
                reached |=
                    rt_node_follows(capture->origin->frontier.nodes[j], at->frontier.nodes[i]);
            if (!reached)
                return false;
        }
    }
    return true;
}

static void dissolve(struct rt_capture *capture)
{
    for (struct rt_stream *at = rt_state.streams; at != NULL; at = at->next)
        if (at->capture == capture) {
            at->capture = NULL;
            rt_node_set_clear(&at->frontier);
        }
    for (struct rt_event *at = rt_first_event(); at != NULL; at = at->next)
        if (at->capture == capture)
            at->capture = NULL;
    for (struct rt_capture **at = &rt_state.captures; *at != NULL; at = &(*at)->next)
        if (*at == capture) {
            *at = capture->next;
            break;
        }
    free(capture);
}

static cudaError_t end(cudaStream_t handle, cudaGraph_t *graph)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (graph == NULL)
        return cudaErrorInvalidValue;
    struct rt_capture *capture = stream->capture;
    if (capture == NULL)
        return cudaErrorIllegalState;
    if (capture->origin != stream)
        return invalidate(capture, cudaErrorStreamCaptureUnmatched);
    if (capture->owner != &rt_thread && capture->mode != cudaStreamCaptureModeRelaxed)
        return cudaErrorStreamCaptureWrongThread;
    cudaError_t status = cudaSuccess;
    if (capture->invalid)
        status = cudaErrorStreamCaptureInvalidated;
    else if (!is_joined(capture))
        status = cudaErrorStreamCaptureUnjoined;
    *graph = NULL;
    if (status == cudaSuccess)
        *graph = (cudaGraph_t)capture->graph;
    else
        rt_free_graph(capture->graph);
    dissolve(capture);
    return status;
}

void rt_capture_forget_stream(struct rt_stream *stream)
{
    struct rt_capture *capture = stream->capture;
    if (capture == NULL)
        return;
    capture->invalid = true;
    if (capture->origin == stream) {
        rt_free_graph(capture->graph);
        dissolve(capture);
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

static enum cudaStreamCaptureStatus status_of(const struct rt_stream *stream)
{
    if (stream->capture == NULL)
        return cudaStreamCaptureStatusNone;
    return stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
}

static cudaError_t is_capturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (status == NULL)
        return cudaErrorInvalidValue;
    *status = status_of(stream);
    return rt_capture_refuses_legacy(stream);
}

struct capture_info {
    enum cudaStreamCaptureStatus *status;
    unsigned long long *id;
    cudaGraph_t *graph;
    const cudaGraphNode_t **needs;
    size_t *need_count;
};

static cudaError_t get_info(cudaStream_t handle, struct capture_info info)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    if (info.status == NULL)
        return cudaErrorInvalidValue;
    *info.status = status_of(stream);
    if (stream->capture == NULL || stream->capture->invalid)
        return cudaSuccess;
    if (info.id != NULL)
        *info.id = stream->capture->id;
    if (info.graph != NULL)
        *info.graph = (cudaGraph_t)stream->capture->graph;
    if (info.needs != NULL)
        *info.needs = (const cudaGraphNode_t *)stream->frontier.nodes;
    if (info.need_count != NULL)
        *info.need_count = stream->frontier.count;
    return cudaSuccess;
}

static cudaError_t exchange_mode(enum cudaStreamCaptureMode *mode)
{
    if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    const enum cudaStreamCaptureMode before = rt_thread.capture_mode;
    rt_thread.capture_mode = *mode;
    *mode = before;
    return cudaSuccess;
}

API_STREAM(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
    CALL_NEEDS_DEVICE, begin(stream, mode))
API_STREAM(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), CALL_NEEDS_DEVICE,
    end(stream, graph))
API_STREAM(cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status),
    CALL_NEEDS_DEVICE, is_capturing(stream, status))
API(cudaThreadExchangeStreamCaptureMode, (enum cudaStreamCaptureMode * mode), 0,
    exchange_mode(mode))
#define NO_EDGES (edges == NULL ? (void)0 : (void)(*edges = NULL))

#if CUDART_VERSION >= 13000
API_STREAM(cudaStreamGetCaptureInfo,
    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
        cudaGraph_t *graph, const cudaGraphNode_t **needs, const cudaGraphEdgeData **edges,
        size_t *need_count),
    CALL_NEEDS_DEVICE,
    (NO_EDGES, get_info(stream, (struct capture_info){status, id, graph, needs, need_count})))
#else
API_SYMBOL_STREAM(cudaStreamGetCaptureInfo,
    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id),
    CALL_NEEDS_DEVICE, get_info(stream, (struct capture_info){.status = status, .id = id}))
API_SYMBOL_STREAM(cudaStreamGetCaptureInfo_v2,
    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
        cudaGraph_t *graph, const cudaGraphNode_t **needs, size_t *need_count),
    CALL_NEEDS_DEVICE,
    get_info(stream, (struct capture_info){status, id, graph, needs, need_count}))
#if CUDART_VERSION >= 12030
API_SYMBOL_STREAM(cudaStreamGetCaptureInfo_v3,
    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
        cudaGraph_t *graph, const cudaGraphNode_t **needs, const cudaGraphEdgeData **edges,
        size_t *need_count),
    CALL_NEEDS_DEVICE,
    (NO_EDGES, get_info(stream, (struct capture_info){status, id, graph, needs, need_count})))
#endif
#endif
