/* Single and double precision.  Rounded operations are exact to the bit; approximate ones (sin,
 * ex2, …) are computed with the host's library: tests/instructions/approximate.tsv says how near they
 * come to an H200. */
#include "exec.h"

#include <fenv.h>
#include <math.h>

/* ---- forms of an operation ------------------------------------------------------------------- */

/* insn->variant of the general handlers. */
enum { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_MASK = 3, FLUSH = 4, SATURATE = 8 };

static const int host_rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static void round_as(const struct insn *i)
{
    if ((i->variant & ROUND_MASK) != ROUND_NEAREST)
        fesetround(host_rounding[i->variant & ROUND_MASK]);
}

static void round_to_nearest(const struct insn *i)
{
    if ((i->variant & ROUND_MASK) != ROUND_NEAREST)
        fesetround(FE_TONEAREST);
}

/* Single-precision results that are not numbers are always this one. */
static inline uint32_t canonical(float value)
{
    return value == value ? bits_of(value) : 0x7FFFFFFF;
}

/* In double precision a NaN is handed on, made quiet: the first of the three that there is. */
static inline uint64_t quiet_double(double value, double first, double second, double third)
{
    double nan = first != first ? first : second != second ? second : third;
    uint64_t bits = nan != nan ? bits_of_double(nan) | 0x0008000000000000u : 0xFFF8000000000000u;
    return value == value ? bits_of_double(value) : bits;
}

static inline float flushed(float value)
{
    return float_of(
        (bits_of(value) & 0x7F800000) == 0 ? bits_of(value) & 0x80000000 : bits_of(value));
}

static inline float saturated(float value)
{
    return !(value > 0) ? 0 : value > 1 ? 1 : value; /* NaN becomes 0 */
}

static inline float operand_as(float value, uint8_t variant)
{
    return variant & FLUSH ? flushed(value) : value;
}

/* `is_tiny`: the result is flushed although rounding lifted it to the smallest normal number. */
static inline uint32_t result_as(float value, uint8_t variant, bool is_tiny)
{
    if (variant & FLUSH)
        value = is_tiny ? copysignf(0, value) : flushed(value);
    return variant & SATURATE ? bits_of(saturated(value)) : canonical(value);
}

/* Two handlers for one operation on x, y and z: `name` for the plain form, which vectorises, and
 * `name`_form for every other rounding, flushing and saturating one. */
#define FLOAT_1(name, expression, is_tiny)              \
    HANDLER(name)                                       \
    {                                                   \
        const float *a = cell(w, i->o[1]);              \
        LANE_LOOP_32(({                                 \
            float x = a[k];                             \
            canonical(expression);                      \
        }))                                             \
    }                                                   \
    HANDLER(name##_form)                                \
    {                                                   \
        const float *a = cell(w, i->o[1]);              \
        round_as(i);                                    \
        LANE_LOOP_32(({                                 \
            float x = operand_as(a[k], i->variant);     \
            result_as(expression, i->variant, is_tiny); \
        }))                                             \
        round_to_nearest(i);                            \
    }
#define FLOAT_2(name, expression, is_tiny)                                            \
    HANDLER(name)                                                                     \
    {                                                                                 \
        const float *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);                     \
        LANE_LOOP_32(({                                                               \
            float x = a[k], y = b[k];                                                 \
            canonical(expression);                                                    \
        }))                                                                           \
    }                                                                                 \
    HANDLER(name##_form)                                                              \
    {                                                                                 \
        const float *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);                     \
        round_as(i);                                                                  \
        LANE_LOOP_32(({                                                               \
            float x = operand_as(a[k], i->variant), y = operand_as(b[k], i->variant); \
            result_as(expression, i->variant, is_tiny);                               \
        }))                                                                           \
        round_to_nearest(i);                                                          \
    }
