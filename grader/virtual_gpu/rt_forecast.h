/* How long work will take that has not run yet: exactly for copies and fills, and for a kernel as
 * long as it took before. Work runs late, but the device would have started it at once; so what is
 * queued takes its place beside what has run when that is given its times. */
#ifndef VIRTUAL_GPU_RT_FORECAST_H
#define VIRTUAL_GPU_RT_FORECAST_H

#include "rt_work.h"

struct rt_outcome rt_forecast(const struct rt_work *work);

/* A kernel has run. */
void rt_forecast_learn(const struct rt_work *work, const struct rt_outcome *outcome);

#endif
