/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include "../cooperative_groups.h"
#include "grader/cost.h"
#include "grader/measure.h"
#include "grader/trial.h"

typedef typeof(&sum_groups) groups_function;
typedef typeof(&sum_tiles) tiles_function;
typedef typeof(&sum_buckets) buckets_function;
typedef typeof(&jacobi) jacobi_function;
typedef typeof(&compact_in_order) compact_function;
typedef typeof(&shortest_paths) paths_function;

enum {
    WARP = 32,
    COSTLY_N = 10000, /* enough elements for costs to be those of the loop */
    MAGNITUDE = 1000, /* of the cells of hw8.4 */
};

/* Whatever was computed, where something was: so a suspect with these values always fits, and
 * never hides what was not written. */
double *whatever_was_got(const struct array *out);

/* Kernels that prepare memory may come before it; such that do some of the work may not. */
void expect_one_cooperative_launch(struct trial *t, size_t launches_most);

/* As many cells as the contract allows on this device. */
size_t cells_most(void);

/* In place, with the old value of the left neighbour kept aside. */
void jacobi_steps(double *cells, size_t n, unsigned steps);

double jacobi_bound(unsigned steps);

void check_groups(struct trial *t);
void check_tiles(struct trial *t);
void check_buckets(struct trial *t);
void check_jacobi(struct trial *t);
void check_compact(struct trial *t);
void check_paths(struct trial *t);

extern const struct speed_test jacobi_speed;

#endif
