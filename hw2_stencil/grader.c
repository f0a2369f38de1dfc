/* Homework 2: what the three functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stencil.h"
#include "grader/cost.h"
#include "grader/device_work.h"
#include "grader/measure.h"
#include "grader/mix.h"
#include "grader/room.h"
#include "grader/trial.h"

typedef typeof(&stencil_tile) tile_function;
typedef typeof(&stencil_window) window_function;
typedef typeof(&multiply_tiled) multiply_function;

enum {
    WINDOW_MAX = 2 * WIDE_RADIUS + 1,
    SUSPECT_COUNT_MAX = 20000, /* predicting mistakes for more elements takes too long */
    WARP = 32,
};

/* ---- contents ------------------------------------------------------------------------------- */

/* Numbers of 13 bits, so that half precision cannot hold them, with a fraction, so that an integer
 * cannot. Sums of a few hundred small multiples are exact. `make try` shows what one can add in the
 * head. */
static void fill_exact(const struct trial *t, struct array *array, uint64_t seed)
{
    const bool trying = trial_try_size(t) > 0;

    fill_integers(array->floats, array->count, trying ? -9 : -4095, trying ? 9 : 4095, seed);
    for (size_t i = 0; i < array->count && !trying; i++)
        array->floats[i] /= 8;
}

/* From 1 to 9 and from -9 to -1. */
static void make_weights(float *weights, size_t count, uint64_t seed)
{
    fill_integers(weights, count, 1, 18, seed);
    for (size_t k = 0; k < count; k++)
        weights[k] = weights[k] > 9 ? 9 - weights[k] : weights[k];
}

/* ---- hw2.1, hw2.2: stencils ----------------------------------------------------------------- */

struct stencil {
    const float *in;
    size_t n, radius, threads; /* threads: of a block, if known; else 0 */
    const float *weights, *earlier_weights;
};

/* in[i + k - radius], and `outside` where that does not exist. */
static double neighbour(const struct stencil *s, size_t i, size_t k, double outside)
{
    return i + k >= s->radius && i + k - s->radius < s->n ? s->in[i + k - s->radius] : outside;
}

static double weighted_sum(const struct stencil *s, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k <= 2 * s->radius; k++)
        sum += s->weights[k] * neighbour(s, i, k, 0);
    return sum;
}

/* What known mistakes leave in out[i]; NaN where something is read that is not there. */

static double reversed(const struct stencil *s, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k <= 2 * s->radius; k++)
        sum += s->weights[2 * s->radius - k] * neighbour(s, i, k, 0);
    return sum;
}

static double too_short(const struct stencil *s, size_t i)
{
    const size_t last = 2 * s->radius;
    return weighted_sum(s, i) - s->weights[last] * neighbour(s, i, last, 0);
}

static double with_earlier_weights(const struct stencil *s, size_t i)
{
    struct stencil earlier = *s;

    earlier.weights = s->earlier_weights;
    return weighted_sum(&earlier, i);
}

static double nan_before(const struct stencil *s, size_t i)
{
    return i < s->radius ? NAN : weighted_sum(s, i);
}

static double nan_behind(const struct stencil *s, size_t i)
{
    return i + s->radius >= s->n ? NAN : weighted_sum(s, i);
}

static double nan_outside(const struct stencil *s, size_t i)
{
    return i < s->radius ? NAN : nan_behind(s, i);
}

/* Tile and weights lie at one address, and the weights were stored last. */
static double weights_over_tile(const struct stencil *s, size_t i)
{
    const size_t window = 2 * s->radius + 1, first = s->threads ? i % s->threads : i;
    double sum = 0;

    for (size_t k = 0; k < window; k++)
        sum += s->weights[k] * (first + k < window ? s->weights[first + k] : neighbour(s, i, k, 0));
    return sum;
}

/* The tile was stored last, so that its first cells serve as the weights. */
static double tile_over_weights(const struct stencil *s, size_t i)
{
    const size_t first = s->threads ? i - i % s->threads : 0;
    double sum = 0;

    for (size_t k = 0; k <= 2 * s->radius; k++)
        sum += neighbour(s, first, k, 0) * neighbour(s, i, k, 0);
    return sum;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct stencil *s, size_t i);
} stencil_mistakes[] = {
    {"weights-reversed", reversed},
    {"window-too-short", too_short},
    {"weights-stale", with_earlier_weights},
    {"ends-not-zero", nan_before},
    {"ends-not-zero", nan_behind},
    {"ends-not-zero", nan_outside},
    {"one-address", weights_over_tile},
    {"one-address", tile_over_weights},
};

