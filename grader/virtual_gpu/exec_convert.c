/* cvt: every pair of types, with rounding, saturation and flushing of denormals.
 *
 * The common conversions have their own handlers; all others go lane by lane through a value that
 * holds either type exactly: a 64-bit integer or a double.
 */
#include "decode.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "small_float.h"

/* What a general conversion does; insn->extra points at one. */
struct conversion {
    struct ptx_type to, from;
    bool saturates, flushes, rounds_to_integer, relu;
    enum small_rounding rounding;
};

static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* ---- values ---------------------------------------------------------------------------------- */

struct value {
    bool is_float, is_signed;
    uint64_t integer; /* sign-extended when is_signed */
    double number;
};

static uint64_t extend(uint64_t bits, uint8_t bytes, bool is_signed)
{
    if (bytes == 8)
        return bits;
    int unused = 64 - 8 * bytes;
    return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits << unused >> unused;
}

static const struct small_format *small_of(struct ptx_type type)
{
    return type.class == TYPE_BFLOAT ? &bfloat_format : &half_format;
}

static bool is_float(struct ptx_type type)
{
    return type.class == TYPE_FLOAT || type.class == TYPE_BFLOAT;
}

static struct value value_of(uint64_t bits, struct ptx_type type, bool flushes)
{
    struct value v = {.is_float = is_float(type), .is_signed = type.class == TYPE_SIGNED};
    if (!v.is_float) {
        v.integer = extend(bits, type.bytes, v.is_signed);
    } else if (type.bytes == 8) {
        v.number = double_of(bits);
    } else if (type.bytes == 4) {
        v.number = float_of((uint32_t)bits);
        if (flushes && fpclassify(float_of((uint32_t)bits)) == FP_SUBNORMAL)
            v.number = copysign(0, v.number);
    } else {
        v.number = small_value((uint16_t)bits, small_of(type));
    }
    return v;
}

/* ---- results --------------------------------------------------------------------------------- */

static double rounded(double x, enum small_rounding rounding)
{
    switch (rounding) {
    case SMALL_ZERO:
        return trunc(x);
    case SMALL_DOWN:
        return floor(x);
    case SMALL_UP:
        return ceil(x);
    default:
        return nearbyint(x); /* the host rounds to nearest even here */
    }
}

