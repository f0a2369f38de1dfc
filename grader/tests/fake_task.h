/* A task for measure_test.c, and functions that do it: well, slowly, noisily, or wrong. */
#ifndef FAKE_TASK_H
#define FAKE_TASK_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "../array.h"
#include "../measure.h"
#include "../verdict.h"
#include "fake_device.h"

enum { TIMEOUT_S = 30, IN = 0, OUT = 1, SCRATCH = 2, SCRATCH_WORDS = 4 };

/* ---- the task: out[i] = 2 * in[i], which a copy limits --------------------------------------- */

static size_t array_count(size_t n, int k)
{
    return k < SCRATCH ? n : k == SCRATCH ? SCRATCH_WORDS : 0;
}

static size_t bytes(const struct timed_problem *problem)
{
    return 8 * problem->n;
}

static size_t size_for(size_t bytes_wanted)
{
    return bytes_wanted / 8;
}

/* What prepare() and the functions saw, to be looked at afterwards. */
static struct {
    size_t candidate_calls, baseline_calls;
    uint64_t candidate_seed, baseline_seed;
    void *candidate_in, *candidate_scratch[2], *baseline_scratch[2];
    size_t repeated_seeds, repeated_arrays, unpoisoned;
    size_t not_on_host, advised, stale,
        left_over; /* calls on managed memory that was not as it has to be */
} seen;

/* How fast the two are, as shares of the limit; the second of a pair is for odd calls. */
static struct {
    double baseline[2], candidate[2];
    double prepare_ns;
    double baseline_fixed_ns;      /* what a baseline call takes at any size; 0: by its share */
    void (*before_baseline)(void); /* called before each */
} pace;

static cudaError_t prepare(struct timed_problem *problem)
{
    fake_passes(pace.prepare_ns);
    return device_fill_ints(problem->arrays[IN], problem->n, -1000, 1000, problem->seed);
}

static bool verify(const struct timed_problem *problem, char *text, size_t text_bytes)
{
    const int32_t *in = problem->arrays[IN], *out = problem->arrays[OUT];

    for (size_t i = 0; i < problem->n; i++)
        if (out[i] != 2 * in[i]) {
            snprintf(text, text_bytes, "index %zu: got %d, expected %d", i, out[i], 2 * in[i]);
            return false;
        }
    return true;
}

typedef cudaError_t (*function)(const struct timed_problem *);

static cudaError_t call(void *called, const struct timed_problem *problem)
{
    return (*(function *)called)(problem);
}

static const struct speed_test speed_test = {.limit = LIMIT_COPY,
    .gate = 0.5,
    .baseline_name = "slow",
    .array_count = array_count,
    .outputs = 1 << OUT,
    .kept = 1 << SCRATCH,
    .bytes = bytes,
    .size_for = size_for,
    .prepare = prepare,
    .call = call,
    .verify = verify};

/* ---- functions ------------------------------------------------------------------------------- */

static void does_work(const struct timed_problem *problem)
{
    const int32_t *in = problem->arrays[IN];
    int32_t *out = problem->arrays[OUT];

    for (size_t i = 0; i < problem->n; i++)
        out[i] = 2 * in[i];
}

static void takes_time(const struct timed_problem *problem, const double *shares, size_t calls)
{
    fake_passes((double)bytes(problem) / FAKE_GB_S / shares[calls % 2]);
}

static cudaError_t baseline(const struct timed_problem *problem)
{
    if (pace.before_baseline)
        pace.before_baseline();
    seen.baseline_seed = problem->seed;
    seen.baseline_scratch[problem->arrays[SCRATCH] == seen.baseline_scratch[0] ? 0 : 1] =
        problem->arrays[SCRATCH];
    if (seen.baseline_calls == 0)
        seen.baseline_scratch[0] = problem->arrays[SCRATCH];
    fake_runs('B');
    if (pace.baseline_fixed_ns > 0)
        fake_passes(pace.baseline_fixed_ns);
    else
        takes_time(problem, pace.baseline, seen.baseline_calls++);
    does_work(problem);
    return cudaSuccess;
}

