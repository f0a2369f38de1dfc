/* One call and everything around it, with a device that is host memory: which verdict, which
 * diagnosis, and what is said. */
#include "../trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../guarded.h"
#include "host_device.h"

enum { N = 2000 };

typedef cudaError_t doubling(const int *in, int *out, size_t n);

static cudaError_t right(const int *in, int *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = 2 * in[i];
    return cudaSuccess;
}

static cudaStream_t given; /* what a candidate would be given as its last argument */

static const size_t sizes[] = {5, 0, N};

static void check_doubling(struct trial *t)
{
    doubling *function = (doubling *)trial_function(t);

    for (size_t k = 0; k < LENGTH(sizes); k++) {
        const size_t n = trial_try_size(t) ? trial_try_size(t) : sizes[k];
        if (!trial_begin(t, "n%zu", n))
            continue;
        struct array *in = trial_input(t, "in", INT32, n);
        struct array *out = trial_output(t, "out", INT32, n);
        double *want = malloc((n + 1) * sizeof *want);
        fill_ints(in->ints, n, -1000, 1000, trial_seed(t));
        given = trial_stream(t);
        TRIAL_CALL(t, function(in->device, out->device, n));
        for (size_t i = 0; i < n; i++)
            want[i] = 2.0 * in->ints[i];
        trial_expect(
            t, &(struct expectation){.output = out, .want = want, .threads_per_block = 64});
        free(want);
        trial_end(t);
        if (trial_try_size(t))
            break;
    }
}

static const struct diagnosis lesson[] = {{"off-by-one", "The lesson's own cause."}, {NULL, NULL}};
static struct task tasks[] = {{.id = "hw0.1", .check = check_doubling, .diagnoses = lesson}};
const struct homework homework = {.name = "hw0", .tasks = tasks, .task_count = 1};

static struct outcome outcome;

static void run_check(void (*check)(struct trial *), doubling *function)
{
    tasks[0].check = check;
    trial_run(&tasks[0], (void *)function, &outcome);
    cr_assert_eq(device.ledgers_open, 0);
    cr_assert_eq(device.streams, 0);
    cr_assert_eq(device.alive, 0, "%d arrays are left", device.alive);
}

static void run(doubling *function)
{
    run_check(check_doubling, function);
}

static void clean(void)
{
    unsetenv("GRADER_CASE");
    unsetenv("GRADER_SEED");
    unsetenv("GRADER_TRY");
    tasks[0].stream_case = NULL;
}

TestSuite(trial, .init = clean);

static void expect_outcome(enum verdict verdict, const char *diagnosis, const char *case_id)
{
    cr_assert_eq(outcome.verdict, verdict, "%s: %s", outcome.diagnosis, outcome.first);
    cr_assert_str_eq(outcome.diagnosis, diagnosis, "%s", outcome.diagnosis);
    cr_assert_str_eq(outcome.case_id, case_id, "%s", outcome.case_id);
    if (verdict != PASS)
        cr_assert_str_eq(outcome.cause, diagnosis_cause(diagnosis, lesson));
}

static void expect_finding(enum verdict verdict, const char *diagnosis, const char *case_id)
{
    cr_assert_eq(outcome.verdict, PASS, "%s", outcome.first);
    cr_assert_eq(outcome.safety, verdict, "%s", outcome.safety_text);
    cr_assert_str_eq(outcome.safety_diagnosis, diagnosis);
    cr_assert_str_eq(outcome.safety_case_id, case_id);
    cr_assert_str_eq(outcome.safety_cause, diagnosis_cause(diagnosis, NULL));
}

/* ---- values --------------------------------------------------------------------------------- */

Test(trial, a_right_function_passes)
{
    run(right);
    expect_outcome(PASS, "", "");
    cr_assert_eq(outcome.safety, PASS);
    cr_assert_eq(outcome.cases_passed, 3);
    cr_assert_str_eq(device.message, "n2000-seed7f3a");
}

