/* Homework 7: what the five functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "profiling.h"
#include "grader/cost.h"
#include "grader/device.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/measure.h"
#include "grader/room.h"
#include "grader/trial.h"

typedef typeof(&average_sets) average_function;
typedef typeof(&multiply_vector) vector_function;
typedef typeof(&multiply_vectors) vectors_function;
typedef typeof(&name_limiter) limiter_function;
typedef typeof(&find_roofline_point) roofline_function;

enum { WARP = 32, SECTOR_FLOATS = 8, PREDICTED_MAX = 4096 };

/* The contract's bound on the error of a sum of n numbers with these magnitudes. */
static double sum_bound(size_t n, double magnitude)
{
    return n == 0 ? 0 : (log2((double)n) + 8) * 0x1p-24 * magnitude;
}

/* ---- contents ------------------------------------------------------------------------------- */

typedef void fill_function(float *values, size_t n, uint64_t seed);

/* Sums of products of them are exact in a float, in any order. */
static void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -9, 9, seed);
}

/* 13 bits and a sign: half precision has no room for them. */
static void fill_large(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -8191, 8191, seed);
}

/* ---- hw7.1 ---------------------------------------------------------------------------------- */

/* The first case shows most mistakes at their clearest: nothing divides anything. */
static const struct sets_case {
    struct sets_shape shape;
    fill_function *fill;
} sets_cases[] = {
    {{3, 37, 77}, fill_large},
    {{1, 1, 1}, fill_large},
    {{1, 31, 32}, fill_large},
    {{2, 32, 33}, fill_large},
    {{5, 8, 96}, fill_large},
    {{3, 33, 31}, fill_floats},
    {{1, 257, 1}, fill_large},
    {{2, 255, 257}, fill_large},
    {{0, 4, 5}, fill_large},
    {{4, 5, 0}, fill_large},
    {{70001, 2, 3}, fill_large},
    {{7, 1009, 48}, fill_wide},
    {{2, 500, 1024}, fill_large},
};

struct averaging {
    const float *in;
    struct sets_shape shape;
};

/* The sum of a column of a set over vectors first, first + step, … below `end`. */
static double column_sum(
    const struct averaging *a, size_t set, size_t column, size_t first, size_t step, size_t end)
{
    const float *in = a->in + set * a->shape.vectors * a->shape.length + column;
    double sum = 0;

    for (size_t v = first; v < end; v += step)
        sum += in[v * a->shape.length];
    return sum;
}

/* What known mistakes make of an average. `part`: into how many the vectors are divided. */

static double vector_dropped(const struct averaging *a, size_t set, size_t column, size_t part)
{
    const size_t n = a->shape.vectors, first = part == 0,
                 end = part <= 1 ? n - part : n / part * part;
    return column_sum(a, set, column, first, 1, end) / (double)n;
}

static double average_of_averages(const struct averaging *a, size_t set, size_t column, size_t part)
{
    const size_t n = a->shape.vectors;
    double sum = 0;

    for (size_t first = 0; first < part && first < n; first++)
        sum += column_sum(a, set, column, first, part, n) / (double)((n - first - 1) / part + 1);
    return sum / (double)part;
}

static double other_set(const struct averaging *a, size_t set, size_t column, size_t part)
{
    double sum = 0;

    if (part == 0)
        return column_sum(a, 0, column, 0, 1, a->shape.vectors) / (double)a->shape.vectors;
    for (size_t s = set % part; s <= set; s += part)
        sum += column_sum(a, s, column, 0, 1, a->shape.vectors);
    return sum / (double)a->shape.vectors;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct averaging *, size_t set, size_t column, size_t part);
    size_t part;
} average_mistakes[] = {
    {"vector-dropped", vector_dropped, 0},
    {"vector-dropped", vector_dropped, 1},
    {"vector-dropped", vector_dropped, 2},
    {"vector-dropped", vector_dropped, 4},
    {"vector-dropped", vector_dropped, 8},
    {"vector-dropped", vector_dropped, 16},
    {"vector-dropped", vector_dropped, 32},
    {"average-of-averages", average_of_averages, 4},
    {"average-of-averages", average_of_averages, 8},
    {"average-of-averages", average_of_averages, 16},
    {"average-of-averages", average_of_averages, 32},
    {"other-set", other_set, 0},
    {"other-set", other_set, 1},
    {"other-set", other_set, 2},
};

static void expect_averages(
    struct trial *t, const struct array *in, const struct array *out, struct sets_shape shape)
{
    const struct averaging a = {in->floats, shape};
    struct suspect suspects[LENGTH(average_mistakes) + 1] = {{NULL, NULL}};
    double *want = doubles(out->count), *bound = doubles(out->count);
    double *predicted[LENGTH(average_mistakes)] = {NULL};
    const double n = (double)shape.vectors;

    for (size_t i = 0; i < out->count; i++) {
        const float *first = in->floats + i / shape.length * shape.vectors * shape.length;
        double magnitude = 0;
        for (size_t v = 0; v < shape.vectors; v++)
            magnitude += fabs((double)first[v * shape.length + i % shape.length]);
        want[i] = column_sum(&a, i / shape.length, i % shape.length, 0, 1, shape.vectors) / n;
        bound[i] = sum_bound(shape.vectors, magnitude / n);
    }
    for (size_t k = 0; out->count <= PREDICTED_MAX && k < LENGTH(average_mistakes); k++) {
        predicted[k] = doubles(out->count);
        for (size_t i = 0; i < out->count; i++)
            predicted[k][i] = (float)average_mistakes[k].predict(
                &a, i / shape.length, i % shape.length, average_mistakes[k].part);
        suspects[k] = (struct suspect){average_mistakes[k].diagnosis, predicted[k]};
    }
    trial_expect(t, &(struct expectation){.output = out,
                        .want = want,
                        .bound = bound,
                        .columns = shape.length,
                        .suspects = suspects});
    for (size_t k = 0; k < LENGTH(average_mistakes); k++)
        free(predicted[k]);
    free(want);
    free(bound);
}

