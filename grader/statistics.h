/* What a series of timings proves: medians, their intervals, and when a series proves nothing.
 * Pure functions on numbers; no CUDA, no clock, no files. Times are nanoseconds of one call. */
#ifndef GRADER_STATISTICS_H
#define GRADER_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

enum { PAIRS_MAX = 63, IDLES_MAX = 3 * PAIRS_MAX };

/* NaN if there are no values, or if one of them is NaN. At most IDLES_MAX values. */
double median(const double *values, size_t count);

/* Distance between the quartiles over the median. */
double relative_iqr(const double *values, size_t count);

/* The order statistics (1 = smallest) between which the true median lies with a probability of
 * at least 95 %, whatever the distribution. Below 6 values no two do: then the smallest and the
 * largest. */
struct ranks {
    size_t low, high;
};
struct ranks median_ranks(size_t count);

struct interval {
    double median, low, high;
};
struct interval median_interval(const double *values, size_t count);

/* One attempt: pair k is one call of each of the three, on the same contents, close together. */
struct samples {
    size_t pairs, idles;
    double baseline_ns[PAIRS_MAX], candidate_ns[PAIRS_MAX], limit_ns[PAIRS_MAX];
    double idle_ns[IDLES_MAX]; /* an empty launch and a synchronise before each of them */
    double idle_minimum_ns;    /* of the whole run, earlier attempts included */
};

enum fault {
    NO_FAULT,
    FAULT_CLOCK,          /* a time that is not a positive number */
    FAULT_NOISY_BASELINE, /* its quartiles lie too far apart */
    FAULT_DRIFT,          /* its last third differs from its first */
    FAULT_SHARED_GPU,     /* empty launches take long: somebody else uses the GPU */
};

/* The share of the limit that this device demands: the gate, but a speed-up over the baseline of
 * at least 1.1 unless the baseline itself reaches the gate, which hides the difference. */
struct device_gate {
    double share;
    double speedup; /* the same as a speed-up over the baseline; never below 1.1 */
    bool hidden;
};
struct device_gate gate_on_device(double gate, double baseline_ns, double limit_ns);
/* The same where the gate is a share of what can be hidden: of the time by which the baseline exceeds
 * the limit. Where that is next to nothing, the device hides the difference. */
struct device_gate overlap_gate_on_device(double gate, double baseline_ns, double limit_ns);

struct rules {
    double gate;              /* of the limit, or over the baseline where it is the limit */
    bool baseline_is_limit;   /* then nothing is too fast to be true */
    bool overlap;             /* shares are of what can be hidden, see above */
    double baseline_iqr_max;  /* 0.10, more for baselines that are noisy by nature */
    double idle_ns_max;       /* of the median empty launch on a GPU of one's own; 0: unknown */
    size_t early_pairs;       /* stop here if all lie far on one side; 0: never */
    size_t pairs, more_pairs; /* decide here, and for the last time here */
};

enum fault samples_fault(const struct samples *samples, const struct rules *rules);

enum outcome {
    TAKE_MORE,
    REACHES_GATE,
    MISSES_GATE,
    INVALID,      /* judgement.fault says why: begin another attempt */
    BEYOND_LIMIT, /* faster than the device can be: a fault of measurement, or a trick */
    UNDECIDED,    /* the interval still contains the gate */
};

struct judgement {
    enum outcome outcome;
    enum fault fault;
    struct interval share; /* of the limit */
    struct device_gate gate;
};

/* Judges an attempt after each pair. `no_more`: there is no time for another pair. */
struct judgement judge(const struct samples *samples, const struct rules *rules, bool no_more);

#endif