static cudaError_t wrong_for_many(const int *in, int *out, size_t n)
{
    return n < N ? right(in, out, n) : right(in, out, n / 64 * 64);
}

Test(trial, a_wrong_value_ends_the_task)
{
    run(wrong_for_many);
    expect_outcome(WRONG_ANSWER, "grid-rounded-down", "n2000-seed7f3a");
    cr_assert_eq(outcome.cases_passed, 2);
    cr_assert(strstr(outcome.first, "index 1,984 = block 31, thread 0") == outcome.first, "%s",
        outcome.first);
    cr_assert_str_eq(outcome.right, "the 31 whole blocks of 64 threads");
}

static cudaError_t copies(const int *in, int *out, size_t n)
{
    memcpy(out, in, n * sizeof *out);
    return cudaSuccess;
}

Test(trial, inputs_are_compared_without_being_named)
{
    run(copies);
    expect_outcome(WRONG_ANSWER, "copy-of-input", "n5-seed7f3a");
}

static int calls;

static cudaError_t stale(const int *in, int *out, size_t n)
{
    return calls++ == 0 ? right(in, out, n) : cudaSuccess;
}

static void check_twice(struct trial *t)
{
    doubling *function = (doubling *)trial_function(t);

    if (!trial_begin(t, "twice"))
        return;
    struct array *in = trial_input(t, "in", INT32, 1);
    struct array *out = trial_output(t, "out", INT32, 1);
    in->ints[0] = 21;
    const double want = 42;
    for (int call = 0; call < 2; call++) {
        TRIAL_CALL(t, function(in->device, out->device, 1));
        trial_expect(t, &(struct expectation){.output = out, .want = &want});
    }
    trial_end(t);
}

Test(trial, an_output_is_junk_again_before_the_second_call)
{
    run_check(check_twice, stale);
    expect_outcome(WRONG_ANSWER, "unwritten", "twice-seed7f3a");
    cr_assert_eq(outcome.cases_passed, 0);
}

/* ---- what is returned ----------------------------------------------------------------------- */

static cudaError_t skeleton(const int *in, int *out, size_t n)
{
    (void)in, (void)out, (void)n;
    return cudaErrorNotYetImplemented;
}

static cudaError_t skeleton_for_none(const int *in, int *out, size_t n)
{
    return n == 0 ? cudaErrorNotYetImplemented : right(in, out, n);
}

Test(trial, the_skeleton_is_not_attempted)
{
    run(skeleton);
    expect_outcome(NOT_ATTEMPTED, "not-attempted", "n5-seed7f3a");
}

Test(trial, not_implemented_later_is_a_wrong_answer)
{
    run(skeleton_for_none);
    expect_outcome(WRONG_ANSWER, "not-implemented-here", "n0-seed7f3a");
}

static cudaError_t returned, pending;

static cudaError_t returns(const int *in, int *out, size_t n)
{
    right(in, out, n);
    device.last_error = pending;
    return returned;
}

Test(trial, a_returned_error)
{
    returned = cudaErrorInvalidValue;
    device.ledger.refused_launch = (struct refused_launch){
        .error = cudaErrorInvalidValue, .grid = {4, 1, 1}, .block = {2048, 1, 1}};
    run(returns);
    expect_outcome(CUDA_ERROR, "block-too-large", "n5-seed7f3a");
    cr_assert_str_eq(outcome.first, "it returned cudaErrorInvalidValue (as CUDA puts it)");
    cr_assert_str_eq(
        outcome.where, "the launch <<<4, 2,048, 0>>> was refused: too many threads in a block");
}

Test(trial, an_ignored_error_of_a_launch)
{
    pending = cudaErrorInvalidValue;
    device.ledger.refused_launch = (struct refused_launch){
        .error = cudaErrorInvalidValue, .grid = {4, 1, 1}, .block = {2048, 1, 1}};
    run(returns);
    expect_outcome(CUDA_ERROR, "launch-error-ignored", "n5-seed7f3a");
    cr_assert_str_eq(outcome.first, "it returned cudaSuccess, but cudaGetLastError() had "
                                    "cudaErrorInvalidValue (as CUDA puts it)");
}

