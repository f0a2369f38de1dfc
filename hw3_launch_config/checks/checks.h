/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdint.h>

#include "../launch_config.h"
#include "grader/cost.h"
#include "grader/measure.h"
#include "grader/trial.h"

typedef typeof(&add_under_launch) add_function;
typedef typeof(&choose_launch) choose_function;
typedef typeof(&count_resident) resident_function;
typedef typeof(&split_particles) split_function;
typedef typeof(&transpose) transpose_function;
typedef typeof(&copy_floats) copy_function;

/* Sums of two are exact in a float, and in nothing with fewer bits. */
enum { LOW = -4000000, HIGH = 4000000 };
enum { WARP = 32 };
enum { LARGE = 100000 }; /* elements from which on the edges do not count */

size_t divided_up(size_t n, size_t size);

/* `make try` shows numbers that one can add in the head. */
void fill(struct trial *t, struct array *array, uint64_t seed);

extern const struct known_gpu {
    const char *name; /* its compute capability */
    struct gpu gpu;
} gpus[6];

/* The one in this machine. The runtime does not tell the three units; they are those of all
 * compute capabilities from 7.0 to 12.1. */
struct gpu this_gpu(void);

void check_add(struct trial *t);
void check_choice(struct trial *t);
void check_residency(struct trial *t);
void check_split(struct trial *t);
void check_transpose(struct trial *t);
void check_copy(struct trial *t);

extern const struct speed_test add_speed, choice_speed, transpose_speed, copy_speed;

#endif
