/* Each rule by which timings become a verdict, with a case on both sides of it. */
#include "../statistics.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

enum { TIMEOUT_S = 5 };

/* Half of the limit must be reached; the baseline reaches a tenth of it. */
static const struct rules rules = {.gate = 0.5,
    .baseline_iqr_max = 0.10,
    .idle_ns_max = 250e3,
    .early_pairs = 7,
    .pairs = 21,
    .more_pairs = 63};

#define BASELINE_NS 2500e3
#define LIMIT_NS 250e3
#define IDLE_NS 8e3

/* Uniform in [-1, 1), the same on every machine. */
static double noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* A quiet run: every time within `spread` of its middle, the candidate at `share` of the limit. */
static struct samples quiet(size_t pairs, double share, double spread)
{
    struct samples samples = {.pairs = pairs, .idles = 3 * pairs, .idle_minimum_ns = IDLE_NS};
    uint64_t state = 1;

    for (size_t k = 0; k < pairs; k++) {
        samples.baseline_ns[k] = BASELINE_NS * (1.0 + spread * noise(&state));
        samples.candidate_ns[k] = LIMIT_NS / share * (1.0 + spread * noise(&state));
        samples.limit_ns[k] = LIMIT_NS * (1.0 + spread * noise(&state));
    }
    for (size_t i = 0; i < samples.idles; i++)
        samples.idle_ns[i] = IDLE_NS * (1.0 + 0.1 * fabs(noise(&state)));
    return samples;
}

static enum outcome outcome_of(const struct samples *samples)
{
    return judge(samples, &rules, false).outcome;
}

static enum outcome quiet_outcome(size_t pairs, double share, double spread)
{
    struct samples samples = quiet(pairs, share, spread);
    return outcome_of(&samples);
}

/* ---- order statistics ------------------------------------------------------------------------ */

Test(statistics, median_of_any_order_and_count, .timeout = TIMEOUT_S)
{
    cr_assert(median((double[]){3, 1, 2}, 3) == 2);
    cr_assert(median((double[]){4, 1, 3, 2}, 4) == 2.5);
    cr_assert(median((double[]){7}, 1) == 7);
    cr_assert(isnan(median(NULL, 0)));
    cr_assert(isnan(median((double[]){1, NAN, 2}, 3)));
}

Test(statistics, quartiles, .timeout = TIMEOUT_S)
{
    /* Of 1 … 9 the quartiles are 3 and 7, the median 5. */
    cr_assert(fabs(relative_iqr((double[]){9, 1, 8, 2, 7, 3, 6, 4, 5}, 9) - 0.8) < 1e-12);
    cr_assert(relative_iqr((double[]){5, 5, 5}, 3) == 0);
    cr_assert(relative_iqr((double[]){5}, 1) == 0);
    cr_assert(isnan(relative_iqr((double[]){1, NAN, 2}, 3)));
}

Test(statistics, ranks_hold_the_median_with_95_percent, .timeout = TIMEOUT_S)
{
    static const struct {
        size_t count, low, high;
    } cases[] = {{1, 1, 1}, {5, 1, 5}, {6, 1, 6}, {7, 1, 7}, {8, 1, 8}, {9, 2, 8}, {10, 2, 9},
        {14, 3, 12}, {20, 6, 15}, {21, 6, 16}, {25, 8, 18}, {63, 24, 40}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ranks ranks = median_ranks(cases[i].count);
        cr_assert(ranks.low == cases[i].low && ranks.high == cases[i].high, "%zu values: %zu, %zu",
            cases[i].count, ranks.low, ranks.high);
    }
}

Test(statistics, interval_is_made_of_order_statistics, .timeout = TIMEOUT_S)
{
    double values[21];

    for (size_t i = 0; i < 21; i++)
        values[i] = (double)(i * 8 % 21 + 1); /* 1 … 21, shuffled */
    struct interval interval = median_interval(values, 21);
    cr_assert(interval.low == 6 && interval.median == 11 && interval.high == 16);
    values[4] = NAN;
    interval = median_interval(values, 21);
    cr_assert(isnan(interval.low) && isnan(interval.median) && isnan(interval.high));
}

/* ---- quiet runs ------------------------------------------------------------------------------ */

Test(judge, nobody_looks_between_the_checkpoints, .timeout = TIMEOUT_S)
{
    for (size_t pairs = 1; pairs < 63; pairs++)
        if (pairs != 7 && pairs != 21)
            cr_assert(quiet_outcome(pairs, 0.9, 0.01) == TAKE_MORE, "%zu pairs", pairs);
}