/* Large enough for the edges not to count. */
static bool is_counted(size_t elements)
{
    return elements >= 250000;
}

static void check_averages(struct trial *t)
{
    const struct sets_case tried = {{2, 4, trial_try_size(t)}, fill_small};
    const bool trying = trial_try_size(t) > 0;
    average_function average = (average_function)trial_function(t);

    for (size_t i = 0; i < (trying ? 1 : LENGTH(sets_cases)); i++) {
        const struct sets_case *c = trying ? &tried : &sets_cases[i];
        const struct sets_shape shape = c->shape;
        if (!trial_begin(
                t, "sets%zu-vectors%zu-length%zu", shape.sets, shape.vectors, shape.length))
            continue;
        struct array *in = trial_input(t, "in", FLOAT32, shape.sets * shape.vectors * shape.length);
        struct array *out = trial_output(t, "out", FLOAT32, shape.sets * shape.length);
        in->columns = shape.length;
        c->fill(in->floats, in->count, trial_seed(t));
        if (trying)
            printf("%zu sets of %zu vectors, a vector a line\n", shape.sets, shape.vectors);
        if (TRIAL_CALL(t, average(in->device, out->device, shape, trial_stream(t))))
            expect_averages(t, in, out, shape);
        if (is_counted(in->count) && shape.length >= 1024)
            trial_expect_cost(t, &coalesced, 0);
        trial_end(t);
    }
    if (!trying && trial_begin(t, "vectors0")) {
        struct array *in = trial_input(t, "in", FLOAT32, 0);
        struct array *out = trial_output(t, "out", FLOAT32, 5 * 7);
        const struct sets_shape shape = {5, 0, 7};
        (void)TRIAL_CALL_MUST_FAIL(t, average(in->device, out->device, shape, trial_stream(t)),
            "there is no average of no vectors");
        trial_end(t);
    }
}

/* ---- hw7.2, hw7.3 --------------------------------------------------------------------------- */

struct product_case {
    struct matrix_shape shape;
    size_t vectors;
    fill_function *fill;
};

static const struct product_case vector_cases[] = {
    {{45, 77}, 1, fill_small},
    {{1, 1}, 1, fill_small},
    {{3, 31}, 1, fill_small},
    {{31, 32}, 1, fill_small},
    {{33, 33}, 1, fill_small},
    {{255, 256}, 1, fill_small},
    {{257, 129}, 1, fill_small},
    {{9, 1023}, 1, fill_small},
    {{0, 5}, 1, fill_small},
    {{5, 0}, 1, fill_small},
    {{70001, 3}, 1, fill_small},
    {{3, 100003}, 1, fill_small},
    {{37, 24}, 1, fill_large},
    {{33, 1001}, 1, fill_floats},
    {{31, 2049}, 1, fill_wide},
    {{300, 1024}, 1, fill_small},
};

/* Eleven are a pass of eight and three that are left over. */
static const struct product_case vectors_cases[] = {
    {{45, 77}, 11, fill_small},
    {{1, 1}, 1, fill_small},
    {{33, 31}, 2, fill_small},
    {{31, 33}, 3, fill_small},
    {{64, 128}, 8, fill_small},
    {{29, 256}, 17, fill_small},
    {{9, 1023}, 33, fill_small},
    {{0, 5}, 3, fill_small},
    {{5, 0}, 3, fill_small},
    {{5, 7}, 0, fill_small},
    {{65537, 1}, 8, fill_small},
    {{37, 24}, 8, fill_large},
    {{33, 1001}, 9, fill_floats},
    {{31, 2049}, 8, fill_wide},
    {{256, 1024}, 8, fill_small},
};

struct product {
    const float *matrix, *in;
    struct matrix_shape shape;
    size_t vectors;
};

/* Row times vector over columns first, first + step, … below `end`. */
static double dot(const struct product *p, size_t row, size_t vector, size_t step, size_t end)
{
    const float *m = p->matrix + row * p->shape.columns, *x = p->in + vector * p->shape.columns;
    double sum = 0;

    for (size_t c = 0; c < end; c += step)
        sum += (double)m[c] * x[c];
    return sum;
}

/* What known mistakes make of element `row` of the product of `vector`; NaN: not written. */

static double columns_dropped(const struct product *p, size_t row, size_t vector, size_t part)
{
    return dot(p, row, vector, 1, p->shape.columns / part * part);
}

static double one_lane_only(const struct product *p, size_t row, size_t vector, size_t part)
{
    return dot(p, row, vector, part, p->shape.columns);
}

static double matrix_transposed(const struct product *p, size_t row, size_t vector, size_t part)
{
    double sum = 0;

    (void)part;
    for (size_t c = 0; c < p->shape.columns; c++)
        sum += (double)p->matrix[c * p->shape.rows + row] * p->in[vector * p->shape.columns + c];
    return sum;
}

static double vectors_left_over(const struct product *p, size_t row, size_t vector, size_t part)
{
    return vector < p->vectors / part * part ? dot(p, row, vector, 1, p->shape.columns) : NAN;
}

static double same_vector(const struct product *p, size_t row, size_t vector, size_t part)
{
    return dot(p, row, part == 0 ? 0 : vector / part * part, 1, p->shape.columns);
}