static uint64_t largest(struct ptx_type type)
{
    int bits = 8 * type.bytes - (type.class == TYPE_SIGNED);
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int64_t smallest(struct ptx_type type)
{
    return type.class == TYPE_SIGNED ? -(int64_t)largest(type) - 1 : 0;
}

/* Numbers outside the integer's range become its nearest end.  NaN becomes 0 from float and half,
 * and the highest bit from double or to 64 bits. */
static uint64_t integer_of_number(double x, const struct conversion *c)
{
    if (x != x)
        return c->to.bytes == 8     ? (uint64_t)1 << 63
               : c->from.bytes == 8 ? (uint64_t)1 << (8 * c->to.bytes - 1)
                                    : 0;
    x = rounded(x, c->rounding);
    if (x >= ldexp(1, 8 * c->to.bytes - (c->to.class == TYPE_SIGNED)))
        return largest(c->to);
    if (x < (double)smallest(c->to))
        return (uint64_t)smallest(c->to);
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint64_t integer_of(const struct value *v, const struct conversion *c)
{
    if (v->is_float)
        return integer_of_number(v->number, c);
    if (!c->saturates)
        return v->integer;
    if (v->is_signed && (int64_t)v->integer < 0) {
        if ((int64_t)v->integer < smallest(c->to))
            return (uint64_t)smallest(c->to);
    } else if (v->integer > largest(c->to)) {
        return largest(c->to);
    }
    return v->integer;
}

static double clamped(double x, const struct conversion *c)
{
    if (c->saturates)
        return !(x > 0) ? 0 : x > 1 ? 1 : x;
    return c->relu && x <= 0 ? 0 : x;
}

/* The host's rounding mode is set by the caller. */
static uint64_t float_bits_of(const struct value *v, const struct conversion *c)
{
    double x = v->number;
    float result;
    if (!v->is_float) {
        /* One rounding, straight to the format. */
        result = v->is_signed ? (float)(int64_t)v->integer : (float)v->integer;
    } else {
        if (c->rounds_to_integer)
            x = rounded(x, c->rounding);
        x = clamped(x, c);
        result = (float)x;
    }
    if (c->flushes && fpclassify(result) == FP_SUBNORMAL)
        result = copysignf(0, result);
    if (c->saturates)
        result = (float)clamped(result, c);
    return result == result ? bits_of(result) : 0x7FFFFFFF;
}

static uint64_t double_bits_of(const struct value *v, const struct conversion *c)
{
    double x = v->number;
    if (!v->is_float)
        x = v->is_signed ? (double)(int64_t)v->integer : (double)v->integer;
    else if (c->rounds_to_integer)
        x = rounded(x, c->rounding);
    x = clamped(x, c);
    return x == x ? bits_of_double(x) : 0xFFF8000000000000u;
}

static uint64_t small_bits_of(const struct value *v, const struct conversion *c)
{
    double x = v->number;
    if (!v->is_float)
        x = v->is_signed ? (double)(int64_t)v->integer : (double)v->integer;
    else if (c->rounds_to_integer)
        x = rounded(x, c->rounding);
    x = clamped(x, c);
    return small_bits(x, 0, small_of(c->to), c->rounding);
}

/* NaN keeps its sign and the high bits of its fraction when it comes from or goes to double, where
 * it becomes quiet, and when a single number or a bfloat16 is only moved.  Elsewhere it becomes the
 * one NaN that the device makes. */
static bool convert_nan(uint64_t bits, const struct conversion *c, uint64_t *result)
{
    bool moves = !c->rounds_to_integer && !c->flushes;
    if (c->saturates || !is_float(c->from) || !is_float(c->to))
        return false;
    if (c->to.bytes == 4 && c->from.bytes != 8) {
        *result = bits << 8 * (4 - c->from.bytes);
        return moves && (c->from.bytes == 4 || c->from.class == TYPE_BFLOAT);
    }
    if (c->to.bytes != 8 && c->from.bytes != 8)
        return false;
    if (c->from.bytes == 4 && c->flushes)
        bits = 0x7FFFFFFF;
    int from_fraction = c->from.bytes == 8 ? 52 : c->from.bytes == 4 ? 23 : 10;
    int to_fraction = c->to.bytes == 8 ? 52 : c->to.bytes == 4 ? 23 : 10;
    uint64_t sign = bits >> (8 * c->from.bytes - 1) & 1;
    uint64_t fraction = bits << (64 - from_fraction); /* left-aligned */
    fraction |= c->to.bytes == 8 && c->from.bytes == 8 && moves ? 0 : (uint64_t)1 << 63;
    uint64_t exponent = ((uint64_t)1 << (8 * c->to.bytes - 1 - to_fraction)) - 1;
    *result =
        sign << (8 * c->to.bytes - 1) | exponent << to_fraction | fraction >> (64 - to_fraction);
    return true;
}

static uint64_t convert(uint64_t bits, const struct conversion *c)
{
    struct value v = value_of(bits, c->from, c->flushes);
    uint64_t nan;
    if (v.number != v.number && convert_nan(bits, c, &nan))
        return nan;
    if (!is_float(c->to))
        return extend(integer_of(&v, c), c->to.bytes, c->to.class == TYPE_SIGNED);
    return c->to.bytes == 8   ? double_bits_of(&v, c)
           : c->to.bytes == 4 ? float_bits_of(&v, c)
                              : small_bits_of(&v, c);
}

static void convert_any(struct warp *w, const struct insn *i, uint32_t mask)
{
    const struct conversion *c = i->extra;
    bool host_rounds = is_float(c->to) && c->to.bytes >= 4 && !c->rounds_to_integer &&
                       c->rounding != SMALL_NEAREST;
    if (host_rounds)
        fesetround(host_rounding[c->rounding]);
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        uint64_t bits = i->wide_source ? cell_64(w, i->o[1])[lane] : cell_32(w, i->o[1])[lane];
        bits = convert(bits, c);
        if (i->wide)
            cell_64(w, i->o[0])[lane] = bits;
        else
            cell_32(w, i->o[0])[lane] = (uint32_t)bits;
    }
    if (host_rounds)
        fesetround(FE_TONEAREST);
}

/* ---- common conversions ---------------------------------------------------------------------- */

#define CONVERT(name, W, WS, expression)          \
    HANDLER(name)                                 \
    {                                             \
        const uint##WS##_t *a = cell(w, i->o[1]); \
        LANE_LOOP_##W(({                          \
            uint##WS##_t x = a[k];                \
            (uint##W##_t)(expression);            \
        }))                                       \
    }
CONVERT(u32_to_u64, 64, 32, x)
CONVERT(s32_to_s64, 64, 32, (int64_t)(int32_t)x)
CONVERT(low_32, 32, 64, x)
CONVERT(low_16, 32, 32, x & 0xFFFF)
CONVERT(low_8, 32, 32, x & 0xFF)
CONVERT(s16_to_s32, 32, 32, (int16_t)x)
CONVERT(s8_to_s32, 32, 32, (int8_t)x)
CONVERT(u16_to_u64, 64, 32, x & 0xFFFF)
CONVERT(s32_to_f32, 32, 32, bits_of((float)(int32_t)x))
CONVERT(u32_to_f32, 32, 32, bits_of((float)x))
CONVERT(same_32, 32, 32, x)
CONVERT(same_64, 64, 64, x)

