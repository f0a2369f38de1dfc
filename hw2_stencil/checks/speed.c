/* The speed of hw2.1, hw2.2 and hw2.3. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/device_work.h"
#include "grader/mix.h"
#include "grader/room.h"

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

const struct speed_test tile_speed = {
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

const struct speed_test window_speed = {
    .limit = LIMIT_COPY,
    .gate = 0.52,
    .baseline_name = "33 loads an output",
    .array_count = stencil_array,
    .outputs = 1u << TIMED_OUT_ARRAY,
    .bytes = stencil_bytes,
    .size_for = stencil_size,
    .prepare = prepare_stencil,
    .call = time_window,
    .verify = verify_window,
};

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

const struct speed_test product_speed = {
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