static cudaError_t right(const struct timed_problem *problem)
{
    seen.repeated_seeds += seen.candidate_calls > 0 && problem->seed == seen.candidate_seed;
    seen.repeated_arrays += problem->arrays[IN] == seen.candidate_in;
    seen.candidate_seed = problem->seed;
    seen.candidate_in = problem->arrays[IN];
    for (size_t i = 0; i < problem->n; i++)
        seen.unpoisoned += ((uint32_t *)problem->arrays[OUT])[i] != POISON_WORD;
    fake_runs('C');
    takes_time(problem, pace.candidate, seen.candidate_calls++);
    does_work(problem);
    return cudaSuccess;
}

/* The call of the series at which a function misbehaves: after probing and warming up. */
enum { LATE_CALL = 20 };

#define MISBEHAVES(name, from_call, ...)                                \
    static cudaError_t name(const struct timed_problem *problem)        \
    {                                                                   \
        cudaError_t status = right(problem);                            \
        int32_t *in = problem->arrays[IN], *out = problem->arrays[OUT]; \
        (void)in, (void)out;                                            \
        if (seen.candidate_calls >= (from_call)) {                      \
            __VA_ARGS__;                                                \
        }                                                               \
        return status;                                                  \
    }

MISBEHAVES(one_wrong_late, LATE_CALL, out[problem->n / 2]++)
MISBEHAVES(
    does_nothing_late, LATE_CALL, device_fill_words((uint32_t *)out, problem->n, POISON_WORD))
MISBEHAVES(writes_past_the_end, LATE_CALL, out[problem->n] = 1)
MISBEHAVES(writes_before, LATE_CALL, in[-1] = 1)
MISBEHAVES(writes_past_and_is_wrong, LATE_CALL, out[problem->n] = 1; out[0]++)
MISBEHAVES(changes_input, LATE_CALL, in[0]++; out[0] = 2 * in[0])
MISBEHAVES(returns_error, LATE_CALL, status = cudaErrorInvalidConfiguration)
MISBEHAVES(leaves_error, LATE_CALL, fake.last_error = cudaErrorInvalidValue)
MISBEHAVES(faults, LATE_CALL, fake.synchronise = cudaErrorIllegalAddress)
MISBEHAVES(is_ended_by_watchdog, LATE_CALL, fake.synchronise = cudaErrorLaunchTimeout)
MISBEHAVES(is_a_skeleton, 1, status = cudaErrorNotYetImplemented)

/* Remembers what it once computed, and gives that again. */
static cudaError_t replays(const struct timed_problem *problem)
{
    static int32_t first[1 << 20];
    static size_t known;

    right(problem);
    if (problem->n > known) {
        memcpy(first, problem->arrays[OUT], 4 * problem->n);
        known = problem->n;
    }
    memcpy(problem->arrays[OUT], first, 4 * problem->n);
    return cudaSuccess;
}

/* Counts its calls in the scratch memory, which must be its own and zero at first. */
static cudaError_t counts_calls(const struct timed_problem *problem)
{
    uint32_t *scratch = problem->arrays[SCRATCH];
    static uint32_t calls[2];
    int set = scratch == seen.candidate_scratch[0] ? 0 : 1;

    if (seen.candidate_calls == 0) {
        set = 0;
        seen.candidate_scratch[0] = scratch;
    } else if (set == 1) {
        seen.candidate_scratch[1] = scratch;
    }
    cudaError_t status = right(problem);
    return scratch[0]++ == calls[set]++ ? status : cudaErrorUnknown;
}

/* ---- the same in place, in managed memory: data[i] = 2 * data[i] ------------------------------- */

static size_t managed_count(size_t n, int k)
{
    return k == 0 ? n : 0;
}