Test(trial, an_ignored_error_of_another_call)
{
    pending = cudaErrorInvalidValue;
    run(returns);
    expect_outcome(CUDA_ERROR, "call-error-ignored", "n5-seed7f3a");
}

Test(trial, an_ignored_error_of_a_kernel_is_the_kernels)
{
    pending = cudaErrorMisalignedAddress;
    run(returns);
    expect_outcome(CUDA_ERROR, "misaligned-address", "n5-seed7f3a");
    cr_assert_str_eq(outcome.first, "it returned cudaSuccess, but cudaGetLastError() had "
                                    "cudaErrorOther (as CUDA puts it)");
}

static cudaError_t crashes_later(const int *in, int *out, size_t n)
{
    device.synchronise = n == N ? cudaErrorIllegalAddress : cudaSuccess;
    return right(in, out, n);
}

static cudaError_t never_ends(const int *in, int *out, size_t n)
{
    device.synchronise = cudaErrorLaunchTimeout;
    return right(in, out, n);
}

Test(trial, an_error_from_before_the_call_is_not_its_own)
{
    device.last_error = cudaErrorInvalidValue;
    run(right);
    expect_outcome(PASS, "", "");
}

Test(trial, an_error_of_the_kernel)
{
    run(crashes_later);
    expect_outcome(CUDA_ERROR, "illegal-address", "n2000-seed7f3a");
    cr_assert_str_eq(
        outcome.first, "the kernel ended with cudaErrorIllegalAddress (as CUDA puts it)");
}

Test(trial, a_kernel_that_never_ends)
{
    run(never_ends);
    expect_outcome(TIMED_OUT, "launch-timeout", "n5-seed7f3a");
}

/* ---- safety findings ------------------------------------------------------------------------ */

static cudaError_t overshoots(const int *in, int *out, size_t n)
{
    right(in, out, n);
    out[n + 2] = 7;
    out[n + 4] = 8;
    return cudaSuccess;
}

static cudaError_t undershoots(const int *in, int *out, size_t n)
{
    right(in, out, n);
    out[-3] = 7;
    return cudaSuccess;
}

static cudaError_t changes_input(const int *in, int *out, size_t n)
{
    right(in, out, n);
    if (n == N)
        ((int *)in)[1234] = 5000;
    return cudaSuccess;
}

Test(trial, written_past_the_end)
{
    run(overshoots);
    expect_finding(MEMORY_ERROR, "guard-zone", "n5-seed7f3a");
    cr_assert_str_eq(outcome.safety_text,
        "out: written past its end, 2 elements, the first at index 7 of an array of 5");
    cr_assert_eq(outcome.cases_passed, 3, "the other cases ran");
}

Test(trial, written_before_the_start)
{
    run(undershoots);
    expect_finding(MEMORY_ERROR, "guard-zone", "n5-seed7f3a");
    cr_assert_str_eq(outcome.safety_text,
        "out: written before its start, 1 element, the furthest 3 before index 0");
}

/* Every third value is wrong, and an element is written in front of the output. */
static cudaError_t scatters(const int *in, int *out, size_t n)
{
    right(in, out, n);
    for (size_t i = 0; i < n && n == N; i += 3)
        out[i] = 5001;
    if (n == N)
        out[-3] = 1;
    return cudaSuccess;
}

Test(trial, what_was_seen_of_memory_explains_values_without_a_pattern)
{
    run(scatters);
    cr_assert_str_eq(outcome.diagnosis, "unknown-pattern", "%s", outcome.diagnosis);
    cr_assert_eq(outcome.safety, MEMORY_ERROR);
    cr_assert_str_eq(outcome.cause, diagnosis_cause("guard-zone", NULL));
}

