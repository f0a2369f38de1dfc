/* Order statistics: they need no assumption on how timings are distributed. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COVERAGE_MIN 0.95
#define SPEEDUP_MIN 1.1     /* less is no lesson learnt */
#define TOLERANCE 0.97      /* how far below the gate the interval of a pass may reach */
#define EARLY_PASS 1.25     /* all of the first pairs above this multiple of the gate */
#define EARLY_FAIL 0.8      /* all of them below this one */
#define BEYOND 1.2          /* no program is this much faster than the limit */
#define DRIFT_MAX 0.10      /* between the medians of the first and the last third */
#define BUSY 3.0            /* an empty launch that takes this multiple of the shortest */
#define BUSY_SHARE_MAX 0.25 /* of the empty launches */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* False if there is no order: no values, too many, or a NaN among them. */
static bool sort_into(double *sorted, const double *values, size_t count)
{
    if (count == 0 || count > IDLES_MAX)
        return false;
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return false;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    return true;
}

/* Between the order statistics, linearly: 0 is the smallest value, 1 the largest. */
static double quantile(const double *sorted, size_t count, double position)
{
    double place = position * (double)(count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

double median(const double *values, size_t count)
{
    double sorted[IDLES_MAX];
    return sort_into(sorted, values, count) ? quantile(sorted, count, 0.5) : NAN;
}

double relative_iqr(const double *values, size_t count)
{
    double sorted[IDLES_MAX];

    if (!sort_into(sorted, values, count))
        return NAN;
    double spread = quantile(sorted, count, 0.75) - quantile(sorted, count, 0.25);
    return spread / quantile(sorted, count, 0.5);
}

struct ranks median_ranks(size_t count)
{
    /* The median lies below order statistic r when fewer than r values fall below it: a binomial
     * tail with probability 1/2, and the same on the other side. */
    double term = ldexp(1.0, -(int)count), tail = 0.0;
    size_t rank = 0;

    for (size_t k = 0; k < count / 2; k++) {
        tail += term;
        if (1.0 - 2.0 * tail < COVERAGE_MIN)
            break;
        rank = k + 1;
        term *= (double)(count - k) / (double)(k + 1);
    }
    if (rank == 0)
        rank = 1;
    return (struct ranks){.low = rank, .high = count + 1 - rank};
}

struct interval median_interval(const double *values, size_t count)
{
    double sorted[IDLES_MAX];

    if (!sort_into(sorted, values, count))
        return (struct interval){NAN, NAN, NAN};
    struct ranks ranks = median_ranks(count);
    return (struct interval){.median = quantile(sorted, count, 0.5),
        .low = sorted[ranks.low - 1],
        .high = sorted[ranks.high - 1]};
}

static bool all_positive(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] > 0.0) || isinf(values[i]))
            return false;
    return true;
}

/* A baseline that is noisy by nature, because the host sets its pace, may change as much over time. */
static bool drifts(const double *values, size_t count, double iqr_max)
{
    size_t third = count / 3;

    if (third == 0)
        return false;
    double first = median(values, third), last = median(values + count - third, third);
    return fabs(last - first) > fmax(DRIFT_MAX, iqr_max) * median(values, count);
}

/* Who waits that long before every launch waits for the kernels of somebody else, and so do the baseline
 * and most limits: then shares say nothing. */
static bool shared(const struct samples *samples, double idle_ns_max)
{
    size_t busy = 0;

    if (idle_ns_max > 0 && median(samples->idle_ns, samples->idles) > idle_ns_max)
        return true;
    for (size_t i = 0; i < samples->idles; i++)
        busy += samples->idle_ns[i] > BUSY * samples->idle_minimum_ns;
    return (double)busy > BUSY_SHARE_MAX * (double)samples->idles;
}

enum fault samples_fault(const struct samples *samples, const struct rules *rules)
{
    const double baseline_iqr_max = rules->baseline_iqr_max;
    size_t pairs = samples->pairs;

    if (!all_positive(samples->baseline_ns, pairs) || !all_positive(samples->candidate_ns, pairs) ||
        !all_positive(samples->limit_ns, pairs) || !all_positive(samples->idle_ns, samples->idles))
        return FAULT_CLOCK;
    /* A shared GPU makes the baseline noisy too; it is the more helpful thing to say. */
    if (shared(samples, rules->idle_ns_max))
        return FAULT_SHARED_GPU;
    if (drifts(samples->baseline_ns, pairs, baseline_iqr_max))
        return FAULT_DRIFT;
    if (relative_iqr(samples->baseline_ns, pairs) > baseline_iqr_max)
        return FAULT_NOISY_BASELINE;
    return NO_FAULT;
}

