/* How long a launch would take on the virtual device, an H200 cut to 8 SMs: a model, fitted to what
 * an H200 needs for the kernels of tests/times/. README.md says how it works. */
#ifndef VIRTUAL_GPU_KERNEL_TIME_H
#define VIRTUAL_GPU_KERNEL_TIME_H

#include "trace.h"

/* From the counters and traces of a launch that has ended. */
double kernel_time_ns(const struct launch *launch, struct kernel_bounds *bounds);

/* ---- the second-level cache, which outlives launches ----------------------------------------- */

/* A launch touches sectors of a line for the first time. Returns those that it must fetch. */
uint8_t kernel_time_touch(struct launch *launch, uint32_t line, uint8_t sectors, bool is_store);

#endif