static double *all_sums(const struct stencil *s, double (*of)(const struct stencil *, size_t))
{
    double *sums = doubles(s->n);

    for (size_t i = 0; i < s->n; i++)
        sums[i] = of(s, i);
    return sums;
}

static void expect_stencil(struct trial *t, const struct stencil *s, const struct array *out)
{
    struct suspect suspects[LENGTH(stencil_mistakes) + 1] = {{NULL, NULL}};
    double *sums[LENGTH(stencil_mistakes) + 1];
    size_t made = 0;

    sums[made++] = all_sums(s, weighted_sum);
    for (size_t k = 0; k < LENGTH(stencil_mistakes) && s->n <= SUSPECT_COUNT_MAX; k++) {
        suspects[k].diagnosis = stencil_mistakes[k].diagnosis;
        suspects[k].values = sums[made++] = all_sums(s, stencil_mistakes[k].predict);
    }
    trial_expect(t, &(struct expectation){.output = out,
                        .want = sums[0],
                        .threads_per_block = (unsigned)s->threads,
                        .suspects = suspects});
    while (made > 0)
        free(sums[--made]);
}

/* ---- costs ---------------------------------------------------------------------------------- */

/* An atomic that changes nothing reads as well. */
static double global_reads(const struct vgpu_counters *made)
{
    return counted_load_requests(made) + (double)made->global_atomic_requests;
}

static double all_loads(const struct vgpu_counters *made)
{
    return global_reads(made) + (double)(made->shared_load_requests + made->local_load_requests);
}

static const struct cost_gate tile_cost = {
    "loads-not-shared", "global load requests for 32 outputs", global_reads, .most = 3};
static const struct cost_gate window_cost = {
    "loads-an-output", "load requests for 32 outputs", all_loads, .most = 12};
static const struct cost_gate product_cost = {"tile-not-reused",
    "sectors loaded for 1,000 multiplications", counted_load_sectors, .most = 16};

/* ---- hw2.1, hw2.2: cases -------------------------------------------------------------------- */

struct stencil_case {
    size_t n;
    unsigned threads; /* of a block; hw2.2: unused */
    bool counted;     /* large and even enough for the rule on costs */
};

/* The first case shows most mistakes at their clearest: many blocks, and the last is partial. */
static const struct stencil_case tile_cases[] = {
    {10007, 256, false},
    {1000, 96, false},
    {0, 256, false},
    {1, 1, false},
    {1, 256, false},
    {2, 32, false},
    {3, 1024, false},
    {100, 1, false},
    {100, 2, false},
    {100, 5, false},
    {31, 32, false},
    {32, 32, false},
    {33, 32, false},
    {255, 256, false},
    {256, 256, false},
    {257, 256, false},
    {1000, 33, false},
    {5000, 1000, false},
    {5000, 1024, false},
    {65536, 256, true},
    {999983, 192, false},
};

static const struct stencil_case window_cases[] = {
    {10007, 0, false},
    {1022, 0, false},
    {0, 0, false},
    {1, 0, false},
    {15, 0, false},
    {16, 0, false},
    {17, 0, false},
    {31, 0, false},
    {32, 0, false},
    {33, 0, false},
    {255, 0, false},
    {256, 0, false},
    {257, 0, false},
    {4096, 0, false},
    {65536, 0, true},
    {999983, 0, false},
};

static cudaError_t call_stencil(void *function, size_t radius, const float *in, float *out,
    size_t n, const float *weights, unsigned threads, cudaStream_t stream)
{
    struct narrow_weights narrow;
    struct wide_weights wide;

    if (radius == NARROW_RADIUS) {
        memcpy(narrow.at, weights, sizeof narrow.at);
        return ((tile_function)function)(in, out, n, narrow, threads, stream);
    }
    memcpy(wide.at, weights, sizeof wide.at);
    return ((window_function)function)(in, out, n, wide, stream);
}

