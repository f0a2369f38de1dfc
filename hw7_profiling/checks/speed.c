/* What is timed: hw7.1, hw7.2 and hw7.3. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/device.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/room.h"

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
    float *column = room_for(p->n, sizeof *column);
    bool right = all_written(p, 1, text, bytes);

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

const struct speed_test average_speed = {
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
    float *got = room_for(p->n, sizeof *got);
    bool right = true;

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

const struct speed_test vector_speed = {
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

const struct speed_test vectors_speed = {
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