Test(trial, a_finding_about_memory_is_explained_by_its_place)
{
    cr_assert_str_eq(
        diagnosis_place("a read of 4 bytes, 12 bytes before the start of `in`"), "before");
    cr_assert_str_eq(diagnosis_place("A store at offset 64 of shared memory"), "shared");
    cr_assert_str_eq(diagnosis_place("a read right after the end of `in`"), "");
    const char *const general = diagnosis_cause("out-of-bounds", NULL);
    cr_assert_str_neq(diagnosis_cause_at("out-of-bounds", "before", NULL), general);
    cr_assert_str_eq(diagnosis_cause_at("out-of-bounds", "elsewhere", NULL), general);
    cr_assert_str_eq(diagnosis_cause_at("off-by-one", "before", lesson), lesson[0].cause);
}

static void check_floats(struct trial *t)
{
    doubling *function = (doubling *)trial_function(t);
    double *want = malloc(N * sizeof *want);

    if (trial_begin(t, "floats")) {
        struct array *in = trial_input(t, "in", FLOAT32, N);
        struct array *out = trial_output(t, "out", FLOAT32, N);
        fill_integers(in->floats, N, -1000, 1000, trial_seed(t));
        TRIAL_CALL(t, function((const int *)in->device, (int *)out->device, N));
        for (size_t i = 0; i < N; i++)
            want[i] = 2 * in->floats[i];
        trial_expect(t, &(struct expectation){.output = out, .want = want});
        trial_end(t);
    }
    free(want);
}

static cudaError_t doubles_but_for_two(const int *in, int *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((float *)out)[i] = i == 10 || i == 20 ? NAN : 2 * ((const float *)in)[i];
    return cudaSuccess;
}

Test(trial, nan_that_no_input_has_is_explained)
{
    run_check(check_floats, doubles_but_for_two);
    cr_assert_str_eq(outcome.diagnosis, "unknown-pattern", "%s", outcome.diagnosis);
    cr_assert_str_eq(outcome.cause, diagnosis_cause_at("unknown-pattern", "nan", NULL));
    cr_assert_str_neq(outcome.cause, diagnosis_cause("unknown-pattern", NULL));
}

Test(trial, a_changed_input)
{
    run(changes_input);
    expect_finding(MEMORY_ERROR, "input-modified", "n2000-seed7f3a");
    cr_assert(
        strstr(outcome.safety_text, "in is an input, and was changed: index 1,234 from ") != NULL);
    cr_assert(strstr(outcome.safety_text, " to 5000") != NULL, "%s", outcome.safety_text);
}

Test(trial, a_leak)
{
    device.ledger = (struct ledger){
        .allocations = 3, .frees = 2, .leaked_allocations = 1, .leaked_bytes = 4096};
    run(right);
    expect_finding(LEAK, "leak", "n5-seed7f3a");
    cr_assert_str_eq(outcome.safety_text, "never freed: 1 of 3 allocations, 4,096 bytes");
}

static cudaError_t overshoots_and_is_wrong(const int *in, int *out, size_t n)
{
    overshoots(in, out, n);
    if (n == N)
        out[0]++;
    return cudaSuccess;
}

Test(trial, a_wrong_value_outweighs_a_finding)
{
    run(overshoots_and_is_wrong);
    expect_outcome(WRONG_ANSWER, "beginning-wrong", "n2000-seed7f3a");
    cr_assert_eq(outcome.safety, MEMORY_ERROR);
}

Test(trial, work_on_the_host)
{
    device.ledger.bytes_to_host = N * sizeof(int) / 2;
    run(right);
    expect_outcome(WRONG_ANSWER, "computed-on-host", "n2000-seed7f3a");
    device.ledger.bytes_to_host--;
    run(right);
    expect_outcome(PASS, "", "");
}

/* ---- calls that must fail ------------------------------------------------------------------- */

