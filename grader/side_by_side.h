/* Several tasks at the same time, each supervised by a process of its own. */
#ifndef GRADER_SIDE_BY_SIDE_H
#define GRADER_SIDE_BY_SIDE_H

#include "grading.h"

/* Judges the one record of a grading. */
typedef void judge_function(struct grading *alone);

/* Calls judge() for a copy of each record, as many at a time as there are processors and memory,
 * and decided() after each one whose result has been put into `grading`. For a device whose clock
 * does not notice what else this machine does. A signal that asks the grader to stop ends it. */
void judge_side_by_side(
    struct grading *grading, judge_function *judge, void (*decided)(struct grading *grading));

#endif
