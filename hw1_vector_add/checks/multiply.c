/* hw1.3: a matrix product, one thread an element of it. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

/* Products and sums of them are exact in a float, in any order. */
static void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -9, 9, seed);
}

struct product_case {
    struct product_shape shape;
    fill_function *fill;
};

enum { SIDE = 16, GRID_Y_MAX = 65535 };

static const struct product_case product_cases[] = {
    {{37, 29, 85}, fill_small},
    {{1, 1, 1}, fill_small},
    {{16, 16, 16}, fill_small},
    {{33, 17, 15}, fill_small},
    {{1, 100, 1}, fill_small},
    {{100, 1, 1}, fill_small},
    {{1, 3, 257}, fill_small},
    {{31, 64, 255}, fill_small},
    {{17, 0, 33}, fill_small},
    {{0, 4, 5}, fill_small},
    {{5, 4, 0}, fill_small},
    {{0, 0, 0}, fill_small},
    {{61, 211, 47}, fill_floats},
    {{47, 211, 61}, fill_wide},
    {{257, 129, 131}, fill_small},
    {{(size_t)SIDE * GRID_Y_MAX + 17, 1, 1}, fill_small},
};

struct product {
    const float *a, *b;
    struct product_shape shape;
};

/* The sum of a[row][k] * b[offset + k * stride], with the last `skipped` products left out. */
static double dot(const struct product *p, size_t row, size_t offset, size_t stride, size_t skipped)
{
    double sum = 0;

    for (size_t k = 0; k + skipped < p->shape.inner; k++) {
        const size_t at = offset + k * stride;
        if (at >= p->shape.inner * p->shape.columns)
            return NAN; /* outside B: a mistaken stride */
        sum += (double)p->a[row * p->shape.inner + k] * p->b[at];
    }
    return sum;
}

static double element(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column, p->shape.columns, 0);
}

/* |A| |B|, the magnitude that rounding errors are a share of. */
static double magnitude(const struct product *p, size_t row, size_t column)
{
    double sum = 0;

    for (size_t k = 0; k < p->shape.inner; k++)
        sum += fabs((double)p->a[row * p->shape.inner + k] * p->b[k * p->shape.columns + column]);
    return sum;
}

/* What known mistakes make of element (row, column); NaN where they write nothing. */
static double row_length_of_b(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column, p->shape.inner, 0);
}

static double b_read_transposed(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column * p->shape.inner, 1, 0);
}

static double last_product_missing(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column, p->shape.columns, 1);
}

static double last_product_only(const struct product *p, size_t row, size_t column)
{
    return element(p, row, column) - last_product_missing(p, row, column);
}

static double integer_sum(const struct product *p, size_t row, size_t column)
{
    double sum = 0;

    for (size_t k = 0; k < p->shape.inner; k++)
        sum = trunc(
            sum + (double)p->a[row * p->shape.inner + k] * p->b[k * p->shape.columns + column]);
    return sum;
}

static double guards_exchanged(const struct product *p, size_t row, size_t column)
{
    const bool kept = row < p->shape.columns && column < p->shape.rows;
    return kept ? element(p, row, column) : NAN;
}

static double sides_exchanged(const struct product *p, size_t row, size_t column)
{
    const bool reached =
        row / SIDE <= (p->shape.columns - 1) / SIDE && column / SIDE <= (p->shape.rows - 1) / SIDE;
    return reached ? element(p, row, column) : NAN;
}

static double tiles_rounded_down(const struct product *p, size_t row, size_t column)
{
    const bool reached =
        row < p->shape.rows / SIDE * SIDE && column < p->shape.columns / SIDE * SIDE;
    return reached ? element(p, row, column) : NAN;
}

static double y_ignored(const struct product *p, size_t row, size_t column)
{
    const bool reached = column <= (p->shape.columns - 1) / SIDE;
    return reached ? element(p, row, column) : NAN;
}

static double inner_zero(const struct product *p, size_t row, size_t column)
{
    return p->shape.inner == 0 ? NAN : element(p, row, column);
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct product *p, size_t row, size_t column);
} product_mistakes[] = {
    {"row-length-of-b", row_length_of_b},
    {"b-read-transposed", b_read_transposed},
    {"last-product-only", last_product_only},
    {"last-product-missing", last_product_missing},
    {"integer-sum", integer_sum},
    {"guards-exchanged", guards_exchanged},
    {"sides-exchanged", sides_exchanged},
    {"grid-rounded-down", tiles_rounded_down},
    {"y-ignored", y_ignored},
    {"inner-zero", inner_zero},
};

static double *whole_matrix(
    const struct product *p, double (*element_of)(const struct product *, size_t, size_t))
{
    double *c = doubles(p->shape.rows * p->shape.columns);

    for (size_t row = 0; row < p->shape.rows; row++)
        for (size_t column = 0; column < p->shape.columns; column++)
            c[row * p->shape.columns + column] = element_of(p, row, column);
    return c;
}

static void expect_product(
    struct trial *t, const struct product *p, struct expectation expectation, bool exact)
{
    struct suspect suspects[LENGTH(product_mistakes) + 1] = {{NULL, NULL}};
    double *values[LENGTH(product_mistakes) + 2];
    size_t made = 0;

    expectation.want = values[made++] = whole_matrix(p, element);
    if (!exact) {
        double *bound = values[made++] = whole_matrix(p, magnitude);
        for (size_t i = 0; i < expectation.output->count; i++)
            bound[i] *= ((double)p->shape.inner + 1) * 0x1p-24;
        expectation.bound = bound;
    }
    if (expectation.output->count <= SUSPECT_COUNT_MAX)
        for (size_t k = 0; k < LENGTH(product_mistakes); k++) {
            suspects[k].diagnosis = product_mistakes[k].diagnosis;
            suspects[k].values = values[made++] = whole_matrix(p, product_mistakes[k].predict);
        }
    expectation.suspects = suspects;
    trial_expect(t, &expectation);
    while (made > 0)
        free(values[--made]);
}

static void try_multiply(struct trial *t, const struct product_case *c)
{
    multiply_function candidate = (multiply_function)trial_function(t);
    const struct product_shape shape = c->shape;
    struct array *a = trial_input(t, "a", FLOAT32, shape.rows * shape.inner);
    struct array *b = trial_input(t, "b", FLOAT32, shape.inner * shape.columns);
    struct array *out = trial_output(t, "c", FLOAT32, shape.rows * shape.columns);

    c->fill(a->floats, a->count, trial_seed(t));
    c->fill(b->floats, b->count, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, candidate(a->device, b->device, out->device, shape, trial_stream(t))))
        return;
    if (out->count == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "C is empty, and a kernel was launched");
    expect_product(t, &(struct product){a->floats, b->floats, shape},
        (struct expectation){.output = out, .columns = shape.columns}, c->fill == fill_small);
}

void check_multiply(struct trial *t)
{
    const size_t size = trial_try_size(t);
    const struct product_case tried = {{(size + 1) / 2, 3, size / 2 + 1}, fill_small};

    for (size_t i = 0; i < (size ? 1 : LENGTH(product_cases)); i++) {
        const struct product_case *c = size ? &tried : &product_cases[i];
        if (!trial_begin(t, "%zux%zux%zu", c->shape.rows, c->shape.inner, c->shape.columns))
            continue;
        try_multiply(t, c);
        trial_end(t);
    }
}
