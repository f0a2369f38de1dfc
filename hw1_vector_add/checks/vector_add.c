/* hw1.1: one thread an element. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/cost.h"
#include "grader/room.h"

enum { COUNTED_MIN = 5000 }; /* in smaller cases the edges weigh too much to count sectors */

struct add_case {
    size_t first, count;
    unsigned threads;
};

/* The first case shows most mistakes at their clearest: many blocks, and the last is partial. */
static const struct add_case add_cases[] = {
    {0, 10007, 256},
    {0, 0, 256},
    {0, 1, 1},
    {0, 1, 1024},
    {0, 31, 32},
    {0, 32, 32},
    {0, 33, 32},
    {0, 255, 256},
    {0, 256, 256},
    {0, 257, 256},
    {0, 257, 1},
    {0, 1000, 33},
    {0, 1000, 257},
    {0, 5000, 1000},
    {0, 5000, 1024},
    {5, 1000, 128},
    {(1ull << 31) - 500, 1000, 256},
    {(1ull << 32) - 7, 1000, 192},
    {0, 999983, 256},
};

struct addition {
    const float *a, *b;
    const struct add_case *c;
};

static double sum_of(const struct addition *x, size_t i)
{
    return (double)x->a[i] + x->b[i];
}

/* What known mistakes leave in sum[first + i]; NaN where they write nothing. */

static double index_as_value(const struct addition *x, size_t i)
{
    return (float)(x->c->first + i);
}

static double shifted_input(const struct addition *x, size_t i)
{
    return (double)x->a[i] + x->b[(i + 1) % x->c->count];
}

static double grid_for_block(const struct addition *x, size_t i)
{
    const size_t blocks = (x->c->count + x->c->threads - 1) / x->c->threads;
    return i < (blocks - 1) * blocks + x->c->threads ? sum_of(x, i) : NAN;
}

static double first_ignored(const struct addition *x, size_t i)
{
    return i + x->c->first < x->c->count ? sum_of(x, i) : NAN;
}

static double wraps_in_int(const struct addition *x, size_t i)
{
    return x->c->first + i < 1ull << 31 ? sum_of(x, i) : NAN;
}

static double wraps_in_unsigned(const struct addition *x, size_t i)
{
    return x->c->first + i < 1ull << 32 ? sum_of(x, i) : NAN;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct addition *x, size_t i);
} add_mistakes[] = {
    {"index-as-value", index_as_value},
    {"shifted-input", shifted_input},
    {"grid-for-block", grid_for_block},
    {"first-ignored", first_ignored},
    {"index-32-bits", wraps_in_int},
    {"index-32-bits", wraps_in_unsigned},
};

static double *whole_sum(
    const struct addition *x, double (*element_of)(const struct addition *, size_t))
{
    double *sum = doubles(x->c->count);

    for (size_t i = 0; i < x->c->count; i++)
        sum[i] = element_of(x, i);
    return sum;
}

static void expect_sum(struct trial *t, const struct addition *x, const struct array *sum)
{
    struct suspect suspects[LENGTH(add_mistakes) + 1] = {{NULL, NULL}};
    double *values[LENGTH(add_mistakes) + 1];
    size_t made = 0;

    values[made++] = whole_sum(x, sum_of);
    if (x->c->count <= SUSPECT_COUNT_MAX)
        for (size_t k = 0; k < LENGTH(add_mistakes); k++) {
            suspects[k].diagnosis = add_mistakes[k].diagnosis;
            suspects[k].values = values[made++] = whole_sum(x, add_mistakes[k].predict);
        }
    trial_expect(t, &(struct expectation){.output = sum,
                        .want = values[0],
                        .threads_per_block = x->c->threads,
                        .suspects = suspects});
    while (made > 0)
        free(values[--made]);
}

/* The array's address if its first element were number `first`. */
static float *biased(const struct array *array, size_t first)
{
    return (float *)((uintptr_t)array->device - first * sizeof(float));
}

/* An index that wraps leads to an address that is 16 GiB too low, and the device says no more than
 * that it was illegal. Where `first` is large, that is the likely cause. */
static cudaError_t call_vector_add(struct trial *t, const struct array *a, const struct array *b,
    const struct array *sum, const struct add_case *c)
{
    vector_add_function add = (vector_add_function)trial_function(t);
    const cudaError_t status = add(biased(a, c->first), biased(b, c->first), biased(sum, c->first),
        (struct span){c->first, c->count}, c->threads, trial_stream(t));

    if (c->first >= INT32_MAX / 2 && cudaDeviceSynchronize() == cudaErrorIllegalAddress)
        trial_fail(t, CUDA_ERROR, "index-32-bits",
            "the kernel ended with cudaErrorIllegalAddress (it touched memory that does not "
            "exist); `first` is %zu",
            c->first);
    return status;
}

static void try_add(struct trial *t, const struct add_case *c)
{
    struct array *a = trial_input(t, "a", FLOAT32, c->count);
    struct array *b = trial_input(t, "b", FLOAT32, c->count);
    struct array *sum = trial_output(t, "sum", FLOAT32, c->count);

    fill_summands(t, a, trial_seed(t));
    fill_summands(t, b, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, call_vector_add(t, a, b, sum, c)))
        return;
    if (c->count == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "count is 0, and a kernel was launched");
    expect_sum(t, &(struct addition){a->floats, b->floats, c}, sum);
    if (c->first == 0 && c->count >= COUNTED_MIN && c->threads % 32 == 0)
        trial_expect_cost(t, &not_scattered, 0);
}

void check_vector_add(struct trial *t)
{
    const struct add_case tried = {0, trial_try_size(t), 4};
    const bool trying = tried.count > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(add_cases)); i++) {
        const struct add_case *c = trying ? &tried : &add_cases[i];
        if (!trial_begin(t, "first%zu-n%zu-threads%u", c->first, c->count, c->threads))
            continue;
        try_add(t, c);
        trial_end(t);
    }
}
