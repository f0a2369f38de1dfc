/* What is timed: hw4.1, hw4.2, hw4.5 and hw4.7. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/device_work.h"
#include "grader/room.h"

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

const struct speed_test tree_speed = {
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

const struct speed_test shuffle_speed = {
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
    float *sums = room_for(rows, sizeof *sums);

    cudaMemcpy(sums, p->arrays[1], rows * sizeof *sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(row, (const float *)p->arrays[0] + checked * TIMED_COLUMNS, sizeof row,
        cudaMemcpyDeviceToHost);
    const double total = sum_of(sums, 0, rows), got = sums[checked];
    const double want = sum_of(row, 0, TIMED_COLUMNS);
    free(sums);
    snprintf(text, bytes, "row %zu sums to %.9g, expected %.9g", checked, got, want);
    return got == want && is_total(total, p, text, bytes);
}

const struct speed_test rows_speed = {
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

const struct speed_test compact_speed = {
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
