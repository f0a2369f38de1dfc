/* What several tasks need. */
#include <math.h>
#include <stdint.h>

#include "checks.h"

double sum_bound(size_t n, double magnitude)
{
    return n == 0 ? 0 : (log2((double)n) + 8) * 0x1p-24 * magnitude;
}

void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -9, 9, seed);
}

void fill_large(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -8191, 8191, seed);
}
