/* The call that a profile shows: the timed problem of the task, or a correctness case. */
#ifndef GRADER_PROFILE_RUN_H
#define GRADER_PROFILE_RUN_H

#include "profile.h"

/* Opens the candidate, makes the call, fills the profile. On the virtual GPU with its counters; on
 * a real one the call is made between cudaProfilerStart and cudaProfilerStop. */
void profile_run(const struct task *task, bool is_virtual, struct profile *profile);

void profile_free(struct profile *profile);

#endif
