/* hw4.1 and hw4.2: one sum of everything, and which mistake gives which sum. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/guarded.h"
#include "grader/room.h"

enum {
    CLIFF = (1 << 24) + 4096, /* more ones than a float can count one by one */
    VIRTUAL_N_MAX = 1 << 21,  /* more takes the virtual GPU too long */
    VECTOR_REQUEST_BYTES = 512,
};

static void fill_ones(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, 1, 1, seed);
}

/* Each needs 13 bits, so that a sum of thousands has none left for the last of them. */
static void fill_long(float *values, size_t n, uint64_t seed)
{
    fill_ones(values, n, seed);
    for (size_t i = 0; i < n; i++)
        values[i] += 0x1p-12f;
}

static void fill_last(float *values, size_t n, uint64_t seed)
{
    (void)seed;
    fill_one_hot(values, n, n - 1);
}

double sum_of(const float *in, size_t first, size_t end)
{
    double sum = 0;

    for (size_t i = first; i < end; i++)
        sum += in[i];
    return sum;
}

/* The contract's bound on the error; 0 where every order of additions is exact. */
static double sum_bound(const float *in, size_t n, fill_function *fill)
{
    double magnitude = 0;

    if (n < 2 || (fill != fill_floats && fill != fill_wide && fill != fill_long))
        return 0;
    for (size_t i = 0; i < n; i++)
        magnitude += fabs((double)in[i]);
    return (log2((double)n) + 8) * 0x1p-24 * magnitude;
}

/* What known mistakes make of a sum; infinity where they are not the explanation. */
static double not_cleared(const struct summed *s)
{
    return s->n % s->threads == 0 ? NAN : INFINITY;
}

static double reads_past_the_end(const struct summed *s)
{
    return s->n % s->threads != 0 ? NAN : INFINITY;
}

static double vector_tail_dropped(const struct summed *s)
{
    return sum_of(s->in, 0, s->n / VECTOR * VECTOR);
}

/* The loop that halves the block, when all elements are in one block, a thread each. */
static double power_of_two_only(const struct summed *s)
{
    double *tile = doubles(s->threads);

    for (size_t t = 0; t < s->threads; t++)
        tile[t] = t < s->n ? s->in[t] : 0;
    for (unsigned half = s->threads / 2; half > 0; half /= 2)
        for (unsigned t = 0; t < half; t++)
            tile[t] += tile[t + half];
    const double sum = tile[0];
    free(tile);
    return s->n <= s->threads ? sum : INFINITY;
}

static double one_block_only(const struct summed *s)
{
    for (size_t first = 0; first + s->threads < s->n; first += s->threads)
        if (s->got == sum_of(s->in, first, first + s->threads))
            return s->got;
    const size_t last = s->n / s->threads * s->threads;
    return last < s->n && s->got == sum_of(s->in, last, s->n) ? s->got : INFINITY;
}

/* Only the first warp of each block counts, when a thread takes `width` elements at a time. */
static double one_warp_only(const struct summed *s, size_t width)
{
    const size_t whole = s->n / width * width;
    double sum = sum_of(s->in, whole, s->n);

    for (size_t i = 0; i < whole; i++)
        sum += i / width % s->threads < WARP ? s->in[i] : 0;
    return sum;
}

static double one_warp_only_scalar(const struct summed *s)
{
    return one_warp_only(s, 1);
}

static double one_warp_only_vector(const struct summed *s)
{
    return one_warp_only(s, VECTOR);
}

static double lost_updates(const struct summed *s)
{
    for (size_t i = 0; s->n <= WARP && i < s->n; i++)
        if (s->got == s->in[i])
            return s->got;
    return INFINITY;
}

static bool is_whole_number_of(double count, size_t unit)
{
    return unit > 0 && fmod(count, (double)unit) == 0;
}

/* Every thread, or one thread of every block, adds the elements behind the last whole vector. The
 * number of blocks is not known: those of a thread an element, or a thread a vector, are. */
static double tail_repeated(const struct summed *s)
{
    const size_t whole = s->n / VECTOR * VECTOR;
    const double tail = sum_of(s->in, whole, s->n);
    const double times = tail == 0 ? 0 : 1 + round((s->got - sum_of(s->in, 0, s->n)) / tail);
    const size_t scalar_blocks = (s->n + s->threads - 1) / s->threads;
    const size_t a_block = VECTOR * (size_t)s->threads;
    const size_t vector_blocks = (s->n + a_block - 1) / a_block;

    if (times < 2 || (!is_whole_number_of(times, WARP) && times != (double)scalar_blocks &&
                         times != (double)vector_blocks))
        return INFINITY;
    return sum_of(s->in, 0, s->n) + (times - 1) * tail;
}

static double float_accumulator(const struct summed *s)
{
    float sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += s->in[i];
    return sum;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct summed *);
} sum_mistakes[] = {
    {"not-cleared", not_cleared},
    {"reads-past-the-end", reads_past_the_end},
    {"power-of-two-only", power_of_two_only},
    {"vector-tail-dropped", vector_tail_dropped},
    {"vector-tail-repeated", tail_repeated},
    {"one-block-only", one_block_only},
    {"one-warp-only", one_warp_only_scalar},
    {"one-warp-only", one_warp_only_vector},
    {"lost-updates", lost_updates},
    {"float-accumulator", float_accumulator},
};