Test(judge, stops_early_only_far_from_the_gate, .timeout = TIMEOUT_S)
{
    cr_assert(quiet_outcome(7, 0.5 * 1.26, 0.0) == REACHES_GATE);
    cr_assert(quiet_outcome(7, 0.5 * 1.24, 0.0) == TAKE_MORE);
    cr_assert(quiet_outcome(7, 0.5 * 0.81, 0.0) == TAKE_MORE);
    cr_assert(quiet_outcome(7, 0.5 * 0.79, 0.0) == MISSES_GATE);
}

Test(judge, one_of_the_first_pairs_on_the_other_side_forbids_stopping, .timeout = TIMEOUT_S)
{
    struct samples fast = quiet(7, 0.9, 0.01), slow = quiet(7, 0.1, 0.01);

    fast.candidate_ns[3] = LIMIT_NS / 0.6;
    cr_assert(outcome_of(&fast) == TAKE_MORE);
    slow.candidate_ns[6] = LIMIT_NS / 0.45;
    cr_assert(outcome_of(&slow) == TAKE_MORE);
}

Test(judge, decides_at_21_pairs, .timeout = TIMEOUT_S)
{
    cr_assert(quiet_outcome(21, 0.55, 0.02) == REACHES_GATE);
    cr_assert(quiet_outcome(21, 0.45, 0.02) == MISSES_GATE);
}

Test(judge, exactly_at_the_gate_passes_if_quiet, .timeout = TIMEOUT_S)
{
    cr_assert(quiet_outcome(21, 0.5, 0.0) == REACHES_GATE);
    cr_assert(quiet_outcome(21, 0.4999, 0.0) == MISSES_GATE);
}

/* 21 shares of which the lowest six are `low` and the others `rest`. */
static enum outcome with_low_tail(double low, double rest)
{
    struct samples samples = quiet(21, rest, 0.0);
    for (size_t k = 0; k < 6; k++)
        samples.candidate_ns[3 * k] = LIMIT_NS / low;
    return outcome_of(&samples);
}

Test(judge, lower_bound_may_lie_three_percent_below, .timeout = TIMEOUT_S)
{
    cr_assert(with_low_tail(0.5 * 0.975, 0.5 * 1.02) == REACHES_GATE);
    cr_assert(with_low_tail(0.5 * 0.965, 0.5 * 1.02) == TAKE_MORE);
}

Test(judge, fails_only_if_the_upper_bound_is_below_the_gate, .timeout = TIMEOUT_S)
{
    /* The upper bound of 21 is the 16th: with six values at the gate it is one of them. */
    for (size_t high = 5; high <= 6; high++) {
        struct samples samples = quiet(21, 0.5 * 0.95, 0.0);
        for (size_t k = 0; k < high; k++)
            samples.candidate_ns[3 * k] = LIMIT_NS / 0.5;
        cr_assert(outcome_of(&samples) == (high == 5 ? MISSES_GATE : TAKE_MORE), "%zu", high);
    }
}

/* Every second call of the candidate at one share, the others at another. */
static enum outcome bimodal_candidate(size_t pairs, double one, double other)
{
    struct samples samples = quiet(pairs, one, 0.005);
    for (size_t k = 0; k < pairs; k += 2)
        samples.candidate_ns[k] = LIMIT_NS / other;
    return outcome_of(&samples);
}

Test(judge, candidate_of_two_speeds_around_the_gate_is_undecided, .timeout = TIMEOUT_S)
{
    cr_assert(bimodal_candidate(21, 0.45, 0.55) == TAKE_MORE);
    cr_assert(bimodal_candidate(63, 0.45, 0.55) == UNDECIDED);
    cr_assert(bimodal_candidate(63, 0.55, 0.65) == REACHES_GATE);
    cr_assert(bimodal_candidate(63, 0.35, 0.45) == MISSES_GATE);
}

Test(judge, noise_of_the_candidate_alone_neither_passes_nor_fails, .timeout = TIMEOUT_S)
{
    /* Around the gate with a wide spread: whatever the seed, an answer needs an interval. */
    struct samples samples = quiet(63, 0.5, 0.0);
    uint64_t state = 7;
    for (size_t k = 0; k < 63; k++)
        samples.candidate_ns[k] *= 1.0 + 0.3 * noise(&state);
    cr_assert(outcome_of(&samples) == UNDECIDED);
}

