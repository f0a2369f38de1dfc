/* Judging one task in this process. */
#ifndef GRADER_WORKER_H
#define GRADER_WORKER_H

#include "outcome.h"
#include "task.h"

/* The function of the contract that the candidate defines for this task; NULL with a sentence in
 * `problem` if it cannot be loaded or has none. */
void *open_candidate(const struct task *task, char *problem, size_t problem_bytes);

/* Opens the candidate, runs every case of the task, fills the outcome. */
void judge_task(const struct task *task, struct outcome *outcome);

#endif