void expect_sum(struct trial *t, const struct array *out, struct summed s, fill_function *fill,
    const char *unwritten, const char *otherwise)
{
    const double want = sum_of(s.in, 0, s.n), bound = sum_bound(s.in, s.n, fill);
    struct suspect suspects[LENGTH(sum_mistakes) + 2] = {{NULL, NULL}};
    double predicted[LENGTH(sum_mistakes) + 1];
    size_t k = 0;

    s.got = array_value(out, 0);
    if (array_unwritten(out, 0)) {
        predicted[0] = NAN;
        suspects[0] = (struct suspect){unwritten, predicted};
    } else if (!agrees(s.got, want, bound)) {
        for (; k < LENGTH(sum_mistakes); k++) {
            predicted[k] = sum_mistakes[k].predict(&s);
            suspects[k] = (struct suspect){sum_mistakes[k].diagnosis, &predicted[k]};
        }
        suspects[k] = (struct suspect){otherwise, &s.got};
    }
    trial_expect(t,
        &(struct expectation){.output = out, .want = &want, .bound = &bound, .suspects = suspects});
}

struct sum_case {
    size_t n;
    unsigned threads;
    fill_function *fill;
    const char *otherwise; /* the likely mistake, because the cases before this one were right */
};

/* Each case adds one difficulty to those before it, so that what fails first tells the cause. */
static const struct sum_case tree_cases[] = {
    {32, 32, fill_small, NULL},
    {1, 256, fill_small, NULL},
    {31, 256, fill_small, NULL},
    {33, 256, fill_small, "shared-race"},
    {255, 256, fill_small, "shared-race"},
    {256, 256, fill_small, "shared-race"},
    {0, 256, fill_small, NULL},
    {257, 256, fill_small, "one-block-only"},
    {33, 33, fill_small, "power-of-two-only"},
    {96, 96, fill_small, "power-of-two-only"},
    {1000, 1000, fill_small, "power-of-two-only"},
    {1024, 1024, fill_small, NULL},
    {4099, 1, fill_small, "no-grid-stride"},
    {1000003, 256, fill_small, "no-grid-stride"},
    {1000003, 1000, fill_small, NULL},
    {1000003, 33, fill_small, NULL},
    {1000003, 256, fill_last, NULL},
    {1000, 256, fill_large, NULL},
    {1000003, 256, fill_floats, NULL},
    {1000003, 256, fill_wide, NULL},
    {1 << 16, 256, fill_long, "float-accumulator"},
    {CLIFF, 256, fill_ones, "float-accumulator"},
};

static const struct sum_case shuffle_cases[] = {
    {32, 32, fill_small, NULL},
    {256, 64, fill_small, NULL},
    {1, 256, fill_small, NULL},
    {31, 256, fill_small, NULL},
    {33, 256, fill_small, NULL},
    {255, 256, fill_small, NULL},
    {0, 256, fill_small, NULL},
    {256, 256, fill_small, NULL},
    {257, 256, fill_small, NULL},
    {5000, 1024, fill_small, "one-block-only"},
    {5000, 96, fill_small, NULL},
    {5000, 992, fill_small, NULL},
    {4099, 32, fill_small, NULL},
    {1000003, 256, fill_small, "no-grid-stride"},
    {1000003, 32, fill_small, NULL},
    {1000003, 256, fill_last, NULL},
    {1000, 512, fill_large, NULL},
    {1000003, 512, fill_floats, NULL},
    {1000003, 512, fill_wide, NULL},
    {1 << 16, 512, fill_long, "float-accumulator"},
    {CLIFF, 512, fill_ones, "float-accumulator"},
};

static void try_sum(struct trial *t, const struct sum_case *c)
{
    sum_function sum = (sum_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, c->n);
    struct array *out = trial_output(t, "out", FLOAT32, 1);

    c->fill(in->floats, c->n, trial_seed(t));
    if (TRIAL_CALL(t, sum(in->device, out->device, c->n, c->threads, trial_stream(t))))
        expect_sum(
            t, out, (struct summed){in->floats, c->n, c->threads, 0}, c->fill, NULL, c->otherwise);
}

static const struct cost_gate few_atomics = {
    "many-atomics", "atomic additions for each block of elements", counted_atomics, NULL, 1};
static const struct cost_gate wide_loads = {
    "narrow-loads", "load requests for each 512 bytes", counted_load_requests, NULL, 1.5};

static void expect_tree_cost(struct trial *t, const struct sum_case *c)
{
    trial_expect_cost(t, &few_atomics, (double)(c->n / c->threads + 1));
    trial_expect_cost(t, &coalesced, 0);
}

static void expect_shuffle_cost(struct trial *t, const struct sum_case *c)
{
    trial_expect_cost(t, &wide_loads, (double)(c->n * sizeof(float)) / VECTOR_REQUEST_BYTES);
}

static void try_sums(struct trial *t, const struct sum_case *cases, size_t count,
    void (*expect_cost)(struct trial *, const struct sum_case *))
{
    const struct sum_case tried = {trial_try_size(t), 32, fill_small, NULL};

    if (tried.n > 0)
        cases = &tried, count = 1;
    for (size_t i = 0; i < count; i++) {
        if (cases[i].n > VIRTUAL_N_MAX && device_is_virtual())
            continue;
        if (!trial_begin(t, "case%zu-n%zu-threads%u", i, cases[i].n, cases[i].threads))
            continue;
        try_sum(t, &cases[i]);
        if (cases[i].n >= COUNTED_MIN)
            expect_cost(t, &cases[i]);
        trial_end(t);
    }
}

void check_tree(struct trial *t)
{
    try_sums(t, tree_cases, LENGTH(tree_cases), expect_tree_cost);
}

void check_shuffle(struct trial *t)
{
    try_sums(t, shuffle_cases, LENGTH(shuffle_cases), expect_shuffle_cost);
}
