/* Times of operations that have run, on the virtual clock.
 *
 * Running and timing are two steps. An operation runs when somebody needs it; those that ran
 * together are then given their times, in the order in which the device would have started them.
 * What is queued but has not run would have been started, too: it takes its place with a forecast
 * of its duration, which is given up again when the others have their times.
 */
#include "rt_queue.h"
#include "rt_priority.h"
#include "rt_timeline.h"

#include <stdlib.h>

static const char *unknown;

void rt_time_is_unknown(const char *why)
{
    if (unknown == NULL)
        unknown = why;
}

const char *rt_time_unknown(void)
{
    return unknown;
}

void rt_time_forget_unknown(void)
{
    unknown = NULL;
}

static uint64_t ready_ns(const struct rt_op *op)
{
    uint64_t ready = op->submitted_ns;
    for (size_t i = 0; i < op->wait_count; i++)
        if (op->waits[i]->end_ns > ready)
            ready = op->waits[i]->end_ns;
    return ready;
}

static bool starts_before(
    const struct rt_op *a, uint64_t a_start, const struct rt_op *b, uint64_t b_start)
{
    if (a_start != b_start)
        return a_start < b_start;
    return a->priority != b->priority ? a->priority < b->priority : a->sequence < b->sequence;
}

/* What was forecast had a place between others that were timed before it. It may be a little longer
 * than forecast, or ready a little later, and still takes that place. */
static uint64_t needed_ns(const struct rt_op *op)
{
    const uint64_t duration = op->outcome.duration_ns;
    return op->was_forecast ? duration - duration / 8 : duration;
}

enum { COMPARED_MAX = 64 }; /* of very many that are ready, only the oldest are looked at */

static uint64_t start_of(const struct rt_op *op, struct rt_op **pushed)
{
    const uint64_t ready = ready_ns(op);
    return rt_priority_start(op, ready,
        clock_first_fit(op->device, op->outcome.engine, ready, needed_ns(op), op->outcome.share),
        pushed);
}

/* The operation that the device starts next: the first possible, the more urgent, the older. */
static size_t choose_next(const struct rt_op_list *ready)
{
    size_t best = 0;
    uint64_t best_start = 0;
    for (size_t i = 0; i < ready->count && i < COMPARED_MAX; i++) {
        const struct rt_op *op = ready->ops[i];
        struct rt_op *pushed;
        const uint64_t start = start_of(op, &pushed);
        if (i == 0 || starts_before(op, start, ready->ops[best], best_start)) {
            best = i;
            best_start = start;
        }
    }
    return best;
}

/* Places the operation: for good if it has run, else provisionally. */
static void time_one(struct rt_op *op)
{
    struct rt_op *pushed;
    op->start_ns = start_of(op, &pushed);
    op->end_ns = op->start_ns + op->outcome.duration_ns;
    op->was_forecast |= !op->done;
    if (pushed != NULL)
        rt_priority_push(pushed, op->start_ns, op->outcome.duration_ns, op->outcome.share);
    if (op->done)
        clock_book(op->device, op->outcome.engine, op->start_ns, op->end_ns, op->outcome.share);
    else
        clock_book_provisionally(
            op->device, op->outcome.engine, op->start_ns, op->end_ns, op->outcome.share);
    rt_priority_placed(op);
}

