/* How a task is timed: baseline, candidate and this GPU's own limit, in alternation.
 * What a lesson says of its task is struct speed_test; all else happens behind measure(). */
#ifndef GRADER_MEASURE_H
#define GRADER_MEASURE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device_limits.h"
#include "residence.h"

enum { TIMED_ARRAYS_MAX = 6 };

/* One problem of the timed size. The homework says how many arrays it needs and how large;
 * they are allocated between guard zones, in two sets that are used in rotation. */
struct timed_problem {
    size_t n;                        /* the homework's measure of size */
    void *arrays[TIMED_ARRAYS_MAX];  /* 256-byte aligned */
    size_t counts[TIMED_ARRAYS_MAX]; /* elements of 4 bytes */
    uint64_t seed;                   /* changes from pair to pair */
    double facts[4];                 /* whatever prepare() learns and verify() needs */
};

struct speed_test {
    enum limit_kind limit;
    double gate; /* the share of the limit that must be reached; 0: times are shown, not judged */
    /* With LIMIT_LESSON: shares are of the time that can be hidden, (baseline - candidate) /
     * (baseline - limit). */
    bool overlap;
    double star; /* the share, or speed-up over the baseline, that is praised; 0: 0.9 of a limit */
    const char *baseline_name; /* "one chunk a thread" */

    /* Elements of array k for problem size n; 0 ends the list. Outputs are marked in `outputs`.
     * Never more for a smaller n. */
    size_t (*array_count)(size_t n, int k);
    unsigned outputs; /* bit k: array k is an output (poisoned before each call) */
    unsigned updated; /* bit k: array k is changed in place: an input whose contents may change */
    unsigned kept;    /* bit k: array k is scratch: zeroed once, then left alone;
                                        * candidate and baseline each have their own */
    enum residence residence[TIMED_ARRAYS_MAX]; /* of array k: not named, it is on the device */

    /* Bytes that any solution must move, for the limit: reads plus writes. */
    size_t (*bytes)(const struct timed_problem *problem);
    /* n such that the arrays take about this many bytes. */
    size_t (*size_for)(size_t bytes);

    /* New contents from problem->seed, outside the measured time: by kernels, also where the array
     * lies on the host. */
    cudaError_t (*prepare)(struct timed_problem *problem);
    /* The measured call: `function` is the candidate's or the baseline's. */
    cudaError_t (*call)(void *function, const struct timed_problem *problem);
    /* True if the whole output is right; runs outside the measured time, on the device.
     * Otherwise writes what is wrong, one line, into `text`. */
    bool (*verify)(const struct timed_problem *problem, char *text, size_t text_bytes);

    /* LIMIT_LESSON: queues one run of what the candidate is compared with, on the same arrays
     * (its outputs are poisoned before and not looked at), and its name: "best of this sweep". */
    cudaError_t (*limit_call)(const struct timed_problem *problem);
    const char *limit_label;

    /* Largest distance between the quartiles of the baseline's times over their median: 0 means
     * the usual 0.10; baselines that are noisy by nature (page faults, launches) need more. */
    double baseline_iqr_max;
};

/* What was measured, for the report and the result record. Plain data: it travels from the test
 * to the supervisor. Times are nanoseconds of one call. */
struct speed_result {
    int verdict;        /* enum verdict: PASS, TOO_SLOW, INCONCLUSIVE, or a correctness verdict */
    char diagnosis[48]; /* "" for PASS */
    char text[160];     /* what was wrong, too slow or too noisy, one line */
    char note[160];     /* what else the reader should know of this measurement, or "" */
    double gate, share, share_low, share_high;  /* of the limit: median and its interval */
    double speedup, speedup_needed;             /* over the baseline, on this device, in this run */
    double baseline_ns, candidate_ns, limit_ns; /* medians, for the whole problem */
    double limit_gb_s, candidate_gb_s;
    double expected_ns; /* of one call of a candidate that is far too slow to be measured; else 0 */
    double idle_ns;     /* of an empty launch and a synchronise before the calls: the median */
    double bytes;
    size_t n, baseline_n; /* sizes; a slow baseline ran a smaller one, and its time was scaled */
    int pairs, attempts;
    bool modelled;                 /* by the virtual clock instead of measured */
    bool gpu_hides_the_difference; /* the baseline itself reaches the gate on this card */
};

/* "copy bandwidth", or what the lesson calls its limit. */
const char *speed_limit_name(const struct speed_test *test);

/* Times one task, in about a second or two. Uses at most a quarter of the free device memory. */
struct speed_result measure(const struct speed_test *test, void *candidate, void *baseline);

#endif