static double sums_kept(const struct product *p, size_t row, size_t vector, size_t part)
{
    double sum = 0;

    for (size_t v = vector % part; v <= vector; v += part)
        sum += dot(p, row, v, 1, p->shape.columns);
    return sum;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct product *, size_t row, size_t vector, size_t part);
    size_t part;
} product_mistakes[] = {
    {"columns-dropped", columns_dropped, 4},
    {"columns-dropped", columns_dropped, 32},
    {"columns-dropped", columns_dropped, 128},
    {"one-lane-only", one_lane_only, WARP},
    {"matrix-transposed", matrix_transposed, 0},
    {"vectors-left-over", vectors_left_over, 2},
    {"vectors-left-over", vectors_left_over, 4},
    {"vectors-left-over", vectors_left_over, 8},
    {"same-vector", same_vector, 0},
    {"same-vector", same_vector, 4},
    {"same-vector", same_vector, 8},
    {"sums-kept", sums_kept, 1},
    {"sums-kept", sums_kept, 4},
    {"sums-kept", sums_kept, 8},
};

static void expect_products(
    struct trial *t, const struct product *p, const struct array *out, bool exact)
{
    const size_t rows = p->shape.rows;
    struct suspect suspects[LENGTH(product_mistakes) + 1] = {{NULL, NULL}};
    double *want = doubles(out->count), *bound = doubles(out->count);
    double *predicted[LENGTH(product_mistakes)] = {NULL};

    for (size_t i = 0; i < out->count; i++) {
        const float *m = p->matrix + i % rows * p->shape.columns;
        const float *x = p->in + i / rows * p->shape.columns;
        double magnitude = 0;
        for (size_t c = 0; c < p->shape.columns; c++)
            magnitude += fabs((double)m[c] * x[c]);
        want[i] = dot(p, i % rows, i / rows, 1, p->shape.columns);
        bound[i] = exact ? 0 : sum_bound(p->shape.columns, magnitude);
    }
    for (size_t k = 0; out->count <= PREDICTED_MAX && k < LENGTH(product_mistakes); k++) {
        predicted[k] = doubles(out->count);
        for (size_t i = 0; i < out->count; i++)
            predicted[k][i] =
                product_mistakes[k].predict(p, i % rows, i / rows, product_mistakes[k].part);
        suspects[k] = (struct suspect){product_mistakes[k].diagnosis, predicted[k]};
    }
    trial_expect(t, &(struct expectation){.output = out,
                        .want = want,
                        .bound = bound,
                        .columns = p->vectors > 1 ? rows : 0,
                        .suspects = suspects});
    for (size_t k = 0; k < LENGTH(product_mistakes); k++)
        free(predicted[k]);
    free(want);
    free(bound);
}

typedef cudaError_t product_call(void *function, const void *matrix, const void *in, void *out,
    const struct product_case *c, cudaStream_t stream);

static cudaError_t call_vector(void *function, const void *matrix, const void *in, void *out,
    const struct product_case *c, cudaStream_t stream)
{
    return ((vector_function)function)(matrix, in, out, c->shape, stream);
}

static cudaError_t call_vectors(void *function, const void *matrix, const void *in, void *out,
    const struct product_case *c, cudaStream_t stream)
{
    return ((vectors_function)function)(matrix, in, out, c->shape, c->vectors, stream);
}

/* One row a warp loads eight sectors of vectors for each sector of the matrix, in any number of
 * passes; the matrix adds one a pass. Two vectors a pass make 12. */
static const struct cost_gate few_passes = {
    .diagnosis = "matrix-read-again",
    .what = "sectors loaded for each sector of the matrix",
    .cost = counted_load_sectors,
    .most = 11,
};

static void try_product(struct trial *t, const struct product_case *c, product_call *call)
{
    const size_t elements = c->shape.rows * c->shape.columns;
    const bool narrow = c->fill == fill_small || c->fill == fill_large;
    struct array *matrix = trial_input(t, "matrix", FLOAT32, elements);
    struct array *in = trial_input(t, "in", FLOAT32, c->vectors * c->shape.columns);
    struct array *out = trial_output(t, "out", FLOAT32, c->vectors * c->shape.rows);

    matrix->columns = in->columns = c->shape.columns;
    c->fill(matrix->floats, matrix->count, trial_seed(t));
    /* Large numbers of both sides would not add up exactly. */
    (c->fill == fill_large ? fill_small : c->fill)(in->floats, in->count, trial_seed(t) + 1);
    if (TRIAL_CALL(t,
            call(trial_function(t), matrix->device, in->device, out->device, c, trial_stream(t))))
        expect_products(
            t, &(struct product){matrix->floats, in->floats, c->shape, c->vectors}, out, narrow);
    if (!is_counted(elements) || c->shape.columns != 1024)
        return;
    trial_expect_cost(t, &coalesced, 0);
    if (c->vectors == 8)
        trial_expect_cost(t, &few_passes, (double)(elements / SECTOR_FLOATS));
}

static void try_products(
    struct trial *t, const struct product_case *cases, size_t count, product_call *call)
{
    const size_t tried_rows = trial_try_size(t);
    const struct product_case tried = {{tried_rows, 5}, call == call_vectors ? 3 : 1, fill_small};

    if (tried_rows > 0)
        cases = &tried, count = 1;
    for (size_t i = 0; i < count; i++) {
        const struct product_case *c = &cases[i];
        if (!trial_begin(
                t, "rows%zu-columns%zu-vectors%zu", c->shape.rows, c->shape.columns, c->vectors))
            continue;
        try_product(t, c, call);
        trial_end(t);
    }
}

static void check_vector(struct trial *t)
{
    try_products(t, vector_cases, LENGTH(vector_cases), call_vector);
}

static void check_vectors(struct trial *t)
{
    try_products(t, vectors_cases, LENGTH(vectors_cases), call_vectors);
}

