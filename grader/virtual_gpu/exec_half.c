/* Half precision and bfloat16, one or two numbers a register.  Every operation is computed in
 * double precision, where it is exact or its rounding error is known, and rounded once. */
#include <math.h>

#include "exec.h"
#include "small_float.h"

/* insn->variant: the format, and what is done to the result. */
enum { BFLOAT = 1, FLUSHES = 2, SATURATES = 4, RELU = 8, PAIR = 16, TO_ZERO = 32 };

static const struct small_format *format_of(const struct insn *i)
{
    return i->variant & BFLOAT ? &bfloat_format : &half_format;
}

static double flushed(double x, const struct small_format *format)
{
    double smallest = ldexp(1, 2 - (1 << (format->exponent_bits - 1)));
    return fabs(x) < smallest ? copysign(0, x) : x;
}

/* One number of a register: `part` 0 is the lower half. */
static double number(const struct insn *i, uint32_t bits, int part)
{
    const struct small_format *format = format_of(i);
    double x = small_value((uint16_t)(bits >> 16 * part), format);
    return i->variant & FLUSHES ? flushed(x, format) : x;
}

/* Is a number, rounded as if exponents had no end, below the smallest normal one? */
static bool is_tiny(double x, int sticky, const struct small_format *format)
{
    enum { UP = 8 };
    double larger = ldexp(x, UP);
    double rounded = small_value(small_bits(larger, sticky, format, SMALL_NEAREST), format);
    return flushed(ldexp(rounded, -UP), format) == 0;
}

static uint32_t result(const struct insn *i, double x, int sticky)
{
    const struct small_format *format = format_of(i);
    if ((i->variant & FLUSHES) && is_tiny(x, sticky, format))
        x = copysign(0, x);
    if (i->variant & SATURATES)
        x = !(x > 0) ? 0 : x > 1 ? 1 : x;
    if ((i->variant & RELU) && x <= 0)
        x = 0;
    return small_bits(x, sticky, format, i->variant & TO_ZERO ? SMALL_ZERO : SMALL_NEAREST);
}

/* What the sum of two doubles lost by rounding: its sign away from zero or towards it. */
static int lost(double a, double b, double sum)
{
    if (!isfinite(sum))
        return 0;
    double bb = sum - a, error = (a - (sum - bb)) + (b - bb);
    return error == 0 ? 0 : (error > 0) == (sum > 0) ? 1 : -1;
}

#define HALF_OPERATION(name, operands, expression)                                 \
    static void name(struct warp *w, const struct insn *i, uint32_t mask)          \
    {                                                                              \
        const uint32_t *a = cell(w, i->o[1]);                                      \
        const uint32_t *b = (operands) > 1 ? cell(w, i->o[2]) : a;                 \
        const uint32_t *c = (operands) > 2 ? cell(w, i->o[3]) : a;                 \
        uint32_t *d = cell(w, i->o[0]);                                            \
        for (uint32_t rest = mask; rest != 0;) {                                   \
            uint32_t lane = next_lane(&rest), bits = 0;                            \
            for (int part = 0; part < (i->variant & PAIR ? 2 : 1); part++) {       \
                double x = number(i, a[lane], part), y = number(i, b[lane], part); \
                double z = number(i, c[lane], part), value;                        \
                int sticky = 0;                                                    \
                (void)x, (void)y, (void)z;                                         \
                expression;                                                        \
                bits |= result(i, value, sticky) << 16 * part;                     \
            }                                                                      \
            d[lane] = bits;                                                        \
        }                                                                          \
    }

HALF_OPERATION(half_add, 2, value = x + y; sticky = lost(x, y, value))
HALF_OPERATION(half_sub, 2, value = x - y; sticky = lost(x, -y, value))
HALF_OPERATION(half_mul, 2, value = x * y)
/* The product is exact in a double; only the sum may lose something. */
HALF_OPERATION(half_fma, 3, double product = x * y; value = product + z;
               sticky = lost(product, z, value))
HALF_OPERATION(half_ex2, 1, value = exp2(x))
HALF_OPERATION(half_tanh, 1, value = tanh(x))

