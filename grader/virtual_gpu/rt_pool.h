/* Memory pools: what they hold, and what it costs to get it and to give it back. */
#ifndef VIRTUAL_GPU_RT_POOL_H
#define VIRTUAL_GPU_RT_POOL_H

#include <stddef.h>

struct rt_pool;

/* From which cudaMallocAsync takes memory of a device. */
struct rt_pool *rt_pool_current(int device);

/* `size` bytes are taken from a pool, which gets more from its device if it holds too little, or are
 * put back. Spends the time of that. A pool that was destroyed meanwhile is left alone. */
void rt_pool_take(struct rt_pool *pool, size_t size);
void rt_pool_put(struct rt_pool *pool, size_t size);

/* After the host has waited for a stream, an event or the device: the pools of the device give back
 * what nobody uses, beyond their release thresholds. Spends the time of that. */
void rt_pools_release(int device);

/* Of a device that was reset. */
void rt_pools_forget(int device);

#endif
