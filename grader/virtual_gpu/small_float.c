/* See small_float.h. */
#include "small_float.h"

#include <math.h>
#include <stdbool.h>

const struct small_format half_format = {5, 10, 0x7FFF};
const struct small_format bfloat_format = {8, 7, 0x7FFF};

double small_value(uint16_t bits, const struct small_format *format)
{
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    int exponent = bits >> format->fraction_bits & ((1 << format->exponent_bits) - 1);
    int fraction = bits & ((1 << format->fraction_bits) - 1);
    double size;
    if (exponent == (1 << format->exponent_bits) - 1)
        size = fraction != 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        size = ldexp(fraction, 1 - bias - format->fraction_bits);
    else
        size =
            ldexp(fraction + (1 << format->fraction_bits), exponent - bias - format->fraction_bits);
    return bits >> 15 ? -size : size;
}

uint16_t small_bits(
    double value, int sticky, const struct small_format *format, enum small_rounding rounding)
{
    if (value != value)
        return format->nan;
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    uint16_t infinity = (uint16_t)(((1 << format->exponent_bits) - 1) << format->fraction_bits);
    double size = fabs(value);
    if (isinf(value))
        return sign | infinity;
    int exponent = size == 0 ? 1 - bias : ilogb(size);
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    /* In units of the last place: exact, since scaling by a power of two is. */
    double scaled = ldexp(size, format->fraction_bits - exponent);
    double whole = floor(scaled), rest = scaled - whole;
    bool exact = rest == 0 && sticky == 0;
    if (rest == 0 && sticky < 0) { /* just below a representable value */
        whole -= 1;
        rest = 0.75;
    }
    bool up = false;
    switch (rounding) {
    case SMALL_NEAREST:
        up = rest > 0.5 || (rest == 0.5 && (sticky > 0 || (sticky == 0 && fmod(whole, 2) == 1)));
        break;
    case SMALL_ZERO:
        break;
    case SMALL_DOWN:
        up = !exact && sign != 0;
        break;
    case SMALL_UP:
        up = !exact && sign == 0;
        break;
    }
    uint32_t units = (uint32_t)whole + up;
    uint32_t hidden = 1u << format->fraction_bits;
    uint32_t bits;
    if (units < hidden) /* subnormal; the exponent field is zero */
        bits = units;
    else /* a carry out of the fraction moves into the exponent by itself */
        bits = ((uint32_t)(exponent + bias - 1) << format->fraction_bits) + units;
    if (bits >= infinity) {
        bool to_infinity = rounding == SMALL_NEAREST || (rounding == SMALL_UP && sign == 0) ||
                           (rounding == SMALL_DOWN && sign != 0);
        bits = to_infinity ? infinity : infinity - 1u;
    }
    return sign | (uint16_t)bits;
}