static void check_refusal(struct trial *t)
{
    doubling *function = (doubling *)trial_function(t);

    if (!trial_begin(t, "refusal"))
        return;
    struct array *out = trial_output(t, "out", INT32, 3);
    TRIAL_CALL_MUST_FAIL(t, function(NULL, out->device, 0), "n is 0");
    trial_end(t);
}

Test(trial, a_refusal_passes_whatever_the_error)
{
    returned = pending = cudaErrorInvalidValue;
    run_check(check_refusal, returns);
    expect_outcome(PASS, "", "");
    returned = cudaErrorUnknown;
    run_check(check_refusal, returns);
    expect_outcome(PASS, "", "");
}

Test(trial, success_where_an_error_is_due)
{
    returned = cudaSuccess;
    run_check(check_refusal, returns);
    expect_outcome(WRONG_ANSWER, "error-not-returned", "refusal-seed7f3a");
    cr_assert_str_eq(
        outcome.first, "it returned cudaSuccess; it must return an error because n is 0");
    returned = cudaErrorNotYetImplemented;
    run_check(check_refusal, returns);
    expect_outcome(NOT_ATTEMPTED, "not-attempted", "refusal-seed7f3a");
}

Test(trial, a_refusal_that_breaks_the_device)
{
    returned = cudaErrorInvalidValue;
    device.synchronise = cudaErrorIllegalAddress;
    device.ledger.launches = 1;
    run_check(check_refusal, returns);
    cr_assert_eq(outcome.verdict, GRADER_FAULT, "broken before the call: not the candidate's");
    device.synchronise = cudaSuccess;
    run_check(check_refusal, never_ends);
    cr_assert_eq(outcome.verdict, WRONG_ANSWER);
}

static cudaError_t breaks_and_refuses(const int *in, int *out, size_t n)
{
    (void)in, (void)out, (void)n;
    device.synchronise = cudaErrorIllegalAddress;
    return cudaErrorInvalidValue;
}

Test(trial, a_refusal_after_which_nothing_works)
{
    run_check(check_refusal, breaks_and_refuses);
    expect_outcome(CUDA_ERROR, "sticky-error", "refusal-seed7f3a");
}

Test(trial, a_refusal_that_leaks)
{
    returned = cudaErrorInvalidValue;
    device.ledger = (struct ledger){.allocations = 1, .leaked_allocations = 1, .leaked_bytes = 9};
    run_check(check_refusal, returns);
    expect_finding(LEAK, "leak-on-error", "refusal-seed7f3a");
}

/* ---- in a stream of the caller's ------------------------------------------------------------- */

static struct arguments {
    const int *in;
    int *out;
    size_t n;
} queued;

static void CUDART_CB do_it(void *arguments)
{
    const struct arguments *a = arguments;
    right(a->in, a->out, a->n);
}

static void CUDART_CB add_it(void *arguments)
{
    const struct arguments *a = arguments;
    for (size_t i = 0; i < a->n; i++)
        a->out[i] += 2 * a->in[i];
}

static cudaError_t queues_it(const int *in, int *out, size_t n)
{
    queued = (struct arguments){in, out, n};
    return given ? cudaLaunchHostFunc(given, do_it, &queued) : right(in, out, n);
}

static cudaError_t waits_first_and_last(const int *in, int *out, size_t n)
{
    cudaStreamSynchronize(given);
    queued = (struct arguments){in, out, n};
    queue_work(ELSEWHERE, (struct queued_work){.function = do_it, .data = &queued});
    return cudaDeviceSynchronize();
}

static cudaError_t waits_first_only(const int *in, int *out, size_t n)
{
    cudaStreamSynchronize(given);
    queued = (struct arguments){in, out, n};
    queue_work(ELSEWHERE, (struct queued_work){.function = do_it, .data = &queued});
    return cudaSuccess;
}

