/* What several tasks need. */
#include <stdint.h>

#include "checks.h"

void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, 1, 9, seed);
}

void fill_large(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -8191, 8191, seed);
}
