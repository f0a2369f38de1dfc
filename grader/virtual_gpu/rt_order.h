/* Which operations are ordered: by streams, events, edges of graphs, and a host that waited.
 *
 * Operations form chains, in each of which one comes after the other: mostly a chain is a stream,
 * and parallel branches of a graph have their own. An operation knows how far in every chain the
 * operations lie that come before it (a vector clock).
 */
#ifndef VIRTUAL_GPU_RT_ORDER_H
#define VIRTUAL_GPU_RT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct rt_op;

struct rt_clock {
    uint32_t chain, tick; /* the operation's own place; chain RT_NO_CHAIN: not followed */
    uint32_t *seen;       /* by chain: the latest tick that comes before, or is this one; owned */
    uint32_t chains;
};
#define RT_NO_CHAIN UINT32_MAX

/* Gives the operation its place, once all that it waits for is known. */
void rt_order_submit(struct rt_op *op);
void rt_order_release(struct rt_op *op);

/* Does one come before the other? True, too, when that is not known. */
bool rt_order_known(const struct rt_op *a, const struct rt_op *b);

/* The host knows that the operation has ended; or that all have. */
void rt_order_host_saw(const struct rt_op *op);
void rt_order_host_saw_all(void);
bool rt_order_host_knows(const struct rt_op *op);

/* The stream is gone; who waits for its device, or for all its streams, waits for its work too. */
void rt_order_stream_ends(const struct rt_op *tail, int device);
void rt_order_host_saw_ended_streams(int device);

/* Was everything that was ever submitted in one order? */
bool rt_order_is_total(void);

#endif
