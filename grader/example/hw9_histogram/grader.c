/* Homework 9: what histogram() must do, tried case by case. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "histogram.h"
#include "grader/cost.h"
#include "grader/trial.h"

typedef typeof(&histogram) histogram_function;

/* The oracle: one loop, in memory of its own. */
static void count(const uint32_t *values, size_t n, double *want)
{
    for (size_t bin = 0; bin < BINS; bin++)
        want[bin] = 0;
    for (size_t i = 0; i < n; i++)
        want[values[i]]++;
}

/* What known mistakes leave in counts. */
static void junk_counted(const double *want, double *predicted)
{
    for (size_t bin = 0; bin < BINS; bin++)
        predicted[bin] = want[bin] + (double)POISON_WORD;
}

enum { COUNTED_MIN = 100000 }; /* in smaller cases the adding up of the blocks weighs too much */

static const struct cost_gate few_atomics = {
    .diagnosis = "many-atomics",
    .what = "global atomics for each value",
    .cost = counted_atomics,
    .most = 0.2,
};

static void try_histogram(struct trial *t, size_t n)
{
    histogram_function candidate = (histogram_function)trial_function(t);
    struct array *values = trial_input(t, "values", UINT32, n);
    struct array *counts = trial_output(t, "counts", UINT32, BINS);
    double want[BINS], uncleared[BINS];

    fill_ints(values->ints, n, 0, BINS - 1, trial_seed(t)); /* both ends included */
    if (!TRIAL_CALL(t, candidate(values->device, counts->device, n, trial_stream(t))))
        return;
    count(values->words, n, want);
    junk_counted(want, uncleared);
    trial_expect(t, &(struct expectation){.output = counts,
                        .want = want,
                        .suspects = (struct suspect[]){{"not-cleared", uncleared}, {NULL, NULL}}});
    if (n >= COUNTED_MIN)
        trial_expect_cost(t, &few_atomics, (double)n);
}

static void check_histogram(struct trial *t)
{
    static const size_t sizes[] = {1000, 0, 1, 31, 32, 33, 255, 256, 257, 999983};
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(sizes)); i++) {
        const size_t n = tried ? tried : sizes[i];
        if (!trial_begin(t, "n%zu", n))
            continue;
        try_histogram(t, n);
        trial_end(t);
    }
}

static const struct diagnosis diagnoses[] = {
    {"not-cleared", "The counts are added to what the output held before: it holds junk, so clear "
                    "it first, in the same stream."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw9.1",
        .title = "a histogram in shared memory",
        .function = "histogram",
        .points = {70, 20, 10},
        .check = check_histogram,
        .stream_case = "n1000",
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw9",
    .folder = "hw9_histogram",
    .file = "histogram.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
};

Test(hw9, t1, .description = "hw9.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw9.1");
}

Test(hw9_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