Test(judge, out_of_time_decides_with_what_there_is, .timeout = TIMEOUT_S)
{
    struct samples enough = quiet(12, 0.55, 0.02), close = quiet(12, 0.5, 0.04);

    cr_assert(judge(&enough, &rules, false).outcome == TAKE_MORE);
    cr_assert(judge(&enough, &rules, true).outcome == REACHES_GATE);
    cr_assert(judge(&close, &rules, true).outcome == UNDECIDED);
    struct samples none = {.idle_minimum_ns = IDLE_NS};
    cr_assert(judge(&none, &rules, true).outcome == INVALID);
}

Test(judge, one_pair_of_a_noiseless_clock_decides, .timeout = TIMEOUT_S)
{
    const struct rules single = {
        .gate = 0.5, .baseline_iqr_max = 0.10, .pairs = 1, .more_pairs = 1};
    struct samples fast = quiet(1, 0.51, 0.0), slow = quiet(1, 0.49, 0.0);

    cr_assert(judge(&fast, &single, false).outcome == REACHES_GATE);
    cr_assert(judge(&slow, &single, false).outcome == MISSES_GATE);
}

/* ---- attempts that prove nothing ------------------------------------------------------------- */

static enum fault fault_of(const struct samples *samples)
{
    struct judgement judgement = judge(samples, &rules, false);
    cr_assert((judgement.outcome == INVALID) == (judgement.fault != NO_FAULT));
    return judgement.fault;
}

/* Baselines spread evenly over 1 - s … 1 + s and in no order: the interquartile range is s. */
static struct samples with_spread(double spread)
{
    struct samples samples = quiet(21, 0.9, 0.0);
    for (size_t k = 0; k < 21; k++)
        samples.baseline_ns[k] *= 1.0 + spread * ((double)(k * 8 % 21) / 10.0 - 1.0);
    return samples;
}

Test(validity, baseline_spread, .timeout = TIMEOUT_S)
{
    struct samples calm = with_spread(0.09), wild = with_spread(0.11);

    cr_assert(fault_of(&calm) == NO_FAULT);
    cr_assert(fault_of(&wild) == FAULT_NOISY_BASELINE);
    struct rules tolerant = rules;
    tolerant.baseline_iqr_max = 0.12;
    cr_assert(judge(&wild, &tolerant, false).fault == NO_FAULT);
}

Test(validity, baseline_of_two_speeds, .timeout = TIMEOUT_S)
{
    for (int apart = 0; apart < 2; apart++) {
        struct samples samples = quiet(21, 0.9, 0.0);
        for (size_t k = 0; k < 21; k += 2)
            samples.baseline_ns[k] *= apart ? 1.15 : 1.09;
        cr_assert(fault_of(&samples) == (apart ? FAULT_NOISY_BASELINE : NO_FAULT));
    }
}

/* The clocks of the device fall, or rise, evenly through the attempt. */
static struct samples drifting(double change)
{
    struct samples samples = quiet(21, 0.9, 0.005);
    for (size_t k = 0; k < 21; k++) {
        double slower = 1.0 + change * (double)k / 20.0;
        samples.baseline_ns[k] *= slower;
        samples.candidate_ns[k] *= slower;
        samples.limit_ns[k] *= slower;
    }
    return samples;
}

static enum fault with_drift(double change)
{
    struct samples samples = drifting(change);
    return fault_of(&samples);
}

Test(validity, drift, .timeout = TIMEOUT_S)
{
    cr_assert(with_drift(0.10) == NO_FAULT);
    cr_assert(with_drift(0.20) == FAULT_DRIFT);
    cr_assert(with_drift(-0.10) == NO_FAULT);
    cr_assert(with_drift(-0.20) == FAULT_DRIFT);
}

Test(validity, what_the_host_paces_may_drift_as_far_as_it_may_scatter, .timeout = TIMEOUT_S)
{
    struct samples some = drifting(0.30), much = drifting(0.50);

    struct rules tolerant = rules;

    tolerant.baseline_iqr_max = 0.25;
    cr_assert(samples_fault(&some, &rules) == FAULT_DRIFT);
    cr_assert(samples_fault(&some, &tolerant) == NO_FAULT);
    cr_assert(samples_fault(&much, &tolerant) == FAULT_DRIFT);
}

Test(validity, steady_low_clocks_are_no_reason, .timeout = TIMEOUT_S)
{
    struct samples samples = quiet(21, 0.55, 0.01);
    for (size_t k = 0; k < 21; k++) {
        samples.baseline_ns[k] *= 2.0;
        samples.candidate_ns[k] *= 2.0;
        samples.limit_ns[k] *= 2.0;
    }
    cr_assert(outcome_of(&samples) == REACHES_GATE);
}