static double smaller(double x, double y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
HALF_OPERATION(half_min, 2, value = smaller(x, y))
HALF_OPERATION(half_max, 2, value = x != x ? y : y != y ? x : -smaller(-x, -y))
HALF_OPERATION(half_min_nan, 2, value = x != x || y != y ? (double)NAN : smaller(x, y))
HALF_OPERATION(half_max_nan, 2, value = x != x || y != y ? (double)NAN : -smaller(-x, -y))

HALF_OPERATION(half_neg, 1, value = -x)
HALF_OPERATION(half_abs, 1, value = fabs(x))

/* ---- comparison ------------------------------------------------------------------------------ */

/* Pairs: setp has one predicate for each number, set a number for each. */
static void put_pair_predicates(
    struct warp *w, const struct insn *i, uint32_t mask, const uint32_t bits[2])
{
    const uint32_t cells[2] = {i->o[0], i->o[4]};
    for (int part = 0; part < 2; part++)
        if (cells[part] != NO_CELL)
            put_predicate(w, cells[part], combined_truths(w, i, bits[part]), mask);
}

static uint32_t pair_of_truths(const struct insn *i, bool low, bool high)
{
    static const uint32_t ones[] = {0xFFFF, 0xFFFF, 0x3C00, 0x3F80};
    return (low ? ones[i->type] : 0) | (high ? ones[i->type] << 16 : 0);
}

#define PAIR_COMPARE(name, type, expression)                                           \
    static bool is_##name(uint32_t x, uint32_t y, int part)                            \
    {                                                                                  \
        double p = type##_number(x >> 16 * part);                                      \
        double q = type##_number(y >> 16 * part);                                      \
        return expression;                                                             \
    }                                                                                  \
    static void compare_##name(const uint32_t *a, const uint32_t *b, uint32_t bits[2]) \
    {                                                                                  \
        bits[0] = bits[1] = 0;                                                         \
        for (int k = 0; k < WARP_LANES; k++)                                           \
            for (int part = 0; part < 2; part++)                                       \
                bits[part] |= is_##name(a[k], b[k], part) ? lane_bit[k] : 0;           \
    }                                                                                  \
    static void setp_##name(struct warp *w, const struct insn *i, uint32_t mask)       \
    {                                                                                  \
        const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);                   \
        uint32_t bits[2];                                                              \
        compare_##name(a, b, bits);                                                    \
        put_pair_predicates(w, i, mask, bits);                                         \
    }                                                                                  \
    static void set_##name(struct warp *w, const struct insn *i, uint32_t mask)        \
    {                                                                                  \
        const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);                   \
        uint32_t bits[2];                                                              \
        compare_##name(a, b, bits);                                                    \
        uint32_t low = combined_truths(w, i, bits[0]);                                 \
        uint32_t high = combined_truths(w, i, bits[1]);                                \
        LANE_LOOP_32(pair_of_truths(i, low &lane_bit[k], high &lane_bit[k]))           \
    }

static inline double f16_number(uint32_t bits)
{
    return small_value((uint16_t)bits, &half_format);
}
static inline double bf16_number(uint32_t bits)
{
    return small_value((uint16_t)bits, &bfloat_format);
}
static inline double ftz_f16_number(uint32_t bits)
{
    return flushed(f16_number(bits), &half_format);
}

#define HALF_COMPARE_AS(cmp, type, expression)             \
    COMPARE(cmp##_##type, 32, uint16_t, ({                 \
        double p = type##_number(x), q = type##_number(y); \
        expression;                                        \
    }))                                                    \
    PAIR_COMPARE(cmp##_##type##x2, type, expression)
#define HALF_COMPARE(cmp, expression)         \
    HALF_COMPARE_AS(cmp, f16, expression)     \
    HALF_COMPARE_AS(cmp, ftz_f16, expression) \
    HALF_COMPARE_AS(cmp, bf16, expression)
#define IS_UNORDERED (p != p || q != q)
HALF_COMPARE(eq, p == q)
HALF_COMPARE(ne, !IS_UNORDERED && p != q)
HALF_COMPARE(lt, p < q)
HALF_COMPARE(le, p <= q)
HALF_COMPARE(gt, p > q)
HALF_COMPARE(ge, p >= q)
HALF_COMPARE(equ, IS_UNORDERED || p == q)
HALF_COMPARE(neu, p != q)
HALF_COMPARE(ltu, !(p >= q))
HALF_COMPARE(leu, !(p > q))
HALF_COMPARE(gtu, !(p <= q))
HALF_COMPARE(geu, !(p < q))
HALF_COMPARE(num, !IS_UNORDERED)
HALF_COMPARE(nan, IS_UNORDERED)

/* ---- two floats to a pair -------------------------------------------------------------------- */

/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half. */
static void half_pack(struct warp *w, const struct insn *i, uint32_t mask)
{
    const float *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);
    uint32_t *d = cell(w, i->o[0]);
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        d[lane] = result(i, (double)a[lane], 0) << 16 | result(i, (double)b[lane], 0);
    }
}

/* The 10 fraction bits of tensor cores; ties away from zero. */
static void tf32_rna(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint32_t *a = cell(w, i->o[1]);
    LANE_LOOP_32(((a[k] & 0x7F800000) == 0x7F800000 ? a[k] : a[k] + 0x1000) & ~0x1FFFu)
}

/* ---- the table ------------------------------------------------------------------------------- */

#define ROW(name, kinds, handler, variant)         \
    {                                              \
        name, kinds, handler, CLASS_FLOAT, variant \
    }
/* The four types of an operation, with a suffix for its form. */
#define TYPES(op, one, two, handler, form)                                             \
    ROW(op ".f16", one, handler, form), ROW(op ".f16x2", two, handler, (form) | PAIR), \
        ROW(op ".bf16", one, handler, (form) | BFLOAT),                                \
        ROW(op ".bf16x2", two, handler, (form) | PAIR | BFLOAT)
