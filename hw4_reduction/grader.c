/* Homework 4: what the seven functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduction.h"
#include "grader/cost.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/measure.h"
#include "grader/room.h"
#include "grader/trial.h"
#include "grader/virtual_calls.h"

typedef typeof(&sum_tree) sum_function;
typedef typeof(&find_maximum) maximum_function;
typedef typeof(&sum_single_pass) single_pass_function;
typedef typeof(&sum_rows) rows_function;
typedef typeof(&scan_warps) scan_function;
typedef typeof(&compact_positive) compact_function;

enum {
    WARP = 32,
    VECTOR = 4,
    CLIFF = (1 << 24) + 4096, /* more ones than a float can count one by one */
    VIRTUAL_N_MAX = 1 << 21,  /* more takes the virtual GPU too long */
};

/* ---- contents ------------------------------------------------------------------------------- */

typedef void fill_function(float *values, size_t n, uint64_t seed);

/* Distinct enough, none is 0, and the sum of a few million is exact in a float. */
static void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, 1, 9, seed);
}

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

/* Integers of 13 bits and a sign: a thousand of them add up exactly in a float, but not in half. */
static void fill_large(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -8191, 8191, seed);
}

static void fill_last(float *values, size_t n, uint64_t seed)
{
    (void)seed;
    fill_one_hot(values, n, n - 1);
}

/* ---- hw4.1, hw4.2, hw4.4: sums -------------------------------------------------------------- */

/* A sum of floats that was computed, and how. */
struct summed {
    const float *in;
    size_t n;
    unsigned threads; /* of a block */
    double got;
};

static double sum_of(const float *in, size_t first, size_t end)
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

/* Expects the sum of `in`.  `unwritten` and `otherwise` name the mistake if out was not written,
 * and if its value fits no known mistake; they may be NULL. */
static void expect_sum(struct trial *t, const struct array *out, struct summed s,
    fill_function *fill, const char *unwritten, const char *otherwise)
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

/* The most that a case may cost; smaller cases say little. */
enum { COUNTED_MIN = 100000, VECTOR_REQUEST_BYTES = 512 };

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

static void check_tree(struct trial *t)
{
    try_sums(t, tree_cases, LENGTH(tree_cases), expect_tree_cost);
}

static void check_shuffle(struct trial *t)
{
    try_sums(t, shuffle_cases, LENGTH(shuffle_cases), expect_shuffle_cost);
}

static const struct {
    size_t n;
    fill_function *fill;
} single_pass_cases[] = {
    {32, fill_small},
    {1, fill_small},
    {257, fill_small},
    {0, fill_small},
    {4099, fill_small},
    {1000003, fill_small},
    {1000, fill_large},
    {1000003, fill_floats},
    {1000003, fill_wide},
};

/* The virtual GPU runs its blocks in order, unless asked for another one. */
static void set_order_of_blocks(uint64_t seed)
{
    if (virtual_calls()->set_order)
        virtual_calls()->set_order(seed);
}

/* Three calls on the same scratch memory: what one leaves there, the next one finds. The second has
 * other contents, so that an answer which was kept is not taken for a deterministic one. */
static void try_single_pass(struct trial *t, size_t n, fill_function *fill)
{
    const int calls = trial_try_size(t) ? 1 : 3;
    single_pass_function sum = (single_pass_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, n);
    struct array *out = trial_output(t, "out", FLOAT32, 1);
    struct array *scratch = trial_scratch(t, "scratch", SCRATCH_BYTES);
    uint32_t first_bits = 0;

    for (int call = 1; call <= calls; call++) {
        fill(in->floats, n, trial_seed(t) + (call == 2));
        set_order_of_blocks((uint64_t)call);
        if (!TRIAL_CALL(t, sum(in->device, out->device, n, scratch->device, trial_stream(t))))
            return;
        if (trial_ledger(t)->launches > 1)
            trial_fail(t, WRONG_ANSWER, "more-than-one-launch", "%zu kernels were launched",
                trial_ledger(t)->launches);
        expect_sum(t, out, (struct summed){in->floats, n, 256, 0}, fill,
            call == 1 ? "no-last-block" : "ticket-not-reset",
            call == 1 ? NULL : "ticket-not-reset");
        if (call == 1)
            first_bits = out->words[0];
        else if (call == 3 && out->words[0] != first_bits && trial_healthy(t))
            trial_fail(t, WRONG_ANSWER, "order-dependent",
                "call %d returned other bits than the first call, by %.2g", call,
                out->floats[0] - ((union {
                    uint32_t word;
                    float value;
                }){first_bits})
                                     .value);
    }
}