Test(validity, another_process, .timeout = TIMEOUT_S)
{
    /* A quarter of the 63 empty launches is 15.75. */
    for (size_t slow = 15; slow <= 16; slow++) {
        struct samples samples = quiet(21, 0.9, 0.01);
        for (size_t i = 0; i < slow; i++)
            samples.idle_ns[4 * i % 63] = 3.5 * IDLE_NS;
        cr_assert(fault_of(&samples) == (slow == 16 ? FAULT_SHARED_GPU : NO_FAULT), "%zu", slow);
    }
    struct samples steady = quiet(21, 0.9, 0.01);
    for (size_t i = 0; i < 63; i++)
        steady.idle_ns[i] = 2.9 * IDLE_NS;
    cr_assert(fault_of(&steady) == NO_FAULT);
}

Test(validity, a_process_that_never_lets_go, .timeout = TIMEOUT_S)
{
    struct samples samples = quiet(21, 0.9, 0.01);

    samples.idle_minimum_ns = 0.2e6;
    for (size_t i = 0; i < 63; i++) /* half of them a little longer than the others */
        samples.idle_ns[i] = i < 31 ? 0.3e6 : 0.24e6;
    cr_assert(fault_of(&samples) == NO_FAULT);
    samples.idle_ns[31] = 0.3e6;
    cr_assert(fault_of(&samples) == FAULT_SHARED_GPU);

    struct rules without = rules; /* where it is not known how long launches wait */
    without.idle_ns_max = 0;
    cr_assert(judge(&samples, &without, false).fault == NO_FAULT);
}

Test(validity, other_process_is_known_by_an_earlier_attempt, .timeout = TIMEOUT_S)
{
    struct samples samples = quiet(21, 0.9, 0.01);
    samples.idle_minimum_ns = IDLE_NS / 4;
    cr_assert(fault_of(&samples) == FAULT_SHARED_GPU);
}

Test(validity, times_must_be_positive_numbers, .timeout = TIMEOUT_S)
{
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int series = 0; series < 4; series++) {
            struct samples samples = quiet(21, 0.9, 0.01);
            double *values[] = {
                samples.baseline_ns, samples.candidate_ns, samples.limit_ns, samples.idle_ns};
            values[series][20] = bad[i];
            cr_assert(fault_of(&samples) == FAULT_CLOCK, "value %zu, series %d", i, series);
        }
}

Test(validity, no_early_stop_on_noise, .timeout = TIMEOUT_S)
{
    struct samples samples = quiet(7, 0.9, 0.01);

    cr_assert(outcome_of(&samples) == REACHES_GATE);
    for (size_t i = 0; i < samples.idles; i += 2)
        samples.idle_ns[i] = 10 * IDLE_NS;
    cr_assert(outcome_of(&samples) == TAKE_MORE);
    samples = quiet(7, 0.1, 0.01);
    samples.baseline_ns[6] = NAN;
    cr_assert(outcome_of(&samples) == TAKE_MORE);
}

/* ---- too fast, and what the device hides ----------------------------------------------------- */

Test(limit, beyond_it_is_no_pass, .timeout = TIMEOUT_S)
{
    cr_assert(quiet_outcome(21, 1.19, 0.0) == REACHES_GATE);
    cr_assert(quiet_outcome(21, 1.21, 0.0) == BEYOND_LIMIT);
    cr_assert(quiet_outcome(7, 1.19, 0.0) == REACHES_GATE);
    cr_assert(quiet_outcome(7, 1.21, 0.0) == TAKE_MORE);
}

Test(limit, the_baseline_as_the_limit_may_be_beaten_by_any_factor, .timeout = TIMEOUT_S)
{
    struct rules ratio = rules;
    ratio.baseline_is_limit = true;
    ratio.gate = 1.6;
    struct samples fast = quiet(21, 1.0, 0.01), slow = quiet(21, 0.15, 0.01);

    struct judgement judgement = judge(&fast, &ratio, false); /* ten times the baseline */
    cr_assert(judgement.outcome == REACHES_GATE && fabs(judgement.share.median - 10.0) < 0.2);
    cr_assert(!judgement.gate.hidden && judgement.gate.speedup == 1.6);
    cr_assert(judge(&slow, &ratio, false).outcome == MISSES_GATE); /* 1.5 times */
}