static size_t managed_bytes(const struct timed_problem *problem)
{
    return 4 * problem->n;
}

static size_t managed_size(size_t bytes_wanted)
{
    return bytes_wanted / 4;
}

static bool verify_doubled(const struct timed_problem *problem, char *text, size_t text_bytes)
{
    const int32_t *data = problem->arrays[0];

    for (size_t i = 0; i < problem->n; i++)
        if (data[i] != 2 * mixed_integer(problem->seed, i, -1000, 1000)) {
            snprintf(text, text_bytes, "index %zu: got %d", i, data[i]);
            return false;
        }
    return true;
}

static const struct speed_test managed_test = {.limit = LIMIT_TO_DEVICE,
    .gate = 0.5,
    .baseline_name = "faulting",
    .array_count = managed_count,
    .updated = 1 << 0,
    .residence = {MANAGED_ON_HOST},
    .bytes = managed_bytes,
    .size_for = managed_size,
    .prepare = prepare,
    .call = call,
    .verify = verify_doubled};

/* Finds the memory as a call has to, and leaves it on the device, with advice. */
static cudaError_t doubles_in_place(const struct timed_problem *problem, double share)
{
    int32_t *data = problem->arrays[0];

    seen.not_on_host += !fake.on_host;
    seen.advised += fake.advised;
    seen.stale += data[0] != mixed_integer(problem->seed, 0, -1000, 1000);
    fake.on_host = false;
    fake.advised = true;
    fake_passes(4.0 * (double)problem->n / FAKE_GB_S / share);
    for (size_t i = 0; i < problem->n; i++)
        data[i] *= 2;
    return cudaSuccess;
}

static cudaError_t doubles_slowly(const struct timed_problem *problem)
{
    return doubles_in_place(problem, 0.1);
}

static cudaError_t doubles_fast(const struct timed_problem *problem)
{
    seen.candidate_calls++;
    return doubles_in_place(problem, 0.9);
}

/* Looks whether the baseline's answer is still in the other set. */
static cudaError_t looks_into_the_other_set(const struct timed_problem *problem)
{
    static int32_t *sets[2];
    const int32_t *other = sets[sets[0] == problem->arrays[0]];

    sets[sets[0] && sets[0] != problem->arrays[0]] = problem->arrays[0];
    seen.left_over += other && other[1] == 2 * mixed_integer(problem->seed, 1, -1000, 1000);
    return doubles_fast(problem);
}

static struct speed_result run(const struct speed_test *test, function candidate)
{
    function slow = baseline;
    struct speed_result result = measure(test, &candidate, &slow);

    cr_assert(fake.blocks == 0, "%zu allocations are left", fake.blocks);
    cr_assert(fake.ledgers_open == 0);
    cr_assert(fake.locks == 1 && fake.locks_held == 0);
    cr_assert(result.attempts == 0 || fake.ledgers == seen.candidate_calls);
    return result;
}

static struct speed_result run_at(double candidate_share)
{
    pace.candidate[0] = pace.candidate[1] = candidate_share;
    return run(&speed_test, right);
}

static void reset(void)
{
    fake_reset();
    memset(&seen, 0, sizeof seen);
    pace.baseline[0] = pace.baseline[1] = 0.1;
    pace.candidate[0] = pace.candidate[1] = 0.9;
    pace.prepare_ns = 1000.0;
    pace.before_baseline = NULL;
}

TestSuite(measure, .init = reset, .timeout = TIMEOUT_S);

#define EXPECT(result, verdict_wanted, diagnosis_wanted)                       \
    do {                                                                       \
        const struct speed_result got = (result);                              \
        cr_assert(got.verdict == (int)(verdict_wanted) &&                      \
                      strcmp(got.diagnosis, (diagnosis_wanted)) == 0,          \
            "%s, %s: %s", verdict_name(got.verdict), got.diagnosis, got.text); \
    } while (0)

#endif
