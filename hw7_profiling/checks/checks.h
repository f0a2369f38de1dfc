/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../profiling.h"
#include "grader/cost.h"
#include "grader/measure.h"
#include "grader/trial.h"

typedef typeof(&average_sets) average_function;
typedef typeof(&multiply_vector) vector_function;
typedef typeof(&multiply_vectors) vectors_function;
typedef typeof(&name_limiter) limiter_function;
typedef typeof(&find_roofline_point) roofline_function;

enum { PREDICTED_MAX = 4096 }; /* predicting mistakes for more elements takes too long */

/* The contract's bound on the error of a sum of n numbers with these magnitudes. */
double sum_bound(size_t n, double magnitude);

/* Sums of products of them are exact in a float, in any order. */
void fill_small(float *values, size_t n, uint64_t seed);

/* 13 bits and a sign: half precision has no room for them. */
void fill_large(float *values, size_t n, uint64_t seed);

/* Large enough for the edges not to count. */
bool is_counted(size_t elements);

void check_averages(struct trial *t);
void check_vector(struct trial *t);
void check_vectors(struct trial *t);
void check_limiter(struct trial *t);
void check_roofline(struct trial *t);

extern const struct speed_test average_speed, vector_speed, vectors_speed;

#endif
