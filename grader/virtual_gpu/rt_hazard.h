/* Hazards between streams: two operations that nothing orders, of which one writes bytes that the
 * other reads or writes. Noticed by what each touched when it ran, to the byte. */
#ifndef VIRTUAL_GPU_RT_HAZARD_H
#define VIRTUAL_GPU_RT_HAZARD_H

#include "rt_queue.h"

/* Before the operation's work is released, and right after it has run. `seen_soon`: the host is
 * about to wait for its end. */
void rt_hazard_look(struct rt_op *op, bool seen_soon);

/* What the host knows to have ended needs not be remembered any more. */
void rt_hazard_forget_past(void);
/* Everything, the reported ones too. */
void rt_hazard_forget_all(void);
void rt_hazard_forget_reported(void);

#endif
