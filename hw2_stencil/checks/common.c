/* What several tasks need. */
#include <stdbool.h>
#include <stdint.h>

#include "checks.h"

void fill_exact(const struct trial *t, struct array *array, uint64_t seed)
{
    const bool trying = trial_try_size(t) > 0;

    fill_integers(array->floats, array->count, trying ? -9 : -4095, trying ? 9 : 4095, seed);
    for (size_t i = 0; i < array->count && !trying; i++)
        array->floats[i] /= 8;
}

void make_weights(float *weights, size_t count, uint64_t seed)
{
    fill_integers(weights, count, 1, 18, seed);
    for (size_t k = 0; k < count; k++)
        weights[k] = weights[k] > 9 ? 9 - weights[k] : weights[k];
}
