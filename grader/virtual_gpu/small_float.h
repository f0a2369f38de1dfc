/* Floating-point formats smaller than float: half (5 exponent bits, 10 of fraction) and bfloat16
 * (8 and 7).  Every value of theirs is a double exactly. */
#ifndef VIRTUAL_GPU_SMALL_FLOAT_H
#define VIRTUAL_GPU_SMALL_FLOAT_H

#include <stdint.h>

struct small_format {
    int exponent_bits, fraction_bits;
    uint16_t nan; /* what an operation yields that has no number to yield */
};
extern const struct small_format half_format, bfloat_format;

enum small_rounding { SMALL_NEAREST, SMALL_ZERO, SMALL_DOWN, SMALL_UP };

double small_value(uint16_t bits, const struct small_format *format);

/* The nearest value of the format in the rounding's sense. `sticky`: the true number differs from
 * `value` by less than half a unit in its last place, away from zero (1) or towards it (-1). */
uint16_t small_bits(
    double value, int sticky, const struct small_format *format, enum small_rounding rounding);

#endif
