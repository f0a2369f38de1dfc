/* hw7.1: an average of each set. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

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
                        .row = "set",
                        .suspects = suspects});
    for (size_t k = 0; k < LENGTH(average_mistakes); k++)
        free(predicted[k]);
    free(want);
    free(bound);
}

bool is_counted(size_t elements)
{
    return elements >= 250000;
}

void check_averages(struct trial *t)
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
