/* Large enough that caches and launches do not count, small enough for the memory and the clock. */
#include "timed_size.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "verdict.h"

#define NS_PER_S 1e9
#define SHRINKING 0.95 /* step from the wanted size to one that fits */

enum { MEMORY_DIVISOR = 4, PROBE_GROWTH = 4, PROBE_CALLS = 3 };

/* What a problem of size n moves, as far as it is known before there are contents. */
static double moved_bytes(const struct speed_test *test, size_t n)
{
    struct timed_problem problem = {.n = n};

    for (int k = 0; k < TIMED_ARRAYS_MAX; k++) {
        problem.counts[k] = test->array_count(n, k);
        if (problem.counts[k] == 0)
            break;
    }
    return test->bytes ? (double)test->bytes(&problem) : 0.0;
}

static double needed_bytes(const struct speed_test *test, size_t n)
{
    double limit_bytes = limit_is_bandwidth(test->limit) ? moved_bytes(test, n) : 0.0;
    return ROTATING_SETS * (double)timed_arrays_bytes(test, n) + limit_bytes;
}

/* The smallest set that the caches cannot hold. */
static size_t smallest_set_bytes(const struct speed_test *test, const struct sampling_plan *plan)
{
    if (test->limit == LIMIT_TO_DEVICE)
        return plan->link_set_bytes;
    size_t l2_bytes = plan->l2_multiple * device_l2_bytes();
    return l2_bytes > plan->working_set_bytes ? l2_bytes : plan->working_set_bytes;
}

/* Bytes of a set for which the limit takes long enough to be timed. */
static bool wanted_set_bytes(struct bench *bench, double memory_bytes, double *wanted)
{
    const struct speed_test *test = bench->test;
    const size_t smallest = smallest_set_bytes(test, &bench->plan);
    const size_t most = bench->plan.sweep_bytes_max,
                 sweep_bytes = smallest < most ? smallest : most;
    double gb_s;

    if (test->limit == LIMIT_BASELINE) {
        *wanted = (double)bench->plan.compute_set_bytes;
        return true;
    }
    *wanted = (double)smallest;
    if (test->limit == LIMIT_LESSON)
        return true;
    if ((double)smallest > memory_bytes)
        return true; /* the caller will say that it does not fit */
    cudaError_t status =
        limit_find(test->limit, sweep_bytes, bench->plan.sweep_calls, &bench->limit.shape, &gb_s);
    if (status != cudaSuccess)
        return end_by_failure(bench->result, status, "looked for the limit");
    bench->result->limit_gb_s = gb_s; /* until it is measured beside the candidate */
    double limit_ns = moved_bytes(test, test->size_for(smallest)) / gb_s;
    *wanted *= fmax(1.0, (double)bench->plan.limit_ns_min / limit_ns);
    return true;
}

/* The size of the whole problem: as large as wanted, or as fits if that is large enough. */
static bool choose_n(struct bench *bench, double *set_bytes, size_t *n)
{
    const struct speed_test *test = bench->test;
    const double memory_bytes = (double)device_free_bytes() / MEMORY_DIVISOR;
    const double smallest =
        test->limit == LIMIT_BASELINE ? 1.0 : (double)smallest_set_bytes(test, &bench->plan);

    if (!wanted_set_bytes(bench, memory_bytes, set_bytes))
        return false;
    for (; *set_bytes >= smallest; *set_bytes *= SHRINKING) {
        *n = test->size_for((size_t)*set_bytes);
        if (*n == 0)
            break;
        if (needed_bytes(test, *n) <= memory_bytes)
            return true;
    }
    return end_measurement(bench->result, INCONCLUSIVE, "too-little-memory",
        "a quarter of the GPU's free memory is %.0f MiB: too little to time this task",
        memory_bytes / (1 << 20));
}

/* Allocates for size n, and a limit that moves exactly what a problem of that size moves. */
static bool bench_open(struct bench *bench, size_t n)
{
    const struct speed_test *test = bench->test;
    struct timed_problem problem;
    cudaError_t status = cudaSuccess;

    for (int set = 0; set < ROTATING_SETS && status == cudaSuccess; set++)
        status = timed_arrays_open(&bench->sets[set], test, n);
    if (status == cudaSuccess)
        status = timed_arrays_prepare(&bench->sets[0], PARTY_BASELINE, n, 0, &problem);
    if (status == cudaSuccess && test->bytes)
        bench->result->bytes = (double)test->bytes(&problem);
    if (status == cudaSuccess && limit_is_bandwidth(test->limit))
        status = limit_open(
            &bench->limit, test->limit, bench->limit.shape, (size_t)bench->result->bytes);
    return status == cudaSuccess ||
           end_by_failure(bench->result, status, "made room for the arrays");
}