/* ---- hw7.4 ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool shown; /* in the README, with its verdict */
    struct kernel_metrics metrics;
} records[] = {
#include "records/h200.inc"
    /* Made up: at the border, and with equals. */
    {"border-memory", false, {100, 60, 20, 30, 40, 0, 10, 0}},
    {"border-compute", false, {75, 30, 20, 10, 80, 0, 10, 0}},
    {"below-the-border", false, {75, 30, 20, 10, 79.5, 0, 10, 0}},
    {"equal-memory", false, {100, 70, 20, 70, 5, 0, 10, 0}},
    {"equal-both", false, {100, 20, 20, 65, 5, 0, 65, 0}},
    {"l2", false, {100, 50, 85, 40, 5, 0, 10, 0}},
    {"nothing", false, {0, 0, 0, 0, 0, 0, 0, 0}},
};

enum { RANDOM_RECORDS = 100, ALL_RECORDS = LENGTH(records) + RANDOM_RECORDS };

static const double border = 60;

/* The rule of the contract, or one that mistakes it. */
struct rule {
    const char *diagnosis;
    bool as_counted;   /* no common denominator */
    bool in_per_cent;  /* the share of time is taken to be 0 to 100 */
    bool memory_first; /* compute is asked only if memory is not at the border */
    bool above;        /* the border itself is not enough */
    bool last;         /* of equals the last */
    unsigned blind;    /* bit k: metric k is not looked at */
};

static struct named_limiter by_rule(const struct kernel_metrics *m, const struct rule *rule)
{
    const double share = rule->as_counted    ? 1
                         : rule->in_per_cent ? m->sm_active_elapsed
                                             : m->sm_active_elapsed / 100;
    const double elapsed[METRICS] = {m->dram_elapsed, m->l2_elapsed, m->l1_elapsed,
        m->fp32_active * share, m->fp64_active * share, m->integer_active * share,
        m->tensor_active * share};
    struct named_limiter named = {LATENCY_BOUND, METRICS, -1};

    for (enum metric k = 0; k < METRICS; k++) {
        if (rule->blind >> k & 1 || elapsed[k] < named.elapsed)
            continue;
        if (elapsed[k] == named.elapsed && !rule->last)
            continue;
        if (rule->memory_first && k >= METRIC_FP32 && named.metric < METRIC_FP32 &&
            named.elapsed >= border)
            break;
        named.metric = k;
        named.elapsed = elapsed[k];
    }
    if (rule->above ? named.elapsed > border : named.elapsed >= border)
        named.limiter = named.metric < METRIC_FP32 ? MEMORY_BOUND : COMPUTE_BOUND;
    return named;
}

static const struct rule contract = {.diagnosis = NULL};
static const struct rule mistaken_rules[] = {
    {"mixed-denominators", .as_counted = true},
    {"share-in-per-cent", .in_per_cent = true},
    {"last-of-equals", .last = true},
    {"memory-first", .memory_first = true},
    {"above-the-border", .above = true},
    {"one-metric", .blind = 1 << METRIC_L2 | 1 << METRIC_L1},
    {"one-metric", .blind = 1 << METRIC_FP64 | 1 << METRIC_INTEGER | 1 << METRIC_TENSOR},
    {"one-metric", .blind = (1 << METRICS) - 1 - (1 << METRIC_DRAM) - (1 << METRIC_FP32)},
};

static bool same_limiter(struct named_limiter a, struct named_limiter b)
{
    return a.limiter == b.limiter && a.metric == b.metric && fabs(a.elapsed - b.elapsed) <= 0.001;
}

/* A record as it stands in the README, so that it can be worked out by hand. */
static const char *describe_metrics(char *text, size_t bytes, const struct kernel_metrics *m)
{
    snprintf(text, bytes,
        "SMs %.2f; DRAM %.2f, L2 %.2f, L1 %.2f; FP32 %.2f, FP64 %.2f, integer %.2f, tensor %.2f",
        m->sm_active_elapsed, m->dram_elapsed, m->l2_elapsed, m->l1_elapsed, m->fp32_active,
        m->fp64_active, m->integer_active, m->tensor_active);
    return text;
}

static const char *describe_limiter(char *text, size_t bytes, struct named_limiter named)
{
    static const char *const limiters[] = {"memory bound", "compute bound", "latency bound"};
    static const char *const metrics[METRICS] = {
        "DRAM", "L2", "L1", "FP32", "FP64", "integer", "tensor"};

    snprintf(text, bytes, "%s, %s, %.2f %%",
        named.limiter <= LATENCY_BOUND ? limiters[named.limiter] : "no limiter",
        named.metric < METRICS ? metrics[named.metric] : "no metric", named.elapsed);
    return text;
}

/* Percentages with two decimals, and no verdict that hangs on a rounding. */
static struct kernel_metrics random_metrics(uint64_t seed)
{
    enum { COUNT = sizeof(struct kernel_metrics) / sizeof(double) };
    double values[COUNT];
    struct kernel_metrics m;

    for (size_t k = 0; k < COUNT; k++)
        values[k] = (double)(mix(seed, k) % (k == 0 ? 10001 : 8001)) / 100;
    m = (struct kernel_metrics){
        values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]};
    if (fabs(by_rule(&m, &contract).elapsed - border) < 0.01)
        m.dram_elapsed = 90;
    return m;
}

