/* hw3.1: any grid for any n. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/guarded.h"
#include "grader/room.h"

enum { ALL_THREADS_MAX = 1 << 23, COUNTED = 1 << 18 };

struct add_case {
    size_t first, count;
    struct launch launch;
};

/* Fewer threads than elements first. The last grid has 2^32 threads: the virtual GPU would need
 * hours for it. */
static const struct add_case add_cases[] = {
    {0, 10007, {4, 96}},
    {0, 1000, {1, 1}},
    {0, 0, {1, 1}},
    {0, 1, {1, 1}},
    {0, 1, {3, 64}},
    {0, 31, {1, 32}},
    {0, 33, {2, 16}},
    {0, 255, {1, 256}},
    {0, 257, {1, 256}},
    {0, 257, {257, 1}},
    {0, 1000, {7, 33}},
    {0, 5000, {3, 1024}},
    {0, 1000, {100000, 32}},
    {5, 1000, {2, 128}},
    {(1ull << 31) - 500, 1000, {1, 192}},
    {(1ull << 31) - 500, 1000, {100, 96}},
    {(1ull << 32) - 7, 1000, {2, 64}},
    {0, COUNTED, {64, 256}},
    {0, 999983, {16, 352}},
    {0, 1000, {1 << 22, 1024}},
};

static size_t threads_of(const struct add_case *c)
{
    return c->launch.blocks * (size_t)c->launch.threads;
}

/* How far a mistake gets: elements from there on are not written. */
static size_t one_each(const struct add_case *c)
{
    return threads_of(c);
}

static size_t end_without_first(const struct add_case *c)
{
    return c->first < c->count ? c->count - c->first : SIZE_MAX;
}

static const struct {
    const char *diagnosis;
    size_t (*end)(const struct add_case *c);
} add_mistakes[] = {
    {"no-grid-stride", one_each},
    {"first-ignored", end_without_first},
};

/* Cases that differ from those before only in `first`: whatever is wrong is wrong for that. */
static bool beyond_32_bits(const struct add_case *c)
{
    return c->first >= INT32_MAX / 2;
}

static void expect_sums(struct trial *t, const struct add_case *c, const struct array *a,
    const struct array *b, const struct array *sum)
{
    struct suspect suspects[LENGTH(add_mistakes) + 2] = {{NULL, NULL}};
    double *values[LENGTH(add_mistakes)] = {NULL};
    double *want = doubles(c->count), *got = doubles(c->count);

    for (size_t i = 0; i < c->count; i++)
        want[i] = (double)a->floats[i] + b->floats[i], got[i] = array_value(sum, i);
    if (beyond_32_bits(c))
        suspects[0] = (struct suspect){"index-32-bits", got};
    for (size_t k = 0; !beyond_32_bits(c) && k < LENGTH(add_mistakes); k++) {
        suspects[k].diagnosis = add_mistakes[k].diagnosis;
        suspects[k].values = values[k] = doubles(c->count);
        for (size_t i = 0; i < c->count; i++)
            values[k][i] = i < add_mistakes[k].end(c) ? want[i] : NAN;
    }
    trial_expect(t, &(struct expectation){.output = sum, .want = want, .suspects = suspects});
    free(want), free(got);
    for (size_t k = 0; k < LENGTH(add_mistakes); k++)
        free(values[k]);
}

static const struct cost_gate once = {
    "done-again", "bytes moved for each that the sums take", counted_bytes, NULL, 1.01};

/* The array's address if its first element were number `first`. */
static float *biased(const struct array *array, size_t first)
{
    return (float *)((uintptr_t)array->device - first * sizeof(float));
}

/* An index that wraps leads to an address that is 16 GiB too low, and the device says no more than
 * that it was illegal. Where `first` is large, that is the likely cause. */
static cudaError_t call_add(struct trial *t, const struct array *a, const struct array *b,
    const struct array *sum, const struct add_case *c)
{
    add_function add = (add_function)trial_function(t);
    const cudaError_t status = add(biased(a, c->first), biased(b, c->first), biased(sum, c->first),
        (struct span){c->first, c->count}, c->launch, trial_stream(t));

    if (beyond_32_bits(c) && cudaDeviceSynchronize() == cudaErrorIllegalAddress)
        trial_fail(t, CUDA_ERROR, "index-32-bits",
            "the kernel ended with cudaErrorIllegalAddress (it touched memory that does not "
            "exist); `first` is %zu",
            c->first);
    return status;
}

/* Of a launch with one thread, every warp instruction is executed by one thread. */
static bool launched_otherwise(const struct trial *t, const struct add_case *c)
{
    const struct vgpu_counters *made = trial_counters(t);
    return made && threads_of(c) == 1 && made->thread_instructions > made->warp_instructions;
}

static void try_add(struct trial *t, const struct add_case *c)
{
    struct array *a = trial_input(t, "a", FLOAT32, c->count);
    struct array *b = trial_input(t, "b", FLOAT32, c->count);
    struct array *sum = trial_output(t, "sum", FLOAT32, c->count);

    fill(t, a, trial_seed(t));
    fill(t, b, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, call_add(t, a, b, sum, c)))
        return;
    expect_sums(t, c, a, b, sum);
    if (launched_otherwise(t, c))
        trial_fail(t, WRONG_ANSWER, "other-launch",
            "a launch <<<1, 1>>> was asked for, and more was launched");
    if (c->count == COUNTED) {
        trial_expect_cost(t, &not_scattered, 0);
        trial_expect_cost(t, &once, (double)c->count * 3 * sizeof(float));
    }
}

void check_add(struct trial *t)
{
    const struct add_case tried = {0, trial_try_size(t), {2, 2}};
    const bool trying = tried.count > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(add_cases)); i++) {
        const struct add_case *c = trying ? &tried : &add_cases[i];
        if (threads_of(c) > ALL_THREADS_MAX && device_is_virtual())
            continue;
        if (!trial_begin(t, "first%zu-n%zu-blocks%u-threads%u", c->first, c->count,
                c->launch.blocks, c->launch.threads))
            continue;
        try_add(t, c);
        trial_end(t);
    }
}