Test(limit, gate_as_a_speedup, .timeout = TIMEOUT_S)
{
    /* The baseline reaches 10 %: five times as fast is half of the limit. */
    struct device_gate gate = gate_on_device(0.5, 1000, 100);
    cr_assert(!gate.hidden && fabs(gate.speedup - 5) < 1e-12 && gate.share == 0.5);
    /* It reaches 48 %: the gate rises to a speed-up of 1.1. */
    gate = gate_on_device(0.5, 1000, 480);
    cr_assert(!gate.hidden && gate.speedup == 1.1 && fabs(gate.share - 0.528) < 1e-12);
    /* It reaches the gate itself: time cannot tell the two apart. */
    gate = gate_on_device(0.5, 1000, 500);
    cr_assert(gate.hidden && gate.speedup == 1.1 && gate.share == 0.5);
}

Test(limit, no_pass_for_the_baseline_just_below_the_gate, .timeout = TIMEOUT_S)
{
    struct samples samples = quiet(21, 0.5, 0.0);
    for (size_t k = 0; k < 21; k++)
        samples.baseline_ns[k] = LIMIT_NS / 0.49;
    cr_assert(outcome_of(&samples) == MISSES_GATE);
    for (size_t k = 0; k < 21; k++)
        samples.candidate_ns[k] = LIMIT_NS / (0.49 * 1.12);
    cr_assert(outcome_of(&samples) == REACHES_GATE);
}

/* ---- what overlap hides ---------------------------------------------------------------------- */

/* The baseline takes ten times the limit, and the candidate hides this share of the rest. */
static struct samples overlapping(size_t pairs, double hidden)
{
    return quiet(pairs, LIMIT_NS / (BASELINE_NS - hidden * (BASELINE_NS - LIMIT_NS)), 0.01);
}

static enum outcome overlap_outcome(size_t pairs, double hidden)
{
    struct rules overlap = rules;
    struct samples samples = overlapping(pairs, hidden);

    overlap.overlap = true;
    overlap.gate = 0.6;
    return judge(&samples, &overlap, false).outcome;
}

Test(overlap, the_share_is_of_what_can_be_hidden, .timeout = TIMEOUT_S)
{
    cr_assert(overlap_outcome(21, 0.0) == MISSES_GATE);
    cr_assert(overlap_outcome(21, 0.5) == MISSES_GATE);
    cr_assert(overlap_outcome(21, 0.7) == REACHES_GATE);
    cr_assert(overlap_outcome(21, 1.0) == REACHES_GATE);
    cr_assert(overlap_outcome(7, 0.0) == MISSES_GATE);
    cr_assert(overlap_outcome(7, 0.5) == TAKE_MORE);
    cr_assert(overlap_outcome(7, 1.0) == REACHES_GATE);
    cr_assert(overlap_outcome(21, 1.08) == REACHES_GATE);
}

Test(overlap, more_than_all_of_it_is_no_pass, .timeout = TIMEOUT_S)
{
    struct rules overlap = rules;
    struct samples samples = quiet(21, 1.0, 0.01);

    overlap.overlap = true;
    for (size_t k = 0; k < samples.pairs; k++)
        samples.baseline_ns[k] = 2 * LIMIT_NS;
    for (size_t k = 0; k < samples.pairs; k++)
        samples.candidate_ns[k] = 0.7 * LIMIT_NS; /* 1.3 of what can be hidden */
    cr_assert(judge(&samples, &overlap, false).outcome == BEYOND_LIMIT);
}

Test(overlap, the_gate_as_a_speedup, .timeout = TIMEOUT_S)
{
    /* 1000 and 400: 600 can be hidden, and 640 is allowed. */
    struct device_gate gate = overlap_gate_on_device(0.6, 1000, 400);
    cr_assert(!gate.hidden && fabs(gate.speedup - 1000.0 / 640) < 1e-12 && gate.share == 0.6);
    /* Next to nothing can be hidden, or less than that. */
    cr_assert(overlap_gate_on_device(0.6, 1000, 900).hidden);
    cr_assert(overlap_gate_on_device(0.6, 1000, 1100).hidden);
}

Test(overlap, a_device_where_nothing_can_be_hidden_fails_nobody, .timeout = TIMEOUT_S)
{
    struct rules overlap = rules;
    struct samples samples = quiet(21, 0.98, 0.01);

    overlap.overlap = true;
    for (size_t k = 0; k < samples.pairs; k++)
        samples.baseline_ns[k] = 1.01 * LIMIT_NS * (1.0 + 0.01 * (double)(k % 3));
    struct judgement judgement = judge(&samples, &overlap, false);
    cr_assert(judgement.outcome == REACHES_GATE && judgement.gate.hidden);
    samples.pairs = 7;
    cr_assert(judge(&samples, &overlap, false).outcome == TAKE_MORE);
}