/* Every record once, in an order that the seed gives. */
static void order_records(size_t *order, uint64_t seed)
{
    for (size_t i = 0; i < ALL_RECORDS; i++) {
        const size_t other = (size_t)(mix(seed, i) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
}

/* The rule that would have given all these answers, or NULL. */
static const char *rule_of(
    const struct kernel_metrics *asked, const struct named_limiter *answers, size_t count)
{
    for (size_t k = 0; k < LENGTH(mistaken_rules); k++) {
        size_t same = 0;
        while (
            same < count && same_limiter(by_rule(&asked[same], &mistaken_rules[k]), answers[same]))
            same++;
        if (same == count)
            return mistaken_rules[k].diagnosis;
    }
    return NULL;
}

static bool ask_limiter(
    struct trial *t, const struct kernel_metrics *metrics, struct named_limiter *named)
{
    limiter_function name = (limiter_function)trial_function(t);
    const struct kernel_metrics given = *metrics;

    *named = (struct named_limiter){LATENCY_BOUND + 1, METRICS, NAN};
    return TRIAL_CALL(t, name(&given, named));
}

/* All are asked before any is judged: together the answers tell which rule was followed. */
static void try_records(struct trial *t)
{
    static struct kernel_metrics asked[ALL_RECORDS];
    static struct named_limiter answers[ALL_RECORDS];
    static size_t order[ALL_RECORDS];
    char got[80], expected[80], given[160];

    order_records(order, trial_seed(t));
    for (size_t i = 0; i < ALL_RECORDS; i++) {
        const size_t k = order[i];
        asked[k] =
            k < LENGTH(records) ? records[k].metrics : random_metrics(mix(trial_seed(t), ~k));
        if (!ask_limiter(t, &asked[k], &answers[k]))
            return;
    }
    for (size_t k = 0; k < ALL_RECORDS; k++) {
        const struct named_limiter want = by_rule(&asked[k], &contract);
        if (same_limiter(answers[k], want))
            continue;
        const char *rule = rule_of(asked, answers, ALL_RECORDS);
        trial_fail(t, WRONG_ANSWER, rule ? rule : "wrong-value", "%s: %s\ngot %s\nexpected %s",
            k < LENGTH(records) ? records[k].name : "a random record",
            describe_metrics(given, sizeof given, &asked[k]),
            describe_limiter(got, sizeof got, answers[k]),
            describe_limiter(expected, sizeof expected, want));
    }
}

static void show_records(struct trial *t)
{
    char got[80], expected[80];
    struct named_limiter named;

    printf("%-17s%6s |%6s%6s%6s |%6s%6s%6s%6s\n", "", "SMs", "DRAM", "L2", "L1", "FP32", "FP64",
        "int", "tens");
    for (size_t k = 0; k < LENGTH(records); k++) {
        const struct kernel_metrics *m = &records[k].metrics;
        if (!records[k].shown || !ask_limiter(t, m, &named))
            continue;
        printf("%-17s%6.2f |%6.2f%6.2f%6.2f |%6.2f%6.2f%6.2f%6.2f\n  got %s, expected %s\n",
            records[k].name, m->sm_active_elapsed, m->dram_elapsed, m->l2_elapsed, m->l1_elapsed,
            m->fp32_active, m->fp64_active, m->integer_active, m->tensor_active,
            describe_limiter(got, sizeof got, named),
            describe_limiter(expected, sizeof expected, by_rule(m, &contract)));
    }
}

static void check_limiter(struct trial *t)
{
    if (!trial_begin(t, "records"))
        return;
    if (trial_try_size(t))
        show_records(t);
    else
        try_records(t);
    trial_end(t);
}

/* ---- hw7.5 ---------------------------------------------------------------------------------- */

/* What hw7.3's read limit and the record fma-8-chains reached, and two made-up GPUs. */
static const struct gpu_peaks h200 = {3.775e12, 62.8e12}, small = {0.3e12, 8e12},
                              level = {1e12, 1e12};

static const struct roofline_case {
    struct product_run run;
    const struct gpu_peaks *gpu;
} roofline_cases[] = {
    {{{65536, 1024}, 8, 8, 94.6e-6}, &h200},
    {{{65536, 1024}, 8, 1, 501.8e-6}, &h200},
    {{{300, 70}, 7, 3, 25e-6}, &small},
    {{{4096, 1024}, 512, 512, 400e-6}, &h200},
    {{{1, 1}, 1, 1, 1e-6}, &level},
    {{{2048, 2048}, 1000, 48, 1e-3}, &small},
    {{{1 << 20, 1 << 13}, 3, 2, 30e-3}, &h200},
    {{{100003, 17}, 5, 9, 1e-3}, &level},
};

static struct roofline_point point_of(const struct product_run *run, const struct gpu_peaks *gpu)
{
    const double elements = (double)run->shape.rows * (double)run->shape.columns;
    const double vectors = (double)run->vectors;
    const double passes = ceil(vectors / (double)run->vectors_a_pass);
    struct roofline_point point = {
        .bytes = 4 * (passes * elements + vectors * (double)(run->shape.rows + run->shape.columns)),
        .operations = 2 * elements * vectors,
    };

    point.intensity = point.operations / point.bytes;
    point.attainable = fmin(gpu->operations_per_second, gpu->bytes_per_second * point.intensity);
    point.achieved_share = point.operations / run->seconds / point.attainable;
    return point;
}

static bool same_number(double got, double want)
{
    return fabs(got - want) <= 1e-9 * fabs(want);
}

/* The mistake that makes `got` of the first member that is wrong. */
static const char *roofline_mistake(const struct roofline_case *c, const struct roofline_point *got,
    const struct roofline_point *want)
{
    const struct product_run *run = &c->run;
    const double elements = (double)run->shape.rows * (double)run->shape.columns;
    const double ends = (double)(run->shape.rows + run->shape.columns) * (double)run->vectors;
    const double whole_passes = (double)(run->vectors / run->vectors_a_pass);
    const struct {
        const char *diagnosis;
        double got, want, mistaken;
    } known[] = {
        {"passes-rounded-down", got->bytes, want->bytes, 4 * (whole_passes * elements + ends)},
        {"passes-rounded-down", got->bytes, want->bytes,
            4 * ((double)run->vectors / (double)run->vectors_a_pass * elements + ends)},
        {"matrix-only", got->bytes, want->bytes, want->bytes - 4 * ends},
        {"one-operation", got->operations, want->operations, want->operations / 2},
        {"no-roof", got->attainable, want->attainable, c->gpu->bytes_per_second * want->intensity},
        {"no-roof", got->attainable, want->attainable, c->gpu->operations_per_second},
        {"share-of-the-peak", got->achieved_share, want->achieved_share,
            want->operations / run->seconds / c->gpu->operations_per_second},
        {"share-in-per-cent", got->achieved_share, want->achieved_share,
            100 * want->achieved_share},
    };

    for (size_t k = 0; k < LENGTH(known); k++)
        if (!same_number(known[k].got, known[k].want) &&
            same_number(known[k].got, known[k].mistaken))
            return known[k].diagnosis;
    return elements > UINT32_MAX ? "count-32-bits" : "wrong-value";
}

static void try_roofline(struct trial *t, const struct roofline_case *c)
{
    roofline_function find = (roofline_function)trial_function(t);
    const struct product_run run = c->run;
    const struct gpu_peaks gpu = *c->gpu;
    const struct roofline_point want = point_of(&c->run, c->gpu);
    struct roofline_point got = {NAN, NAN, NAN, NAN, NAN};

    if (!TRIAL_CALL(t, find(&run, &gpu, &got)))
        return;
    const struct {
        const char *name;
        double got, want;
    } members[] = {
        {"bytes", got.bytes, want.bytes},
        {"operations", got.operations, want.operations},
        {"intensity", got.intensity, want.intensity},
        {"attainable", got.attainable, want.attainable},
        {"achieved_share", got.achieved_share, want.achieved_share},
    };
    for (size_t k = 0; k < LENGTH(members); k++) {
        if (trial_try_size(t))
            printf("%-15s got %.9g, expected %.9g\n", members[k].name, members[k].got,
                members[k].want);
        else if (!same_number(members[k].got, members[k].want))
            trial_fail(t, WRONG_ANSWER, roofline_mistake(c, &got, &want),
                "%s: got %.9g, expected %.9g\nfrom %g s, %g bytes/s and %g operations/s",
                members[k].name, members[k].got, members[k].want, run.seconds, gpu.bytes_per_second,
                gpu.operations_per_second);
    }
}

/* For `make try`: what was asked, and the roof for more and more vectors a pass. */
static void show_roof(struct trial *t, const struct roofline_case *c)
{
    roofline_function find = (roofline_function)trial_function(t);
    struct product_run run = c->run;
    const struct gpu_peaks gpu = *c->gpu;

    printf("from            %zu rows, %zu columns, %zu vectors, %zu a pass, %g s\n"
           "H200            %g bytes a second, %g operations a second\n\n"
           "vectors in one pass   intensity   attainable   (65,536 rows)\n",
        run.shape.rows, run.shape.columns, run.vectors, run.vectors_a_pass, run.seconds,
        gpu.bytes_per_second, gpu.operations_per_second);
    run.shape.rows = 65536;
    for (size_t vectors = 1; vectors <= 64; vectors *= 2) {
        struct roofline_point got = {NAN, NAN, NAN, NAN, NAN};
        run.vectors = run.vectors_a_pass = vectors;
        if (!TRIAL_CALL(t, find(&run, &gpu, &got)))
            return;
        printf("%19zu %11.3f %12.3e\n", vectors, got.intensity, got.attainable);
    }
}

static void try_no_point(struct trial *t)
{
    static const struct product_run runs[] = {
        {{0, 5}, 2, 2, 1e-3}, {{5, 0}, 2, 2, 1e-3}, {{5, 5}, 0, 2, 1e-3}, {{5, 5}, 2, 0, 1e-3}};
    roofline_function find = (roofline_function)trial_function(t);

    for (size_t i = 0; i < LENGTH(runs); i++) {
        const struct product_run run = runs[i];
        struct roofline_point point;
        if (!trial_begin(t, "rows%zu-columns%zu-vectors%zu-pass%zu", run.shape.rows,
                run.shape.columns, run.vectors, run.vectors_a_pass))
            continue;
        (void)TRIAL_CALL_MUST_FAIL(t, find(&run, &h200, &point), "there is nothing to divide by");
        trial_end(t);
    }
}

static void check_roofline(struct trial *t)
{
    const size_t tried_rows = trial_try_size(t);
    const struct roofline_case tried = {{{tried_rows, 1024}, 8, 8, 10e-6}, &h200};

    for (size_t i = 0; i < (tried_rows ? 1 : LENGTH(roofline_cases)); i++) {
        const struct roofline_case *c = tried_rows ? &tried : &roofline_cases[i];
        if (!trial_begin(t, "rows%zu-columns%zu-vectors%zu-pass%zu", c->run.shape.rows,
                c->run.shape.columns, c->run.vectors, c->run.vectors_a_pass))
            continue;
        try_roofline(t, c);
        if (tried_rows)
            show_roof(t, c);
        trial_end(t);
    }
    if (!tried_rows)
        try_no_point(t);
}

/* ---- speed ---------------------------------------------------------------------------------- */

enum { TIMED_COLUMNS = 1024, TIMED_VECTORS = 8, CHECKED = 32 };

/* A smaller matrix would fit in the L2 cache of the virtual GPU. */
static size_t at_least_16_mib(size_t bytes)
{
    const size_t least = (size_t)16 << 20;
    return device_is_virtual() && bytes < least ? least : bytes;
}

/* An output of which nothing is left unwritten. */
static bool all_written(const struct timed_problem *p, int k, char *text, size_t bytes)
{
    size_t written = 0, first;

    device_count_other_words(p->arrays[k], p->counts[k], POISON_WORD, &written, &first);
    snprintf(
        text, bytes, "%zu of %zu results were not written", p->counts[k] - written, p->counts[k]);
    return written == p->counts[k];
}

static size_t timed_sets(void)
{
    const int processors = device_sm_count();
    return processors < 2 ? 1 : (size_t)processors / 2;
}

/* n vectors in each of the sets. */
static size_t sets_and_averages(size_t n, int k)
{
    return k == 0 ? timed_sets() * n * TIMED_COLUMNS : k == 1 ? timed_sets() * TIMED_COLUMNS : 0;
}

static size_t bytes_of_sets(const struct timed_problem *p)
{
    return (p->counts[0] + p->counts[1]) * sizeof(float);
}

static size_t vectors_in(size_t bytes)
{
    return at_least_16_mib(bytes) / (timed_sets() * TIMED_COLUMNS * sizeof(float));
}

static cudaError_t prepare_sets(struct timed_problem *p)
{
    return device_fill_integers(p->arrays[0], p->counts[0], -1000, 1000, p->seed);
}

static cudaError_t call_averages(void *function, const struct timed_problem *p)
{
    const struct sets_shape shape = {timed_sets(), p->n, TIMED_COLUMNS};
    return ((average_function)function)(p->arrays[0], p->arrays[1], shape, 0);
}

/* Nothing unwritten, and a few columns, first, last and at random, against the host. */
static bool verify_averages(const struct timed_problem *p, char *text, size_t bytes)
{
    float *column = malloc((p->n + 1) * sizeof *column);
    bool right = all_written(p, 1, text, bytes);

    cr_assert_not_null(column, "out of memory");
    for (uint64_t k = 0; k < CHECKED && right; k++) {
        const size_t i = k == 0 ? 0 : k == 1 ? p->counts[1] - 1 : mix(p->seed, k) % p->counts[1];
        const size_t first = i / TIMED_COLUMNS * p->n * TIMED_COLUMNS + i % TIMED_COLUMNS;
        double sum = 0, magnitude = 0;
        float got = NAN;
        cudaMemcpy(&got, (const float *)p->arrays[1] + i, sizeof got, cudaMemcpyDeviceToHost);
        cudaMemcpy2D(column, sizeof *column, (const float *)p->arrays[0] + first,
            TIMED_COLUMNS * sizeof *column, sizeof *column, p->n, cudaMemcpyDeviceToHost);
        for (size_t v = 0; v < p->n; v++) {
            sum += column[v];
            magnitude += fabs((double)column[v]);
        }
        snprintf(text, bytes, "set %zu, element %zu: got %.9g, expected %.9g", i / TIMED_COLUMNS,
            i % TIMED_COLUMNS, got, sum / (double)p->n);
        right = agrees(got, sum / (double)p->n, sum_bound(p->n, magnitude / (double)p->n));
    }
    free(column);
    return right;
}

static const struct speed_test average_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 2.0,
    .baseline_name = "a warp a set",
    .array_count = sets_and_averages,
    .outputs = 1 << 1,
    .bytes = bytes_of_sets,
    .size_for = vectors_in,
    .prepare = prepare_sets,
    .call = call_averages,
    .verify = verify_averages,
};

/* n rows. */
static size_t matrix_and_vector(size_t n, int k)
{
    return k == 0 ? n * TIMED_COLUMNS : k == 1 ? TIMED_COLUMNS : k == 2 ? n : 0;
}

static size_t matrix_and_vectors(size_t n, int k)
{
    return matrix_and_vector(n, k) * (k == 0 ? 1 : TIMED_VECTORS);
}

static size_t bytes_of_product(const struct timed_problem *p)
{
    return (p->counts[0] + p->counts[1] + p->counts[2]) * sizeof(float);
}

static size_t rows_in(size_t bytes)
{
    return at_least_16_mib(bytes) / (TIMED_COLUMNS * sizeof(float));
}

static cudaError_t prepare_product(struct timed_problem *p)
{
    cudaError_t status = device_fill_integers(p->arrays[0], p->counts[0], -60, 60, p->seed);

    if (status == cudaSuccess)
        status = device_fill_integers(p->arrays[1], p->counts[1], -60, 60, p->seed + 1);
    return status;
}

static cudaError_t time_vector(void *function, const struct timed_problem *p)
{
    const struct matrix_shape shape = {p->n, TIMED_COLUMNS};
    return ((vector_function)function)(p->arrays[0], p->arrays[1], p->arrays[2], shape, 0);
}

static cudaError_t time_vectors(void *function, const struct timed_problem *p)
{
    const struct matrix_shape shape = {p->n, TIMED_COLUMNS};
    return ((vectors_function)function)(
        p->arrays[0], p->arrays[1], p->arrays[2], shape, TIMED_VECTORS, 0);
}

/* Every result, exactly. */
static bool verify_product(const struct timed_problem *p, char *text, size_t bytes)
{
    static float in[TIMED_COLUMNS];
    static double vector[TIMED_COLUMNS];
    double *want = doubles(p->n);
    float *got = malloc(p->n * sizeof *got);
    bool right = true;

    cr_assert_not_null(got, "out of memory");
    for (size_t v = 0; v < p->counts[2] / p->n && right; v++) {
        cudaMemcpy(
            in, (const float *)p->arrays[1] + v * TIMED_COLUMNS, sizeof in, cudaMemcpyDeviceToHost);
        cudaMemcpy(got, (const float *)p->arrays[2] + v * p->n, p->n * sizeof *got,
            cudaMemcpyDeviceToHost);
        for (size_t c = 0; c < TIMED_COLUMNS; c++)
            vector[c] = in[c];
        right = device_times_vector(p->arrays[0], p->n, TIMED_COLUMNS, vector, want) == cudaSuccess;
        for (size_t r = 0; r < p->n && right; r++) {
            right = got[r] == want[r];
            if (!right)
                snprintf(text, bytes, "vector %zu, row %zu: got %.9g, expected %.9g", v, r, got[r],
                    want[r]);
        }
    }
    free(got);
    free(want);
    return right;
}

static const struct speed_test vector_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 2.0,
    .baseline_name = "a thread a row",
    .array_count = matrix_and_vector,
    .outputs = 1 << 2,
    .bytes = bytes_of_product,
    .size_for = rows_in,
    .prepare = prepare_product,
    .call = time_vector,
    .verify = verify_product,
};

