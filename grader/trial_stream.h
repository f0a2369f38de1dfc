/* A case in a stream of the caller's. Internal to the trial.
 *
 * The arrays hold junk when the candidate is called. What they should hold is queued in the stream,
 * behind a delay; and what counts as output is what another piece of work would find that is queued
 * there after the call. So all work of the candidate has to come after what the stream had before,
 * and before what it gets later: by being queued there, by events, or by a host that waits. */
#ifndef GRADER_TRIAL_STREAM_H
#define GRADER_TRIAL_STREAM_H

#include <cuda_runtime_api.h>

#include "trial.h"

/* When the case begins: a stream that does not wait for the default one, nor that for it. */
cudaError_t stream_open(struct trial *trial);

/* Before each call, when the arrays have their contents: takes them away again, and queues them. */
cudaError_t stream_give(struct trial *trial);

/* After each call: fetches the outputs through the stream into the grader's copies. */
cudaError_t stream_fetch(struct trial *trial);

/* At the end of the case. */
void stream_close(struct trial *trial);

#endif
