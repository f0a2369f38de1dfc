/* How large the timed problem is, and the memory for it. */
#ifndef GRADER_TIMED_SIZE_H
#define GRADER_TIMED_SIZE_H

#include "timed_call.h"

/* Finds the size for the candidate, and a smaller one for a baseline that would take too long,
 * then opens the sets and the limit. `baseline_scale` receives the factor from the time of the
 * baseline's size to that of the candidate's. False: the measurement is over, and the result says
 * why. */
bool choose_size(
    struct bench *bench, struct timed_function functions[PARTIES], double *baseline_scale);

void bench_close(struct bench *bench);

#endif