static void check_single_pass(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(single_pass_cases)); i++) {
        const size_t n = tried ? tried : single_pass_cases[i].n;
        if (!trial_begin(t, "case%zu-n%zu", i, n))
            continue;
        try_single_pass(t, n, single_pass_cases[i].fill);
        set_order_of_blocks(0);
        trial_end(t);
    }
}

/* ---- hw4.3: the maximum --------------------------------------------------------------------- */

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

/* The element whose bits, taken for an unsigned integer, are the largest after the flip. With the sign
 * bit flipped, unsigned integers have the order of the signed. */
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

static void check_maximum(struct trial *t)
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

/* ---- hw4.5: rows ---------------------------------------------------------------------------- */

/* Whole vectors first; 301 columns put the next row off a 16-byte boundary. */
static const struct matrix_shape row_cases[] = {
    {4, 256},
    {3, 301},
    {1, 1},
    {2, 33},
    {5, 4099},
    {7, 0},
    {0, 7},
    {300, 96},
    {3, 100003},
    {65537, 2},
};

/* The sums of the first `used` columns of each row. */
static double *row_sums(const float *in, struct matrix_shape shape, size_t used)
{
    double *sums = doubles(shape.rows);

    for (size_t row = 0; row < shape.rows; row++)
        sums[row] = sum_of(in, row * shape.columns, row * shape.columns + used);
    return sums;
}

static void expect_rows(
    struct trial *t, const float *in, const struct array *out, struct matrix_shape shape)
{
    enum { NARROWEST = 32, WIDEST = 1024 };
    struct suspect suspects[8] = {{NULL, NULL}};
    double *sums[9] = {row_sums(in, shape, shape.columns)};
    size_t made = 0;

    suspects[made++] = (struct suspect){
        "vector-tail-dropped", sums[1] = row_sums(in, shape, shape.columns / VECTOR * VECTOR)};
    for (size_t block = NARROWEST; block <= WIDEST && block < shape.columns; block *= 2, made++)
        suspects[made] =
            (struct suspect){"no-block-stride", sums[made + 1] = row_sums(in, shape, block)};
    trial_expect(t, &(struct expectation){.output = out, .want = sums[0], .suspects = suspects});
    for (size_t k = 0; k <= made; k++)
        free(sums[k]);
}

static void check_rows(struct trial *t)
{
    const struct matrix_shape tried = {2, trial_try_size(t)};
    const bool trying = tried.columns > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(row_cases)); i++) {
        const struct matrix_shape shape = trying ? tried : row_cases[i];
        if (!trial_begin(t, "rows%zu-columns%zu", shape.rows, shape.columns))
            continue;
        rows_function sum = (rows_function)trial_function(t);
        struct array *in = trial_input(t, "in", FLOAT32, shape.rows * shape.columns);
        struct array *out = trial_output(t, "out", FLOAT32, shape.rows);
        fill_small(in->floats, in->count, trial_seed(t));
        if (TRIAL_CALL(t, sum(in->device, out->device, shape, trial_stream(t))))
            expect_rows(t, in->floats, out, shape);
        if (shape.columns >= COUNTED_MIN)
            trial_expect_cost(t, &coalesced, 0);
        trial_end(t);
    }
}

/* ---- hw4.6: scans --------------------------------------------------------------------------- */

static const size_t scan_sizes[] = {32, 33, 1, 31, 64, 255, 256, 257, 0, 1000003};

/* One step of the scan of a warp: every lane at or above `offset` adds the value that far below;
 * with `doubling` the others add their own, which is what the shuffle gives them. */
static void scan_step(double *values, size_t n, size_t offset, bool doubling)
{
    for (size_t i = n; i-- > 0;)
        if (i % WARP >= offset)
            values[i] += values[i - offset];
        else if (doubling)
            values[i] += values[i];
}