#define FLOAT_3(name, expression, is_tiny)                                               \
    HANDLER(name)                                                                        \
    {                                                                                    \
        const float *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]); \
        LANE_LOOP_32(({                                                                  \
            float x = a[k], y = b[k], z = c[k];                                          \
            canonical(expression);                                                       \
        }))                                                                              \
    }                                                                                    \
    HANDLER(name##_form)                                                                 \
    {                                                                                    \
        const float *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]); \
        round_as(i);                                                                     \
        LANE_LOOP_32(({                                                                  \
            float x = operand_as(a[k], i->variant), y = operand_as(b[k], i->variant);    \
            float z = operand_as(c[k], i->variant);                                      \
            result_as(expression, i->variant, is_tiny);                                  \
        }))                                                                              \
        round_to_nearest(i);                                                             \
    }

/* Is the result, rounded as if exponents had no end, below the smallest normal number?  It is that
 * of operands that are larger by UP, so that nothing underflows. */
#define UP 0x1p64f
#define IS_TINY(expression) (fabsf(expression) < 0x1p-126f * UP)

FLOAT_2(add_f32, x + y, false)
FLOAT_2(sub_f32, x - y, false)
FLOAT_2(mul_f32, x *y, IS_TINY(x *UP *y))
FLOAT_2(div_f32, x / y, IS_TINY(x *UP / y))
FLOAT_3(fma_f32, __builtin_fmaf(x, y, z), IS_TINY(__builtin_fmaf(x *UP, y, z *UP)))
FLOAT_1(rcp_f32, 1 / x, IS_TINY(UP / x))
FLOAT_1(sqrt_f32, __builtin_sqrtf(x), false)

/* ---- approximations -------------------------------------------------------------------------- */

/* Quotients are products with a reciprocal.  div.approx counts the reciprocals of the largest
 * numbers as zero, div.full scales both operands first. */
static inline float divided(float x, float y)
{
    if (fabsf(y) < 0x1p-126f)
        return x * (1 / (y * 0x1p24f)) * 0x1p24f;
    return x * (fabsf(y) > 0x1p126f ? copysignf(0, y) : 1 / y);
}
static inline float divided_fully(float x, float y)
{
    float scale = fabsf(y) > 0x1p126f ? 0.25f : fabsf(y) < 0x1p-126f ? 0x1p24f : 1;
    return x * scale * (1 / (y * scale));
}
/* Sine and cosine of a whole number of turns and a fraction.  The number of turns is a product that
 * is cut to single precision, and zero when it is tiny. */
static inline double fraction_of_turn(float x)
{
    double turns = (double)x * 0.15915494f;
    float cut = (float)turns;
    if (fabs((double)cut) > fabs(turns))
        cut = nextafterf(cut, 0);
    cut = flushed(cut);
    return 2 * M_PI * remainder(cut, 1);
}
FLOAT_2(div_approx_f32, divided(x, y), false)
FLOAT_2(div_full_f32, divided_fully(x, y), false)
FLOAT_1(rsqrt_f32, (float)(1 / sqrt((double)x)), false)
FLOAT_1(ex2_f32, (float)exp2((double)x), false)
FLOAT_1(lg2_f32, (float)log2((double)x), false)
FLOAT_1(sin_f32, (float)sin(fraction_of_turn(x)), false)
FLOAT_1(cos_f32, (float)cos(fraction_of_turn(x)), false)
FLOAT_1(tanh_f32, (float)tanh((double)x), false)

/* ---- minimum, maximum, sign ------------------------------------------------------------------ */

/* A number wins over NaN; −0 is below +0. */
static inline float lesser(float x, float y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x < y || (x == y && (bits_of(x) >> 31) != 0) ? x : y;
}
static inline float greater(float x, float y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x > y || (x == y && (bits_of(y) >> 31) != 0) ? x : y;
}
FLOAT_2(min_f32, lesser(x, y), false)
FLOAT_2(max_f32, greater(x, y), false)
FLOAT_2(min_nan_f32, x != x || y != y ? NAN : lesser(x, y), false)
FLOAT_2(max_nan_f32, x != x || y != y ? NAN : greater(x, y), false)

#define BITWISE_1(name, W, expression)           \
    HANDLER(name)                                \
    {                                            \
        const uint##W##_t *a = cell(w, i->o[1]); \
        LANE_LOOP_##W(({                         \
            uint##W##_t x = a[k];                \
            expression;                          \
        }))                                      \
    }
