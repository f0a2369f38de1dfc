/* Queued operations: dependencies, and running as late as they allow. */
#include "rt_queue.h"

#include "rt_capture.h"
#include "rt_forecast.h"
#include "rt_hazard.h"
#include "rt_managed.h"
#include "rt_poll.h"

#include <stdlib.h>
#include <string.h>

enum { QUEUED_MAX = 1024 }; /* a stream that holds more runs what it has, as a full queue would */

static struct rt_op *oldest, *newest;
static uint64_t next_sequence;

/* ---- lists and references -------------------------------------------------------------------- */

void rt_op_push(struct rt_op_list *list, struct rt_op *op)
{
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 64 : 2 * list->room;
        struct rt_op **ops = realloc(list->ops, room * sizeof(struct rt_op *));
        if (ops == NULL)
            abort();
        list->ops = ops;
        list->room = room;
    }
    list->ops[list->count++] = op;
}

struct rt_op *rt_op_hold(struct rt_op *op)
{
    if (op != NULL)
        op->references++;
    return op;
}

void rt_op_drop_waits(struct rt_op *op)
{
    for (size_t i = 0; i < op->wait_count; i++)
        rt_op_release(op->waits[i]);
    free(op->waits);
    op->waits = NULL;
    op->wait_count = 0;
}

void rt_op_release(struct rt_op *op)
{
    if (op == NULL || --op->references > 0)
        return;
    rt_op_drop_waits(op);
    rt_work_release(&op->work);
    rt_order_release(op);
    free(op);
}

/* Off the list of what has not run. */
static void unlink_op(struct rt_op *op)
{
    if (op->older != NULL)
        op->older->newer = op->newer;
    else
        oldest = op->newer;
    if (op->newer != NULL)
        op->newer->older = op->older;
    else
        newest = op->older;
    op->older = op->newer = NULL;
    if (op->stream != NULL)
        op->stream->queued--;
}

/* ---- submitting ------------------------------------------------------------------------------ */

static bool add_wait(struct rt_op *op, struct rt_op *before)
{
    if (before == NULL)
        return true;
    for (size_t i = 0; i < op->wait_count; i++)
        if (op->waits[i] == before)
            return true;
    struct rt_op **waits = realloc(op->waits, (op->wait_count + 1) * sizeof(struct rt_op *));
    if (waits == NULL)
        return false;
    op->waits = waits;
    op->waits[op->wait_count++] = rt_op_hold(before);
    return true;
}

static struct rt_op_list ended; /* last operations of blocking streams that are gone; held */

static void forget_ended(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < ended.count; i++)
        if (ended.ops[i]->done)
            rt_op_release(ended.ops[i]);
        else
            ended.ops[kept++] = ended.ops[i];
    ended.count = kept;
}

/* The legacy stream waits for all blocking streams of its device, and they for it. */
static bool add_legacy_waits(struct rt_op *op, const struct rt_stream *stream)
{
    if (!rt_stream_blocks(stream))
        return true;
    if (stream->kind != STREAM_LEGACY)
        return add_wait(op, rt_legacy_stream(stream->device)->tail);
    for (struct rt_stream *other = rt_state.streams; other != NULL; other = other->next)
        if (other->device == stream->device && rt_stream_blocks(other) &&
            !add_wait(op, other->tail))
            return false;
    forget_ended();
    for (size_t i = 0; i < ended.count; i++)
        if (ended.ops[i]->device == stream->device && !add_wait(op, ended.ops[i]))
            return false;
    return true;
}

static struct rt_op *new_op(struct rt_stream *stream, struct rt_work *work)
{
    struct rt_op *op = calloc(1, sizeof *op);
    if (op == NULL) {
        rt_work_release(work);
        return NULL;
    }
    op->references = 1; /* the queue's, given back when it has run and is timed */
    op->work = *work;
    work->kind = WORK_NOTHING;
    op->stream = stream;
    op->call = rt_thread.call->name;
    op->stream_kind = stream->kind;
    op->stream_number = stream->number;
    op->device = stream->device;
    op->priority = stream->priority;
    op->sequence = next_sequence++;
    op->submitted_ns = clock_now();
    op->older = newest;
    if (newest != NULL)
        newest->newer = op;
    else
        oldest = op;
    newest = op;
    stream->queued++;
    rt_managed_close();
    rt_poll_note_work();
    return op;
}

