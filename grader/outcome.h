/* What one task's correctness test found. Plain data: it travels from the test to the supervisor. */
#ifndef GRADER_OUTCOME_H
#define GRADER_OUTCOME_H

#include <stddef.h>

#include "verdict.h"

/* One counter gate: the worst case of all that were judged. */
enum { COSTS_KEPT = 4 };
struct cost {
    char what[48]; /* "sectors a load request" */
    double value, most;
};

struct outcome {
    enum verdict verdict; /* PASS, or what was wrong with the values or the calls */
    char diagnosis[48];   /* stable id, empty for PASS */
    char case_id[96];     /* of the case that failed: what CASE= of make replay takes */
    char what[120];       /* the case in words: "n = 1,000,003, threads = 256" may be empty */
    char first[200];      /* "index 253 = block 0, thread 253      got 70    expected 94" */
    char where[160];      /* "23,436 wrong: the last 3 of every block" */
    char right[160];      /* what is already right */
    char cause[400];      /* the likely cause, from the diagnosis table */
    size_t cases_passed;
    bool shown; /* make try has printed arrays of the case */

    /* PASS, or INEFFICIENT where an exact count of the virtual GPU misses a gate (cost.h): it costs
     * the points for speed only. */
    enum verdict efficiency;
    char efficiency_diagnosis[48];
    char efficiency_case_id[96];
    char efficiency_text[200];
    char efficiency_cause[400];
    struct cost costs[COSTS_KEPT]; /* what was counted; an empty `what` ends the list */

    enum verdict safety; /* PASS, or the first safety finding: it costs the safety points only */
    char safety_diagnosis[48];
    char safety_case_id[96];
    char safety_text[400]; /* what was found, where */
    char safety_cause[400];
};

#endif
