/* make profile: why a kernel takes the time it takes, from exact counts or from ncu's counters.
 *
 *     profile_run      one representative call of a task, counted
 *     profile_limiter  what probably limits a kernel, from its counts; profile_words says it
 *     profile_counts   the tables of the virtual GPU's counts; profile_lines those of the source
 *     profile_ncu      what ncu wrote down; profile_measured the tables of that
 *     profile_report   the whole report, on a profile_page of any width */
#ifndef GRADER_PROFILE_H
#define GRADER_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"
#include "outcome.h"
#include "task.h"
#include "virtual_gpu/vgpu.h"

/* One call of one task. */
struct profile {
    const struct task *task;
    enum verdict verdict;  /* of the values of this call; NOT_ATTEMPTED: there was none */
    char what[400];        /* what was wrong, one line, or "" */
    char elsewhere[200];   /* another case that was wrong, one line, or "" */
    char case_name[96];    /* of a correctness case, or "" */
    size_t n;              /* of the timed problem */
    double needed_bytes;   /* that any solution must move, or that the arrays hold */
    bool needed_is_stated; /* by the speed test */
    bool shows_baseline;   /* nothing is attempted: the call was that of the version to beat */
    size_t findings;       /* errors that the virtual GPU saw */
    uint64_t page_faults;  /* pages of managed memory that its kernels waited for */
    uint64_t began_ns, ended_ns; /* the call, on the virtual clock */

    size_t launch_calls;          /* kernels that the call launched itself, graphs aside */
    struct vgpu_launch *launches; /* with the counters of each */
    size_t launch_count;
    struct vgpu_line *lines; /* of the source, line 0 for a whole kernel */
    size_t line_count;
};

/* --profile=FILE --part=…: an exit code of verdict.h.
 *   list     prints the numbers of the chosen tasks; needs no device
 *   metrics  prints what ncu is to measure; needs none
 *   read     prints what ncu left in FILE.<task>.ncu and `run` in FILE.<task>.run; needs none
 *   timeline prints when the call of each task began and ended: virtual GPU only
 *   run      makes the call of one task between cudaProfilerStart and Stop
 *   device   only says whether there is one
 *   none     counts on the virtual GPU and prints */
bool profile_needs_no_device(void);
int profile_without_device(void);
int profile_on_device(const struct device_facts *device);

#endif
