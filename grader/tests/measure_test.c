/* measure() from end to end on a fake device: what it says of speed, of noise and of mistakes. */
#include <criterion/criterion.h>
#include <math.h>

#include "fake_task.h"

/* ---- speed ----------------------------------------------------------------------------------- */

Test(measure, fast_passes_early, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(0.9);

    EXPECT(result, PASS, "");
    cr_assert(result.pairs == 7 && result.attempts == 1);
    cr_assert(fabs(result.share - 0.9) < 0.001 && fabs(result.speedup - 9.0) < 0.01);
    cr_assert(fabs(result.speedup_needed - 5.0) < 0.01 && !result.gpu_hides_the_difference);
    cr_assert(fabs(result.limit_gb_s - FAKE_GB_S) < 0.001);
    cr_assert(fabs(result.candidate_gb_s - 0.9 * FAKE_GB_S) < 0.001);
    cr_assert(result.bytes == 8.0 * (double)result.n && result.baseline_n == result.n);
    cr_assert(fabs(result.limit_ns - 600000) < 1000, "grown to %.0f ns", result.limit_ns);
}

Test(measure, slow_fails_early, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(0.3);
    EXPECT(result, TOO_SLOW, "below-the-gate");
    cr_assert(result.pairs == 7);
}

/* A call of the candidate takes 2 ms. */
Test(measure, a_call_that_spends_its_time_on_memory_is_told, .timeout = TIMEOUT_S)
{
    fake.allocation_ns = 90000;
    EXPECT(run_at(0.3), TOO_SLOW, "below-the-gate");
    reset();
    fake.allocation_ns = 110000;
    EXPECT(run_at(0.3), TOO_SLOW, "allocates-each-call");
    reset();
    fake.allocation_ns = 110000;
    EXPECT(run_at(0.9), PASS, "");
}

Test(measure, near_the_gate_takes_21_pairs, .timeout = TIMEOUT_S)
{
    struct speed_result above = run_at(0.52);
    EXPECT(above, PASS, "");
    cr_assert(above.pairs == 21);
    reset();
    struct speed_result below = run_at(0.48);
    EXPECT(below, TOO_SLOW, "below-the-gate");
    cr_assert(below.pairs == 21);
}

Test(measure, two_speeds_around_the_gate_are_undecided_after_63, .timeout = TIMEOUT_S)
{
    pace.candidate[0] = 0.4;
    pace.candidate[1] = 0.6;
    struct speed_result result = run(&speed_test, right);
    EXPECT(result, INCONCLUSIVE, "at-the-gate");
    cr_assert(result.pairs == 63 && result.attempts == 1);
}

Test(measure, beyond_the_limit_is_never_a_pass, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(1.5);
    EXPECT(result, INCONCLUSIVE, "beyond-the-limit");
    cr_assert(result.attempts == 3);
}

Test(measure, baseline_that_reaches_the_gate_hides_the_difference, .timeout = TIMEOUT_S)
{
    pace.baseline[0] = pace.baseline[1] = 0.6;
    struct speed_result result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert(result.gpu_hides_the_difference && result.speedup_needed == 1.1);
}

Test(measure, baseline_as_the_limit, .timeout = TIMEOUT_S)
{
    struct speed_test ratio = speed_test;
    ratio.limit = LIMIT_BASELINE;
    ratio.gate = 1.6;
    ratio.bytes = NULL;

    pace.candidate[0] = pace.candidate[1] = 0.2;
    struct speed_result result = run(&ratio, right);
    EXPECT(result, PASS, "");
    cr_assert(fabs(result.speedup - 2.0) < 0.01 && result.speedup_needed == 1.6);
    reset();
    pace.candidate[0] = pace.candidate[1] = 0.12;
    result = run(&ratio, right);
    EXPECT(result, TOO_SLOW, "below-the-gate");
}

Test(measure, without_a_gate_times_are_shown_and_cost_nothing, .timeout = TIMEOUT_S)
{
    struct speed_test shown = speed_test;
    shown.limit = LIMIT_BASELINE;
    shown.gate = 0;

    pace.candidate[0] = pace.candidate[1] = 0.05;
    struct speed_result result = run(&shown, right);
    EXPECT(result, PASS, "");
    cr_assert(result.speedup > 0 && result.speedup < 1 && !result.gpu_hides_the_difference);
    reset();
    pace.baseline[0] = 0.05;
    pace.baseline[1] = 0.2;
    result = run(&shown, right);
    EXPECT(result, PASS, "");
    cr_assert(result.note[0] != '\0', "noise is a note");
    reset();
    result = run(&shown, one_wrong_late);
    cr_assert_eq(result.verdict, WRONG_ANSWER, "a wrong value still counts");
}

