/* See small_float.h. */
#include "small_float.h"

#include <stdbool.h>
#include <string.h>

const struct small_format half_format = {5, 10, 0x7FFF};
const struct small_format bfloat_format = {8, 7, 0x7FFF};

enum { DOUBLE_BIAS = 1023, DOUBLE_FRACTION = 52 };

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double small_value(uint16_t bits, const struct small_format *format)
{
    int bias = (1 << (format->exponent_bits - 1)) - 1, top = (1 << format->exponent_bits) - 1;
    int exponent = bits >> format->fraction_bits & top;
    uint64_t fraction = bits & ((1u << format->fraction_bits) - 1);
    uint64_t sign = (uint64_t)(bits >> 15) << 63;
    if (exponent == 0) { /* zero and subnormal: fraction × 2^(1 − bias − fraction bits) */
        uint64_t scale = (uint64_t)(DOUBLE_BIAS + 1 - bias - format->fraction_bits)
                         << DOUBLE_FRACTION;
        double size = (double)fraction * from_bits(scale);
        return sign != 0 ? -size : size;
    }
    uint64_t wide = exponent == top ? 2047 : (uint64_t)(exponent - bias + DOUBLE_BIAS);
    return from_bits(
        sign | wide << DOUBLE_FRACTION | fraction << (DOUBLE_FRACTION - format->fraction_bits));
}

/* Does the last place go up?  `rest` of `unit` was cut off. */
static bool rounds_up(
    uint64_t units, uint64_t rest, uint64_t unit, int sticky, bool negative, enum small_rounding r)
{
    switch (r) {
    case SMALL_NEAREST:
        if (rest != unit / 2)
            return rest > unit / 2;
        return sticky > 0 || (sticky == 0 && (units & 1) != 0);
    case SMALL_DOWN:
        return negative && (rest != 0 || sticky > 0);
    case SMALL_UP:
        return !negative && (rest != 0 || sticky > 0);
    default:
        return false;
    }
}

uint16_t small_bits(
    double value, int sticky, const struct small_format *format, enum small_rounding rounding)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        return format->nan;
    bool negative = bits >> 63 != 0;
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    uint16_t sign = negative ? 0x8000 : 0;
    uint16_t infinity = (uint16_t)(((1 << format->exponent_bits) - 1) << format->fraction_bits);
    int exponent = (int)(bits >> DOUBLE_FRACTION & 2047) - DOUBLE_BIAS;
    if (exponent == 1024)
        return sign | infinity;
    uint64_t hidden = exponent == -DOUBLE_BIAS ? 0 : (uint64_t)1 << DOUBLE_FRACTION;
    uint64_t fraction = (bits & (((uint64_t)1 << DOUBLE_FRACTION) - 1)) | hidden;
    int place = exponent < 1 - bias ? 1 - bias : exponent;
    int shift = DOUBLE_FRACTION - format->fraction_bits + (place - exponent);
    if (shift > 60) { /* far below the smallest number: only its being there counts */
        shift = 60;
        fraction = fraction != 0;
    }
    uint64_t unit = (uint64_t)1 << shift, units = fraction >> shift, rest = fraction & (unit - 1);
    if (sticky < 0 && rest == 0 && units > 0) { /* just below a representable number */
        units--;
        rest = unit - 1;
        sticky = 1;
    }
    units += rounds_up(units, rest, unit, sticky, negative, rounding);
    /* A carry out of the fraction moves into the exponent by itself. */
    uint64_t result = units;
    if (units >= (uint64_t)1 << format->fraction_bits)
        result += (uint64_t)(place + bias - 1) << format->fraction_bits;
    if (result >= infinity) {
        bool to_infinity = rounding == SMALL_NEAREST || (rounding == SMALL_UP && !negative) ||
                           (rounding == SMALL_DOWN && negative);
        result = to_infinity ? infinity : infinity - 1u;
    }
    return sign | (uint16_t)result;
}
