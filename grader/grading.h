/* One candidate being graded: what supervisor.c sets up, judging.c fills, report.c prints. */
#ifndef GRADER_GRADING_H
#define GRADER_GRADING_H

#include "record.h"
#include "test_process.h"

struct grading {
    struct run_facts facts;
    bool virtual_pass; /* each task also runs on the virtual GPU: safety comes from there */
    struct record records[TASKS_MAX];
    char outputs[TASKS_MAX][OUTPUT_KEPT_BYTES + 1]; /* what the candidate printed */
    size_t count;
};

/* Runs the correctness test of every chosen task, then the timings of all that were right,
 * and reports each task when it is decided. */
void judge_all(struct grading *grading);

/* A verdict that the supervisor itself gives, with the cause that belongs to the diagnosis. */
void set_verdict(struct outcome *outcome, enum verdict verdict, const char *diagnosis);

#endif
