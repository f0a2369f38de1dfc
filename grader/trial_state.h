/* What trial.c, trial_call.c and trial_expect.c share. Internal to them. */
#ifndef GRADER_TRIAL_STATE_H
#define GRADER_TRIAL_STATE_H

#include "trial.h"
#include "virtual_gpu/vgpu.h"

enum { TRIAL_ARRAYS_MAX = 16, CASE_NAME_BYTES = 72 };

struct trial {
    const struct task *task;
    void *function;
    struct outcome *outcome; /* verdict VERDICT_NONE while everything holds */
    uint64_t run_seed;       /* of the whole run: SEED=, or from CASE= */
    size_t try_size;         /* of `make try`; 0: a normal grading */

    char wanted[CASE_NAME_BYTES]; /* the only case to run; empty: all */
    bool wanted_in_stream;        /* that, and then once more in a stream of the caller's */
    char name[CASE_NAME_BYTES];   /* of the case that runs now */
    bool in_case;
    bool in_stream;      /* the stream case of the task runs now, after all others */
    bool inputs_printed; /* of this case, by make try */
    size_t cases, calls; /* begun so far in the task */

    struct largest_case *largest; /* found so far by a survey; NULL: this is none */
    struct outcome first_failure; /* of a survey */

    struct array arrays[TRIAL_ARRAYS_MAX];
    size_t array_count;
    cudaStream_t stream;            /* of the case; NULL: the default stream */
    void *queued[TRIAL_ARRAYS_MAX]; /* what the stream puts into the arrays; device */
    struct ledger ledger;
    bool counted; /* the virtual GPU counted the last call */
    struct vgpu_counters counters;
};

/* "n1000003-r3-seed7f3a": what CASE= takes. */
void trial_case_id(const struct trial *trial, char *text, size_t bytes);

/* Sets the verdict, unless there is one already: diagnosis, case, cause. Returns true if it did;
 * the caller then fills in first, where and right. */
bool trial_judge(struct trial *trial, enum verdict verdict, const char *diagnosis);

/* Prints the inputs (once a case), the output and the expected values. */
void print_try(struct trial *trial, const struct expectation *expectation);

#endif