static double *scanned(const int32_t *in, size_t n, bool doubling)
{
    double *values = doubles(n);

    for (size_t i = 0; i < n; i++)
        values[i] = in[i];
    for (size_t offset = 1; offset < WARP; offset *= 2)
        scan_step(values, n, offset, doubling);
    return values;
}

static void expect_scan(struct trial *t, const struct array *in, const struct array *out)
{
    const size_t n = in->count;
    double *want = scanned(in->ints, n, false), *doubled = scanned(in->ints, n, true);
    double *exclusive = doubles(n), *by_thread = doubles(n), *rounded_down = doubles(n);
    const struct suspect suspects[] = {{"lowest-lanes-doubled", doubled},
        {"exclusive-scan", exclusive}, {"lane-is-not-thread", by_thread},
        {"grid-rounded-down", n < WARP ? by_thread : rounded_down}, {NULL, NULL}};

    for (size_t i = 0; i < n; i++) {
        exclusive[i] = want[i] - in->ints[i];
        by_thread[i] = i < WARP ? want[i] : doubled[i];
        rounded_down[i] = i < n / WARP * WARP ? want[i] : NAN;
    }
    trial_expect(t,
        &(struct expectation){.output = out, .want = want, .inputs = {in}, .suspects = suspects});
    free(want), free(doubled), free(exclusive), free(by_thread), free(rounded_down);
}

static void check_scan(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(scan_sizes)); i++) {
        const size_t n = tried ? tried : scan_sizes[i];
        if (!trial_begin(t, "n%zu", n))
            continue;
        scan_function scan = (scan_function)trial_function(t);
        struct array *in = trial_input(t, "in", INT32, n);
        struct array *out = trial_output(t, "out", INT32, n);
        fill_ints(in->ints, n, -1000, 1000, trial_seed(t));
        if (TRIAL_CALL(t, scan(in->device, out->device, n, trial_stream(t))))
            expect_scan(t, in, out);
        trial_end(t);
    }
}

/* ---- hw4.7: compaction ---------------------------------------------------------------------- */

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
    int32_t *kept = malloc((n + 1) * sizeof *kept);
    double *want = doubles(count);
    struct array compared = *out;
    size_t k = 0;

    cr_assert_not_null(kept, "out of memory");
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

static void check_compact(struct trial *t)
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

/* ---- speed ---------------------------------------------------------------------------------- */

enum { ONE = 0x3f800000, MINUS_ONE = (int)0xbf800000, TIMED_COLUMNS = 32768 };

/* Ones, minus ones and zeros at random: every partial sum is exact, and counting gives the sum. */
static cudaError_t prepare_signs(struct timed_problem *p)
{
    size_t not_one = 0, not_minus_one = 0, first;
    cudaError_t status = device_fill_integers(p->arrays[0], p->counts[0], -1, 1, p->seed);

    if (status == cudaSuccess)
        status = device_count_other_words(p->arrays[0], p->counts[0], ONE, &not_one, &first);
    if (status == cudaSuccess)
        status = device_count_other_words(
            p->arrays[0], p->counts[0], (uint32_t)MINUS_ONE, &not_minus_one, &first);
    p->facts[0] = (double)not_minus_one - (double)not_one;
    return status;
}

static bool is_total(double got, const struct timed_problem *p, char *text, size_t bytes)
{
    snprintf(text, bytes, "the sum is %.9g, expected %.9g", got, p->facts[0]);
    return got == p->facts[0];
}

static size_t input_and_one(size_t n, int k)
{
    return k == 0 ? n : k == 1;
}

static size_t bytes_of_input(const struct timed_problem *p)
{
    return p->counts[0] * sizeof(float);
}

static size_t floats_in(size_t bytes)
{
    return bytes / sizeof(float);
}

static bool verify_sum(const struct timed_problem *p, char *text, size_t bytes)
{
    float got = NAN;

    cudaMemcpy(&got, p->arrays[1], sizeof got, cudaMemcpyDeviceToHost);
    return is_total(got, p, text, bytes);
}

static cudaError_t call_tree(void *function, const struct timed_problem *p)
{
    return ((sum_function)function)(p->arrays[0], p->arrays[1], p->n, 256, 0);
}