static size_t lesson_calls;

static cudaError_t lesson_limit(const struct timed_problem *problem)
{
    lesson_calls++;
    fake_passes((double)bytes(problem) / FAKE_GB_S * 2.0);
    return cudaSuccess;
}

Test(measure, the_lesson_names_its_limit, .timeout = TIMEOUT_S)
{
    struct speed_test own = speed_test;
    own.limit = LIMIT_LESSON;
    own.gate = 0.85;
    own.limit_call = lesson_limit;
    own.limit_label = "the best of the sweep";

    lesson_calls = 0;
    pace.candidate[0] = pace.candidate[1] = 0.5;
    struct speed_result result = run(&own, right);
    EXPECT(result, PASS, "");
    cr_assert(lesson_calls > 0 && fabs(result.share - 1.0) < 0.01, "%f", result.share);
    reset();
    pace.candidate[0] = pace.candidate[1] = 0.4;
    result = run(&own, right);
    EXPECT(result, TOO_SLOW, "below-the-gate");
    cr_assert(strstr(result.text, "the best of the sweep") != NULL, "%s", result.text);
}

Test(measure, slow_baseline_runs_a_smaller_problem, .timeout = TIMEOUT_S)
{
    pace.baseline[0] = pace.baseline[1] = 0.001;
    struct speed_result result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert(result.baseline_n > 900 && result.baseline_n <= 1000, "8 ms are 1,000 elements");
    cr_assert(result.note[0] != '\0');
    cr_assert(fabs(result.speedup - 900.0) < 1.0, "%f", result.speedup);
}

/* A thread a row: as slow for few rows as for many. Scaling its time would invent a speed-up. */
Test(measure, baseline_whose_time_does_not_grow_runs_at_full_size, .timeout = TIMEOUT_S)
{
    pace.baseline_fixed_ns = 7e6;
    struct speed_result result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert_eq(result.baseline_n, result.n);
    cr_assert(fabs(result.baseline_ns - 7e6) < 1e5, "%f", result.baseline_ns);
}

Test(measure, hopeless_candidate_is_not_run_at_full_size, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(0.0001);
    EXPECT(result, TOO_SLOW, "far-below-the-gate");
    cr_expect_gt(result.expected_ns, 0.15e9, "expected %f ms", result.expected_ns / 1e6);
    cr_assert(device_now_ns() < 3e9, "it took %f s", (double)device_now_ns() / 1e9 - 1.0);
}

Test(measure, too_little_memory_is_no_verdict_on_the_candidate, .timeout = TIMEOUT_S)
{
    fake.free_bytes = 4 << 20;
    EXPECT(run_at(0.9), INCONCLUSIVE, "too-little-memory");
    /* Enough for the smallest set that the caches cannot hold, not for the one that is wanted. */
    reset();
    fake.free_bytes = 9 << 20;
    struct speed_result result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert(result.limit_ns < 500000);
}

/* ---- noise ----------------------------------------------------------------------------------- */

static size_t disturbed_calls; /* of the baseline; the attempts after them are quiet */

static void slows_the_device(void)
{
    pace.baseline[0] *= 0.99;
    pace.baseline[1] = pace.baseline[0];
}

static void shares_the_device(void)
{
    fake.idle_factor = seen.baseline_calls % 3 == 0 ? 1.0 : 20.0;
}

static void scatters_at_first(void)
{
    pace.baseline[1] = seen.baseline_calls < disturbed_calls ? 0.05 : 0.1;
}

Test(measure, noisy_baseline, .timeout = TIMEOUT_S)
{
    pace.baseline[1] = 0.08;
    struct speed_result result = run_at(0.9);
    EXPECT(result, INCONCLUSIVE, "noisy-baseline");
    cr_assert(result.attempts == 3 && result.pairs == 21);

    reset();
    struct speed_test tolerant = speed_test;
    tolerant.baseline_iqr_max = 0.5;
    pace.baseline[1] = 0.08;
    result = run(&tolerant, right);
    EXPECT(result, PASS, "");
}

Test(measure, drifting_clock, .timeout = TIMEOUT_S)
{
    pace.before_baseline = slows_the_device;
    EXPECT(run_at(0.55), INCONCLUSIVE, "drift");
}

Test(measure, shared_device, .timeout = TIMEOUT_S)
{
    pace.before_baseline = shares_the_device;
    EXPECT(run_at(0.9), INCONCLUSIVE, "shared-gpu");
}

