/* From a speed test to a verdict: size the problem, warm up, sample in attempts, judge. */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "gpu_lock.h"
#include "mix.h"
#include "settings.h"
#include "statistics.h"
#include "timed_call.h"
#include "timed_size.h"
#include "verdict.h"
#include "virtual_calls.h"

#define LOCK_PATIENCE_NS ((uint64_t)15 * 1000000000)
#define IQR_MAX 0.10        /* of a baseline without a bound of its own */
#define WARM 0.05           /* two calls that differ by less are those of a warm device */
#define ALLOCATING_MIN 0.05 /* of a call, in which memory is allocated: worth saying */

struct run {
    struct bench bench;
    struct timed_function functions[PARTIES];
    double baseline_scale; /* from the time of its own size to that of the whole problem */
    struct samples samples;
    uint64_t seeds, sampling_start_ns;
};

/* Differs from call to call and from run to run; on the virtual clock one series for each SEED=. */
static uint64_t next_seed(struct run *run)
{
    return mixed_bits(device_now_ns(), run->seeds++);
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* Until two calls in a row take the same time, or the time for this is over. */
static bool warm_up(struct run *run, const struct timed_function *timed)
{
    const uint64_t start = device_now_ns();
    struct times times = {0};
    double before_ns = 0.0;

    while (device_now_ns() - start < run->bench.plan.warm_up_ns_max) {
        if (!timed_call(&run->bench, timed, 0, next_seed(run), &times))
            return false;
        if (fabs(times.call_ns - before_ns) <= WARM * before_ns)
            break;
        before_ns = times.call_ns;
    }
    return true;
}

static bool sample_function(struct run *run, enum timed_party party, uint64_t seed)
{
    struct samples *samples = &run->samples;
    const size_t pair = samples->pairs;
    struct times times;

    if (!timed_call(
            &run->bench, &run->functions[party], (pair + party) % ROTATING_SETS, seed, &times))
        return false;
    samples->idle_ns[samples->idles++] = times.idle_ns;
    if (party == PARTY_BASELINE)
        samples->baseline_ns[pair] = times.call_ns * run->baseline_scale;
    else
        samples->candidate_ns[pair] = times.call_ns;
    return true;
}

static bool sample_limit(struct run *run)
{
    struct samples *samples = &run->samples;
    struct times times;

    if (run->bench.test->limit == LIMIT_BASELINE) {
        samples->limit_ns[samples->pairs] = 1.0; /* not looked at, but a time must be positive */
        return true;
    }
    if (!timed_limit(&run->bench, run->functions[PARTY_CANDIDATE].n, &times))
        return false;
    samples->idle_ns[samples->idles++] = times.idle_ns;
    samples->limit_ns[samples->pairs] = times.call_ns;
    return true;
}

/* Baseline, candidate, limit, and in every second pair the reverse: a drift hits all alike. */
static bool sample_pair(struct run *run)
{
    struct samples *samples = &run->samples;
    const bool reversed = samples->pairs % 2 == 1;
    const uint64_t seed = next_seed(run);

    bool good = (reversed ? sample_limit(run) : sample_function(run, PARTY_BASELINE, seed)) &&
                sample_function(run, PARTY_CANDIDATE, seed) &&
                (reversed ? sample_function(run, PARTY_BASELINE, seed) : sample_limit(run));
    for (size_t i = 0; i < samples->idles; i++)
        samples->idle_minimum_ns = fmin(samples->idle_minimum_ns, samples->idle_ns[i]);
    samples->pairs++;
    return good;
}

static bool out_of_time(const struct run *run)
{
    return device_now_ns() - run->sampling_start_ns > run->bench.plan.sampling_ns_max;
}

/* One series of pairs, until it is decided or has decided nothing. */
static bool attempt(struct run *run, const struct rules *rules, struct judgement *judgement)
{
    run->samples.pairs = run->samples.idles = 0;
    do {
        if (!sample_pair(run))
            return false;
        bool enough = run->samples.pairs >= rules->early_pairs;
        *judgement = judge(&run->samples, rules, enough && out_of_time(run));
    } while (judgement->outcome == TAKE_MORE);
    return true;
}

/* ---- from the last attempt to the result ----------------------------------------------------- */

static const struct {
    const char *diagnosis, *text;
} faults[] = {
    [FAULT_CLOCK] = {"clock", "the clock gave a time that is not a positive number"},
    [FAULT_NOISY_BASELINE] = {"noisy-baseline",
        "the baseline's times scatter too much: close what else uses this GPU, then grade again"},
    [FAULT_DRIFT] = {"drift",
        "the GPU's speed changed while it was measured: grade again when it is warm, or cool"},
    [FAULT_SHARED_GPU] = {"shared-gpu",
        "another program uses this GPU: even an empty launch takes long; grade again later"},
};

static void report_numbers(const struct run *run, const struct judgement *judgement)
{
    const struct samples *samples = &run->samples;
    struct speed_result *result = run->bench.result;
    double speedups[PAIRS_MAX];

    for (size_t k = 0; k < samples->pairs; k++)
        speedups[k] = samples->baseline_ns[k] / samples->candidate_ns[k];
    result->pairs = (int)samples->pairs;
    result->baseline_ns = median(samples->baseline_ns, samples->pairs);
    result->candidate_ns = median(samples->candidate_ns, samples->pairs);
    result->limit_ns = run->bench.test->limit == LIMIT_BASELINE
                           ? result->baseline_ns
                           : median(samples->limit_ns, samples->pairs);
    result->idle_ns = median(samples->idle_ns, samples->idles);
    result->share = judgement->share.median;
    result->share_low = judgement->share.low;
    result->share_high = judgement->share.high;
    result->speedup = median(speedups, samples->pairs);
    result->speedup_needed = judgement->gate.speedup;
    result->gpu_hides_the_difference = judgement->gate.hidden;
    result->limit_gb_s = result->bytes / result->limit_ns;
    result->candidate_gb_s = result->bytes / result->candidate_ns;
}

const char *speed_limit_name(const struct speed_test *test)
{
    return test->limit_label ? test->limit_label : limit_name(test->limit);
}

/* A part of the time that is worth the words. */
static bool allocates_much(const struct bench *bench)
{
    return bench->allocation_ns > ALLOCATING_MIN * bench->result->candidate_ns;
}

static void report_verdict(const struct bench *bench, const struct judgement *judgement)
{
    const char *limit_name = speed_limit_name(bench->test);
    struct speed_result *result = bench->result;

    switch (judgement->outcome) {
    case REACHES_GATE:
        result->verdict = PASS;
        break;
    case MISSES_GATE:
        end_measurement(result, TOO_SLOW,
            allocates_much(bench) ? "allocates-each-call" : "below-the-gate",
            "%.1f %% of the %s; %.1f %% needed", 100 * result->share, limit_name,
            100 * judgement->gate.share);
        break;
    case BEYOND_LIMIT:
        end_measurement(result, INCONCLUSIVE, "beyond-the-limit",
            "%.2f times as fast as this GPU can move the bytes: not all the work was done in the "
            "call, or the measurement is wrong",
            result->share);
        break;
    case INVALID:
        end_measurement(result, INCONCLUSIVE, faults[judgement->fault].diagnosis, "%s",
            faults[judgement->fault].text);
        break;
    default:
        end_measurement(result, INCONCLUSIVE, "at-the-gate",
            "%.1f to %.1f %% of the %s, and %.1f %% needed: too close to tell",
            100 * result->share_low, 100 * result->share_high, limit_name,
            100 * judgement->gate.share);
    }
}

/* A time that is only shown costs nothing when it cannot be told. */
static void show_only(struct speed_result *result)
{
    result->gpu_hides_the_difference = false;
    if (result->verdict != INCONCLUSIVE)
        return;
    result->verdict = PASS;
    result->diagnosis[0] = '\0';
    memcpy(result->note, result->text, sizeof result->note);
    result->text[0] = '\0';
}

/* What the virtual GPU has no model of is not judged, and costs nothing. */
static void set_aside_what_is_unknown(struct speed_result *result)
{
    char why[100];

    if ((result->verdict == PASS || result->verdict == TOO_SLOW) && virtual_calls()->time_unknown &&
        virtual_calls()->time_unknown(why, sizeof why))
        end_measurement(result, CANNOT_GRADE, "time-not-modelled",
            "speed needs a GPU here: %s, and the model knows no time for that", why);
}

static bool sample_and_judge(struct run *run)
{
    const struct speed_test *test = run->bench.test;
    const struct sampling_plan *plan = &run->bench.plan;
    struct speed_result *result = run->bench.result;
    const struct rules rules = {
        .gate = test->gate,
        .baseline_is_limit = test->limit == LIMIT_BASELINE,
        .overlap = test->overlap,
        .baseline_iqr_max = test->baseline_iqr_max > 0 ? test->baseline_iqr_max : IQR_MAX,
        .idle_ns_max = plan->idle_ns_max,
        .early_pairs = plan->early_pairs,
        .pairs = plan->pairs,
        .more_pairs = plan->more_pairs,
    };
    struct judgement judgement;

    run->samples.idle_minimum_ns = INFINITY;
    run->sampling_start_ns = device_now_ns();
    do {
        result->attempts++;
        if (!attempt(run, &rules, &judgement))
            return false;
    } while ((judgement.outcome == INVALID || judgement.outcome == BEYOND_LIMIT) &&
             result->attempts < plan->attempts && !out_of_time(run));
    report_numbers(run, &judgement);
    report_verdict(&run->bench, &judgement);
    return true;
}

/* Calls that count for no time: what is made once, by a warm-up on a GPU, is made; and a candidate that
 * keeps its first answer, or works every second time, is found where there is only one pair. */
static bool call_before(struct run *run)
{
    struct bench *bench = &run->bench;
    struct times times;

    for (size_t call = 0; call < bench->plan.calls_before; call++)
        if (!timed_call(bench, &run->functions[PARTY_CANDIDATE], call % ROTATING_SETS,
                next_seed(run), &times))
            return false;
    /* What it has left in the L2 would serve the baseline or the candidate, and not the other. */
    return bench->plan.calls_before == 0 || forget_caches(bench->result);
}

/* Where a launch takes all managed memory along, no prefetch can make it faster. */
static struct speed_test as_judged_here(const struct speed_test *test)
{
    struct speed_test judged = *test;

    for (int k = 0; k < TIMED_ARRAYS_MAX; k++)
        if (!residence_can_be_chosen(test->residence[k]))
            judged.gate = 0.0;
    return judged;
}

/* The lock of the GPU in use; one for all where it has no name. */
static int lock_this_gpu(struct speed_result *result)
{
    char gpu[32] = "any";

    cudaDeviceGetPCIBusId(gpu, sizeof gpu, 0);
    return gpu_lock(gpu, LOCK_PATIENCE_NS, result->note, sizeof result->note);
}

struct speed_result measure(const struct speed_test *described, void *candidate, void *baseline)
{
    const bool virtual_gpu = device_ask().is_virtual;
    const struct speed_test judged = as_judged_here(described), *test = &judged;
    struct speed_result result = {.gate = test->gate, .modelled = virtual_gpu};
    struct run run = {
        .bench = {.test = test, .plan = sampling_plan_for(virtual_gpu), .result = &result},
        .functions = {[PARTY_BASELINE] = {PARTY_BASELINE, baseline, 0},
            [PARTY_CANDIDATE] = {PARTY_CANDIDATE, candidate, 0}},
        .seeds = seed_number(),
    };
    const int lock = run.bench.plan.quieten ? lock_this_gpu(&result) : -1;

    if (choose_size(&run.bench, run.functions, &run.baseline_scale) &&
        warm_up(&run, &run.functions[PARTY_BASELINE]) &&
        warm_up(&run, &run.functions[PARTY_CANDIDATE]) && call_before(&run))
        sample_and_judge(&run);
    set_aside_what_is_unknown(&result);
    if (test->gate == 0.0)
        show_only(&result);
    bench_close(&run.bench);
    gpu_unlock(lock);
    return result;
}