/* Larger blocks, so fewer atomics meet at the end. */
static cudaError_t call_shuffle(void *function, const struct timed_problem *p)
{
    return ((sum_function)function)(p->arrays[0], p->arrays[1], p->n, 512, 0);
}

static const struct speed_test tree_speed = {
    .limit = LIMIT_READ,
    .gate = 0.30,
    .baseline_name = "one element a thread",
    .array_count = input_and_one,
    .outputs = 1 << 1,
    .bytes = bytes_of_input,
    .size_for = floats_in,
    .prepare = prepare_signs,
    .call = call_tree,
    .verify = verify_sum,
};

static const struct speed_test shuffle_speed = {
    .limit = LIMIT_READ,
    .gate = 0.75,
    .baseline_name = "a float at a time",
    .array_count = input_and_one,
    .outputs = 1 << 1,
    .bytes = bytes_of_input,
    .size_for = floats_in,
    .prepare = prepare_signs,
    .call = call_shuffle,
    .verify = verify_sum,
};

static size_t matrix_and_sums(size_t n, int k)
{
    return k == 0 ? n : k == 1 ? n / TIMED_COLUMNS : 0;
}

static size_t whole_rows_in(size_t bytes)
{
    return bytes / sizeof(float) / TIMED_COLUMNS * TIMED_COLUMNS;
}

static cudaError_t call_rows(void *function, const struct timed_problem *p)
{
    const struct matrix_shape shape = {p->counts[1], TIMED_COLUMNS};
    return ((rows_function)function)(p->arrays[0], p->arrays[1], shape, 0);
}

