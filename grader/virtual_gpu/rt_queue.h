/* The queues of streams. Work runs as late as the rules of CUDA allow: when the host waits for it,
 * asks for it, or needs its result. Forgotten synchronisation then gives wrong data every time.
 */
#ifndef VIRTUAL_GPU_RT_QUEUE_H
#define VIRTUAL_GPU_RT_QUEUE_H

#include "rt.h"
#include "rt_order.h"
#include "rt_work.h"

struct rt_op {
    struct rt_op *older, *newer; /* all operations not yet run, in the order of submission */
    unsigned references;
    struct rt_work work;
    struct rt_stream *stream; /* NULL once the stream is gone */
    int device, priority;
    const char *call; /* that submitted it */
    enum rt_stream_kind stream_kind;
    unsigned long long stream_number;
    struct rt_clock clock;
    uint64_t sequence;
    struct rt_op **waits; /* must have run before; owned references */
    size_t wait_count;
    bool done, timed;
    bool was_forecast;                /* had a place in time before it ran */
    size_t untimed_waits, first_edge; /* while a batch is timed */
    bool in_graph; /* started by the device, without the cost of a launch of its own */
    uint64_t submitted_ns, start_ns, end_ns; /* start and end once timed */
    struct rt_outcome outcome;
};

struct rt_op_list {
    struct rt_op **ops;
    size_t count, room;
};
void rt_op_push(struct rt_op_list *list, struct rt_op *op);
void rt_op_drop_waits(struct rt_op *op);

/* Gives times to operations that have run, and empties the list; it held a reference to each.
 *   queued   operations that are still to run, with forecasts of their times: they take their
 *            places beside the others for as long as that takes
 *   horizon  no operation that is still to run was submitted before this time */
void rt_time_batch(struct rt_op_list *batch, const struct rt_op_list *queued, uint64_t horizon);

/* A time that was given may be far off, and why: a sentence without its full stop, the first that
 * came since the last rt_time_forget_unknown; NULL when none did. */
void rt_time_is_unknown(const char *why);
const char *rt_time_unknown(void);
void rt_time_forget_unknown(void);

/* When the operation, which is one of `queued`, will probably have ended. */
uint64_t rt_time_forecast(
    const struct rt_op *op, const struct rt_op_list *queued, uint64_t horizon);

/* Queues the work behind everything the stream already has, or adds it to the graph that the stream
 * captures. Takes over what the work owns, also on failure. *made, unless NULL, receives the
 * operation (with a reference), or NULL when it was captured. */
cudaError_t rt_submit(struct rt_stream *stream, struct rt_work *work, struct rt_op **made);

/* Queues without looking at captures, after `waits` too. Returns NULL when memory is out. The
 * operation belongs to the queue; rt_op_hold for a reference of one's own. */
struct rt_op *rt_enqueue(
    struct rt_stream *stream, struct rt_work *work, struct rt_op *const *waits, size_t wait_count);
/* The same, but after `waits` only and without becoming the stream's last: for graphs. */
struct rt_op *rt_enqueue_detached(
    struct rt_stream *stream, struct rt_work *work, struct rt_op *const *waits, size_t wait_count);

struct rt_op *rt_op_hold(struct rt_op *op);
void rt_op_release(struct rt_op *op);

/* Runs an operation and what it depends on, nothing else. */
void rt_run(struct rt_op *op);
/* Runs it and lets the virtual host wait for its end; NULL is done already. */
cudaError_t rt_finish(struct rt_op *op);
cudaError_t rt_finish_stream(struct rt_stream *stream);
cudaError_t rt_finish_device(int device);
cudaError_t rt_finish_everything(void);
/* Runs all that is queued; the virtual host does not wait. */
void rt_run_everything(void);
bool rt_work_is_queued(void);
const struct rt_op *rt_queue_oldest(void); /* then its `newer`: what has not run */
/* Of the operation that is submitted next. */
uint64_t rt_queue_next_sequence(void);
/* Does something queued touch the allocation, as far as arguments tell? */
bool rt_queue_concerns(const struct allocation *allocation);
/* cudaErrorNotReady while the modelled end lies ahead of the virtual host clock. */
cudaError_t rt_query(struct rt_op *op);
cudaError_t rt_query_stream(const struct rt_stream *stream);

/* The stream is about to end; what it queued stays queued. */
void rt_queue_forget_stream(const struct rt_stream *stream);

/* Forgets everything queued (the process ends, the device was reset). */
void rt_drop_queued(void);

#endif
