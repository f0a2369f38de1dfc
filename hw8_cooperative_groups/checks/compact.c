/* hw8.5: compaction, in order. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

static const struct compact_case {
    size_t n;
    int low, high; /* of the elements */
} compact_cases[] = {
    {5003, -9, 9},
    {256, -9, 9},
    {1, 1, 9},
    {31, -9, 9},
    {32, -9, 0},
    {33, 1, 9},
    {257, -9, 9},
    {0, -9, 9},
    {5000, -9, 0},
    {100003, 1, 1000000},
    {1000003, -1000000, 1000000},
};

/* Keeps those of `in` that are above 0; returns how many. */
static size_t kept_of(const struct array *in, double *kept)
{
    size_t count = 0;

    for (size_t i = 0; i < in->count; i++)
        if (in->ints[i] > 0)
            kept[count++] = in->ints[i];
    return count;
}

/* Equal for equal numbers in any order, and else hardly ever. */
static uint64_t unordered_sum(const double *values, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += mix((uint64_t)(int64_t)values[i], 0);
    return sum;
}

static void expect_kept(
    struct trial *t, const struct array *in, const struct array *out, const struct array *counted)
{
    double *want = doubles(in->count), *got = whatever_was_got(out);
    const double count = (double)kept_of(in, want);
    struct array compared = *out;

    compared.count = (size_t)count;
    trial_expect(t, &(struct expectation){.output = counted, .want = &count});
    const bool shuffled = unordered_sum(want, compared.count) == unordered_sum(got, compared.count);
    const struct suspect suspects[] = {{shuffled ? "order-lost" : NULL, got}, {NULL, NULL}};
    trial_expect(t, &(struct expectation){.output = &compared, .want = want, .suspects = suspects});
    free(want), free(got);
}

static void try_compact(struct trial *t, const struct compact_case *c)
{
    compact_function compact = (compact_function)trial_function(t);
    const int calls = trial_try_size(t) ? 1 : 2;
    struct array *in = trial_input(t, "in", INT32, c->n);
    struct array *out = trial_output(t, "out", INT32, c->n);
    struct array *count = trial_output(t, "count", UINT32, 1);
    struct array *scratch = trial_scratch(t, "scratch", SCRATCH_WORDS * ELEMENT_BYTES);

    for (int call = 0; call < calls; call++) {
        fill_ints(in->ints, c->n, c->low, c->high, trial_seed(t) + (uint64_t)call);
        if (!TRIAL_CALL(t, compact(in->device, out->device, count->device, c->n, scratch->device,
                               trial_stream(t))))
            return;
        if (trial_ledger(t)->launches > 1)
            trial_fail(t, WRONG_ANSWER, "more-than-one-launch", "%zu kernels were launched",
                trial_ledger(t)->launches);
        expect_kept(t, in, out, count);
    }
}

void check_compact(struct trial *t)
{
    const struct compact_case tried = {trial_try_size(t), -9, 9};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(compact_cases)); i++) {
        const struct compact_case *c = trying ? &tried : &compact_cases[i];
        if (!trial_begin(t, "n%zu-from%d-to%d", c->n, c->low, c->high))
            continue;
        try_compact(t, c);
        trial_end(t);
    }
}