static cudaError_t clears_at_once(const int *in, int *out, size_t n)
{
    memset(out, 0, n * sizeof *out);
    queued = (struct arguments){in, out, n};
    if (given)
        return cudaLaunchHostFunc(given, add_it, &queued);
    add_it(&queued);
    return cudaSuccess;
}

static void run_with_stream(doubling *function)
{
    tasks[0].stream_case = "n5";
    run(function);
}

Test(trial, work_in_the_callers_stream_passes)
{
    run_with_stream(queues_it);
    expect_outcome(PASS, "", "");
    cr_assert_eq(outcome.cases_passed, 4, "one is repeated");
    cr_assert_str_eq(device.message, "n5-stream-seed7f3a");
    run_with_stream(waits_first_and_last);
    expect_outcome(PASS, "", "");
}

Test(trial, work_outside_of_the_callers_stream_is_wrong)
{
    doubling *const all[] = {right, waits_first_only, clears_at_once};

    for (size_t i = 0; i < LENGTH(all); i++) {
        run_with_stream(all[i]);
        expect_outcome(WRONG_ANSWER, "other-stream", "n5-stream-seed7f3a");
        cr_assert_eq(outcome.cases_passed, 3, "candidate %zu", i);
        cr_assert_str_eq(outcome.right, "the same call with the default stream");
    }
}

Test(trial, a_mistake_is_shown_in_its_own_case_not_in_the_stream)
{
    run_with_stream(wrong_for_many);
    expect_outcome(WRONG_ANSWER, "grid-rounded-down", "n2000-seed7f3a");
}

static void check_seeds_in_stream(struct trial *t)
{
    static uint64_t first;

    if (!trial_begin(t, "one"))
        return;
    if (!trial_stream(t))
        first = trial_seed(t);
    cr_assert_eq(trial_seed(t), first, "the same inputs");
    TRIAL_CALL(t, cudaSuccess);
    trial_end(t);
}

Test(trial, the_stream_case_has_the_inputs_of_the_case_that_it_repeats)
{
    tasks[0].stream_case = "one";
    run_check(check_seeds_in_stream, right);
    expect_outcome(PASS, "", "");
    cr_assert_eq(outcome.cases_passed, 2);
}

Test(trial, the_stream_case_is_replayed_after_the_one_that_it_repeats)
{
    setenv("GRADER_CASE", "n5-stream-seedbeef", 1);
    run_with_stream(right);
    expect_outcome(WRONG_ANSWER, "other-stream", "n5-stream-seedbeef");
    cr_assert_eq(outcome.cases_passed, 1);
    setenv("GRADER_CASE", "n5-seedbeef", 1);
    run_with_stream(right);
    expect_outcome(PASS, "", "");
    cr_assert_eq(outcome.cases_passed, 1);
    setenv("GRADER_CASE", "n0-stream-seedbeef", 1);
    run_with_stream(right);
    expect_outcome(CANNOT_GRADE, "no-such-case", "");
}

Test(trial, a_stream_case_that_is_none_is_a_fault)
{
    tasks[0].stream_case = "n6";
    run(right);
    expect_outcome(GRADER_FAULT, "no-cases", "");
}

Test(trial, a_survey_leaves_the_stream_case_out)
{
    struct largest_case found;

    tasks[0].check = check_doubling;
    tasks[0].stream_case = "n5";
    trial_survey(&tasks[0], (void *)right, &outcome, &found);
    expect_outcome(PASS, "", "");
}

/* ---- host arrays and functions without arrays ----------------------------------------------- */

static int hidden_copy_seen;

static void check_host_arrays(struct trial *t)
{
    doubling *function = (doubling *)trial_function(t);

    if (!trial_begin(t, "host"))
        return;
    struct array *in = trial_host_input(t, "in", INT32, 4);
    struct array *out = trial_host_output(t, "out", INT32, 4);
    for (int i = 0; i < 4; i++)
        in->ints[i] = i + 1;
    TRIAL_CALL(t, function(in->given, out->given, 4));
    hidden_copy_seen = in->ints[0];
    const double want[] = {2, 4, 6, 8};
    trial_expect(t, &(struct expectation){.output = out, .want = want});
    trial_end(t);
}