static void try_stencil(struct trial *t, const struct stencil_case *c, size_t radius)
{
    static float earlier_weights[WINDOW_MAX]; /* of the case before */
    const size_t window = 2 * radius + 1;
    struct array *in = trial_input(t, "in", FLOAT32, c->n);
    /* Not handed over as an array: it stands here for make try to print. */
    struct array *weights = trial_input(t, "weights", FLOAT32, window);
    struct array *out = trial_output(t, "out", FLOAT32, c->n);

    fill_exact(t, in, trial_seed(t));
    make_weights(weights->floats, window, trial_seed(t) + 1);
    if (TRIAL_CALL(t, call_stencil(trial_function(t), radius, in->device, out->device, c->n,
                          weights->floats, c->threads, trial_stream(t)))) {
        expect_stencil(t,
            &(struct stencil){
                in->floats, c->n, radius, c->threads, weights->floats, earlier_weights},
            out);
        if (c->counted)
            trial_expect_cost(
                t, radius == NARROW_RADIUS ? &tile_cost : &window_cost, (double)c->n / WARP);
    }
    memcpy(earlier_weights, weights->floats, window * sizeof(float));
}

static void check_stencil(
    struct trial *t, const struct stencil_case *cases, size_t count, size_t radius)
{
    const struct stencil_case tried = {trial_try_size(t), 4, false};

    if (tried.n > 0)
        cases = &tried, count = 1;
    for (size_t i = 0; i < count; i++) {
        if (radius == NARROW_RADIUS
                ? !trial_begin(t, "n%zu-threads%u", cases[i].n, cases[i].threads)
                : !trial_begin(t, "n%zu", cases[i].n))
            continue;
        try_stencil(t, &cases[i], radius);
        trial_end(t);
    }
}

static void check_tile(struct trial *t)
{
    check_stencil(t, tile_cases, LENGTH(tile_cases), NARROW_RADIUS);
}

static void check_window(struct trial *t)
{
    check_stencil(t, window_cases, LENGTH(window_cases), WIDE_RADIUS);
}

/* ---- hw2.3: products ------------------------------------------------------------------------ */

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

/* Products k from `from` to `to` - 1 of an element, each with the factors that lie `back` before. */
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

static void check_product(struct trial *t)
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

/* ---- the speed of stencils ------------------------------------------------------------------ */

enum { TIMED_IN, TIMED_OUT_ARRAY, TIMED_STENCIL_ARRAYS, TIMED_THREADS = 256 };

static size_t stencil_array(size_t n, int k)
{
    return k < TIMED_STENCIL_ARRAYS ? n : 0;
}

static size_t stencil_bytes(const struct timed_problem *p)
{
    return TIMED_STENCIL_ARRAYS * p->n * sizeof(float);
}

static size_t stencil_size(size_t bytes)
{
    return bytes / (TIMED_STENCIL_ARRAYS * sizeof(float));
}

static cudaError_t prepare_stencil(struct timed_problem *p)
{
    return device_fill_integers(p->arrays[TIMED_IN], p->n, -4095, 4095, p->seed);
}

/* The weights belong to the contents: both change from pair to pair. */
static cudaError_t time_stencil(void *function, size_t radius, const struct timed_problem *p)
{
    float weights[WINDOW_MAX];

    make_weights(weights, 2 * radius + 1, p->seed + 1);
    return call_stencil(function, radius, p->arrays[TIMED_IN], p->arrays[TIMED_OUT_ARRAY], p->n,
        weights, TIMED_THREADS, 0);
}

static bool verify_stencil(
    const struct timed_problem *p, size_t radius, char *text, size_t text_bytes)
{
    float weights[WINDOW_MAX];
    size_t wrong = 0, first = 0;

    make_weights(weights, 2 * radius + 1, p->seed + 1);
    const cudaError_t status = device_count_wrong_stencil(p->arrays[TIMED_IN],
        p->arrays[TIMED_OUT_ARRAY], p->n, weights, (unsigned)radius, &wrong, &first);
    if (status != cudaSuccess)
        snprintf(text, text_bytes, "%s while the sums were verified", cudaGetErrorName(status));
    else if (wrong > 0)
        snprintf(text, text_bytes,
            "at full size, n = %zu, %zu outputs are wrong, the first at index %zu", p->n, wrong,
            first);
    return status == cudaSuccess && wrong == 0;
}

static cudaError_t time_tile(void *function, const struct timed_problem *p)
{
    return time_stencil(function, NARROW_RADIUS, p);
}

static cudaError_t time_window(void *function, const struct timed_problem *p)
{
    return time_stencil(function, WIDE_RADIUS, p);
}

