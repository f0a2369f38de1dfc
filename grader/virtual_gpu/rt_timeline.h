/* A record of what the device did when: VGPU_TIMELINE=FILE appends a line for every operation that
 * got its times, with tabs between
 *
 *   operation  device  stream  engine  start  end  bytes  name
 *
 * in nanoseconds of the virtual clock. The stream is "0" for the default stream, "t" for a thread's
 * own, otherwise its number among those that the program made; the engine is "in", "out", "kernel",
 * "fill", "copy" (within the device) or "host". A line "mark  TIME" says that the program that
 * judges begins or ends something (vgpu_clear, vgpu_findings). grader/tools/timeline.sh draws it. */
#ifndef VIRTUAL_GPU_RT_TIMELINE_H
#define VIRTUAL_GPU_RT_TIMELINE_H

#include "rt_queue.h"

/* Before the operation's work is released. */
void rt_timeline_add(const struct rt_op *op);
void rt_timeline_mark(void);

#endif
