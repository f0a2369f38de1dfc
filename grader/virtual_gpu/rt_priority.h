/* Priorities: a kernel of a more urgent stream does not wait for the end of a large one that is at
 * work. It takes the places of blocks that end; the blocks that have not begun come after it. */
#ifndef VIRTUAL_GPU_RT_PRIORITY_H
#define VIRTUAL_GPU_RT_PRIORITY_H

#include "rt_queue.h"

/* A batch is about to be timed: only kernels of one batch can change each other's times. */
void rt_priority_begin(void);

/* When the operation can start, `start` being the first time at which the engine is free. *pushed
 * receives the kernel that must give way for that, or NULL. */
uint64_t rt_priority_start(
    const struct rt_op *op, uint64_t ready, uint64_t start, struct rt_op **pushed);

/* The kernel gives way to one that runs from `start` on for `duration`: it ends later. */
void rt_priority_push(struct rt_op *pushed, uint64_t start, uint64_t duration, unsigned share);

/* The operation has got its times. */
void rt_priority_placed(struct rt_op *op);

#endif
