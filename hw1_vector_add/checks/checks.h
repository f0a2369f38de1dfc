/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdint.h>

#include "../vector_add.h"
#include "grader/measure.h"
#include "grader/trial.h"

typedef typeof(&vector_add) vector_add_function;
typedef typeof(&add_on_gpu) add_on_gpu_function;
typedef typeof(&multiply) multiply_function;

/* Sums of two are exact in a float, and in nothing with fewer bits. */
enum { LOW = -4000000, HIGH = 4000000 };
enum { SUSPECT_COUNT_MAX = 20000 }; /* predicting mistakes for more elements takes too long */

/* `make try` shows numbers that one can add in the head. */
void fill_summands(struct trial *t, struct array *array, uint64_t seed);

void check_vector_add(struct trial *t);
void check_add_on_gpu(struct trial *t);
void check_multiply(struct trial *t);

extern const struct speed_test add_speed;

#endif