static struct rt_op *give_up(struct rt_op *op)
{
    unlink_op(op);
    rt_op_release(op);
    return NULL;
}

static struct rt_op *new_op_after(
    struct rt_stream *stream, struct rt_work *work, struct rt_op *const *waits, size_t wait_count)
{
    struct rt_op *op = new_op(stream, work);
    for (size_t i = 0; op != NULL && i < wait_count; i++)
        if (!add_wait(op, waits[i]))
            return give_up(op);
    return op;
}

struct rt_op *rt_enqueue_detached(
    struct rt_stream *stream, struct rt_work *work, struct rt_op *const *waits, size_t wait_count)
{
    struct rt_op *op = new_op_after(stream, work, waits, wait_count);
    if (op != NULL)
        rt_order_submit(op);
    return op;
}

struct rt_op *rt_enqueue(
    struct rt_stream *stream, struct rt_work *work, struct rt_op *const *waits, size_t wait_count)
{
    if (stream->queued >= QUEUED_MAX)
        rt_run(stream->tail);
    struct rt_op *op = new_op_after(stream, work, waits, wait_count);
    if (op == NULL)
        return NULL;
    if (!add_wait(op, stream->tail) || !add_legacy_waits(op, stream))
        return give_up(op);
    rt_order_submit(op);
    rt_op_release(stream->tail);
    stream->tail = rt_op_hold(op);
    if (rt_state.eager)
        rt_run(op);
    return op;
}

cudaError_t rt_submit(struct rt_stream *stream, struct rt_work *work, struct rt_op **made)
{
    if (made != NULL)
        *made = NULL;
    if (stream->capture != NULL)
        return rt_capture_add(stream, work);
    const cudaError_t refused = rt_capture_refuses_legacy(stream);
    if (refused != cudaSuccess) {
        rt_work_release(work);
        return refused;
    }
    struct rt_op *op = rt_enqueue(stream, work, NULL, 0);
    if (op == NULL)
        return cudaErrorMemoryAllocation;
    if (made != NULL)
        *made = rt_op_hold(op);
    return cudaSuccess;
}

/* ---- running --------------------------------------------------------------------------------- */

static struct rt_op_list batch; /* ran, but not yet timed */
static bool host_waits;         /* for what runs now */

/* A kernel of a graph is started by the device. */
static void without_launch(struct rt_op *op)
{
    if (op->in_graph && op->work.kind == WORK_KERNEL && op->outcome.duration_ns > 0)
        op->outcome.duration_ns = op->outcome.duration_ns - clock_cost_ns(COST_KERNEL_LEAST) +
                                  clock_cost_ns(COST_GRAPH_NODE);
}

static void run_one(struct rt_op *op)
{
    rt_managed_begin_work(op->sequence);
    if (rt_state.lost == cudaSuccess)
        op->outcome = rt_work_run(&op->work, op->device);
    else
        op->outcome = (struct rt_outcome){rt_state.lost, ENGINE_NONE, 0, 0, 0};
    rt_forecast_learn(&op->work, &op->outcome);
    without_launch(op);
    op->done = true;
    unlink_op(op);
    rt_hazard_look(op, host_waits);
    if (op->work.kind == WORK_HOST_FUNCTION)
        rt_order_host_saw(op);
    rt_op_push(&batch, op);
}

static struct rt_op *first_undone_wait(const struct rt_op *op)
{
    for (size_t i = 0; i < op->wait_count; i++)
        if (!op->waits[i]->done)
            return op->waits[i];
    return NULL;
}

static void run_with_needs(struct rt_op *op)
{
    struct rt_op_list stack = {NULL, 0, 0};
    rt_op_push(&stack, op);
    while (stack.count > 0) {
        struct rt_op *top = stack.ops[stack.count - 1];
        struct rt_op *needed = top->done ? NULL : first_undone_wait(top);
        if (needed != NULL) {
            rt_op_push(&stack, needed);
            continue;
        }
        if (!top->done)
            run_one(top);
        stack.count--;
    }
    free(stack.ops);
}

