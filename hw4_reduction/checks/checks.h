/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdint.h>

#include "../reduction.h"
#include "grader/cost.h"
#include "grader/measure.h"
#include "grader/trial.h"

typedef typeof(&sum_tree) sum_function;
typedef typeof(&find_maximum) maximum_function;
typedef typeof(&sum_single_pass) single_pass_function;
typedef typeof(&sum_rows) rows_function;
typedef typeof(&scan_warps) scan_function;
typedef typeof(&compact_positive) compact_function;

enum {
    WARP = 32,
    VECTOR = 4,
    COUNTED_MIN = 100000, /* in smaller cases the last block weighs too much to count costs */
};

/* Distinct enough, none is 0, and the sum of a few million is exact in a float. */
void fill_small(float *values, size_t n, uint64_t seed);

/* Integers of 13 bits and a sign: a thousand of them add up exactly in a float, but not in half. */
void fill_large(float *values, size_t n, uint64_t seed);

/* A sum of floats that was computed, and how. */
struct summed {
    const float *in;
    size_t n;
    unsigned threads; /* of a block */
    double got;
};

/* Of in[first] to in[end - 1]. */
double sum_of(const float *in, size_t first, size_t end);

/* Expects the sum of `in`.  `unwritten` and `otherwise` name the mistake if out was not written,
 * and if its value fits no known mistake; they may be NULL. */
void expect_sum(struct trial *t, const struct array *out, struct summed s, fill_function *fill,
    const char *unwritten, const char *otherwise);

void check_tree(struct trial *t);
void check_shuffle(struct trial *t);
void check_single_pass(struct trial *t);
void check_maximum(struct trial *t);
void check_rows(struct trial *t);
void check_scan(struct trial *t);
void check_compact(struct trial *t);

extern const struct speed_test tree_speed, shuffle_speed, rows_speed, compact_speed;

#endif