static bool verify_tile(const struct timed_problem *p, char *text, size_t text_bytes)
{
    return verify_stencil(p, NARROW_RADIUS, text, text_bytes);
}

static bool verify_window(const struct timed_problem *p, char *text, size_t text_bytes)
{
    return verify_stencil(p, WIDE_RADIUS, text, text_bytes);
}

/* Shown, not judged: on a GPU with large caches the tile gains nothing, and that is to be seen. */
static const struct speed_test tile_speed = {
    .limit = LIMIT_COPY,
    .gate = 0,
    .baseline_name = "without a tile",
    .array_count = stencil_array,
    .outputs = 1u << TIMED_OUT_ARRAY,
    .bytes = stencil_bytes,
    .size_for = stencil_size,
    .prepare = prepare_stencil,
    .call = time_tile,
    .verify = verify_tile,
};

static const struct speed_test window_speed = {
    .limit = LIMIT_COPY,
    .gate = 0.50,
    .baseline_name = "33 loads an output",
    .array_count = stencil_array,
    .outputs = 1u << TIMED_OUT_ARRAY,
    .bytes = stencil_bytes,
    .size_for = stencil_size,
    .prepare = prepare_stencil,
    .call = time_window,
    .verify = verify_window,
};

/* ---- the speed of products ------------------------------------------------------------------ */

enum { TIMED_A, TIMED_B, TIMED_C, TIMED_ROWS_MAX = 3008 };

/* From n = rows: sides that differ, and are multiples of 4 but not of 32. */
static struct product_shape timed_shape(size_t n)
{
    return (struct product_shape){n, 3 * n / 4, 5 * n / 4};
}

static size_t product_array(size_t n, int k)
{
    const struct product_shape shape = timed_shape(n);
    const size_t counts[] = {
        shape.rows * shape.inner, shape.inner * shape.columns, shape.rows * shape.columns};

    return (size_t)k < LENGTH(counts) ? counts[k] : 0;
}

/* A whole number of 16 rows, an odd one; no more than what keeps a call below 20 ms. */
static size_t product_size(size_t bytes)
{
    const size_t sixteens = (size_t)sqrt((double)bytes / 4 / (0.75 + 0.9375 + 1.25)) / 16;
    const size_t n = sixteens == 0 ? 0 : 16 * (sixteens - (sixteens % 2 == 0));

    return n < TIMED_ROWS_MAX ? n : TIMED_ROWS_MAX - 16;
}

/* Few sums of 13 bits: exact with up to 4,096 of them. */
static cudaError_t prepare_product(struct timed_problem *p)
{
    cudaError_t status = device_fill_integers(
        p->arrays[TIMED_A], p->counts[TIMED_A], -4095, 4095, mix(p->seed, TIMED_A));

    if (status == cudaSuccess)
        status = device_fill_integers(
            p->arrays[TIMED_B], p->counts[TIMED_B], -1, 1, mix(p->seed, TIMED_B));
    return status;
}

static cudaError_t time_product(void *function, const struct timed_problem *p)
{
    return ((multiply_function)function)(
        p->arrays[TIMED_A], p->arrays[TIMED_B], p->arrays[TIMED_C], timed_shape(p->n), 0);
}

/* C is right if C r = A (B r) for a vector r that was not known before. Integers: exact. */
static bool verify_product(const struct timed_problem *p, char *text, size_t text_bytes)
{
    const struct product_shape shape = timed_shape(p->n);
    double *r = doubles(shape.columns), *br = doubles(shape.inner);
    double *abr = doubles(shape.rows), *cr = doubles(shape.rows);
    size_t row = 0;

    for (size_t i = 0; i < shape.columns; i++)
        r[i] = (double)(mix(p->seed, 1000 + i) % 2001) - 1000;
    cudaError_t status = device_times_vector(p->arrays[TIMED_B], shape.inner, shape.columns, r, br);
    if (status == cudaSuccess)
        status = device_times_vector(p->arrays[TIMED_A], shape.rows, shape.inner, br, abr);
    if (status == cudaSuccess)
        status = device_times_vector(p->arrays[TIMED_C], shape.rows, shape.columns, r, cr);
    while (status == cudaSuccess && row < shape.rows && cr[row] == abr[row])
        row++;
    free(r), free(br), free(abr), free(cr);
    if (status != cudaSuccess)
        snprintf(text, text_bytes, "%s while C was verified", cudaGetErrorName(status));
    else if (row < shape.rows)
        snprintf(text, text_bytes, "at full size, %zu x %zu x %zu, row %zu of C is wrong",
            shape.rows, shape.inner, shape.columns, row);
    return status == cudaSuccess && row == shape.rows;
}