#define SIGN_32 0x80000000u
#define SIGN_64 0x8000000000000000u
/* These are additions of zero to the hardware, so NaN does not keep its bits. */
BITWISE_1(neg_f32, 32, canonical(-float_of(x)))
BITWISE_1(abs_f32, 32, canonical(fabsf(float_of(x))))
BITWISE_1(neg_ftz_f32, 32, canonical(-flushed(float_of(x))))
BITWISE_1(abs_ftz_f32, 32, canonical(fabsf(flushed(float_of(x)))))

HANDLER(copysign_f32)
{
    const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);
    LANE_LOOP_32((a[k] & SIGN_32) | (b[k] & ~SIGN_32))
}
HANDLER(copysign_f64)
{
    const uint64_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);
    LANE_LOOP_64((a[k] & SIGN_64) | (b[k] & ~SIGN_64))
}

/* ---- double ---------------------------------------------------------------------------------- */

#define DOUBLE_1(name, expression)             \
    HANDLER(name)                              \
    {                                          \
        const double *a = cell(w, i->o[1]);    \
        round_as(i);                           \
        LANE_LOOP_64(({                        \
            double x = a[k];                   \
            quiet_double(expression, x, x, x); \
        }))                                    \
        round_to_nearest(i);                   \
    }
#define DOUBLE_2(name, expression, first, second)                  \
    HANDLER(name)                                                  \
    {                                                              \
        const double *a = cell(w, i->o[1]), *b = cell(w, i->o[2]); \
        round_as(i);                                               \
        LANE_LOOP_64(({                                            \
            double x = a[k], y = b[k];                             \
            quiet_double(expression, first, second, second);       \
        }))                                                        \
        round_to_nearest(i);                                       \
    }
#define DOUBLE_3(name, expression)                                                        \
    HANDLER(name)                                                                         \
    {                                                                                     \
        const double *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]); \
        round_as(i);                                                                      \
        LANE_LOOP_64(({                                                                   \
            double x = a[k], y = b[k], z = c[k];                                          \
            quiet_double(expression, y, z, x);                                            \
        }))                                                                               \
        round_to_nearest(i);                                                              \
    }
/* Which NaN is handed on was seen on the device. */
DOUBLE_2(add_f64, x + y, y, x)
DOUBLE_2(sub_f64, x - y, y, x)
DOUBLE_2(mul_f64, x *y, y, x)
DOUBLE_2(div_f64, x / y, x, y)
DOUBLE_3(fma_f64, __builtin_fma(x, y, z))
DOUBLE_1(rcp_f64, 1 / x)
DOUBLE_1(sqrt_f64, __builtin_sqrt(x))
DOUBLE_1(rsqrt_f64, (double)(1 / sqrtl((long double)x)))
DOUBLE_1(neg_f64, -x)
DOUBLE_1(abs_f64, x != x ? x : fabs(x))