static cudaError_t cheats_the_oracle(const int *in, int *out, size_t n)
{
    memset((int *)in, 0, n * sizeof *in);
    return right(in, out, n);
}

Test(trial, host_arrays)
{
    run_check(check_host_arrays, right);
    expect_outcome(PASS, "", "");
    run_check(check_host_arrays, overshoots);
    expect_finding(MEMORY_ERROR, "guard-zone", "host-seed7f3a");
    run_check(check_host_arrays, cheats_the_oracle);
    expect_outcome(WRONG_ANSWER, "all-zero", "host-seed7f3a");
    cr_assert_eq(hidden_copy_seen, 1);
}

static void check_plain_function(struct trial *t)
{
    if (!trial_begin(t, "plain"))
        return;
    if (TRIAL_CALL(t, cudaSuccess))
        trial_fail(t, WRONG_ANSWER, "off-by-one", "got %d    expected %d", 3, 4);
    trial_end(t);
}

Test(trial, a_function_without_arrays_needs_no_device)
{
    device.synchronise = cudaErrorNoDevice;
    device.ledger.smallest_request_bytes = SIZE_MAX;
    run_check(check_plain_function, right);
    expect_outcome(WRONG_ANSWER, "off-by-one", "plain-seed7f3a");
    cr_assert_str_eq(outcome.first, "got 3    expected 4");
    cr_assert_str_eq(outcome.cause, "The lesson's own cause.");
}

static void check_scratch(struct trial *t)
{
    if (!trial_begin(t, "scratch"))
        return;
    struct array *scratch = trial_scratch(t, "scratch", 6);
    uint32_t *words = scratch->device;
    cr_assert_eq(scratch->count, 2);
    for (uint32_t call = 0; call < 3; call++) {
        cr_assert_eq(words[0], call, "kept between calls");
        TRIAL_CALL(t, (words[0]++, cudaSuccess));
    }
    cr_assert_eq(words[1], 0);
    TRIAL_CALL(t, (words[2] = 1, cudaSuccess));
    trial_end(t);
}

Test(trial, scratch_is_kept_and_guarded)
{
    run_check(check_scratch, right);
    expect_finding(MEMORY_ERROR, "guard-zone", "scratch-seed7f3a");
}

/* ---- which cases run ------------------------------------------------------------------------ */

static void check_nothing(struct trial *t)
{
    (void)t;
}

Test(trial, silence_is_no_pass)
{
    run_check(check_nothing, right);
    expect_outcome(GRADER_FAULT, "no-cases", "");
}

Test(trial, too_little_memory_costs_nothing)
{
    device.allocate = cudaErrorMemoryAllocation;
    run(right);
    expect_outcome(CANNOT_GRADE, "too-little-memory", "n5-seed7f3a");
}

Test(trial, one_case_is_replayed_with_its_seed)
{
    setenv("GRADER_CASE", "n2000-seedbeef", 1);
    setenv("GRADER_SEED", "1", 1);
    run(wrong_for_many);
    expect_outcome(WRONG_ANSWER, "grid-rounded-down", "n2000-seedbeef");
    cr_assert_eq(outcome.cases_passed, 0);
    setenv("GRADER_CASE", "n5-seedbeef", 1);
    run(wrong_for_many);
    cr_assert_eq(outcome.verdict, PASS);
    cr_assert_eq(outcome.cases_passed, 1);
    setenv("GRADER_CASE", "n6-seedbeef", 1);
    run(right);
    expect_outcome(CANNOT_GRADE, "no-such-case", "");
}

static struct largest_case largest;

