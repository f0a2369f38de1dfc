/* Memory pools: what they hold, and what it costs to get it and to give it back. */
#ifndef VIRTUAL_GPU_RT_POOL_H
#define VIRTUAL_GPU_RT_POOL_H

#include <stddef.h>

struct rt_pool;

/* From which cudaMallocAsync takes memory of a device. */
struct rt_pool *rt_pool_current(int device);
int rt_pool_device(const struct rt_pool *pool);

/* `size` bytes are taken from a pool, which gets more from its device if it holds too little; are
 * put back, for whom the pool may give them next; and are not bound any more, when the stream in
 * which they were freed has got there. Only then may the device have them, and a pool that was
 * destroyed end. Spends the time of that. */
void rt_pool_take(struct rt_pool *pool, size_t size);
void rt_pool_put(struct rt_pool *pool, size_t size);
void rt_pool_unbind(struct rt_pool *pool, size_t size);

/* After the host has waited for a stream, an event or the device: the pools of the device give back
 * what nobody uses, beyond their release thresholds. Spends the time of that. */
void rt_pools_release(int device);

/* Of a device that was reset, when all its memory is unbound. */
void rt_pools_forget(int device);

#endif