static inline double lesser_double(double x, double y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
static inline double greater_double(double x, double y)
{
    if (x != x || y != y)
        return x != x ? y : x;
    return x > y || (x == y && signbit(y)) ? x : y;
}
DOUBLE_2(min_f64, lesser_double(x, y), y, x)
DOUBLE_2(max_f64, greater_double(x, y), y, x)

/* The gross approximations that division and square root start from: they see only the upper half
 * of the operand, and only the upper half of the result is significant; denormals count as zero. */
#define UPPER_HALF 0xFFFFFFFF00000000u
static inline double flushed_double(double x)
{
    return double_of((bits_of_double(x) & 0x7FF0000000000000u) == 0 ? bits_of_double(x) & SIGN_64
                                                                    : bits_of_double(x));
}
static inline double seen_half(uint64_t bits)
{
    return flushed_double(double_of(bits & UPPER_HALF));
}
static inline uint64_t upper_half(double x)
{
    return (x != x ? 0x7FFFFFFF00000000u : bits_of_double(flushed_double(x))) & UPPER_HALF;
}
BITWISE_1(rcp_approx_f64, 64, upper_half(1 / seen_half(x)))
BITWISE_1(rsqrt_approx_f64, 64, upper_half(1 / __builtin_sqrt(seen_half(x))))

/* ---- classification and comparison ----------------------------------------------------------- */

enum { TEST_FINITE, TEST_INFINITE, TEST_NUMBER, TEST_NAN, TEST_NORMAL, TEST_SUBNORMAL };

static bool is_in_class(double x, int kind, uint8_t test)
{
    (void)x;
    switch (test) {
    case TEST_FINITE:
        return kind != FP_NAN && kind != FP_INFINITE;
    case TEST_INFINITE:
        return kind == FP_INFINITE;
    case TEST_NUMBER:
        return kind != FP_NAN;
    case TEST_NAN:
        return kind == FP_NAN;
    case TEST_NORMAL:
        return kind == FP_NORMAL || kind == FP_ZERO;
    default:
        return kind == FP_SUBNORMAL;
    }
}

static void testp_f32(struct warp *w, const struct insn *i, uint32_t mask)
{
    const float *a = cell(w, i->o[1]);
    uint32_t bits = 0;
    for (int k = 0; k < WARP_LANES; k++)
        bits |= is_in_class(a[k], fpclassify(a[k]), i->variant) ? lane_bit[k] : 0;
    put_predicate(w, i->o[0], bits, mask);
}

static void testp_f64(struct warp *w, const struct insn *i, uint32_t mask)
{
    const double *a = cell(w, i->o[1]);
    uint32_t bits = 0;
    for (int k = 0; k < WARP_LANES; k++)
        bits |= is_in_class(a[k], fpclassify(a[k]), i->variant) ? lane_bit[k] : 0;
    put_predicate(w, i->o[0], bits, mask);
}

#define COMPARE_FLOAT(cmp, expression)                            \
    COMPARE(cmp##_f32, 32, uint32_t, ({                           \
        float p = float_of(x), q = float_of(y);                   \
        expression;                                               \
    }))                                                           \
    COMPARE(cmp##_ftz_f32, 32, uint32_t, ({                       \
        float p = flushed(float_of(x)), q = flushed(float_of(y)); \
        expression;                                               \
    }))                                                           \
    COMPARE(cmp##_f64, 64, uint64_t, ({                           \
        double p = double_of(x), q = double_of(y);                \
        expression;                                               \
    }))
#define IS_UNORDERED (p != p || q != q)
COMPARE_FLOAT(eq, p == q)
COMPARE_FLOAT(ne, !IS_UNORDERED && p != q)
COMPARE_FLOAT(lt, p < q)
COMPARE_FLOAT(le, p <= q)
COMPARE_FLOAT(gt, p > q)
COMPARE_FLOAT(ge, p >= q)
COMPARE_FLOAT(equ, IS_UNORDERED || p == q)
COMPARE_FLOAT(neu, p != q)
COMPARE_FLOAT(ltu, !(p >= q))
COMPARE_FLOAT(leu, !(p > q))
COMPARE_FLOAT(gtu, !(p <= q))
COMPARE_FLOAT(geu, !(p < q))
COMPARE_FLOAT(num, !IS_UNORDERED)
COMPARE_FLOAT(nan, IS_UNORDERED)

/* ---- the table ------------------------------------------------------------------------------- */

#define FP CLASS_FLOAT, 0
#define SF CLASS_SPECIAL, 0
#define DP CLASS_DOUBLE, 0

