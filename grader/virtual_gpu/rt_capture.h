/* Stream capture: calls on a stream become nodes of a graph instead of work. */
#ifndef VIRTUAL_GPU_RT_CAPTURE_H
#define VIRTUAL_GPU_RT_CAPTURE_H

#include "rt.h"
#include "rt_work.h"

/* An unsafe call (cudaMalloc, …) while this thread may not make it: the captures in the way are
 * invalidated and cudaErrorStreamCaptureUnsupported is returned. */
cudaError_t rt_capture_refuses_unsafe(void);

/* Work on a stream that captures. Takes over what the work owns. */
cudaError_t rt_capture_add(struct rt_stream *stream, struct rt_work *work);

/* The legacy stream is used while a blocking stream captures. */
cudaError_t rt_capture_refuses_legacy(const struct rt_stream *stream);

/* A call that a capturing stream cannot have: synchronise, query, callback. */
cudaError_t rt_capture_refuses(struct rt_stream *stream);
/* The whole device is synchronised while something captures. */
cudaError_t rt_capture_refuses_device(void);

/* An event that each launch of the graph is to record, or to wait for (cudaEventRecordExternal and
 * cudaEventWaitExternal): a node of that type. */
cudaError_t rt_capture_add_event(
    struct rt_stream *stream, struct rt_event *event, enum cudaGraphNodeType type);
cudaError_t rt_capture_record(struct rt_stream *stream, struct rt_event *event);
cudaError_t rt_capture_wait(struct rt_stream *stream, struct rt_event *event);
/* An event whose last record was captured is asked or waited for by the host. */
cudaError_t rt_capture_refuses_event(const struct rt_event *event);

void rt_capture_invalidate(struct rt_stream *stream);
void rt_capture_forget_stream(struct rt_stream *stream);

#endif
