/* hw2.3: a matrix product through tiles. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

struct product_case {
    struct product_shape shape;
    bool counted;
};

/* Whole tiles of 16 and 32, but for the last along inner; then no side is a multiple. */
static const struct product_case product_cases[] = {
    {{64, 90, 96}, false},
    {{70, 90, 99}, false},
    {{1, 1, 1}, false},
    {{0, 5, 7}, false},
    {{7, 5, 0}, false},
    {{33, 0, 17}, false},
    {{31, 32, 33}, false},
    {{16, 16, 16}, false},
    {{32, 64, 96}, false},
    {{1, 300, 2}, false},
    {{300, 1, 5}, false},
    {{257, 31, 255}, false},
    {{192, 160, 224}, true},
    {{1100, 7, 3}, false},
    {{3, 7, 1100}, false},
};

struct product {
    const float *a, *b;
    struct product_shape shape;
};

/* Products k from `from` to `to` - 1 of an element, with factors that lie `back` before. */
static double part_of(
    const struct product *p, size_t row, size_t column, size_t from, size_t to, size_t back)
{
    double sum = 0;

    for (size_t k = from; k < to; k++)
        sum += (double)p->a[row * p->shape.inner + k - back] *
               p->b[(k - back) * p->shape.columns + column];
    return sum;
}

static double element(const struct product *p, size_t row, size_t column, size_t tile)
{
    (void)tile;
    return part_of(p, row, column, 0, p->shape.inner, 0);
}

/* What known mistakes make of an element where tiles have this side. */
static double rounded_down(const struct product *p, size_t row, size_t column, size_t tile)
{
    return part_of(p, row, column, 0, p->shape.inner / tile * tile, 0);
}

/* The last tile is partial; cells past the end still hold the tile before. */
static double not_cleared(const struct product *p, size_t row, size_t column, size_t tile)
{
    const size_t inner = p->shape.inner, end = (inner + tile - 1) / tile * tile;
    const double sum = element(p, row, column, tile);

    return inner < tile ? NAN : sum + part_of(p, row, column, inner, end, tile);
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct product *p, size_t row, size_t column, size_t tile);
    size_t tile;
} product_mistakes[] = {
    {"inner-rounded-down", rounded_down, 16},
    {"inner-rounded-down", rounded_down, 32},
    {"tile-not-cleared", not_cleared, 16},
    {"tile-not-cleared", not_cleared, 32},
};

static double *whole_product(const struct product *p,
    double (*of)(const struct product *, size_t, size_t, size_t), size_t tile)
{
    double *c = doubles(p->shape.rows * p->shape.columns);

    for (size_t row = 0; row < p->shape.rows; row++)
        for (size_t column = 0; column < p->shape.columns; column++)
            c[row * p->shape.columns + column] = of(p, row, column, tile);
    return c;
}

static void expect_product(struct trial *t, const struct product *p, const struct array *out)
{
    struct suspect suspects[LENGTH(product_mistakes) + 1] = {{NULL, NULL}};
    double *values[LENGTH(product_mistakes) + 1];
    size_t made = 0;

    values[made++] = whole_product(p, element, 0);
    for (size_t k = 0; k < LENGTH(product_mistakes) && out->count <= SUSPECT_COUNT_MAX; k++) {
        suspects[k].diagnosis = product_mistakes[k].diagnosis;
        suspects[k].values = values[made++] =
            whole_product(p, product_mistakes[k].predict, product_mistakes[k].tile);
    }
    trial_expect(t,
        &(struct expectation){
            .output = out, .want = values[0], .columns = p->shape.columns, .suspects = suspects});
    while (made > 0)
        free(values[--made]);
}

static const struct cost_gate product_cost = {"tile-not-reused",
    "sectors loaded for 1,000 multiplications", counted_load_sectors, .most = 16};

static void try_product(struct trial *t, const struct product_case *c)
{
    multiply_function multiply = (multiply_function)trial_function(t);
    const struct product_shape shape = c->shape;
    struct array *a = trial_input(t, "a", FLOAT32, shape.rows * shape.inner);
    struct array *b = trial_input(t, "b", FLOAT32, shape.inner * shape.columns);
    struct array *out = trial_output(t, "c", FLOAT32, shape.rows * shape.columns);
    const bool wide_b = trial_seed(t) & 1; /* one factor has many bits, the other few */

    fill_exact(t, wide_b ? b : a, trial_seed(t));
    fill_integers((wide_b ? a : b)->floats, (wide_b ? a : b)->count, -9, 9, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, multiply(a->device, b->device, out->device, shape, trial_stream(t))))
        return;
    expect_product(t, &(struct product){a->floats, b->floats, shape}, out);
    if (c->counted)
        trial_expect_cost(
            t, &product_cost, (double)(shape.rows * shape.inner * shape.columns) / 1000);
}

void check_product(struct trial *t)
{
    const size_t size = trial_try_size(t);
    const struct product_case tried = {{(size + 1) / 2, 3, size / 2 + 1}, false};

    for (size_t i = 0; i < (size ? 1 : LENGTH(product_cases)); i++) {
        const struct product_case *c = size ? &tried : &product_cases[i];
        if (!trial_begin(t, "%zux%zux%zu", c->shape.rows, c->shape.inner, c->shape.columns))
            continue;
        try_product(t, c);
        trial_end(t);
    }
}
