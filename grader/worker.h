/* Judging one task in this process. */
#ifndef GRADER_WORKER_H
#define GRADER_WORKER_H

#include "outcome.h"
#include "task.h"

/* Opens the candidate, runs every case of the task, fills the outcome. */
void judge_task(const struct task *task, struct outcome *outcome);

#endif
