/* What several tasks need. */
#include <stdint.h>

#include "checks.h"

void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, 1, 9, seed);
}

void fill_ones(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, 1, 1, seed);
}

void fill_long(float *values, size_t n, uint64_t seed)
{
    fill_ones(values, n, seed);
    for (size_t i = 0; i < n; i++)
        values[i] += 0x1p-12f;
}

void fill_large(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -8191, 8191, seed);
}

void fill_last(float *values, size_t n, uint64_t seed)
{
    (void)seed;
    fill_one_hot(values, n, n - 1);
}
