/* Times of operations that have run, on the virtual clock.
 *
 * Running and timing are two steps. An operation runs when somebody needs it; those that ran
 * together are then given their times, in the order in which the device would have started them.
 */
#include "rt_queue.h"

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

enum { COMPARED_MAX = 64 }; /* of very many that are ready, only the oldest are looked at */

/* The operation that the device starts next: the first possible, the more urgent, the older. */
static size_t choose_next(const struct rt_op_list *ready)
{
    size_t best = 0;
    uint64_t best_start = 0;
    for (size_t i = 0; i < ready->count && i < COMPARED_MAX; i++) {
        const struct rt_op *op = ready->ops[i];
        const uint64_t start = clock_first_fit(op->device, op->outcome.engine, ready_ns(op),
            op->outcome.duration_ns, op->outcome.share);
        if (i == 0 || starts_before(op, start, ready->ops[best], best_start)) {
            best = i;
            best_start = start;
        }
    }
    return best;
}

static void time_one(struct rt_op *op)
{
    op->start_ns = clock_place(
        op->device, op->outcome.engine, ready_ns(op), op->outcome.duration_ns, op->outcome.share);
    op->end_ns = op->start_ns + op->outcome.duration_ns;
    op->timed = true;
    rt_op_drop_waits(op);
    rt_work_release(&op->work);
}

static int by_sequence(const void *a, const void *b)
{
    const struct rt_op *left = *(struct rt_op *const *)a, *right = *(struct rt_op *const *)b;
    return left->sequence < right->sequence ? -1 : left->sequence > right->sequence;
}

/* Operation `after` of the batch waits for another one of it. */
struct edge {
    struct rt_op *after;
    size_t next; /* edge of the same earlier operation; 0: none */
};

/* Counts for every operation what it still waits for, and links those that wait for it. */
static struct edge *link_batch(const struct rt_op_list *batch)
{
    size_t count = 1, used = 1;
    for (size_t i = 0; i < batch->count; i++)
        count += batch->ops[i]->wait_count;
    struct edge *edges = malloc(count * sizeof *edges);
    if (edges == NULL)
        abort();
    for (size_t i = 0; i < batch->count; i++) {
        struct rt_op *op = batch->ops[i];
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

void rt_time_batch(struct rt_op_list *batch, uint64_t horizon)
{
    enum { FORGET_EVERY = 32 };
    static struct rt_op_list ready;
    if (batch->count > 1)
        qsort(batch->ops, batch->count, sizeof batch->ops[0], by_sequence);
    struct edge *edges = link_batch(batch);
    for (size_t i = 0; i < batch->count; i++)
        if (batch->ops[i]->untimed_waits == 0)
            rt_op_push(&ready, batch->ops[i]);
    for (size_t timed = 0, first = 0; ready.count > 0; timed++) {
        if (timed % FORGET_EVERY == 0)
            forget_what_is_past(batch, &first, horizon);
        const size_t next = choose_next(&ready);
        struct rt_op *op = ready.ops[next];
        take_from(&ready, next);
        time_one(op);
        for (size_t edge = op->first_edge; edge != 0; edge = edges[edge].next)
            if (--edges[edge].after->untimed_waits == 0)
                rt_op_push(&ready, edges[edge].after);
    }
    free(edges);
    for (size_t i = 0; i < batch->count; i++)
        rt_op_release(batch->ops[i]);
    batch->count = 0;
}