#define ARITHMETIC(op, one, two, handler)                                   \
    TYPES(op, one, two, handler, 0), TYPES(op ".rn", one, two, handler, 0), \
        TYPES(op ".ftz", one, two, handler, FLUSHES),                       \
        TYPES(op ".rn.ftz", one, two, handler, FLUSHES),                    \
        TYPES(op ".sat", one, two, handler, SATURATES),                     \
        TYPES(op ".rn.sat", one, two, handler, SATURATES),                  \
        TYPES(op ".rn.ftz.sat", one, two, handler, SATURATES | FLUSHES),    \
        TYPES(op ".ftz.sat", one, two, handler, SATURATES | FLUSHES),       \
        TYPES(op ".rn.ftz.relu", one, two, handler, RELU | FLUSHES),        \
        TYPES(op ".rn.relu", one, two, handler, RELU)
#define COMPARISONS_OF(cmp, type, function, r, h)                  \
    ROW("setp." #cmp "." type, "p" h, setp_##cmp##_##function, 0), \
        ROW("set." #cmp "." type, r h, set_##cmp##_##function, 0)
#define COMPARISONS(cmp)                                                                        \
    COMPARISONS_OF(cmp, "f16", f16, "h", "hh"), COMPARISONS_OF(cmp, "f16x2", f16x2, "r", "rr"), \
        COMPARISONS_OF(cmp, "ftz.f16", ftz_f16, "h", "hh"),                                     \
        COMPARISONS_OF(cmp, "ftz.f16x2", ftz_f16x2, "r", "rr"),                                 \
        COMPARISONS_OF(cmp, "bf16", bf16, "h", "hh"),                                           \
        COMPARISONS_OF(cmp, "bf16x2", bf16x2, "r", "rr")

const struct exec_row exec_half_rows[] = {
    ARITHMETIC("add", "hhh", "rrr", half_add),
    ARITHMETIC("sub", "hhh", "rrr", half_sub),
    ARITHMETIC("mul", "hhh", "rrr", half_mul),
    ARITHMETIC("fma", "hhhh", "rrrr", half_fma),
    TYPES("min", "hhh", "rrr", half_min, 0),
    TYPES("min.ftz", "hhh", "rrr", half_min, FLUSHES),
    TYPES("max", "hhh", "rrr", half_max, 0),
    TYPES("max.ftz", "hhh", "rrr", half_max, FLUSHES),
    TYPES("min.NaN", "hhh", "rrr", half_min_nan, 0),
    TYPES("min.NaN.ftz", "hhh", "rrr", half_min_nan, FLUSHES),
    TYPES("max.NaN", "hhh", "rrr", half_max_nan, 0),
    TYPES("max.NaN.ftz", "hhh", "rrr", half_max_nan, FLUSHES),
    TYPES("neg", "hh", "rr", half_neg, 0),
    TYPES("neg.ftz", "hh", "rr", half_neg, FLUSHES),
    TYPES("abs", "hh", "rr", half_abs, 0),
    TYPES("abs.ftz", "hh", "rr", half_abs, FLUSHES),
    TYPES("ex2.approx", "hh", "rr", half_ex2, 0),
    TYPES("ex2.approx.ftz", "hh", "rr", half_ex2, FLUSHES),
    TYPES("tanh.approx", "hh", "rr", half_tanh, 0),
    ROW("cvt.rn.f16x2.f32", "rff", half_pack, PAIR),
    ROW("cvt.rn.relu.f16x2.f32", "rff", half_pack, PAIR | RELU),
    ROW("cvt.rn.bf16x2.f32", "rff", half_pack, PAIR | BFLOAT),
    ROW("cvt.rn.relu.bf16x2.f32", "rff", half_pack, PAIR | BFLOAT | RELU),
    ROW("cvt.rz.f16x2.f32", "rff", half_pack, PAIR | TO_ZERO),
    ROW("cvt.rz.relu.f16x2.f32", "rff", half_pack, PAIR | RELU | TO_ZERO),
    ROW("cvt.rz.bf16x2.f32", "rff", half_pack, PAIR | BFLOAT | TO_ZERO),
    ROW("cvt.rz.relu.bf16x2.f32", "rff", half_pack, PAIR | BFLOAT | RELU | TO_ZERO),
    ROW("cvt.rna.tf32.f32", "rf", tf32_rna, 0),
    COMPARISONS(eq),
    COMPARISONS(ne),
    COMPARISONS(lt),
    COMPARISONS(le),
    COMPARISONS(gt),
    COMPARISONS(ge),
    COMPARISONS(equ),
    COMPARISONS(neu),
    COMPARISONS(ltu),
    COMPARISONS(leu),
    COMPARISONS(gtu),
    COMPARISONS(geu),
    COMPARISONS(num),
    COMPARISONS(nan),
    {0},
};
