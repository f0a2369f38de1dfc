/* Making the call, and taking its counters. */
#include "profile_run.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidate.h"
#include "device.h"
#include "ledger.h"
#include "settings.h"
#include "timed_call.h"
#include "timed_size.h"
#include "trial.h"
#include "virtual_calls.h"
#include "worker.h"

/* ---- watching ------------------------------------------------------------------------------- */

static struct profile *watched; /* NULL: nothing is to be counted */
static bool on_virtual_gpu;

static void call_opens(void)
{
    if (!watched)
        return;
    if (!on_virtual_gpu) {
        cudaProfilerStart();
        return;
    }
    virtual_calls()->count_lines(1);
    virtual_calls()->clear();
    watched->began_ns = device_now_ns();
}

static void take_counters(struct profile *profile)
{
    const struct virtual_calls *calls = virtual_calls();

    profile_free(profile);
    profile->launch_count = calls->launches(NULL, 0);
    profile->launches = calloc(profile->launch_count + 1, sizeof *profile->launches);
    profile->line_count = calls->lines(NULL, 0);
    profile->lines = calloc(profile->line_count + 1, sizeof *profile->lines);
    if (!profile->launches || !profile->lines) {
        perror("the counters");
        exit(EXIT_FAULT);
    }
    calls->launches(profile->launches, profile->launch_count);
    calls->lines(profile->lines, profile->line_count);
}

static size_t count_errors(void)
{
    enum { MOST = 16 };
    struct vgpu_finding findings[MOST];
    const size_t count = virtual_calls()->findings(findings, MOST);
    size_t errors = 0;

    for (size_t i = 0; i < count && i < MOST; i++)
        errors += findings[i].severity == VGPU_ERROR;
    return errors;
}

/* The first call that launches a kernel is the one that counts: some cases begin with a call that
 * has nothing to do. */
static void call_closed(const struct ledger *ledger)
{
    if (!watched)
        return;
    cudaDeviceSynchronize();
    watched->launch_calls = ledger->launches;
    if (on_virtual_gpu) {
        take_counters(watched);
        watched->findings = count_errors();
        watched->page_faults = virtual_counters().device_page_faults;
        watched->ended_ns = device_now_ns();
    } else {
        cudaProfilerStop();
    }
    if (watched->launch_count > 0 || ledger->launches > 0)
        watched = NULL;
}

static const struct ledger_watcher watcher = {call_opens, call_closed};

static void start_watching(struct profile *profile)
{
    watched = profile;
    ledger_watch(&watcher);
}

static void stop_watching(void)
{
    watched = NULL;
    ledger_watch(NULL);
}

/* ---- the timed problem ---------------------------------------------------------------------- */

/* Where no solution's bytes are stated: every array once, scratch aside. */
static double bytes_of_arrays(const struct speed_test *test, size_t n)
{
    double elements = 0;

    for (int k = 0; k < TIMED_ARRAYS_MAX && test->array_count(n, k) > 0; k++)
        if ((test->kept >> k & 1) == 0)
            elements += (double)test->array_count(n, k);
    return elements * ELEMENT_BYTES;
}

/* The size that is timed on this device. A candidate that is too slow for it, or fails before,
 * keeps the size that it was tried with. */
static bool find_size(struct bench *bench, struct timed_function functions[PARTIES])
{
    double scale;

    if (choose_size(bench, functions, &scale))
        return true;
    return functions[PARTY_CANDIDATE].n > 0 && bench->result->verdict != GRADER_FAULT &&
           bench->result->verdict != INCONCLUSIVE;
}

/* What any solution must move, if the speed test says so for this very size. What it says of a link
 * is not what kernels move. */
static void find_needed_bytes(const struct bench *bench, size_t n, struct profile *profile)
{
    const struct speed_test *test = bench->test;
    const bool same_size =
        n == bench->result->n && (on_virtual_gpu || test->limit != LIMIT_BASELINE);

    profile->needed_is_stated = test->bytes != NULL && same_size;
    profile->needed_bytes = test->limit == LIMIT_TO_DEVICE ? 0
                            : profile->needed_is_stated    ? bench->result->bytes
                                                           : bytes_of_arrays(test, n);
}

static void watch_timed_call(
    struct bench *bench, const struct timed_function *timed, struct profile *profile)
{
    struct times times;

    profile->n = timed->n;
    find_needed_bytes(bench, timed->n, profile);
    bench->result->verdict = VERDICT_NONE;
    start_watching(profile);
    timed_call(bench, timed, 0, 0, &times);
    stop_watching();
}

