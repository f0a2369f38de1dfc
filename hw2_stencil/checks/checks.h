/* What the files of this grader share. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdint.h>

#include "../stencil.h"
#include "grader/cost.h"
#include "grader/measure.h"
#include "grader/trial.h"

typedef typeof(&stencil_tile) tile_function;
typedef typeof(&stencil_window) window_function;
typedef typeof(&multiply_tiled) multiply_function;

enum {
    WINDOW_MAX = 2 * WIDE_RADIUS + 1,
    SUSPECT_COUNT_MAX = 20000, /* predicting mistakes for more elements takes too long */
};

/* Numbers of 13 bits, so that half precision cannot hold them, with a fraction, so that an integer
 * cannot. Sums of a few hundred small multiples are exact. `make try` shows what one can add in the
 * head. */
void fill_exact(const struct trial *t, struct array *array, uint64_t seed);

/* From 1 to 9 and from -9 to -1. */
void make_weights(float *weights, size_t count, uint64_t seed);

/* By whichever of the two functions has this radius. */
cudaError_t call_stencil(void *function, size_t radius, const float *in, float *out, size_t n,
    const float *weights, unsigned threads, cudaStream_t stream);

void check_tile(struct trial *t);
void check_window(struct trial *t);
void check_product(struct trial *t);

/* Shown, not judged: on a GPU with large caches the tile gains nothing, and that is to be seen. */
extern const struct speed_test tile_speed;

extern const struct speed_test window_speed, product_speed;

#endif