static int by_sequence(const void *a, const void *b)
{
    const struct rt_op *left = *(struct rt_op *const *)a, *right = *(struct rt_op *const *)b;
    return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

/* Operation `after` waits for another one. */
struct edge {
    struct rt_op *after;
    size_t next; /* edge of the same earlier operation; 0: none */
};

/* Counts for every operation what it still waits for, and links those that wait for it. */
static struct edge *link_all(const struct rt_op_list *all)
{
    size_t count = 1, used = 1;
    for (size_t i = 0; i < all->count; i++)
        count += all->ops[i]->wait_count;
    struct edge *edges = malloc(count * sizeof *edges);
    if (edges == NULL)
        abort();
    for (size_t i = 0; i < all->count; i++) {
        struct rt_op *op = all->ops[i];
        for (size_t j = 0; j < op->wait_count; j++) {
            struct rt_op *before = op->waits[j];
            if (before->timed)
                continue;
            op->untimed_waits++;
            edges[used] = (struct edge){op, before->first_edge};
            before->first_edge = used++;
        }
    }
    return edges;
}

static void take_from(struct rt_op_list *list, size_t at)
{
    for (size_t i = at + 1; i < list->count; i++)
        list->ops[i - 1] = list->ops[i];
    list->count--;
}

/* What is still to be timed was submitted no earlier than the oldest of it. *first is the position
 * in the batch from which the search for that goes on. */
static void forget_what_is_past(const struct rt_op_list *batch, size_t *first, uint64_t horizon)
{
    while (*first < batch->count && batch->ops[*first]->timed)
        ++*first;
    if (*first < batch->count && batch->ops[*first]->submitted_ns < horizon)
        horizon = batch->ops[*first]->submitted_ns;
    clock_forget_before(horizon);
}

/* The batch, and what is queued, if there is a batch that could be disturbed. */
static void gather(
    struct rt_op_list *all, const struct rt_op_list *batch, const struct rt_op_list *queued)
{
    all->count = 0;
    for (size_t i = 0; i < batch->count; i++)
        rt_op_push(all, batch->ops[i]);
    for (size_t i = 0; batch->count > 0 && i < queued->count; i++)
        rt_op_push(all, queued->ops[i]);
    if (all->count > 1)
        qsort(all->ops, all->count, sizeof all->ops[0], by_sequence);
}

/* Places operations in the order of their starts: until `count` of those that have run have their
 * times, and `wanted` its place, if it is not NULL.
 *   horizon  as for rt_time_batch() */
static void place(
    struct rt_op_list *all, size_t count, const struct rt_op *wanted, uint64_t horizon)
{
    enum { FORGET_EVERY = 32 };
    static struct rt_op_list ready;
    rt_priority_begin();
    struct edge *edges = link_all(all);
    ready.count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->ops[i]->untimed_waits == 0)
            rt_op_push(&ready, all->ops[i]);
    for (size_t timed = 0, first = 0; timed < count || wanted != NULL;) {
        if (timed % FORGET_EVERY == 0)
            forget_what_is_past(all, &first, horizon);
        const size_t next = choose_next(&ready);
        struct rt_op *op = ready.ops[next];
        take_from(&ready, next);
        time_one(op);
        op->timed = op->done;
        timed += op->done;
        wanted = wanted == op ? NULL : wanted;
        for (size_t edge = op->first_edge; edge != 0; edge = edges[edge].next)
            if (--edges[edge].after->untimed_waits == 0)
                rt_op_push(&ready, edges[edge].after);
    }
    free(edges);
    clock_free_provisional();
    for (size_t i = 0; i < all->count; i++) {
        all->ops[i]->untimed_waits = 0;
        all->ops[i]->first_edge = 0;
    }
}

static void let_go(struct rt_op_list *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        rt_timeline_add(batch->ops[i]);
        rt_op_drop_waits(batch->ops[i]);
        rt_work_release(&batch->ops[i]->work);
        rt_op_release(batch->ops[i]);
    }
    batch->count = 0;
}

void rt_time_batch(struct rt_op_list *batch, const struct rt_op_list *queued, uint64_t horizon)
{
    static struct rt_op_list all;
    gather(&all, batch, queued);
    place(&all, batch->count, NULL, horizon);
    let_go(batch);
}

uint64_t rt_time_forecast(const struct rt_op *op, const struct rt_op_list *queued, uint64_t horizon)
{
    struct rt_op_list all = *queued;
    place(&all, 0, op, horizon);
    return op->end_ns;
}