/* One row in full, and the total of all: together they leave no way to skip a part. */
static bool verify_rows(const struct timed_problem *p, char *text, size_t bytes)
{
    static float row[TIMED_COLUMNS];
    const size_t rows = p->counts[1], checked = p->seed % rows;
    float *sums = malloc(rows * sizeof *sums);

    cr_assert_not_null(sums, "out of memory");
    cudaMemcpy(sums, p->arrays[1], rows * sizeof *sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(row, (const float *)p->arrays[0] + checked * TIMED_COLUMNS, sizeof row,
        cudaMemcpyDeviceToHost);
    const double total = sum_of(sums, 0, rows), got = sums[checked];
    const double want = sum_of(row, 0, TIMED_COLUMNS);
    free(sums);
    snprintf(text, bytes, "row %zu sums to %.9g, expected %.9g", checked, got, want);
    return got == want && is_total(total, p, text, bytes);
}

static const struct speed_test rows_speed = {
    .limit = LIMIT_READ,
    .gate = 0.50,
    .baseline_name = "a thread a row",
    .array_count = matrix_and_sums,
    .outputs = 1 << 1,
    .bytes = bytes_of_input,
    .size_for = whole_rows_in,
    .prepare = prepare_signs,
    .call = call_rows,
    .verify = verify_rows,
};

static size_t two_and_one(size_t n, int k)
{
    return k < 2 ? n : k == 2;
}

/* Before there are contents, about half of them will be kept. */
static size_t bytes_compacted(const struct timed_problem *p)
{
    const size_t kept = p->facts[0] > 0 ? (size_t)p->facts[0] : p->counts[0] / 2;
    return (p->counts[0] + kept) * sizeof(int);
}

static size_t pairs_of_ints_in(size_t bytes)
{
    return bytes / (2 * sizeof(int));
}

/* Integers of 31 bits at random, about half of them positive. */
static cudaError_t prepare_ints(struct timed_problem *p)
{
    size_t kept = 0;
    uint64_t checksum;
    cudaError_t status =
        device_fill_ints(p->arrays[0], p->counts[0], INT32_MIN, INT32_MAX, p->seed);

    if (status == cudaSuccess)
        status = device_checksum_positive(p->arrays[0], p->counts[0], &kept, &checksum);
    p->facts[0] = (double)kept;
    return status;
}

static cudaError_t call_compact(void *function, const struct timed_problem *p)
{
    return ((compact_function)function)(p->arrays[0], p->arrays[1], p->arrays[2], p->n, 0);
}

static bool verify_compact(const struct timed_problem *p, char *text, size_t bytes)
{
    const uint32_t *out = p->arrays[1];
    size_t kept = 0, not_junk = 0, first;
    uint64_t want = 0, got = 0;
    uint32_t count = 0;

    cudaMemcpy(&count, p->arrays[2], sizeof count, cudaMemcpyDeviceToHost);
    device_checksum_positive(p->arrays[0], p->n, &kept, &want);
    device_checksum_unordered(out, kept, &got);
    device_count_other_words(out + kept, p->n - kept, POISON_WORD, &not_junk, &first);
    snprintf(text, bytes, "%u counted, expected %zu; %s copied, %zu written behind them", count,
        kept, got == want ? "all" : "others", not_junk);
    return count == kept && got == want && not_junk == 0;
}

static const struct speed_test compact_speed = {
    .limit = LIMIT_ADD,
    .gate = 0.30,
    .baseline_name = "an atomic an element",
    .array_count = two_and_one,
    .outputs = 1 << 1 | 1 << 2,
    .bytes = bytes_compacted,
    .size_for = pairs_of_ints_in,
    .prepare = prepare_ints,
    .call = call_compact,
    .verify = verify_compact,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"not-cleared", "atomicAdd adds to what is there, and before the call that is junk: clear all "
                    "four bytes of *out on the stream, before the launch."},
    {"reads-past-the-end", "Something behind the last element was read and added: test the index, "
                           "and round the number of whole vectors down."},
    {"vector-tail-dropped", "The last 1 to 3 elements do not fill a vector of four and were left "
                            "out: take them one at a time."},
    {"vector-tail-repeated",
        "The last n % 4 elements were added more than once: they are no work for every thread or "
        "every block, but for one thread each."},
    {"power-of-two-only",
        "Halving an odd number drops one: the loop suits powers of two. Round the "
        "half up, and let the middle element wait for the next round."},
    {"one-block-only", "The sum is one block's share: each block overwrites the sums of the others "
                       "instead of adding to them with atomicAdd."},
    {"one-warp-only", "The sum is that of the first warp of each block: the second level is "
                      "missing, which adds up the sums of the warps."},
    {"lost-updates", "The sum is a single element: threads that read, add and write back at the "
                     "same time overwrite each other's additions. That takes an atomic."},
    {"no-grid-stride", "Small arrays are right, large ones too small: a grid of fixed size needs a "
                       "loop that goes on by gridDim.x * blockDim.x until n."},
    {"float-accumulator",
        "One float took in every element, or a share of every thread: the larger the sum, the more "
        "of each addition is rounded away. Partial sums stay small and lose little."},
    {"identity-zero", "The search starts from 0, which is larger than every negative number: start "
                      "from -infinity."},
    {"identity-finite", "The search starts from the lowest finite number, but -infinity is lower: "
                        "start from that."},
    {"int-compare",
        "The bits of floats are compared as integers, which turns the order of negative "
        "numbers round."},
    {"bits-compare",
        "The bits of the floats were compared as unsigned numbers: there negative floats order "
        "backwards, and above the positive ones. Flip all bits of a negative float, and the "
        "sign bit alone of the others."},
    {"stale-scratch", "A maximum of the call before is still in the scratch memory: clear what the "
                      "search starts from in every call."},
    {"tie-takes-later", "The value is right, but it stands further to the front as well: of two "
                        "equal values the lower index must win, in every comparison."},
    {"signed-zero", "-0 and +0 are equal, but their bits are not: add +0 before you look at the "
                    "bits."},
    {"index-of-empty-lane", "The index is 0 and the maximum is not there: threads past the end "
                            "offer a value under an index that is not theirs."},
    {"index-never-set", "All elements are -infinity, so none is larger than the start, and the "
                        "index keeps its first value."},
    {"no-last-block",
        "Nothing was written: no block found itself to be the last. The tickets are 0 "
        "to gridDim.x - 1."},
    {"ticket-not-reset", "The first call is right and the second is not: the ticket does not stand "
                         "at 0 again. atomicInc wraps after its second argument, gridDim.x - 1."},
    {"order-dependent", "The bits differ from call to call: sums are added in the order in which "
                        "blocks end. Store them, and let one block add them in a fixed order."},
    {"more-than-one-launch",
        "The task is to do it in one launch: the last block to end adds up the "
        "sums of all."},
    {"no-block-stride", "Each row's sum ends after one element a thread: the threads must go on by "
                        "blockDim.x until the row's end."},
    {"lowest-lanes-doubled", "A lane without a source gets its own value back from __shfl_up_sync: "
                             "add only where lane >= offset."},
    {"lane-is-not-thread", "Right in the first warp of a block, wrong in the others: the lane is "
                           "threadIdx.x % 32."},
    {"exclusive-scan", "Each sum leaves out its own element: the scan must be inclusive, so out[i] "
                       "contains in[i]."},
    {"keeps-zeros", "Zeros were kept as well: only what is greater than 0 is positive."},
    {"written-behind", "Something was written behind the elements that are kept: what is not kept "
                       "is not written at all."},
    {"lost-reservations", "Too few were counted: some blocks or threads got the same place. "
                          "Reading, adding and writing the counter must be one atomicAdd."},
    {"barrier", "__syncthreads() was reached by some threads of a block and not by others: it must "
                "stand where every thread comes by, outside the if."},
    {"warp-sync",
        "A lane that the mask of a shuffle names did not execute it: it has returned, or "
        "took another branch. All 32 lanes must come, those past n with a neutral value."},
    {"shared-race",
        "Two threads touch the same shared memory, one of them writes, and no barrier "
        "lies between: a __syncthreads() where all threads come by orders them. Not even "
        "the threads of one warp run in step."},
    {"global-race", "Two threads touch the same global memory, one of them writes, and nothing "
                    "orders them: that takes an atomic, or a second launch; a ticket also takes a "
                    "__threadfence()."},
    {"uninitialised",
        "Something is read that nobody has written, or not yet: a barrier is missing, or a block "
        "of fewer than 32 warps has fewer than 32 sums of warps."},
    {"illegal-address",
        "A kernel touched memory that does not exist: an index outside of its array, a tile in "
        "shared memory that is smaller than the block, or a place drawn from a counter that was "
        "not set to 0. make sanitize names the line."},
    {NULL, NULL},
};