struct common {
    const char *name; /* without .rn */
    insn_handler *handler;
    bool wide, wide_source;
};
static const struct common commons[] = {
    {"u64.u32", u32_to_u64, true, false},
    {"s64.u32", u32_to_u64, true, false},
    {"s64.s32", s32_to_s64, true, false},
    {"u64.s32", s32_to_s64, true, false},
    {"u32.u64", low_32, false, true},
    {"s32.s64", low_32, false, true},
    {"s32.u64", low_32, false, true},
    {"u32.s64", low_32, false, true},
    {"u16.u32", low_16, false, false},
    {"u32.u16", low_16, false, false},
    {"s32.u16", low_16, false, false},
    {"u32.u8", low_8, false, false},
    {"s32.u8", low_8, false, false},
    {"u16.u8", low_8, false, false},
    {"s32.s16", s16_to_s32, false, false},
    {"u32.s16", s16_to_s32, false, false},
    {"s32.s8", s8_to_s32, false, false},
    {"u32.s8", s8_to_s32, false, false},
    {"u64.u16", u16_to_u64, true, false},
    {"s64.u16", u16_to_u64, true, false},
    {"f32.s32", s32_to_f32, false, false},
    {"f32.u32", u32_to_f32, false, false},
    {"u32.u32", same_32, false, false},
    {"s32.s32", same_32, false, false},
    {"u32.s32", same_32, false, false},
    {"s32.u32", same_32, false, false},
    {"u64.u64", same_64, true, true},
    {"s64.s64", same_64, true, true},
    {"u64.s64", same_64, true, true},
    {"s64.u64", same_64, true, true},
};

static const char *type_word(struct ptx_type type, char text[8])
{
    char letter = type.class == TYPE_SIGNED ? 's' : type.class == TYPE_UNSIGNED ? 'u' : 'f';
    snprintf(text, 8, "%c%d", letter, 8 * type.bytes);
    return text;
}

static bool decode_common(struct decoder *d, struct ptx_type to, struct ptx_type from)
{
    char name[24], a[8], b[8];
    snprintf(name, sizeof name, "%s.%s", type_word(to, a), type_word(from, b));
    if (to.class == TYPE_BFLOAT || from.class == TYPE_BFLOAT)
        return false;
    for (size_t k = 0; k < sizeof commons / sizeof commons[0]; k++)
        if (strcmp(commons[k].name, name) == 0 && commons[k].wide == d->insn->wide &&
            commons[k].wide_source == d->insn->wide_source) {
            d->insn->handler = commons[k].handler;
            return true;
        }
    return false;
}

/* ---- decoding -------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum small_rounding rounding;
    bool to_integer;
} roundings[] = {{"rn", SMALL_NEAREST, false}, {"rz", SMALL_ZERO, false}, {"rm", SMALL_DOWN, false},
    {"rp", SMALL_UP, false}, {"rni", SMALL_NEAREST, true}, {"rzi", SMALL_ZERO, true},
    {"rmi", SMALL_DOWN, true}, {"rpi", SMALL_UP, true}};

static bool reads_modifiers(struct decoder *d, struct conversion *c, bool *plain)
{
    struct ptx_type type;
    *plain = true;
    for (int m = 0; m < d->source->modifier_count; m++) {
        const char *word = d->source->modifiers[m];
        bool known = ptx_type_of(word, &type);
        for (size_t k = 0; k < sizeof roundings / sizeof roundings[0]; k++)
            if (strcmp(word, roundings[k].word) == 0) {
                c->rounding = roundings[k].rounding;
                c->rounds_to_integer = roundings[k].to_integer;
                *plain = *plain && c->rounding == SMALL_NEAREST && !c->rounds_to_integer;
                known = true;
            }
        bool *flag = strcmp(word, "sat") == 0    ? &c->saturates
                     : strcmp(word, "ftz") == 0  ? &c->flushes
                     : strcmp(word, "relu") == 0 ? &c->relu
                                                 : NULL;
        if (flag != NULL) {
            *flag = true;
            *plain = false;
        } else if (!known) {
            snprintf(d->problem, sizeof d->problem, ".%s is not supported", word);
            return false;
        }
    }
    return true;
}

bool convert_decode(struct decoder *d, struct ptx_type to, struct ptx_type from)
{
    struct insn *i = d->insn;
    struct conversion c = {.to = to, .from = from};
    bool plain;
    if (!reads_modifiers(d, &c, &plain))
        return false;
    if (is_float(to) && to.bytes == 2)
        c.flushes = false; /* half precision has room for them */
    const struct ptx_operand *target = &d->source->operands[0], *source = &d->source->operands[1];
    i->wide = decode_is_wide(d, target);
    i->wide_source = source->kind == OPERAND_REGISTER ? decode_is_wide(d, source) : from.bytes == 8;
    bool single = from.class == TYPE_FLOAT && from.bytes == 4;
    i->o[0] = decode_operand(d, target, i->wide ? 'l' : 'r');
    i->o[1] = decode_operand(d, source, i->wide_source ? (single ? 'd' : 'l') : single ? 'f' : 'r');
    i->class = is_float(to) || is_float(from)
                   ? (to.bytes == 8 && from.bytes == 8 ? CLASS_DOUBLE : CLASS_FLOAT)
                   : CLASS_INTEGER;
    if (plain && decode_common(d, to, from))
        return true;
    struct conversion *kept = pool_take(&d->kernel->pool, sizeof *kept);
    *kept = c;
    i->extra = kept;
    i->handler = convert_any;
    return true;
}