static const struct speed_test product_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 0,
    .star = 2.0,
    .baseline_name = "without tiles",
    .array_count = product_array,
    .outputs = 1u << TIMED_C,
    .size_for = product_size,
    .prepare = prepare_product,
    .call = time_product,
    .verify = verify_product,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"weights-reversed",
        "The weights are used in the opposite order: weights.at[radius + k] belongs "
        "to in[i + k], so the lowest weight meets the element furthest before."},
    {"window-too-short",
        "The last weight is left out: a window has 2 * radius + 1 elements, so the "
        "loop goes up to and including 2 * radius."},
    {"weights-stale",
        "The weights are those of an earlier call: copy them to constant memory in every "
        "call, on the stream, before the launch."},
    {"ends-not-zero", "Where the window reaches beyond the array, something other than 0 was "
                      "taken: give those cells a 0, before the first element and behind the last."},
    {"one-address",
        "Two arrays that are declared extern __shared__ begin at one address: what was "
        "stored in one stands in the other. Declare one, and let the second begin where "
        "the first ends."},
    {"inner-rounded-down",
        "The products of the last, partial tile are missing: the loop over tiles "
        "must cover all of inner, rounded up."},
    {"tile-not-cleared",
        "Where the last tile is partial, cells past the end of inner keep what the "
        "tile before had there: every cell is stored in every round, if only a 0."},
    {"loads-not-shared", "Elements come from global memory once for each output that needs them. A "
                         "block is to load its part and the halos once, and to read the tile. The "
                         "weights belong in constant memory."},
    {"loads-an-output",
        "Each output needs too many loads. Let a thread make several outputs beside each other "
        "from registers. An array whose index is known only at run time is not in registers but in "
        "local memory, and each read of it is a load."},
    {"tile-not-reused", "Elements of A and B are fetched from global memory too often. In a tile "
                        "of side T each is fetched once and used T times: take T = 16 or 32, and "
                        "let neighbouring threads fetch neighbouring elements."},
    {"illegal-address",
        "A thread reached outside of its memory: before the first element or behind the last one, "
        "where everything counts as 0 and nothing is to be read, or outside of a tile in shared "
        "memory, whose bytes the third argument of the launch gives."},
    {"illegal-address/before",
        "The halo before element 0 does not exist: what lies outside the array counts as 0, and is "
        "not read. Test that there is such an element before you read it."},
    {"illegal-address/shared",
        "The tile needs more shared memory than the launch gives: its third argument counts bytes, "
        "not elements, and the halos need room, too."},
    {"out-of-bounds/before",
        "The halo before element 0 does not exist: what lies outside the array counts as 0, and is "
        "not read. Test that there is such an element before you read it."},
    {"barrier", "__syncthreads() was reached by some threads of a block and not by others: it must "
                "stand where every thread comes by, outside the if."},
    {"shared-race",
        "One thread stores in the tile what another reads, and no barrier lies between them. It "
        "takes one after the tile is loaded, and one more before it is loaded anew."},
    {"uninitialised",
        "A cell of the tile is read that nobody has stored: every cell must get a value, "
        "also in the halos, outside of the array, and where the thread has no output."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw2.1",
        .title = "a stencil through a tile with halos",
        .function = "stencil_tile",
        .points = {26, 4, 4},
        .check = check_tile,
        .stream_case = "n10007-threads256",
        .speed = &tile_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw2.2",
        .title = "radius 16, several outputs a thread",
        .function = "stencil_window",
        .points = {20, 12, 3},
        .check = check_window,
        .stream_case = "n10007",
        .speed = &window_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw2.3",
        .title = "a matrix product through tiles",
        .function = "multiply_tiled",
        .points = {24, 4, 3},
        .check = check_product,
        .stream_case = "64x90x96",
        .speed = &product_speed,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw2",
    .folder = "hw2_stencil",
    .file = "stencil.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", "/cublas", NULL},
};

Test(hw2, t1, .description = "hw2.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw2.1");
}

Test(hw2, t2, .description = "hw2.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw2.2");
}

Test(hw2, t3, .description = "hw2.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw2.3");
}

Test(hw2_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