/* Where nothing is attempted yet the baseline is shown, which is to be beaten. */
static void run_timed_problem(
    const struct task *task, void *function, void *baseline, struct profile *profile)
{
    struct speed_result result = {.verdict = VERDICT_NONE};
    struct bench bench = {
        .test = task->speed, .plan = sampling_plan_for(on_virtual_gpu), .result = &result};
    struct timed_function functions[PARTIES] = {[PARTY_BASELINE] = {PARTY_BASELINE, baseline, 0},
        [PARTY_CANDIDATE] = {PARTY_CANDIDATE, function, 0}};
    const struct timed_function *candidate = &functions[PARTY_CANDIDATE];

    bench.plan.quieten = false;
    if (find_size(&bench, functions))
        watch_timed_call(&bench, candidate, profile);
    if (result.verdict == NOT_ATTEMPTED && functions[PARTY_BASELINE].n > 0) {
        const struct timed_function given = {
            PARTY_CANDIDATE, baseline, functions[PARTY_BASELINE].n};
        profile->shows_baseline = true;
        watch_timed_call(&bench, &given, profile);
    }
    profile->verdict = result.verdict == VERDICT_NONE ? PASS : (enum verdict)result.verdict;
    if (profile->verdict != PASS)
        snprintf(profile->what, sizeof profile->what, "%s", result.text);
    bench_close(&bench);
}

/* ---- a correctness case --------------------------------------------------------------------- */

static void take_outcome(struct profile *profile, const struct outcome *outcome)
{
    profile->verdict = outcome->verdict;
    if (outcome->verdict != PASS && outcome->verdict != NOT_ATTEMPTED)
        snprintf(profile->what, sizeof profile->what, "%s%s%s", outcome->first,
            *outcome->first && *outcome->where ? "; " : "", outcome->where);
    for (char *c = profile->what; *c; c++)
        if (*c == '\n') /* a note is one line */
            *c = ' ';
}

/* The case that the student names, or the lesson; or the largest. */
static const char *wanted_case(const struct task *task, const struct largest_case *largest)
{
    if (setting("CASE"))
        return setting("CASE");
    return task->profile_case ? task->profile_case : largest->name;
}

/* Runs all cases, to find the largest and what is wrong; then one alone. */
static void run_case(const struct task *task, void *function, struct profile *profile)
{
    const bool given = setting("CASE") != NULL;
    struct outcome outcome;
    struct largest_case largest;

    trial_survey(task, function, &outcome, &largest);
    if (outcome.verdict == NOT_ATTEMPTED || !*largest.name) {
        take_outcome(profile, &outcome);
        return;
    }
    if (outcome.verdict != PASS)
        snprintf(profile->elsewhere, sizeof profile->elsewhere, "%s: %s", outcome.case_id,
            verdict_name(outcome.verdict));
    snprintf(profile->case_name, sizeof profile->case_name, "%s", wanted_case(task, &largest));
    set_setting("CASE", profile->case_name);
    start_watching(profile);
    trial_survey(task, function, &outcome, &largest);
    stop_watching();
    if (!given)
        set_setting("CASE", "");
    profile->needed_bytes = (double)largest.elements * ELEMENT_BYTES;
    take_outcome(profile, &outcome);
    if (profile->verdict != PASS)
        profile->elsewhere[0] = '\0';
}

/* --------------------------------------------------------------------------------------------- */

void profile_run(const struct task *task, bool is_virtual, struct profile *profile)
{
    char problem[sizeof profile->what] = "";
    void *baseline = NULL;

    *profile = (struct profile){.task = task, .verdict = VERDICT_NONE};
    on_virtual_gpu = is_virtual;
    if (task->speed && !setting("CASE"))
        baseline = candidate_function(setting("BASELINE"), task->function, problem, sizeof problem);
    void *function = open_candidate(task, problem, sizeof problem);
    if (!function) {
        profile->verdict = DOES_NOT_COMPILE;
        snprintf(profile->what, sizeof profile->what, "%s", problem);
    } else if (baseline) {
        run_timed_problem(task, function, baseline, profile);
    } else {
        run_case(task, function, profile);
    }
}

void profile_free(struct profile *profile)
{
    free(profile->launches);
    free(profile->lines);
    profile->launches = NULL;
    profile->lines = NULL;
    profile->launch_count = profile->line_count = 0;
}