Test(measure, noise_that_ends_costs_an_attempt, .timeout = TIMEOUT_S)
{
    disturbed_calls = 40;
    pace.before_baseline = scatters_at_first;
    struct speed_result result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert(result.attempts == 2);
}

/* ---- wrong in a timed call ------------------------------------------------------------------- */

static void expect_rejected(function candidate, enum verdict verdict, const char *diagnosis)
{
    reset();
    struct speed_result result = run(&speed_test, candidate);
    EXPECT(result, verdict, diagnosis);
    cr_assert(result.text[0] != '\0');
}

Test(measure, every_call_is_checked, .timeout = TIMEOUT_S)
{
    expect_rejected(one_wrong_late, WRONG_ANSWER, "wrong-when-timed");
    expect_rejected(does_nothing_late, WRONG_ANSWER, "wrong-when-timed");
    expect_rejected(replays, WRONG_ANSWER, "wrong-when-timed");
    expect_rejected(changes_input, WRONG_ANSWER, "input-modified");
    expect_rejected(writes_past_the_end, MEMORY_ERROR, "guard-zone");
    expect_rejected(writes_before, MEMORY_ERROR, "guard-zone");
    expect_rejected(writes_past_and_is_wrong, WRONG_ANSWER, "wrong-when-timed");
    expect_rejected(returns_error, CUDA_ERROR, "cuda-error");
    expect_rejected(leaves_error, CUDA_ERROR, "cuda-error");
    expect_rejected(faults, CUDA_ERROR, "cuda-error");
    expect_rejected(is_ended_by_watchdog, TIMED_OUT, "launch-timeout");
    expect_rejected(is_a_skeleton, NOT_ATTEMPTED, "not-attempted");
}

static int right_calls; /* of is_wrong_later */

static cudaError_t is_wrong_later(const struct timed_problem *problem)
{
    cudaError_t status = right(problem);
    if ((int)seen.candidate_calls > right_calls)
        ((int32_t *)problem->arrays[OUT])[0]++;
    return status;
}

/* Where one pair is enough, what is right in its first call only is found by a call before it. */
Test(measure, a_call_before_the_pairs_makes_one_more, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(0.9);
    right_calls = (int)seen.candidate_calls;

    reset();
    pace.candidate[0] = pace.candidate[1] = 0.9;
    result = run(&speed_test, is_wrong_later);
    EXPECT(result, PASS, "");
    reset();
    pace.candidate[0] = pace.candidate[1] = 0.9;
    fake.calls_before = 1;
    result = run(&speed_test, is_wrong_later);
    EXPECT(result, WRONG_ANSWER, "wrong-when-timed");
}

static const void *inputs_seen[2];
static bool input_is_left;

static cudaError_t looks_for_its_input_elsewhere(const struct timed_problem *problem)
{
    const void *own = problem->arrays[IN];

    for (int i = 0; i < 2; i++) {
        if (!inputs_seen[i])
            inputs_seen[i] = own;
        if (inputs_seen[i] == own)
            break;
        input_is_left = input_is_left || memcmp(inputs_seen[i], own, problem->counts[IN] * 4) == 0;
    }
    return right(problem);
}

/* A graph that was captured in an earlier call reads there; the baseline is given the same input. */
Test(measure, no_input_is_left_in_the_other_set, .timeout = TIMEOUT_S)
{
    reset();
    run(&speed_test, looks_for_its_input_elsewhere);
    cr_assert_not_null(inputs_seen[1]);
    cr_assert_not(input_is_left);
}

static cudaError_t wrong_baseline(const struct timed_problem *problem)
{
    does_work(problem);
    ((int32_t *)problem->arrays[OUT])[0]++;
    return cudaSuccess;
}

Test(measure, wrong_baseline_is_the_graders_fault, .timeout = TIMEOUT_S)
{
    function slow = wrong_baseline, fast = right;
    EXPECT(measure(&speed_test, &fast, &slow), GRADER_FAULT, "baseline");
}

Test(measure, contents_and_arrays_change_from_call_to_call, .timeout = TIMEOUT_S)
{
    run_at(0.52);
    cr_assert(seen.repeated_seeds == 0, "%zu", seen.repeated_seeds);
    cr_assert(seen.candidate_seed == seen.baseline_seed); /* of the last pair */
    cr_assert(seen.unpoisoned == 0, "%zu", seen.unpoisoned);
    cr_assert(seen.repeated_arrays < 6, "%zu: only while warming up", seen.repeated_arrays);
}