struct device_gate gate_on_device(double gate, double baseline_ns, double limit_ns)
{
    double baseline_share = limit_ns / baseline_ns;
    bool hidden = baseline_share >= gate;

    return (struct device_gate){
        .share = hidden ? gate : fmax(gate, SPEEDUP_MIN * baseline_share),
        .speedup = fmax(gate / baseline_share, SPEEDUP_MIN),
        .hidden = hidden,
    };
}

struct device_gate overlap_gate_on_device(double gate, double baseline_ns, double limit_ns)
{
    const double allowed_ns = baseline_ns - gate * (baseline_ns - limit_ns);
    const double speedup = baseline_ns / allowed_ns;

    return (struct device_gate){
        .share = gate,
        .speedup = fmax(speedup, SPEEDUP_MIN),
        .hidden = speedup < SPEEDUP_MIN,
    };
}

/* What the first few pairs prove if they all lie far on one side of the gate. */
static enum outcome early_outcome(const double *shares, size_t count, double gate)
{
    size_t above = 0, below = 0;

    for (size_t i = 0; i < count; i++) {
        above += shares[i] >= EARLY_PASS * gate;
        below += shares[i] <= EARLY_FAIL * gate;
    }
    return above == count ? REACHES_GATE : below == count ? MISSES_GATE : TAKE_MORE;
}

static enum outcome interval_outcome(const struct interval *share, double gate)
{
    if (share->median >= gate && share->low >= TOLERANCE * gate)
        return REACHES_GATE;
    if (share->high < gate)
        return MISSES_GATE;
    return TAKE_MORE;
}

static double share_of(const struct samples *samples, size_t k, const struct rules *rules)
{
    const double baseline_ns = samples->baseline_ns[k], limit_ns = samples->limit_ns[k];
    const double candidate_ns = samples->candidate_ns[k];

    if (rules->overlap)
        return (baseline_ns - candidate_ns) / (baseline_ns - limit_ns);
    return (rules->baseline_is_limit ? baseline_ns : limit_ns) / candidate_ns;
}

static struct device_gate gate_of(const struct samples *samples, const struct rules *rules)
{
    const double baseline_ns = median(samples->baseline_ns, samples->pairs);
    const double limit_ns =
        rules->baseline_is_limit ? baseline_ns : median(samples->limit_ns, samples->pairs);

    return (rules->overlap ? overlap_gate_on_device : gate_on_device)(
        rules->gate, baseline_ns, limit_ns);
}

struct judgement judge(const struct samples *samples, const struct rules *rules, bool no_more)
{
    size_t pairs = samples->pairs;
    bool last = no_more || pairs >= rules->more_pairs;
    bool early = pairs == rules->early_pairs && !last;
    double shares[PAIRS_MAX];
    struct judgement judgement = {.outcome = TAKE_MORE};

    /* Between these numbers of pairs nobody looks: an interval that is looked at after every pair
     * would sooner or later miss the median by chance. */
    if (!early && !last && pairs != rules->pairs)
        return judgement;

    for (size_t k = 0; k < pairs; k++)
        shares[k] = share_of(samples, k, rules);
    judgement.share = median_interval(shares, pairs);
    judgement.gate = gate_of(samples, rules);
    judgement.fault = samples_fault(samples, rules);
    const bool nothing_to_hide = rules->overlap && judgement.gate.hidden;
    bool beyond = !rules->baseline_is_limit && !nothing_to_hide && judgement.share.median > BEYOND;

    if (early) {
        if (judgement.fault == NO_FAULT && !beyond && !nothing_to_hide)
            judgement.outcome = early_outcome(shares, pairs, judgement.gate.share);
        return judgement;
    }
    if (judgement.fault != NO_FAULT || pairs == 0)
        judgement.outcome = INVALID;
    else if (beyond)
        judgement.outcome = BEYOND_LIMIT;
    else if (nothing_to_hide)
        judgement.outcome = REACHES_GATE;
    else
        judgement.outcome = interval_outcome(&judgement.share, judgement.gate.share);
    if (last && judgement.outcome == TAKE_MORE)
        judgement.outcome = UNDECIDED;
    return judgement;
}
