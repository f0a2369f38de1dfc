/* How much is measured, and how carefully: all that differs between the GPU and the virtual one. */
#ifndef GRADER_SAMPLING_PLAN_H
#define GRADER_SAMPLING_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sampling_plan {
    /* Size of the problem. */
    size_t working_set_bytes; /* at least this much, and at least this multiple of the L2 */
    unsigned l2_multiple;
    size_t link_set_bytes;     /* where the link to the host is the limit: no cache is in the way */
    uint64_t limit_ns_min;     /* grown until the limit takes this long */
    int sweep_calls;           /* of each shape of the limit; the shortest counts */
    size_t sweep_bytes_max;    /* that such a call moves */
    size_t compute_set_bytes;  /* where the baseline is the limit: at most this much */
    size_t probe_bytes;        /* first size at which a function's speed is estimated */
    uint64_t baseline_ns_max;  /* a slower baseline runs a smaller problem */
    uint64_t candidate_ns_max; /* a slower candidate is not measured at all */
    uint64_t call_ns_max;      /* no call is made that is expected to take longer */

    /* Samples. */
    size_t early_pairs, pairs, more_pairs; /* see struct rules in statistics.h */
    int attempts;
    uint64_t sampling_ns_max; /* all attempts together */
    uint64_t warm_up_ns_max;  /* per function */
    size_t calls_before;      /* of the candidate, untimed: what it makes once is made */
    double idle_ns_max;       /* see struct rules; 0 on the virtual GPU, which nobody shares */

    bool quieten;  /* take the machine's lock, flush the L2, forbid persisting lines */
    bool modelled; /* times come from a model */
};

struct sampling_plan sampling_plan_for(bool virtual_gpu);

#endif