/* What has not run, but the device would be at it; with forecasts. */
static const struct rt_op_list *queued_with_forecasts(void)
{
    enum { QUEUED_TIMED_MAX = 256 };
    static struct rt_op_list queued;
    queued.count = 0;
    for (struct rt_op *op = oldest; op != NULL && queued.count < QUEUED_TIMED_MAX; op = op->newer) {
        op->outcome = rt_forecast(&op->work);
        without_launch(op);
        rt_op_push(&queued, op);
    }
    return &queued;
}

static void time_batch(void)
{
    rt_time_batch(
        &batch, queued_with_forecasts(), oldest == NULL ? clock_now() : oldest->submitted_ns);
    if (oldest == NULL)
        rt_managed_open();
}

/* ---- waiting --------------------------------------------------------------------------------- */

void rt_run(struct rt_op *op)
{
    if (op == NULL || op->done)
        return;
    rt_op_hold(op);
    run_with_needs(op);
    time_batch();
    rt_op_release(op);
}

/* There is one clock for the host. When two threads of it wait, what the second queued meanwhile has
 * been given a time after the first one's wait, though both may have run side by side. */
static void note_who_waits(void)
{
    static const struct rt_thread *first;
    if (first == NULL)
        first = &rt_thread;
    else if (first != &rt_thread)
        rt_time_is_unknown("several threads of the host waited");
}

/* The host waits for a moment on the device's side. */
static void wait_for(uint64_t end_ns)
{
    if (end_ns <= clock_now())
        return;
    note_who_waits();
    clock_wait_until(end_ns);
    clock_spend(COST_NOTICE);
}

cudaError_t rt_finish(struct rt_op *op)
{
    if (op == NULL)
        return rt_state.lost;
    rt_op_hold(op);
    host_waits = true;
    rt_run(op);
    host_waits = false;
    rt_order_host_saw(op);
    if (oldest == NULL)
        rt_hazard_forget_past();
    wait_for(op->end_ns);
    const cudaError_t error = op->outcome.error;
    rt_op_release(op);
    return rt_state.lost != cudaSuccess ? rt_state.lost : error;
}

cudaError_t rt_finish_stream(struct rt_stream *stream)
{
    clock_spend(COST_SYNCHRONISE);
    if (stream->kind != STREAM_LEGACY)
        return rt_finish(stream->tail);
    cudaError_t status = rt_state.lost;
    for (struct rt_stream *other = rt_state.streams; other != NULL; other = other->next)
        if (other->device == stream->device && rt_stream_blocks(other)) {
            const cudaError_t one = rt_finish(other->tail);
            status = status == cudaSuccess ? one : status;
        }
    return status;
}

void rt_run_everything(void)
{
    while (newest != NULL)
        run_with_needs(newest);
    time_batch();
    rt_order_host_saw_all(); /* it may have looked at memory that the device wrote */
}

uint64_t rt_queue_next_sequence(void)
{
    return next_sequence;
}

bool rt_work_is_queued(void)
{
    return newest != NULL;
}

const struct rt_op *rt_queue_oldest(void)
{
    return oldest;
}

static bool overlaps(const struct allocation *a, uintptr_t start, size_t bytes)
{
    return start < a->address + a->size && a->address < start + bytes;
}

/* Whether a kernel may touch an allocation is known by its arguments; variables of the program
 * need none. */
static bool kernel_concerns(const struct rt_kernel_work *kernel, const struct allocation *a)
{
    if (a->site == NULL)
        return true;
    for (size_t at = 0; at + sizeof(uint64_t) <= kernel->param_bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)kernel->params + at, sizeof word);
        if (overlaps(a, word, 1))
            return true;
    }
    return false;
}

static bool work_concerns(const struct rt_work *work, const struct allocation *a)
{
    const struct rt_copy_work *copy = &work->copy;
    const struct rt_fill_work *fill = &work->fill;
    switch (work->kind) {
    case WORK_KERNEL:
        return kernel_concerns(&work->kernel, a);
    case WORK_COPY:
        return overlaps(a, copy->target, copy->width) || overlaps(a, copy->source, copy->width);
    case WORK_FILL:
        return overlaps(a, fill->target, fill->width);
    default:
        return false;
    }
}

bool rt_queue_concerns(const struct allocation *allocation)
{
    for (const struct rt_op *op = oldest; op != NULL; op = op->newer)
        if (work_concerns(&op->work, allocation))
            return true;
    return false;
}

