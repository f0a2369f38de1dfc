/* hw7.2 and hw7.3: a matrix times a vector, and times several. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

enum { WARP = 32, SECTOR_FLOATS = 8 };

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

void check_vector(struct trial *t)
{
    try_products(t, vector_cases, LENGTH(vector_cases), call_vector);
}

void check_vectors(struct trial *t)
{
    try_products(t, vectors_cases, LENGTH(vectors_cases), call_vectors);
}