Test(measure, cache_is_cold_before_every_call, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(0.9);
    const size_t timed = seen.candidate_calls + seen.baseline_calls + (size_t)result.pairs;

    const size_t swept = device_limit_shapes() * sampling_plan_for(false).sweep_calls;
    cr_assert(fake.flushes == timed + swept + 1, "%zu flushes, %zu samples", fake.flushes, timed);
    cr_assert(fake.persisting_resets == timed);
}

Test(measure, scratch_is_kept_and_not_shared, .timeout = TIMEOUT_S)
{
    struct speed_result result = run(&speed_test, counts_calls);
    EXPECT(result, PASS, "");
    for (int set = 0; set < 4; set++)
        cr_assert(seen.candidate_scratch[set / 2] != seen.baseline_scratch[set % 2]);
}

Test(measure, order_is_reversed_in_every_second_pair, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_at(0.52);
    const size_t length = strlen(fake.order);

    cr_assert(result.pairs == 21 && length > 63);
    for (size_t pair = 0; pair < 21; pair++)
        cr_assert(memcmp(fake.order + length - 63 + 3 * pair, pair % 2 ? "LCB" : "BCL", 3) == 0);
}

Test(measure, sampling_ends_with_the_time_for_it, .timeout = TIMEOUT_S)
{
    pace.prepare_ns = 40e6;
    pace.candidate[0] = 0.4;
    pace.candidate[1] = 0.6;
    struct speed_result result = run(&speed_test, right);
    EXPECT(result, INCONCLUSIVE, "at-the-gate");
    cr_assert(result.pairs > 7 && result.pairs < 21, "%d pairs", result.pairs);
    /* The first seven are always taken. */
    reset();
    pace.prepare_ns = 400e6;
    result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert(result.pairs == 7);
}

Test(measure, a_large_cache_needs_a_larger_problem, .timeout = TIMEOUT_S)
{
    fake.l2_bytes = 512 << 10;
    struct speed_result result = run_at(0.9);
    EXPECT(result, PASS, "");
    cr_assert(result.bytes >= 4.0 * 512 * 1024);
}

Test(measure, fastest_shape_is_found_once, .timeout = TIMEOUT_S)
{
    struct speed_result first = run_at(0.9);
    const size_t runs = fake.slow_limit_runs;

    cr_assert(runs > 0);
    struct speed_result second = measure(&speed_test, &(function){right}, &(function){baseline});
    cr_assert(fake.slow_limit_runs == runs);
    cr_assert(fabs(first.limit_gb_s - FAKE_GB_S) < 0.01);
    cr_assert(fabs(second.limit_gb_s - FAKE_GB_S) < 0.01);
}

/* ---- arrays that lie elsewhere --------------------------------------------------------------- */

static struct speed_result run_managed(function candidate)
{
    function slow = doubles_slowly;
    return measure(&managed_test, &candidate, &slow);
}

Test(measure, managed_pages_are_on_the_host_before_every_call, .timeout = TIMEOUT_S)
{
    struct speed_result result = run_managed(doubles_fast);

    EXPECT(result, PASS, "");
    cr_assert(seen.not_on_host == 0 && seen.advised == 0 && seen.stale == 0);
    cr_assert(fake.blocks == 0 && fake.managed_blocks == 2 && fake.pinned_blocks == 0);
    cr_assert(fabs(result.share - 0.9) < 0.001 && result.bytes == 4.0 * (double)result.n);
    cr_assert(result.n >= (96 << 10) / 4, "%zu", result.n);
    EXPECT(run_managed(doubles_slowly), TOO_SLOW, "below-the-gate");
    EXPECT(run_managed(looks_into_the_other_set), PASS, "");
    cr_assert(seen.left_over == 0);
}

Test(measure, where_a_launch_moves_all_managed_memory_times_are_shown, .timeout = TIMEOUT_S)
{
    fake.restricted = true;
    struct speed_result result = run_managed(doubles_slowly);
    EXPECT(result, PASS, "");
    cr_assert(result.gate == 0.0 && fabs(result.speedup - 1.0) < 0.01);
}

Test(measure, pinned_arrays, .timeout = TIMEOUT_S)
{
    struct speed_test pinned = speed_test;
    pinned.residence[IN] = pinned.residence[OUT] = PINNED_ON_HOST;
    pace.candidate[0] = pace.candidate[1] = 0.9;
    EXPECT(run(&pinned, right), PASS, "");
    cr_assert_eq(fake.pinned_blocks, 0);
    EXPECT(measure(&pinned, &(function){one_wrong_late}, &(function){baseline}), WRONG_ANSWER,
        "wrong-when-timed");
}
