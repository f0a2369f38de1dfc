/* See rt_order.h. */
#include "rt_order.h"

#include "rt_queue.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS_MAX = 256 };

static uint32_t chain_count;
static uint32_t newest[CHAINS_MAX];                  /* tick of the last operation of each chain */
static uint32_t host[CHAINS_MAX];                    /* what the host knows to have ended */
static uint32_t ended[DEVICE_COUNT_MAX][CHAINS_MAX]; /* what streams had that are gone */

static void merge(uint32_t *into, const uint32_t *from, uint32_t chains)
{
    for (uint32_t i = 0; i < chains; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

static bool has_seen(const struct rt_clock *clock, uint32_t chain, uint32_t tick)
{
    return chain < clock->chains && clock->seen[chain] >= tick;
}

/* A chain whose last operation comes before everything that `seen` allows; the operation's own
 * predecessors first. */
static uint32_t choose_chain(const struct rt_op *op, const uint32_t *seen)
{
    for (size_t i = op->wait_count; i-- > 0;) {
        const struct rt_clock *before = &op->waits[i]->clock;
        if (before->chain != RT_NO_CHAIN && newest[before->chain] == before->tick)
            return before->chain;
    }
    for (uint32_t i = 0; i < chain_count; i++)
        if (seen[i] >= newest[i])
            return i;
    return chain_count < CHAINS_MAX ? chain_count++ : RT_NO_CHAIN;
}

void rt_order_submit(struct rt_op *op)
{
    uint32_t seen[CHAINS_MAX];
    memcpy(seen, host, sizeof seen);
    for (size_t i = 0; i < op->wait_count; i++)
        merge(seen, op->waits[i]->clock.seen, op->waits[i]->clock.chains);
    if (op->stream != NULL && op->stream->kind == STREAM_LEGACY)
        merge(seen, ended[op->device], chain_count);
    const uint32_t chain = choose_chain(op, seen);
    op->clock = (struct rt_clock){.chain = chain, .chains = chain_count};
    if (chain != RT_NO_CHAIN)
        seen[chain] = op->clock.tick = ++newest[chain];
    op->clock.seen = malloc((chain_count + 1) * sizeof *seen);
    if (op->clock.seen == NULL)
        abort();
    memcpy(op->clock.seen, seen, chain_count * sizeof *seen);
}

void rt_order_release(struct rt_op *op)
{
    free(op->clock.seen);
    op->clock.seen = NULL;
    op->clock.chains = 0;
}

bool rt_order_known(const struct rt_op *a, const struct rt_op *b)
{
    const struct rt_clock *x = &a->clock, *y = &b->clock;
    return x->chain == RT_NO_CHAIN || y->chain == RT_NO_CHAIN || has_seen(x, y->chain, y->tick) ||
           has_seen(y, x->chain, x->tick);
}

void rt_order_host_saw(const struct rt_op *op)
{
    if (op != NULL)
        merge(host, op->clock.seen, op->clock.chains);
}

void rt_order_host_saw_all(void)
{
    memcpy(host, newest, sizeof host);
}

bool rt_order_host_knows(const struct rt_op *op)
{
    return op->clock.chain == RT_NO_CHAIN || host[op->clock.chain] >= op->clock.tick;
}

void rt_order_stream_ends(const struct rt_op *tail, int device)
{
    if (tail != NULL)
        merge(ended[device], tail->clock.seen, tail->clock.chains);
}

void rt_order_host_saw_ended_streams(int device)
{
    merge(host, ended[device], chain_count);
}

bool rt_order_is_total(void)
{
    return chain_count <= 1;
}