/* Every form of a rounded single-precision operation. */
#define ROUNDED(op, kinds, handler, class)                                                     \
    {op ".rn.f32", kinds, handler, class, 0}, {op ".rz.f32", kinds, handler##_form, class, 1}, \
        {op ".rm.f32", kinds, handler##_form, class, 2},                                       \
        {op ".rp.f32", kinds, handler##_form, class, 3},                                       \
        {op ".rn.ftz.f32", kinds, handler##_form, class, FLUSH},                               \
        {op ".rz.ftz.f32", kinds, handler##_form, class, 1 | FLUSH},                           \
        {op ".rm.ftz.f32", kinds, handler##_form, class, 2 | FLUSH},                           \
    {                                                                                          \
        op ".rp.ftz.f32", kinds, handler##_form, class, 3 | FLUSH                              \
    }
#define SATURATED(op, kinds, handler)                                                     \
    {op ".rn.sat.f32", kinds, handler##_form, CLASS_FLOAT, SATURATE},                     \
        {op ".rz.sat.f32", kinds, handler##_form, CLASS_FLOAT, 1 | SATURATE},             \
        {op ".rm.sat.f32", kinds, handler##_form, CLASS_FLOAT, 2 | SATURATE},             \
        {op ".rp.sat.f32", kinds, handler##_form, CLASS_FLOAT, 3 | SATURATE},             \
        {op ".rn.ftz.sat.f32", kinds, handler##_form, CLASS_FLOAT, FLUSH | SATURATE},     \
        {op ".rz.ftz.sat.f32", kinds, handler##_form, CLASS_FLOAT, 1 | FLUSH | SATURATE}, \
        {op ".rm.ftz.sat.f32", kinds, handler##_form, CLASS_FLOAT, 2 | FLUSH | SATURATE}, \
    {                                                                                     \
        op ".rp.ftz.sat.f32", kinds, handler##_form, CLASS_FLOAT, 3 | FLUSH | SATURATE    \
    }
/* Without a rounding the operation rounds to nearest. */
#define UNROUNDED(op, kinds, handler, class)               \
    {op ".f32", kinds, handler, class, 0},                 \
    {                                                      \
        op ".ftz.f32", kinds, handler##_form, class, FLUSH \
    }
#define UNROUNDED_SATURATED(op, kinds, handler)                                 \
    {op ".sat.f32", kinds, handler##_form, CLASS_FLOAT, SATURATE},              \
    {                                                                           \
        op ".ftz.sat.f32", kinds, handler##_form, CLASS_FLOAT, FLUSH | SATURATE \
    }
#define ROUNDED_DOUBLE(op, kinds, handler)                                               \
    {op ".rn.f64", kinds, handler, DP}, {op ".rz.f64", kinds, handler, CLASS_DOUBLE, 1}, \
        {op ".rm.f64", kinds, handler, CLASS_DOUBLE, 2},                                 \
    {                                                                                    \
        op ".rp.f64", kinds, handler, CLASS_DOUBLE, 3                                    \
    }
#define COMPARISONS(cmp)                                            \
    {"setp." #cmp ".f32", "pff", setp_##cmp##_f32, FP},             \
        {"setp." #cmp ".ftz.f32", "pff", setp_##cmp##_ftz_f32, FP}, \
        {"setp." #cmp ".f64", "pdd", setp_##cmp##_f64, DP},         \
        {"set." #cmp ".f32", "rff", set_##cmp##_f32, FP},           \
        {"set." #cmp ".ftz.f32", "rff", set_##cmp##_ftz_f32, FP},   \
    {                                                               \
        "set." #cmp ".f64", "rdd", set_##cmp##_f64, DP              \
    }
#define TESTS(word, test)                                         \
    {"testp." word ".f32", "pf", testp_f32, CLASS_FLOAT, test},   \
    {                                                             \
        "testp." word ".f64", "pd", testp_f64, CLASS_DOUBLE, test \
    }

const struct exec_row exec_float_rows[] = {
    ROUNDED("add", "fff", add_f32, CLASS_FLOAT),
    ROUNDED("sub", "fff", sub_f32, CLASS_FLOAT),
    ROUNDED("mul", "fff", mul_f32, CLASS_FLOAT),
    ROUNDED("fma", "ffff", fma_f32, CLASS_FLOAT),
    ROUNDED("mad", "ffff", fma_f32, CLASS_FLOAT),
    SATURATED("add", "fff", add_f32),
    SATURATED("sub", "fff", sub_f32),
    SATURATED("mul", "fff", mul_f32),
    SATURATED("fma", "ffff", fma_f32),
    SATURATED("mad", "ffff", fma_f32),
    UNROUNDED("add", "fff", add_f32, CLASS_FLOAT),
    UNROUNDED("sub", "fff", sub_f32, CLASS_FLOAT),
    UNROUNDED("mul", "fff", mul_f32, CLASS_FLOAT),
    UNROUNDED_SATURATED("add", "fff", add_f32),
    UNROUNDED_SATURATED("sub", "fff", sub_f32),
    UNROUNDED_SATURATED("mul", "fff", mul_f32),
    ROUNDED("div", "fff", div_f32, CLASS_SPECIAL),
    ROUNDED("rcp", "ff", rcp_f32, CLASS_SPECIAL),
    ROUNDED("sqrt", "ff", sqrt_f32, CLASS_SPECIAL),
    UNROUNDED("div.full", "fff", div_full_f32, CLASS_SPECIAL),
    UNROUNDED("div.approx", "fff", div_approx_f32, CLASS_SPECIAL),
    UNROUNDED("rcp.approx", "ff", rcp_f32, CLASS_SPECIAL),
    UNROUNDED("sqrt.approx", "ff", sqrt_f32, CLASS_SPECIAL),
    UNROUNDED("rsqrt.approx", "ff", rsqrt_f32, CLASS_SPECIAL),
    UNROUNDED("ex2.approx", "ff", ex2_f32, CLASS_SPECIAL),
    UNROUNDED("lg2.approx", "ff", lg2_f32, CLASS_SPECIAL),
    UNROUNDED("sin.approx", "ff", sin_f32, CLASS_SPECIAL),
    UNROUNDED("cos.approx", "ff", cos_f32, CLASS_SPECIAL),
    UNROUNDED("tanh.approx", "ff", tanh_f32, CLASS_SPECIAL),
    UNROUNDED("min", "fff", min_f32, CLASS_FLOAT),
    UNROUNDED("max", "fff", max_f32, CLASS_FLOAT),
    UNROUNDED("min.NaN", "fff", min_nan_f32, CLASS_FLOAT),
    UNROUNDED("max.NaN", "fff", max_nan_f32, CLASS_FLOAT),
    {"neg.f32", "ff", neg_f32, FP},
    {"neg.ftz.f32", "ff", neg_ftz_f32, FP},
    {"abs.f32", "ff", abs_f32, FP},
    {"abs.ftz.f32", "ff", abs_ftz_f32, FP},
    {"copysign.f32", "fff", copysign_f32, FP},

    ROUNDED_DOUBLE("add", "ddd", add_f64),
    ROUNDED_DOUBLE("sub", "ddd", sub_f64),
    ROUNDED_DOUBLE("mul", "ddd", mul_f64),
    ROUNDED_DOUBLE("fma", "dddd", fma_f64),
    ROUNDED_DOUBLE("mad", "dddd", fma_f64),
    ROUNDED_DOUBLE("div", "ddd", div_f64),
    ROUNDED_DOUBLE("rcp", "dd", rcp_f64),
    ROUNDED_DOUBLE("sqrt", "dd", sqrt_f64),
    {"add.f64", "ddd", add_f64, DP},
    {"sub.f64", "ddd", sub_f64, DP},
    {"mul.f64", "ddd", mul_f64, DP},
    {"rcp.approx.ftz.f64", "dd", rcp_approx_f64, DP},
    {"rsqrt.approx.ftz.f64", "dd", rsqrt_approx_f64, DP},
    {"rsqrt.approx.f64", "dd", rsqrt_f64, DP},
    {"min.f64", "ddd", min_f64, DP},
    {"max.f64", "ddd", max_f64, DP},
    {"neg.f64", "dd", neg_f64, DP},
    {"abs.f64", "dd", abs_f64, DP},
    {"copysign.f64", "ddd", copysign_f64, DP},

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
    TESTS("finite", TEST_FINITE),
    TESTS("infinite", TEST_INFINITE),
    TESTS("number", TEST_NUMBER),
    TESTS("notanumber", TEST_NAN),
    TESTS("normal", TEST_NORMAL),
    TESTS("subnormal", TEST_SUBNORMAL),
    {0},
};
