/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdint.h>
#include <string.h>

#include "../reduction.h"
#include "grader/cost.h"
#include "grader/device_work.h"
#include "grader/measure.h"
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

typedef void fill_function(float *values, size_t n, uint64_t seed);

/* Distinct enough, none is 0, and the sum of a few million is exact in a float. */
void fill_small(float *values, size_t n, uint64_t seed);

void fill_ones(float *values, size_t n, uint64_t seed);

/* Each needs 13 bits, so that a sum of thousands has none left for the last of them. */
void fill_long(float *values, size_t n, uint64_t seed);

/* Integers of 13 bits and a sign: a thousand of them add up exactly in a float, but not in half. */
void fill_large(float *values, size_t n, uint64_t seed);

void fill_last(float *values, size_t n, uint64_t seed);

/* A sum of floats that was computed, and how. */
struct summed {
    const float *in;
    size_t n;
    unsigned threads; /* of a block */
    double got;
};

double sum_of(const float *in, size_t first, size_t end);

/* Expects the sum of `in`.  `unwritten` and `otherwise` name the mistake if out was not written,
 * and if its value fits no known mistake; they may be NULL. */
void expect_sum(struct trial *t, const struct array *out, struct summed s, fill_function *fill,
    const char *unwritten, const char *otherwise);

/* The most that a case may cost; smaller cases say little. */
enum { COUNTED_MIN = 100000, VECTOR_REQUEST_BYTES = 512 };

void check_tree(struct trial *t);
void check_shuffle(struct trial *t);
void check_single_pass(struct trial *t);
void check_maximum(struct trial *t);
void check_rows(struct trial *t);
void check_scan(struct trial *t);
void check_compact(struct trial *t);

extern const struct speed_test tree_speed;
extern const struct speed_test shuffle_speed;
extern const struct speed_test rows_speed;
extern const struct speed_test compact_speed;

#endif