static const struct speed_test vectors_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 2.0,
    .baseline_name = "a good product for each vector",
    .array_count = matrix_and_vectors,
    .outputs = 1 << 2,
    .bytes = bytes_of_product,
    .size_for = rows_in,
    .prepare = prepare_product,
    .call = time_vectors,
    .verify = verify_product,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"vector-dropped", "A vector is missing from the sums: the loop starts late or ends early, or "
                       "what is left over when the vectors are divided among threads is left out."},
    {"average-of-averages",
        "The parts were averaged, and then those averages: right only where all "
        "parts hold equally many vectors. Add the sums, and divide once."},
    {"other-set", "The result holds vectors of another set: the sum does not start from 0 for each "
                  "set, or the set is missing from the index of the input."},
    {"columns-dropped", "The last columns are missing from the sums: a row's end is no multiple of "
                        "what the lanes take at a time."},
    {"one-lane-only", "The result is the share of one lane: what the other 31 have added up is not "
                      "folded into it."},
    {"matrix-transposed", "The matrix is read along its columns: element (row, column) is "
                          "matrix[row * columns + column]."},
    {"vectors-left-over",
        "The last vectors have no product: after the passes with a full number of "
        "vectors there are some left, and they need a pass as well."},
    {"same-vector", "Several products are those of one vector: the number of the vector is missing "
                    "from the index of the input."},
    {"sums-kept", "A pass goes on with the sums of the one before: they start from 0 in each."},
    {"matrix-read-again",
        "The matrix is read again for every vector or two, and no cache holds it: "
        "use each element for four or eight vectors while it is in a register."},
    {"mixed-denominators",
        "Metrics of the whole time are compared with metrics of the active time: "
        "a unit that is busy 95 % of half the time is busy 47 % of it. Multiply "
        "the latter by the share of time in which the SMs were active."},
    {"share-in-per-cent",
        "Per cent and shares are mixed: 50 % is a share of 0.5, and a share of 1 is "
        "all of it."},
    {"last-of-equals", "Of equal metrics the first is named: only one that is larger, not one that "
                       "is equal, takes its place."},
    {"wrong-value", "No mistake that the grader knows gives this. Work the case above out by hand, "
                    "step by step as the contract says, and compare each step with your code."},
    {"memory-first", "Memory is named as soon as it is at 60 %, but a unit may be busier still: "
                     "look for the largest of all first."},
    {"above-the-border", "60 % itself is enough: the rule says at least 60 %, not more than 60 %."},
    {"one-metric", "Not all metrics are looked at: DRAM can be idle while the L1 cache and shared "
                   "memory are full, and FP32 while integers or FP64 are."},
    {"passes-rounded-down", "The last pass may hold fewer vectors, and reads the whole matrix all "
                            "the same: the number of passes is rounded up."},
    {"matrix-only",
        "The vectors and their products are moved as well, each of them once: add their bytes."},
    {"one-operation", "A multiplication and an addition are two operations, and each element of "
                      "the matrix takes both for every vector."},
    {"no-roof", "The roof is the lower of two lines at every intensity: what memory delivers, and "
                "what the units can do."},
    {"share-of-the-peak", "The share is that of the peak: what this intensity allows is less, and "
                          "that is what can be achieved."},
    {"count-32-bits", "A product of counts passed 2^32 and lost its upper bits: make it in double, "
                      "or in size_t."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw7.1",
        .title = "averages: enough to do for every SM",
        .function = "average_sets",
        .points = {16, 7, 3},
        .check = check_averages,
        .stream_case = "sets3-vectors37-length77",
        .speed = &average_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.2",
        .title = "matrix times vector: sectors that are filled",
        .function = "multiply_vector",
        .points = {16, 7, 3},
        .check = check_vector,
        .stream_case = "rows45-columns77-vectors1",
        .speed = &vector_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.3",
        .title = "several vectors: bytes that need not move",
        .function = "multiply_vectors",
        .points = {14, 6, 2},
        .check = check_vectors,
        .stream_case = "rows45-columns77-vectors11",
        .speed = &vectors_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.4",
        .title = "name the limiter from its metrics",
        .function = "name_limiter",
        .points = {12, 0, 1},
        .check = check_limiter,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw7.5",
        .title = "the roofline",
        .function = "find_roofline_point",
        .points = {12, 0, 1},
        .check = check_roofline,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw7",
    .folder = "hw7_profiling",
    .file = "profiling.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", "/cublas", NULL},
};

Test(hw7, t1, .description = "hw7.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.1");
}

Test(hw7, t2, .description = "hw7.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.2");
}

Test(hw7, t3, .description = "hw7.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.3");
}

Test(hw7, t4, .description = "hw7.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.4");
}

Test(hw7, t5, .description = "hw7.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw7.5");
}

Test(hw7_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