/* The same device as for finish_all(). */
static void host_saw_device(int device)
{
    if (device < 0)
        rt_order_host_saw_all();
    for (const struct rt_stream *at = rt_state.streams; at != NULL; at = at->next)
        if (at->device == device)
            rt_order_host_saw(at->tail);
    if (device >= 0)
        rt_order_host_saw_ended_streams(device);
    if (oldest == NULL)
        rt_hazard_forget_past();
}

/* Runs everything on the device (-1: on all), the newest first as far as dependencies allow: what
 * the program did not order comes in the order that it least expects. */
static cudaError_t finish_all(int device)
{
    clock_spend(COST_SYNCHRONISE);
    cudaError_t status = rt_state.lost;
    host_waits = true;
    for (struct rt_op *op = newest; op != NULL;) {
        if (device >= 0 && op->device != device) {
            op = op->older;
            continue;
        }
        run_with_needs(op);
        op = newest;
    }
    host_waits = false;
    host_saw_device(device);
    for (size_t i = 0; i < batch.count; i++)
        if (status == cudaSuccess)
            status = batch.ops[i]->outcome.error;
    time_batch();
    uint64_t end_ns = 0;
    for (struct rt_stream *stream = rt_state.streams; stream != NULL; stream = stream->next)
        if (stream->tail != NULL && stream->tail->timed && stream->tail->end_ns > end_ns &&
            (device < 0 || stream->device == device))
            end_ns = stream->tail->end_ns;
    wait_for(end_ns);
    return rt_state.lost != cudaSuccess ? rt_state.lost : status;
}

cudaError_t rt_finish_device(int device)
{
    return finish_all(device);
}

cudaError_t rt_finish_everything(void)
{
    return finish_all(-1);
}

/* A query executes nothing, unless the work should have ended by now. */
static bool is_under_way(const struct rt_op *op)
{
    if (op->done)
        return op->end_ns > clock_now();
    const struct rt_op_list *queued = queued_with_forecasts();
    for (size_t i = 0; i < queued->count; i++)
        if (queued->ops[i] == op)
            return rt_time_forecast(op, queued, oldest->submitted_ns) > clock_now();
    return false; /* behind so much that nothing is forecast for it */
}

static cudaError_t query(struct rt_op *op)
{
    if (op == NULL)
        return rt_state.lost;
    if (rt_state.lost == cudaSuccess && is_under_way(op))
        return cudaErrorNotReady;
    rt_run(op);
    if (rt_state.lost != cudaSuccess)
        return rt_state.lost;
    if (op->end_ns > clock_now())
        return cudaErrorNotReady;
    rt_order_host_saw(op);
    return op->outcome.error;
}

cudaError_t rt_query(struct rt_op *op)
{
    clock_spend(COST_QUERY);
    return query(op);
}

cudaError_t rt_query_stream(const struct rt_stream *stream)
{
    clock_spend(COST_QUERY);
    if (stream->kind != STREAM_LEGACY)
        return query(stream->tail);
    cudaError_t status = rt_state.lost;
    for (const struct rt_stream *other = rt_state.streams; other != NULL; other = other->next)
        if (status == cudaSuccess && other->device == stream->device && rt_stream_blocks(other))
            status = query(other->tail);
    return status;
}

void rt_drop_queued(void)
{
    while (newest != NULL) {
        struct rt_op *op = newest;
        op->outcome = (struct rt_outcome){cudaSuccess, ENGINE_NONE, 0, 0, 0};
        op->done = op->timed = true;
        op->end_ns = clock_now();
        unlink_op(op);
        rt_op_drop_waits(op);
        rt_work_release(&op->work);
        rt_op_release(op);
    }
    rt_order_host_saw_all();
    rt_hazard_forget_all();
    rt_managed_open();
}

void rt_queue_forget_stream(const struct rt_stream *stream)
{
    if (rt_stream_blocks(stream)) {
        rt_order_stream_ends(stream->tail, stream->device);
        if (stream->tail != NULL)
            rt_op_push(&ended, rt_op_hold(stream->tail));
        forget_ended();
    }
    for (struct rt_op *op = oldest; op != NULL; op = op->newer)
        if (op->stream == stream)
            op->stream = NULL;
}
