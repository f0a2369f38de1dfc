/* hw4.7: the positive ones, side by side. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

static const struct compact_case {
    size_t n;
    int low, high; /* of the elements */
} compact_cases[] = {
    {256, -9, 9},
    {1, 1, 9},
    {31, -9, 9},
    {32, -9, 0},
    {33, 1, 9},
    {255, -9, 9},
    {257, -9, 9},
    {0, -9, 9},
    {5000, -9, 0},
    {100003, 1, 1000000},
    {1000003, -1000000, 1000000},
};

static double count_at_least(const int32_t *in, size_t n, int32_t least)
{
    double count = 0;

    for (size_t i = 0; i < n; i++)
        count += in[i] >= least;
    return count;
}

static int compare_ints(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void expect_count(struct trial *t, const struct array *in, const struct array *count)
{
    const double want = count_at_least(in->ints, in->count, 1), got = array_value(count, 0);
    const double with_zeros = count_at_least(in->ints, in->count, 0);
    const double of_vectors = count_at_least(in->ints, in->count / VECTOR * VECTOR, 1);
    const struct suspect suspects[] = {{"keeps-zeros", &with_zeros},
        {"vector-tail-dropped", &of_vectors}, {got < want ? "lost-reservations" : NULL, &got},
        {NULL, NULL}};

    trial_expect(t, &(struct expectation){.output = count, .want = &want, .suspects = suspects});
}

/* Any order is right, so both sides are sorted. */
static void expect_kept(struct trial *t, const struct array *in, struct array *out)
{
    const size_t n = in->count, count = (size_t)count_at_least(in->ints, n, 1);
    int32_t *kept = room_for(n, sizeof *kept);
    double *want = doubles(count);
    struct array compared = *out;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (in->ints[i] > 0)
            kept[k++] = in->ints[i];
    qsort(kept, count, sizeof *kept, compare_ints);
    qsort(out->ints, count, sizeof *out->ints, compare_ints);
    for (size_t i = 0; i < count; i++)
        want[i] = kept[i];
    compared.count = count;
    trial_expect(t, &(struct expectation){.output = &compared, .want = want});
    for (size_t i = count; i < n; i++)
        if (!array_unwritten(out, i))
            trial_fail(t, WRONG_ANSWER, "written-behind",
                "index %zu holds %d, and only the first %zu elements are to be written", i,
                out->ints[i], count);
    free(kept);
    free(want);
}

/* One a warp is one for 32 inputs, and gains nothing over the compiler's own. */
enum { RESERVED_MIN = 64 };
static const struct cost_gate few_reservations = {
    "many-atomics", "atomic additions for each 64 inputs", counted_atomics, NULL, 1};

void check_compact(struct trial *t)
{
    const struct compact_case tried = {trial_try_size(t), -9, 9};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(compact_cases)); i++) {
        const struct compact_case *c = trying ? &tried : &compact_cases[i];
        if (!trial_begin(t, "n%zu-from%d-to%d", c->n, c->low, c->high))
            continue;
        compact_function compact = (compact_function)trial_function(t);
        struct array *in = trial_input(t, "in", INT32, c->n);
        struct array *out = trial_output(t, "out", INT32, c->n);
        struct array *count = trial_output(t, "count", UINT32, 1);
        fill_ints(in->ints, c->n, c->low, c->high, trial_seed(t));
        if (TRIAL_CALL(t, compact(in->device, out->device, count->device, c->n, trial_stream(t)))) {
            expect_count(t, in, count);
            if (trial_healthy(t))
                expect_kept(t, in, out);
            if (c->n >= COUNTED_MIN)
                trial_expect_cost(t, &few_reservations, (double)(c->n / RESERVED_MIN));
        }
        trial_end(t);
    }
}