static const char beyond_31_bits[] = "2^31 elements and more: are index and step of type size_t?";

static const struct task tasks[] = {
    {
        .id = "hw4.1",
        .title = "block tree, grid-stride loads, one atomic",
        .function = "sum_tree",
        .points = {15, 6, 2},
        .check = check_tree,
        .stream_case = "case7-n257-threads256",
        .speed = &tree_speed,
        .diagnoses = diagnoses,
        .untried = beyond_31_bits,
    },
    {
        .id = "hw4.2",
        .title = "two-level warp shuffle, 16-byte loads",
        .function = "sum_shuffle",
        .points = {15, 8, 2},
        .check = check_shuffle,
        .stream_case = "case9-n5000-threads1024",
        .speed = &shuffle_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.3",
        .title = "the maximum and where it is",
        .function = "find_maximum",
        .points = {15, 0, 2},
        .check = check_maximum,
        .stream_case = "ties-n100003",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.4",
        .title = "one pass, the same bits every time",
        .function = "sum_single_pass",
        .star = true,
        .check = check_single_pass,
        .stream_case = "case4-n4099",
        .diagnoses = diagnoses,
        .untried = beyond_31_bits,
    },
    {
        .id = "hw4.5",
        .title = "a block a row",
        .function = "sum_rows",
        .points = {12, 6, 2},
        .check = check_rows,
        .stream_case = "rows5-columns4099",
        .speed = &rows_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.6",
        .title = "a prefix sum in each warp",
        .function = "scan_warps",
        .points = {13, 0, 2},
        .check = check_scan,
        .stream_case = "n257",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw4.7",
        .title = "compaction, one atomic a block",
        .function = "compact_positive",
        .star = true,
        .check = check_compact,
        .stream_case = "n257-from-9-to9",
        .speed = &compact_speed,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw4",
    .folder = "hw4_reduction",
    .file = "reduction.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", NULL},
};

Test(hw4, t1, .description = "hw4.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.1");
}

Test(hw4, t2, .description = "hw4.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.2");
}

Test(hw4, t3, .description = "hw4.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.3");
}

Test(hw4, t4, .description = "hw4.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.4");
}

Test(hw4, t5, .description = "hw4.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.5");
}

Test(hw4, t6, .description = "hw4.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.6");
}

Test(hw4, t7, .description = "hw4.7", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw4.7");
}

Test(hw4_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