void bench_close(struct bench *bench)
{
    limit_close(&bench->limit);
    for (int set = 0; set < ROTATING_SETS; set++)
        timed_arrays_close(&bench->sets[set]);
    cudaGetLastError();
}

/* The shortest of a few calls: the first one also loads the kernels. */
static bool shortest_call(struct bench *bench, struct timed_function *timed, double *shortest_ns)
{
    struct times times;

    *shortest_ns = DBL_MAX;
    for (uint64_t call = 0; call < PROBE_CALLS; call++) {
        if (!timed_call(bench, timed, call % ROTATING_SETS, call, &times))
            return false;
        *shortest_ns = fmin(*shortest_ns, times.call_ns);
    }
    return true;
}

/* Approaches size `n` from below and stops where a call takes longer than `ns_max`; timed->n receives
 * the largest size within it. `expected_ns`: the time for n, by proportion. */
static bool probe(struct bench *bench, struct timed_function *timed, size_t n, double set_bytes,
    uint64_t ns_max, double *expected_ns)
{
    const struct speed_test *test = bench->test;

    for (double bytes = (double)bench->plan.probe_bytes; bytes < set_bytes; bytes *= PROBE_GROWTH) {
        double ns, growth = fmin(PROBE_GROWTH, set_bytes / bytes);
        timed->n = test->size_for((size_t)bytes);
        if (timed->n == 0 || timed->n >= n)
            continue;
        if (!shortest_call(bench, timed, &ns))
            return false;
        *expected_ns = ns * set_bytes / bytes;
        /* Time need not grow with size: few threads with a long row each take as long for few
         * rows as for many. So only a call that was made says that a size is too large. */
        if (ns <= (double)ns_max && ns * growth <= (double)bench->plan.call_ns_max)
            continue;
        timed->n = test->size_for((size_t)(bytes * fmin(1.0, (double)ns_max / ns)));
        return true;
    }
    timed->n = n;
    return true;
}

/* A candidate that would take this long is not worth the wait, nor a display's watchdog. */
static bool far_too_slow(struct bench *bench, double expected_ns)
{
    bench->result->expected_ns = expected_ns;
    return end_measurement(bench->result, TOO_SLOW, "far-below-the-gate",
        "one call at full size would take about %.1f s: not measured further",
        expected_ns / NS_PER_S);
}

bool choose_size(
    struct bench *bench, struct timed_function functions[PARTIES], double *baseline_scale)
{
    const struct speed_test *test = bench->test;
    struct timed_function *baseline = &functions[PARTY_BASELINE];
    struct timed_function *candidate = &functions[PARTY_CANDIDATE];
    struct speed_result *result = bench->result;
    double set_bytes = 0.0, expected_ns = 0.0;
    size_t n = 0;

    /* The flush takes its memory before the rest is shared out. */
    if (bench->plan.quieten && !forget_caches(result))
        return false;
    if (!choose_n(bench, &set_bytes, &n) || !bench_open(bench, n) ||
        !probe(bench, baseline, n, set_bytes, bench->plan.baseline_ns_max, &expected_ns))
        return false;
    if (test->limit == LIMIT_BASELINE) { /* then both run the size that suits the baseline */
        set_bytes *= (double)timed_arrays_bytes(test, baseline->n) / timed_arrays_bytes(test, n);
        n = baseline->n;
    }
    if (!probe(bench, candidate, n, set_bytes, bench->plan.candidate_ns_max, &expected_ns))
        return false;
    result->n = n;
    result->baseline_n = baseline->n;
    if (candidate->n < n)
        return far_too_slow(bench, expected_ns);
    *baseline_scale =
        baseline->n == n ? 1.0 : moved_bytes(test, n) / moved_bytes(test, baseline->n);
    if (baseline->n < n && result->note[0] == '\0')
        snprintf(result->note, sizeof result->note,
            "the baseline is timed at n = %zu, and its time scaled to n = %zu", baseline->n, n);
    return true;
}