static void survey(doubling *function)
{
    tasks[0].check = check_doubling;
    trial_survey(&tasks[0], (void *)function, &outcome, &largest);
    cr_assert_eq(device.alive, 0, "%d arrays are left", device.alive);
}

static cudaError_t wrong_for_five(const int *in, int *out, size_t n)
{
    right(in, out, n);
    if (n == 5)
        out[2]++;
    return cudaSuccess;
}

static cudaError_t fails_for_none(const int *in, int *out, size_t n)
{
    return n == 0 ? cudaErrorInvalidConfiguration : right(in, out, n);
}

Test(trial, a_survey_finds_the_largest_case_past_wrong_answers)
{
    survey(right);
    expect_outcome(PASS, "", "");
    cr_assert_str_eq(largest.name, "n2000");
    cr_assert_eq(largest.elements, 4000);
    survey(wrong_for_five);
    cr_assert_eq(outcome.verdict, WRONG_ANSWER);
    cr_assert_str_eq(outcome.case_id, "n5-seed7f3a", "the first that was wrong");
    cr_assert_str_eq(largest.name, "n2000");
    survey(wrong_for_many);
    cr_assert_str_eq(outcome.case_id, "n2000-seed7f3a");
    survey(fails_for_none);
    cr_assert_eq(outcome.verdict, CUDA_ERROR);
    cr_assert_str_eq(largest.name, "n5", "other failures end it");
    setenv("GRADER_CASE", "n0", 1);
    survey(right);
    cr_assert_str_eq(largest.name, "n0");
    cr_assert_eq(largest.elements, 0);
}

static uint64_t seeds[3];

static void check_seeds(struct trial *t)
{
    static const char *const names[] = {"one", "two", "one"};

    for (size_t i = 0; i < 3; i++)
        if (trial_begin(t, "%s", names[i]))
            seeds[i] = trial_seed(t);
}

Test(trial, seeds_depend_on_the_run_and_on_the_case)
{
    run_check(check_seeds, right);
    const uint64_t one = seeds[0];
    cr_assert_neq(seeds[0], seeds[1]);
    cr_assert_eq(seeds[0], seeds[2]);
    setenv("GRADER_SEED", "c1a55", 1);
    run_check(check_seeds, right);
    cr_assert_neq(seeds[0], one);
    cr_assert_str_eq(device.message, "one-seedc1a55");
    cr_assert_eq(outcome.cases_passed, 3, "a case without trial_end() is ended by the next");
}

Test(trial, make_try_prints_instead_of_judging)
{
    char text[4000] = "", path[] = "/tmp/trial_test_XXXXXX";
    const int file = mkstemp(path), saved = dup(STDOUT_FILENO);

    setenv("GRADER_TRY", "20", 1);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    run(copies);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    cr_assert_gt(pread(file, text, sizeof text - 1, 0), 0);
    unlink(path);
    expect_outcome(PASS, "", "");
    cr_assert(strncmp(text, "in         ", 11) == 0, "%s", text);
    cr_assert(strstr(text, "\nout       ") != NULL, "%s", text);
    cr_assert(strstr(text, "\nexpected  ") != NULL, "%s", text);
    cr_assert(strstr(text, "*") != NULL, "wrong elements are marked: %s", text);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        cr_assert_leq(strcspn(line, "\n"), 80, "%s", text);
}

Test(trial, a_broken_guard_zone_is_repaired)
{
    struct array array = {.name = "a", .element = INT32, .count = 3, .is_output = true};
    struct damage damage;

    cr_assert_eq(guarded_open(&array), cudaSuccess);
    ((int *)array.device)[3] = 1;
    cr_assert_eq(guarded_inspect(&array, &damage), cudaSuccess);
    cr_assert_str_eq(damage.diagnosis, "guard-zone");
    cr_assert_eq(guarded_inspect(&array, &damage), cudaSuccess);
    cr_assert_null(damage.diagnosis);
    guarded_close(&array);
    cr_assert_eq(device.alive, 0);
}
