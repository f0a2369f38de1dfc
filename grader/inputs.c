/* Filling host arrays from a seed. */
#include "inputs.h"

#include <math.h>

#include "mix.h"

uint64_t mix(uint64_t seed, uint64_t i)
{
    return mixed_bits(seed, i);
}

uint64_t seed_from_text(const char *text)
{
    uint64_t seed = 0;

    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        seed = mixed_bits(seed, *c);
    return seed;
}

void fill_integers(float *values, size_t n, int low, int high, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (float)mixed_integer(seed, i, low, high);
}

void fill_ints(int32_t *values, size_t n, int low, int high, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = mixed_integer(seed, i, low, high);
}

/* k * 2^-23 - 1 is exact for every k below 2^24, the integers that a float holds. */
void fill_floats(float *values, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(mixed_bits(seed, i) >> 40) * 0x1p-23f - 1.0f;
}

/* Significand, sign and exponent come from bits of their own. */
void fill_wide(float *values, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = mixed_bits(seed, i);
        const float significand = 1.0f + (float)(bits >> 41) * 0x1p-23f;
        const int exponent = (int)((bits & 0xffffff) % 40) - 20;

        values[i] = ldexpf(bits >> 40 & 1 ? -significand : significand, exponent);
    }
}

void fill_one_hot(float *values, size_t n, size_t hot)
{
    for (size_t i = 0; i < n; i++)
        values[i] = i == hot ? 1.0f : 0.0f;
}
