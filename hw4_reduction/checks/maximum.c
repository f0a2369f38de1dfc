/* hw4.3: the maximum, and where it is first. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "checks.h"

static void fill_negative(float *values, size_t n, uint64_t seed)
{
    fill_floats(values, n, seed);
    for (size_t i = 0; i < n; i++)
        values[i] -= 2;
}

static void fill_equal(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, 7, 7, seed);
}

static void fill_ties(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -3, 3, seed);
}

static void fill_peak_last(float *values, size_t n, uint64_t seed)
{
    fill_floats(values, n, seed);
    values[n - 1] = 5;
}

static void fill_infinite(float *values, size_t n, uint64_t seed)
{
    (void)seed;
    for (size_t i = 0; i < n; i++)
        values[i] = -INFINITY;
}

/* Below 0 but for a -0 and, further on, a +0. */
static void fill_zeros(float *values, size_t n, uint64_t seed)
{
    fill_negative(values, n, seed);
    values[n / 3] = -0.0f;
    values[n / 2] = 0.0f;
}

static const struct maximum_case {
    const char *name;
    fill_function *fill;
    size_t n;
} maximum_cases[] = {
    {"random", fill_floats, 32},
    {"random", fill_floats, 1},
    {"random", fill_floats, 33},
    {"random", fill_floats, 257},
    {"random", fill_floats, 1000003},
    {"negative", fill_negative, 31},
    {"negative", fill_negative, 1000003},
    {"equal", fill_equal, 100003},
    {"ties", fill_ties, 255},
    {"ties", fill_ties, 100003},
    {"peak-last", fill_peak_last, 257},
    {"peak-last", fill_peak_last, 1000003},
    {"zeros", fill_zeros, 1000},
    {"infinite", fill_infinite, 1},
    {"infinite", fill_infinite, 100003},
};

static size_t index_of_maximum(const float *in, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (in[i] > in[best])
            best = i;
    return best;
}

/* The element whose bits, taken for an unsigned integer, are the largest after the flip. With the
 * sign bit flipped, unsigned integers have the order of the signed. */
static double maximum_of_bits(const float *in, size_t n, uint32_t flip)
{
    uint32_t bits, best_bits;
    size_t best = 0;

    for (size_t i = 1; i < n; i++) {
        memcpy(&bits, &in[i], sizeof bits);
        memcpy(&best_bits, &in[best], sizeof best_bits);
        if ((bits ^ flip) > (best_bits ^ flip))
            best = i;
    }
    return in[best];
}

/* The mistake that makes `got` the index of the maximum instead of `want`, or NULL. */
static const char *index_mistake(const float *in, size_t n, size_t got, size_t want)
{
    if (got >= n)
        return in[want] == -INFINITY ? "index-never-set" : NULL;
    if (in[got] == in[want])
        return signbit(in[want]) != signbit(in[got]) ? "signed-zero" : "tie-takes-later";
    return got == 0 ? "index-of-empty-lane" : NULL;
}

/* What a maximum before this one left behind; index SIZE_MAX: there was none. */
struct earlier {
    size_t index;
    double value;
};

static void expect_maximum(struct trial *t, const struct array *in, const struct array *value,
    const struct array *index, struct earlier earlier)
{
    const float *values = in->floats;
    const size_t at = index_of_maximum(values, in->count);
    const double want_value = values[at], want_index = (double)at;
    const double zero = 0, finite = -FLT_MAX,
                 as_int = maximum_of_bits(values, in->count, 0x80000000);
    const double as_bits = maximum_of_bits(values, in->count, 0);
    const double stale = earlier.index == SIZE_MAX ? want_value : values[earlier.index];
    const struct suspect of_value[] = {{"identity-zero", &zero}, {"identity-finite", &finite},
        {"int-compare", &as_int}, {"bits-compare", &as_bits}, {"stale-scratch", &stale},
        {"stale-scratch", &earlier.value}, {NULL, NULL}};
    const double got = array_value(index, 0);
    const struct suspect of_index[] = {
        {array_unwritten(index, 0) ? NULL : index_mistake(values, in->count, (size_t)got, at),
            &got},
        {NULL, NULL}};

    trial_expect(
        t, &(struct expectation){.output = value, .want = &want_value, .suspects = of_value});
    if (trial_healthy(t))
        trial_expect(
            t, &(struct expectation){.output = index, .want = &want_index, .suspects = of_index});
}

static void try_maximum(struct trial *t, fill_function *fill, size_t n)
{
    maximum_function maximum = (maximum_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, n);
    struct array *value = trial_output(t, "value", FLOAT32, 1);
    struct array *index = trial_output(t, "index", UINT32, 1);
    struct array *scratch = trial_scratch(t, "scratch", SCRATCH_BYTES);
    struct earlier earlier = {SIZE_MAX, INFINITY};
    const uint64_t calls = trial_try_size(t) ? 1 : 2;

    for (uint64_t call = 0; call < calls; call++) {
        fill(in->floats, n, trial_seed(t) + call);
        for (size_t i = 0; i < n; i++)
            in->floats[i] -= 8 * (float)call; /* so that an earlier maximum would be larger */
        if (!TRIAL_CALL(t, maximum(in->device, value->device, index->device, n, scratch->device,
                               trial_stream(t))))
            return;
        expect_maximum(t, in, value, index, earlier);
        earlier.index = index_of_maximum(in->floats, n);
        earlier.value = in->floats[earlier.index];
    }
}

static void try_maximum_of_nothing(struct trial *t)
{
    maximum_function maximum = (maximum_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, 0);
    struct array *value = trial_output(t, "value", FLOAT32, 1);
    struct array *index = trial_output(t, "index", UINT32, 1);
    struct array *scratch = trial_scratch(t, "scratch", SCRATCH_BYTES);

    (void)TRIAL_CALL_MUST_FAIL(t,
        maximum(in->device, value->device, index->device, 0, scratch->device, trial_stream(t)),
        "0 numbers have no maximum");
}

void check_maximum(struct trial *t)
{
    const struct maximum_case tried = {"random", fill_floats, trial_try_size(t)};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(maximum_cases)); i++) {
        const struct maximum_case *c = trying ? &tried : &maximum_cases[i];
        if (!trial_begin(t, "%s-n%zu", c->name, c->n))
            continue;
        try_maximum(t, c->fill, c->n);
        trial_end(t);
    }
    if (!trying && trial_begin(t, "n0")) {
        try_maximum_of_nothing(t);
        trial_end(t);
    }
}
