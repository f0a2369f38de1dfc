/* Integer, logic, comparison and selection instructions. */
#include "exec.h"

const uint32_t lane_bit[WARP_LANES] = {1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5,
    1u << 6, 1u << 7, 1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23, 1u << 24,
    1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* Operands x, y, z of one lane, seen as type T; results are stored modulo the cell's width. */
#define UNARY(name, W, T, expression)            \
    HANDLER(name)                                \
    {                                            \
        const uint##W##_t *a = cell(w, i->o[1]); \
        LANE_LOOP_##W(({                         \
            T x = (T)a[k];                       \
            (uint##W##_t)(expression);           \
        }))                                      \
    }
#define BINARY(name, W, T, expression)                                  \
    HANDLER(name)                                                       \
    {                                                                   \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]); \
        LANE_LOOP_##W(({                                                \
            T x = (T)a[k], y = (T)b[k];                                 \
            (uint##W##_t)(expression);                                  \
        }))                                                             \
    }
#define TERNARY(name, W, T, expression)                                                        \
    HANDLER(name)                                                                              \
    {                                                                                          \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]); \
        LANE_LOOP_##W(({                                                                       \
            T x = (T)a[k], y = (T)b[k], z = (T)c[k];                                           \
            (uint##W##_t)(expression);                                                         \
        }))                                                                                    \
    }

/* ---- arithmetic ------------------------------------------------------------------------------ */

BINARY(add_32, 32, uint32_t, x + y)
BINARY(add_64, 64, uint64_t, x + y)
BINARY(sub_32, 32, uint32_t, x - y)
BINARY(sub_64, 64, uint64_t, x - y)
BINARY(mul_lo_32, 32, uint32_t, x *y)
BINARY(mul_lo_64, 64, uint64_t, x *y)
BINARY(mul_lo_16, 32, uint16_t, (uint16_t)((uint32_t)x *y))
BINARY(mul_hi_u32, 32, uint32_t, (uint64_t)x *y >> 32)
BINARY(mul_hi_s32, 32, int32_t, (uint64_t)((int64_t)x *y) >> 32)
BINARY(mul_hi_u64, 64, uint64_t, (uint64_t)((unsigned __int128)x *y >> 64))
BINARY(mul_hi_s64, 64, int64_t, (uint64_t)((unsigned __int128)((__int128)x *y) >> 64))
BINARY(mul_hi_u16, 32, uint16_t, (uint32_t)x *y >> 16)
BINARY(mul_hi_s16, 32, int16_t, (uint16_t)((uint32_t)((int32_t)x *y) >> 16))
BINARY(mul_wide_u16, 32, uint16_t, (uint32_t)x *y)
BINARY(mul_wide_s16, 32, int16_t, (int32_t)x *y)
TERNARY(mad_lo_32, 32, uint32_t, x *y + z)
TERNARY(mad_lo_64, 64, uint64_t, x *y + z)
TERNARY(mad_lo_16, 32, uint16_t, (uint16_t)((uint32_t)x *y + z))
TERNARY(mad_hi_u16, 32, uint16_t, (uint16_t)(((uint32_t)x * y >> 16) + z))
TERNARY(mad_hi_s16, 32, int16_t, (uint16_t)((uint32_t)((int32_t)x *y >> 16) + (uint32_t)z))
TERNARY(mad_hi_u32, 32, uint32_t, (uint32_t)((uint64_t)x *y >> 32) + z)
TERNARY(mad_hi_s32, 32, int32_t, (uint32_t)((uint64_t)((int64_t)x *y) >> 32) + (uint32_t)z)
TERNARY(mad_hi_u64, 64, uint64_t, (uint64_t)((unsigned __int128)x *y >> 64) + z)
TERNARY(
    mad_hi_s64, 64, int64_t, (uint64_t)((unsigned __int128)((__int128)x *y) >> 64) + (uint64_t)z)
TERNARY(mad_wide_u16_base, 32, uint32_t, (x & 0xFFFF) * (y & 0xFFFF) + z)
TERNARY(mad_wide_s16_base, 32, int32_t, (uint32_t)((int16_t)x *(int16_t)y) + (uint32_t)z)

/* 32 × 32 → 64 bits: sources narrower than the result. */
#define WIDENING(name, T, R)                                         \
    HANDLER(mul_wide_##name)                                         \
    {                                                                \
        const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]); \
        LANE_LOOP_64((uint64_t)((R)(T)a[k] * (R)(T)b[k]))            \
    }                                                                \
    HANDLER(mad_wide_##name)                                         \
    {                                                                \
        const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]); \
        const uint64_t *c = cell(w, i->o[3]);                        \
        LANE_LOOP_64((uint64_t)((R)(T)a[k] * (R)(T)b[k]) + c[k])     \
    }
WIDENING(u32, uint32_t, uint64_t)
WIDENING(s32, int32_t, int64_t)

/* 24-bit products: low 24 bits of both sources. */
#define LOW_24_U(x) ((uint64_t)((x)&0xFFFFFF))
#define LOW_24_S(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
BINARY(mul24_lo_u32, 32, uint32_t, LOW_24_U(x) * LOW_24_U(y))
BINARY(mul24_hi_u32, 32, uint32_t, LOW_24_U(x) * LOW_24_U(y) >> 16)
BINARY(mul24_lo_s32, 32, uint32_t, LOW_24_S(x) * LOW_24_S(y))
BINARY(mul24_hi_s32, 32, uint32_t, (uint64_t)(LOW_24_S(x) * LOW_24_S(y)) >> 16)
TERNARY(mad24_lo_u32, 32, uint32_t, LOW_24_U(x) * LOW_24_U(y) + z)
TERNARY(mad24_hi_u32, 32, uint32_t, (LOW_24_U(x) * LOW_24_U(y) >> 16) + z)
TERNARY(mad24_lo_s32, 32, uint32_t, (uint64_t)(LOW_24_S(x) * LOW_24_S(y)) + z)
TERNARY(mad24_hi_s32, 32, uint32_t, ((uint64_t)(LOW_24_S(x) * LOW_24_S(y)) >> 16) + z)

/* Division by zero yields all ones, quotient and remainder, as the hardware does. */
#define QUOTIENT_U(x, y) ((y) == 0 ? ~(x)*0 - 1 : (x) / (y))
#define REMAINDER(x, y) ((y) == 0 ? ~(x)*0 - 1 : (x) % (y))
/* The smallest integer divided by −1 overflows; the hardware wraps around. */
#define QUOTIENT_S(x, y) \
    ((y) == 0 ? -1 : (y) == -1 ? (__typeof__(x))(0 - (uint64_t)(x)) : (x) / (y))
#define REMAINDER_S(x, y) ((y) == 0 ? -1 : (y) == -1 ? 0 : (x) % (y))
BINARY(div_u16, 32, uint16_t, (uint16_t)((y) == 0 ? 0xFFFF : (x) / (y)))
BINARY(div_s16, 32, int16_t, (uint16_t)QUOTIENT_S(x, y))
BINARY(div_u32, 32, uint32_t, QUOTIENT_U(x, y))
BINARY(div_s32, 32, int32_t, QUOTIENT_S(x, y))
BINARY(div_u64, 64, uint64_t, QUOTIENT_U(x, y))
BINARY(div_s64, 64, int64_t, QUOTIENT_S(x, y))
BINARY(rem_u16, 32, uint16_t, (uint16_t)REMAINDER(x, y))
BINARY(rem_s16, 32, int16_t, (uint16_t)REMAINDER_S(x, y))
BINARY(rem_u32, 32, uint32_t, REMAINDER(x, y))
BINARY(rem_s32, 32, int32_t, REMAINDER_S(x, y))
BINARY(rem_u64, 64, uint64_t, REMAINDER(x, y))
BINARY(rem_s64, 64, int64_t, REMAINDER_S(x, y))

#define MINIMUM(x, y) ((x) < (y) ? (x) : (y))
#define MAXIMUM(x, y) ((x) > (y) ? (x) : (y))
#define MIN_MAX(name, W, T)                 \
    BINARY(min_##name, W, T, MINIMUM(x, y)) \
    BINARY(max_##name, W, T, MAXIMUM(x, y))
MIN_MAX(u16, 32, uint16_t)
MIN_MAX(s16, 32, int16_t)
MIN_MAX(u32, 32, uint32_t)
MIN_MAX(s32, 32, int32_t)
MIN_MAX(u64, 64, uint64_t)
MIN_MAX(s64, 64, int64_t)

UNARY(neg_32, 32, uint32_t, 0 - x)
UNARY(neg_64, 64, uint64_t, 0 - x)
UNARY(abs_16, 32, int16_t, (uint16_t)(x < 0 ? -x : x))
UNARY(abs_32, 32, int32_t, x < 0 ? 0 - (uint32_t)x : (uint32_t)x)
UNARY(abs_64, 64, int64_t, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)
TERNARY(sad_u16, 32, uint16_t, (uint16_t)((x > y ? x - y : y - x) + z))
TERNARY(sad_s16, 32, int16_t, (uint16_t)((x > y ? x - y : y - x) + z))
TERNARY(sad_u32, 32, uint32_t, (x > y ? x - y : y - x) + z)
TERNARY(sad_s32, 32, int32_t,
    (x > y ? (uint32_t)x - (uint32_t)y : (uint32_t)y - (uint32_t)x) + (uint32_t)z)
TERNARY(sad_u64, 64, uint64_t, (x > y ? x - y : y - x) + z)
TERNARY(sad_s64, 64, int64_t,
    (x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x) + (uint64_t)z)

static inline uint32_t saturate(int64_t value)
{
    return value > INT32_MAX   ? (uint32_t)INT32_MAX
           : value < INT32_MIN ? (uint32_t)INT32_MIN
                               : (uint32_t)value;
}
BINARY(add_sat_s32, 32, int32_t, saturate((int64_t)x + y))
BINARY(sub_sat_s32, 32, int32_t, saturate((int64_t)x - y))
TERNARY(mad_hi_sat_s32, 32, int32_t, saturate(((int64_t)x * y >> 32) + z))
TERNARY(mad24_hi_sat_s32, 32, int32_t, saturate((LOW_24_S(x) * LOW_24_S(y) >> 16) + z))

/* ---- extended precision: the carry flag is a mask of lanes ----------------------------------- */

/* sum = x + y + carry in; the carry out goes to the flag when `sets` is true. Subtraction adds the
 * complement, with the flag meaning "borrow". */
#define WITH_CARRY(name, W, prepare, reads, sets)                         \
    static void name(struct warp *w, const struct insn *i, uint32_t mask) \
    {                                                                     \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);   \
        const uint##W##_t *c = i->o[3] == NO_CELL ? b : cell(w, i->o[3]); \
        uint##W##_t *d = cell(w, i->o[0]);                                \
        (void)c;                                                          \
        for (uint32_t rest = mask; rest != 0;) {                          \
            uint32_t k = next_lane(&rest);                                \
            uint32_t in = (reads) ? w->carry >> k & 1 : 0, out;           \
            uint##W##_t sum;                                              \
            prepare;                                                      \
            if (sets)                                                     \
                w->carry = (w->carry & ~lane_bit[k]) | out << k;          \
            d[k] = sum;                                                   \
        }                                                                 \
    }
#define ADD_IN(W, x, y)                             \
    sum = (uint##W##_t)(x) + (uint##W##_t)(y) + in; \
    out = in ? sum <= (uint##W##_t)(x) : sum < (uint##W##_t)(x)
#define SUB_IN(W, x, y)                           \
    sum = (uint##W##_t)(x) - (uint##W##_t)(y)-in; \
    out = in ? (uint##W##_t)(x) <= (uint##W##_t)(y) : (uint##W##_t)(x) < (uint##W##_t)(y)
#define CARRY_FAMILY(W)                                                     \
    WITH_CARRY(add_cc_##W, W, ADD_IN(W, a[k], b[k]), false, true)           \
    WITH_CARRY(addc_##W, W, ADD_IN(W, a[k], b[k]), true, false)             \
    WITH_CARRY(addc_cc_##W, W, ADD_IN(W, a[k], b[k]), true, true)           \
    WITH_CARRY(sub_cc_##W, W, SUB_IN(W, a[k], b[k]), false, true)           \
    WITH_CARRY(subc_##W, W, SUB_IN(W, a[k], b[k]), true, false)             \
    WITH_CARRY(subc_cc_##W, W, SUB_IN(W, a[k], b[k]), true, true)           \
    WITH_CARRY(mad_lo_cc_##W, W, ADD_IN(W, a[k] * b[k], c[k]), false, true) \
    WITH_CARRY(madc_lo_##W, W, ADD_IN(W, a[k] * b[k], c[k]), true, false)   \
    WITH_CARRY(madc_lo_cc_##W, W, ADD_IN(W, a[k] * b[k], c[k]), true, true)
CARRY_FAMILY(32)
CARRY_FAMILY(64)
#define HIGH_U32 ((uint32_t)((uint64_t)a[k] * b[k] >> 32))
#define HIGH_S32 ((uint32_t)((uint64_t)((int64_t)(int32_t)a[k] * (int32_t)b[k]) >> 32))
#define HIGH_U64 ((uint64_t)((unsigned __int128)a[k] * b[k] >> 64))
#define HIGH_S64 ((uint64_t)((unsigned __int128)((__int128)(int64_t)a[k] * (int64_t)b[k]) >> 64))
#define CARRY_HIGH(name, W, high)                                       \
    WITH_CARRY(mad_hi_cc_##name, W, ADD_IN(W, high, c[k]), false, true) \
    WITH_CARRY(madc_hi_##name, W, ADD_IN(W, high, c[k]), true, false)   \
    WITH_CARRY(madc_hi_cc_##name, W, ADD_IN(W, high, c[k]), true, true)
CARRY_HIGH(u32, 32, HIGH_U32)
CARRY_HIGH(s32, 32, HIGH_S32)
CARRY_HIGH(u64, 64, HIGH_U64)
CARRY_HIGH(s64, 64, HIGH_S64)

/* ---- bits ------------------------------------------------------------------------------------ */

BINARY(and_32, 32, uint32_t, x &y)
BINARY(and_64, 64, uint64_t, x &y)
BINARY(or_32, 32, uint32_t, x | y)
BINARY(or_64, 64, uint64_t, x | y)
BINARY(xor_32, 32, uint32_t, x ^ y)
BINARY(xor_64, 64, uint64_t, x ^ y)
UNARY(not_32, 32, uint32_t, ~x)
UNARY(not_64, 64, uint64_t, ~x)
UNARY(cnot_16, 32, uint16_t, x == 0)
UNARY(cnot_32, 32, uint32_t, x == 0)
UNARY(cnot_64, 64, uint64_t, x == 0)

/* Shift counts are clamped, not masked; they are always 32-bit. */
#define SHIFT(name, W, T, in_range, too_far)                                    \
    HANDLER(name)                                                               \
    {                                                                           \
        const uint##W##_t *a = cell(w, i->o[1]);                                \
        const uint32_t *b = cell(w, i->o[2]);                                   \
        LANE_LOOP_##W(({                                                        \
            T x = (T)a[k];                                                      \
            uint32_t s = b[k] & (8 * sizeof(T) - 1);                            \
            (uint##W##_t)(b[k] < 8 * sizeof(T) ? (T)(in_range) : (T)(too_far)); \
        }))                                                                     \
    }
SHIFT(shl_16, 32, uint16_t, x << s, 0)
SHIFT(shl_32, 32, uint32_t, x << s, 0)
SHIFT(shl_64, 64, uint64_t, x << s, 0)
SHIFT(shr_u16, 32, uint16_t, x >> s, 0)
SHIFT(shr_u32, 32, uint32_t, x >> s, 0)
SHIFT(shr_u64, 64, uint64_t, x >> s, 0)
SHIFT(shr_s16, 32, int16_t, x >> s, x >> 15)
SHIFT(shr_s32, 32, int32_t, x >> s, x >> 31)
SHIFT(shr_s64, 64, int64_t, x >> s, x >> 63)

static inline uint32_t funnel(uint32_t low, uint32_t high, uint32_t shift, bool left)
{
    uint64_t both = (uint64_t)high << 32 | low;
    return left ? (uint32_t)(both << shift >> 32) : (uint32_t)(both >> shift);
}
TERNARY(shf_l_wrap, 32, uint32_t, funnel(x, y, z & 31, true))
TERNARY(shf_r_wrap, 32, uint32_t, funnel(x, y, z & 31, false))
TERNARY(shf_l_clamp, 32, uint32_t, funnel(x, y, MINIMUM(z, 32), true))
TERNARY(shf_r_clamp, 32, uint32_t, funnel(x, y, MINIMUM(z, 32), false))

static inline uint32_t reverse_32(uint32_t x)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0F0F0F0F) << 4 | (x >> 4 & 0x0F0F0F0F);
    return __builtin_bswap32(x);
}
UNARY(brev_32, 32, uint32_t, reverse_32(x))
UNARY(brev_64, 64, uint64_t, (uint64_t)reverse_32((uint32_t)x) << 32 | reverse_32(x >> 32))

/* The result of these is 32-bit whatever the source. */
#define NARROWING(name, W, T, expression)        \
    HANDLER(name)                                \
    {                                            \
        const uint##W##_t *a = cell(w, i->o[1]); \
        LANE_LOOP_32(({                          \
            T x = (T)a[k];                       \
            (uint32_t)(expression);              \
        }))                                      \
    }
#define LEADING_32(x) ((x) == 0 ? 32 : __builtin_clz(x))
#define LEADING_64(x) ((x) == 0 ? 64 : __builtin_clzll(x))
NARROWING(popc_32, 32, uint32_t, __builtin_popcount(x))
NARROWING(popc_64, 64, uint64_t, __builtin_popcountll(x))
NARROWING(clz_32, 32, uint32_t, LEADING_32(x))
NARROWING(clz_64, 64, uint64_t, LEADING_64(x))
/* Position of the highest bit that differs from the sign; all ones when there is none. */
NARROWING(bfind_u32, 32, uint32_t, 31 - LEADING_32(x))
NARROWING(bfind_s32, 32, int32_t, 31 - LEADING_32((uint32_t)(x < 0 ? ~x : x)))
NARROWING(bfind_u64, 64, uint64_t, 63 - LEADING_64(x))
NARROWING(bfind_s64, 64, int64_t, 63 - LEADING_64((uint64_t)(x < 0 ? ~x : x)))
NARROWING(bfind_shift_u32, 32, uint32_t, x == 0 ? FULL_MASK : (uint32_t)LEADING_32(x))
NARROWING(bfind_shift_s32, 32, int32_t,
    x == 0 || x == -1 ? FULL_MASK : (uint32_t)LEADING_32((uint32_t)(x < 0 ? ~x : x)))
NARROWING(bfind_shift_u64, 64, uint64_t, x == 0 ? FULL_MASK : (uint32_t)LEADING_64(x))
NARROWING(bfind_shift_s64, 64, int64_t,
    x == 0 || x == -1 ? FULL_MASK : (uint32_t)LEADING_64((uint64_t)(x < 0 ? ~x : x)))

/* Bit fields: position and length are 8 bits of their operands for 32-bit fields; for 64-bit fields
 * the whole operands count. */
static inline uint32_t field_operand(uint32_t operand, uint32_t width)
{
    return width == 32 ? operand & 255 : operand > 255 ? 255 : operand;
}
#define FIELD(x, W, position, length) \
    ((length) == 0 || (position) >= W \
            ? 0                       \
            : (x) >> (position) &     \
                  ((length) >= W ? ~(uint##W##_t)0 : ((uint##W##_t)1 << (length)) - 1))
static uint64_t extract(uint64_t x, uint32_t position, uint32_t length, int width, bool sign)
{
    position = field_operand(position, (uint32_t)width);
    length = field_operand(length, (uint32_t)width);
    uint64_t field =
        width == 32 ? FIELD((uint32_t)x, 32, position, length) : FIELD(x, 64, position, length);
    if (!sign || length == 0)
        return field;
    uint32_t top = position + length - 1;
    uint32_t msb = top < (uint32_t)width - 1 ? top : (uint32_t)width - 1;
    if ((x >> msb & 1) == 0)
        return field;
    uint32_t kept = position >= (uint32_t)width ? 0 : msb - position + 1;
    return kept >= 64 ? field : field | ~(uint64_t)0 << kept;
}
static uint64_t insert_field(
    uint64_t field, uint64_t into, uint32_t position, uint32_t length, uint32_t width)
{
    position = field_operand(position, width);
    length = field_operand(length, width);
    if (position >= width || length == 0)
        return into;
    if (length > width - position)
        length = width - position;
    uint64_t ones = length >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << length) - 1;
    return (into & ~(ones << position)) | (field & ones) << position;
}
#define EXTRACT(name, W, sign)                                         \
    HANDLER(name)                                                      \
    {                                                                  \
        const uint##W##_t *a = cell(w, i->o[1]);                       \
        const uint32_t *b = cell(w, i->o[2]), *c = cell(w, i->o[3]);   \
        LANE_LOOP_##W((uint##W##_t)extract(a[k], b[k], c[k], W, sign)) \
    }
EXTRACT(bfe_u32, 32, false)
EXTRACT(bfe_s32, 32, true)
EXTRACT(bfe_u64, 64, false)
EXTRACT(bfe_s64, 64, true)
#define INSERT(name, W)                                                     \
    HANDLER(name)                                                           \
    {                                                                       \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);     \
        const uint32_t *c = cell(w, i->o[3]), *e = cell(w, i->o[4]);        \
        LANE_LOOP_##W((uint##W##_t)insert_field(a[k], b[k], c[k], e[k], W)) \
    }
INSERT(bfi_32, 32)
INSERT(bfi_64, 64)

static inline uint32_t mask_field(uint32_t position, uint32_t length, bool wrap)
{
    if (wrap) {
        position &= 31;
        length &= 31;
    }
    if (position >= 32 || length == 0)
        return 0;
    uint32_t ones = length >= 32 ? FULL_MASK : (1u << length) - 1;
    return ones << position;
}
BINARY(bmsk_clamp, 32, uint32_t, mask_field(x, y, false))
BINARY(bmsk_wrap, 32, uint32_t, mask_field(x, y, true))

/* Extends the low `length` bits of x; szext.wrap takes the length modulo 32. */
static inline uint32_t extended_field(uint32_t x, uint32_t length, bool wrap, bool sign)
{
    if (wrap)
        length &= 31;
    if (length == 0 || length >= 32)
        return length == 0 ? 0 : x;
    uint32_t unused = 32 - length;
    return sign ? (uint32_t)((int32_t)(x << unused) >> unused) : x << unused >> unused;
}
BINARY(szext_clamp_u32, 32, uint32_t, extended_field(x, y, false, false))
BINARY(szext_clamp_s32, 32, uint32_t, extended_field(x, y, false, true))
BINARY(szext_wrap_u32, 32, uint32_t, extended_field(x, y, true, false))
BINARY(szext_wrap_s32, 32, uint32_t, extended_field(x, y, true, true))

static uint32_t permute(uint32_t low, uint32_t high, uint32_t selector)
{
    uint64_t bytes = (uint64_t)high << 32 | low;
    uint32_t result = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t pick = selector >> 4 * k & 15;
        uint32_t byte = bytes >> 8 * (pick & 7) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    return result;
}
/* The special modes build the selector from the low two bits. */
static uint32_t permute_mode(uint32_t low, uint32_t high, uint32_t s, int mode)
{
    static const uint16_t selectors[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
        {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
        {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
        {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
        {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
        {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
    };
    return permute(low, high, selectors[mode][s & 3]);
}
TERNARY(prmt, 32, uint32_t, permute(x, y, z))
TERNARY(prmt_mode, 32, uint32_t, permute_mode(x, y, z, i->variant))

/* The n-th set bit of `mask` from `base`, upwards for n > 0, downwards for n < 0. */
static uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    if (base > 31)
        return FULL_MASK;
    if (n == 0)
        return mask >> base & 1 ? base : FULL_MASK;
    int step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) != 0 && --left == 0)
            return (uint32_t)at;
    return FULL_MASK;
}
TERNARY(fns_b32, 32, uint32_t, find_nth_set(x, y, (int32_t)z))

static inline int32_t byte_of(uint32_t word, int at, bool sign)
{
    return sign ? (int8_t)(word >> 8 * at) : (int32_t)(word >> 8 * at & 255);
}
static inline int32_t half_of(uint32_t word, int at, bool sign)
{
    return sign ? (int16_t)(word >> 16 * at) : (int32_t)(word >> 16 * at & 65535);
}
static inline uint32_t dot_4(uint32_t x, uint32_t y, uint32_t sum, bool sx, bool sy)
{
    for (int at = 0; at < 4; at++)
        sum += (uint32_t)(byte_of(x, at, sx) * byte_of(y, at, sy));
    return sum;
}
static inline uint32_t dot_2(uint32_t x, uint32_t y, uint32_t sum, bool sx, bool sy, int high)
{
    for (int at = 0; at < 2; at++)
        sum += (uint32_t)(half_of(x, at, sx) * byte_of(y, at + 2 * high, sy));
    return sum;
}
TERNARY(dp4a, 32, uint32_t, dot_4(x, y, z, i->variant & 1, i->variant >> 1 & 1))
TERNARY(dp2a, 32, uint32_t, dot_2(x, y, z, i->variant & 1, i->variant >> 1 & 1, i->variant >> 2))

/* Two integers, each clamped to the range of half of the result (a quarter: above c). */
static inline uint32_t clamped(uint32_t x, int32_t low, int32_t high)
{
    int32_t value = (int32_t)x;
    return (uint32_t)(value < low ? low : value > high ? high : value);
}
BINARY(pack_u16, 32, uint32_t, clamped(x, 0, 65535) << 16 | clamped(y, 0, 65535))
BINARY(
    pack_s16, 32, uint32_t, clamped(x, -32768, 32767) << 16 | (clamped(y, -32768, 32767) & 0xFFFF))
TERNARY(pack_u8, 32, uint32_t, z << 16 | clamped(x, 0, 255) << 8 | clamped(y, 0, 255))
TERNARY(pack_s8, 32, uint32_t,
    z << 16 | (clamped(x, -128, 127) & 255) << 8 | (clamped(y, -128, 127) & 255))

/* LUT of three inputs: bit (x << 2 | y << 1 | z) of the table. */
HANDLER(lop3)
{
    const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]);
    uint32_t table = *cell_32(w, i->o[4]);
    LANE_LOOP_32(({
        uint32_t result = 0;
        for (int row = 0; row < 8; row++)
            if (table >> row & 1)
                result |=
                    (row & 4 ? a[k] : ~a[k]) & (row & 2 ? b[k] : ~b[k]) & (row & 1 ? c[k] : ~c[k]);
        result;
    }))
}

/* ---- predicates ------------------------------------------------------------------------------ */

#define PREDICATE(name, expression)                                       \
    static void name(struct warp *w, const struct insn *i, uint32_t mask) \
    {                                                                     \
        uint32_t x = *predicate(w, i->o[1]);                              \
        uint32_t y = i->o[2] == NO_CELL ? 0 : *predicate(w, i->o[2]);     \
        (void)y;                                                          \
        put_predicate(w, i->o[0], (expression), mask);                    \
    }
PREDICATE(and_pred, x &y)
PREDICATE(or_pred, x | y)
PREDICATE(xor_pred, x ^ y)
PREDICATE(not_pred, ~x)
PREDICATE(mov_pred, x)

/* setp.cmp d|q, a, b;  setp.cmp.bool d|q, a, b, c;  variant: 0 none, 1 and, 2 or, 3 xor.
 * The operands are o[0] = d, o[1] = a, o[2] = b, o[3] = c or none, o[4] = q or none. */
void set_predicates(struct warp *w, const struct insn *i, uint32_t mask, uint32_t bits)
{
    put_predicate(w, i->o[0], combined_truths(w, i, bits), mask);
    if (i->o[4] != NO_CELL)
        put_predicate(w, i->o[4], combined_truths(w, i, ~bits), mask);
}

#define COMPARE_EQUAL(name, W, T)    \
    COMPARE(eq_##name, W, T, x == y) \
    COMPARE(ne_##name, W, T, x != y)
#define COMPARE_ORDER(name, W, T)    \
    COMPARE(lt_##name, W, T, x < y)  \
    COMPARE(le_##name, W, T, x <= y) \
    COMPARE(gt_##name, W, T, x > y)  \
    COMPARE(ge_##name, W, T, x >= y)
COMPARE_EQUAL(16, 32, uint16_t)
COMPARE_EQUAL(32, 32, uint32_t)
COMPARE_EQUAL(64, 64, uint64_t)
COMPARE_ORDER(u16, 32, uint16_t)
COMPARE_ORDER(s16, 32, int16_t)
COMPARE_ORDER(u32, 32, uint32_t)
COMPARE_ORDER(s32, 32, int32_t)
COMPARE_ORDER(u64, 64, uint64_t)
COMPARE_ORDER(s64, 64, int64_t)

/* ---- selection ------------------------------------------------------------------------------- */

#define SELECT(W)                                                       \
    HANDLER(selp_##W)                                                   \
    {                                                                   \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]); \
        uint32_t p = *predicate(w, i->o[3]);                            \
        LANE_LOOP_##W((p & lane_bit[k]) != 0 ? a[k] : b[k])             \
    }
SELECT(32)
SELECT(64)

HANDLER(slct_32_s32)
{
    const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]);
    LANE_LOOP_32((int32_t)c[k] >= 0 ? a[k] : b[k])
}
HANDLER(slct_64_s32)
{
    const uint64_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);
    const uint32_t *c = cell(w, i->o[3]);
    LANE_LOOP_64((int32_t)c[k] >= 0 ? a[k] : b[k])
}
/* NaN selects b; negative zero counts as zero, and so do denormals when they are flushed. */
static inline bool is_not_negative(uint32_t bits, bool flushes)
{
    return float_of(bits) >= 0 || (flushes && (bits & 0x7F800000) == 0);
}
HANDLER(slct_32_f32)
{
    const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]);
    LANE_LOOP_32(is_not_negative(c[k], i->variant) ? a[k] : b[k])
}
HANDLER(slct_64_f32)
{
    const uint64_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);
    const uint32_t *c = cell(w, i->o[3]);
    LANE_LOOP_64(is_not_negative(c[k], i->variant) ? a[k] : b[k])
}

/* ---- the table ------------------------------------------------------------------------------- */

#define INT CLASS_INTEGER, 0
#define SIGNS(op, W, kinds, handler)    \
    {op ".u" #W, kinds, handler, INT},  \
    {                                   \
        op ".s" #W, kinds, handler, INT \
    }
#define BOTH(op, W, kinds, handler)            \
    {op ".u" #W, kinds, handler##_u##W, INT},  \
    {                                          \
        op ".s" #W, kinds, handler##_s##W, INT \
    }
#define BITS(op, handler)                                                         \
    {op ".b16", "hhh", handler##_32, INT}, {op ".b32", "rrr", handler##_32, INT}, \
        {op ".b64", "lll", handler##_64, INT},                                    \
    {                                                                             \
        op ".pred", "ppp", handler##_pred, INT                                    \
    }
#define COMPARE_ROWS(op, kinds16, kinds32, kinds64, prefix)                                     \
    {op ".eq.b16", kinds16, prefix##_eq_16, INT}, {op ".eq.u16", kinds16, prefix##_eq_16, INT}, \
        {op ".eq.s16", kinds16, prefix##_eq_16, INT},                                           \
        {op ".eq.b32", kinds32, prefix##_eq_32, INT},                                           \
        {op ".eq.u32", kinds32, prefix##_eq_32, INT},                                           \
        {op ".eq.s32", kinds32, prefix##_eq_32, INT},                                           \
        {op ".eq.b64", kinds64, prefix##_eq_64, INT},                                           \
        {op ".eq.u64", kinds64, prefix##_eq_64, INT},                                           \
        {op ".eq.s64", kinds64, prefix##_eq_64, INT},                                           \
        {op ".ne.b16", kinds16, prefix##_ne_16, INT},                                           \
        {op ".ne.u16", kinds16, prefix##_ne_16, INT},                                           \
        {op ".ne.s16", kinds16, prefix##_ne_16, INT},                                           \
        {op ".ne.b32", kinds32, prefix##_ne_32, INT},                                           \
        {op ".ne.u32", kinds32, prefix##_ne_32, INT},                                           \
        {op ".ne.s32", kinds32, prefix##_ne_32, INT},                                           \
        {op ".ne.b64", kinds64, prefix##_ne_64, INT},                                           \
        {op ".ne.u64", kinds64, prefix##_ne_64, INT},                                           \
    {                                                                                           \
        op ".ne.s64", kinds64, prefix##_ne_64, INT                                              \
    }
#define ORDER_ROWS(op, cmp, unsigned_cmp, kinds16, kinds32, kinds64, prefix) \
    {op "." #cmp ".s16", kinds16, prefix##_##cmp##_s16, INT},                \
        {op "." #cmp ".s32", kinds32, prefix##_##cmp##_s32, INT},            \
        {op "." #cmp ".s64", kinds64, prefix##_##cmp##_s64, INT},            \
        {op "." #cmp ".u16", kinds16, prefix##_##cmp##_u16, INT},            \
        {op "." #cmp ".u32", kinds32, prefix##_##cmp##_u32, INT},            \
        {op "." #cmp ".u64", kinds64, prefix##_##cmp##_u64, INT},            \
        {op "." unsigned_cmp ".u16", kinds16, prefix##_##cmp##_u16, INT},    \
        {op "." unsigned_cmp ".u32", kinds32, prefix##_##cmp##_u32, INT},    \
    {                                                                        \
        op "." unsigned_cmp ".u64", kinds64, prefix##_##cmp##_u64, INT       \
    }

#define SLCT(type, kinds, handler)                                \
    {"slct." type ".f32", kinds, handler, CLASS_INTEGER, 0},      \
    {                                                             \
        "slct.ftz." type ".f32", kinds, handler, CLASS_INTEGER, 1 \
    }

const struct exec_row exec_integer_rows[] = {
    SIGNS("add", 16, "hhh", add_32),
    SIGNS("add", 32, "rrr", add_32),
    SIGNS("add", 64, "lll", add_64),
    {"add.sat.s32", "rrr", add_sat_s32, INT},
    SIGNS("sub", 16, "hhh", sub_32),
    SIGNS("sub", 32, "rrr", sub_32),
    SIGNS("sub", 64, "lll", sub_64),
    {"sub.sat.s32", "rrr", sub_sat_s32, INT},
    SIGNS("mul.lo", 16, "hhh", mul_lo_16),
    SIGNS("mul.lo", 32, "rrr", mul_lo_32),
    SIGNS("mul.lo", 64, "lll", mul_lo_64),
    BOTH("mul.hi", 16, "hhh", mul_hi),
    BOTH("mul.hi", 32, "rrr", mul_hi),
    BOTH("mul.hi", 64, "lll", mul_hi),
    BOTH("mul.wide", 16, "rhh", mul_wide),
    BOTH("mul.wide", 32, "lrr", mul_wide),
    SIGNS("mad.lo", 16, "hhhh", mad_lo_16),
    SIGNS("mad.lo", 32, "rrrr", mad_lo_32),
    SIGNS("mad.lo", 64, "llll", mad_lo_64),
    BOTH("mad.hi", 16, "hhhh", mad_hi),
    BOTH("mad.hi", 32, "rrrr", mad_hi),
    BOTH("mad.hi", 64, "llll", mad_hi),
    {"mad.hi.sat.s32", "rrrr", mad_hi_sat_s32, INT},
    {"mad.wide.u16", "rhhr", mad_wide_u16_base, INT},
    {"mad.wide.s16", "rhhr", mad_wide_s16_base, INT},
    BOTH("mad.wide", 32, "lrrl", mad_wide),
    BOTH("mul24.lo", 32, "rrr", mul24_lo),
    BOTH("mul24.hi", 32, "rrr", mul24_hi),
    BOTH("mad24.lo", 32, "rrrr", mad24_lo),
    BOTH("mad24.hi", 32, "rrrr", mad24_hi),
    {"mad24.hi.sat.s32", "rrrr", mad24_hi_sat_s32, INT},
    BOTH("div", 16, "hhh", div),
    BOTH("div", 32, "rrr", div),
    BOTH("div", 64, "lll", div),
    BOTH("rem", 16, "hhh", rem),
    BOTH("rem", 32, "rrr", rem),
    BOTH("rem", 64, "lll", rem),
    BOTH("min", 16, "hhh", min),
    BOTH("min", 32, "rrr", min),
    BOTH("min", 64, "lll", min),
    BOTH("max", 16, "hhh", max),
    BOTH("max", 32, "rrr", max),
    BOTH("max", 64, "lll", max),
    {"neg.s16", "hh", neg_32, INT},
    {"neg.s32", "rr", neg_32, INT},
    {"neg.s64", "ll", neg_64, INT},
    {"abs.s16", "hh", abs_16, INT},
    {"abs.s32", "rr", abs_32, INT},
    {"abs.s64", "ll", abs_64, INT},
    BOTH("sad", 16, "hhhh", sad),
    BOTH("sad", 32, "rrrr", sad),
    BOTH("sad", 64, "llll", sad),

    SIGNS("add.cc", 32, "rrr", add_cc_32),
    SIGNS("add.cc", 64, "lll", add_cc_64),
    SIGNS("addc", 32, "rrr", addc_32),
    SIGNS("addc", 64, "lll", addc_64),
    SIGNS("addc.cc", 32, "rrr", addc_cc_32),
    SIGNS("addc.cc", 64, "lll", addc_cc_64),
    SIGNS("sub.cc", 32, "rrr", sub_cc_32),
    SIGNS("sub.cc", 64, "lll", sub_cc_64),
    SIGNS("subc", 32, "rrr", subc_32),
    SIGNS("subc", 64, "lll", subc_64),
    SIGNS("subc.cc", 32, "rrr", subc_cc_32),
    SIGNS("subc.cc", 64, "lll", subc_cc_64),
    SIGNS("mad.lo.cc", 32, "rrrr", mad_lo_cc_32),
    SIGNS("mad.lo.cc", 64, "llll", mad_lo_cc_64),
    SIGNS("madc.lo", 32, "rrrr", madc_lo_32),
    SIGNS("madc.lo", 64, "llll", madc_lo_64),
    SIGNS("madc.lo.cc", 32, "rrrr", madc_lo_cc_32),
    SIGNS("madc.lo.cc", 64, "llll", madc_lo_cc_64),
    BOTH("mad.hi.cc", 32, "rrrr", mad_hi_cc),
    BOTH("mad.hi.cc", 64, "llll", mad_hi_cc),
    BOTH("madc.hi", 32, "rrrr", madc_hi),
    BOTH("madc.hi", 64, "llll", madc_hi),
    BOTH("madc.hi.cc", 32, "rrrr", madc_hi_cc),
    BOTH("madc.hi.cc", 64, "llll", madc_hi_cc),

    BITS("and", and),
    BITS("or", or),
    BITS("xor", xor),
    {"not.b16", "hh", not_32, INT},
    {"not.b32", "rr", not_32, INT},
    {"not.b64", "ll", not_64, INT},
    {"not.pred", "pp", not_pred, INT},
    {"mov.pred", "pp", mov_pred, INT},
    {"cnot.b16", "hh", cnot_16, INT},
    {"cnot.b32", "rr", cnot_32, INT},
    {"cnot.b64", "ll", cnot_64, INT},
    {"shl.b16", "hhr", shl_16, INT},
    {"shl.b32", "rrr", shl_32, INT},
    {"shl.b64", "llr", shl_64, INT},
    {"shr.b16", "hhr", shr_u16, INT},
    {"shr.b32", "rrr", shr_u32, INT},
    {"shr.b64", "llr", shr_u64, INT},
    BOTH("shr", 16, "hhr", shr),
    BOTH("shr", 32, "rrr", shr),
    BOTH("shr", 64, "llr", shr),
    {"shf.l.wrap.b32", "rrrr", shf_l_wrap, INT},
    {"shf.r.wrap.b32", "rrrr", shf_r_wrap, INT},
    {"shf.l.clamp.b32", "rrrr", shf_l_clamp, INT},
    {"shf.r.clamp.b32", "rrrr", shf_r_clamp, INT},
    {"brev.b32", "rr", brev_32, INT},
    {"brev.b64", "ll", brev_64, INT},
    {"popc.b32", "rr", popc_32, INT},
    {"popc.b64", "rl", popc_64, INT},
    {"clz.b32", "rr", clz_32, INT},
    {"clz.b64", "rl", clz_64, INT},
    BOTH("bfind", 32, "rr", bfind),
    BOTH("bfind", 64, "rl", bfind),
    BOTH("bfind.shiftamt", 32, "rr", bfind_shift),
    BOTH("bfind.shiftamt", 64, "rl", bfind_shift),
    BOTH("bfe", 32, "rrrr", bfe),
    BOTH("bfe", 64, "llrr", bfe),
    {"bfi.b32", "rrrrr", bfi_32, INT},
    {"bfi.b64", "lllrr", bfi_64, INT},
    {"bmsk.clamp.b32", "rrr", bmsk_clamp, INT},
    {"bmsk.wrap.b32", "rrr", bmsk_wrap, INT},
    BOTH("szext.clamp", 32, "rrr", szext_clamp),
    BOTH("szext.wrap", 32, "rrr", szext_wrap),
    {"prmt.b32", "rrrr", prmt, INT},
    {"prmt.b32.f4e", "rrrr", prmt_mode, CLASS_INTEGER, 0},
    {"prmt.b32.b4e", "rrrr", prmt_mode, CLASS_INTEGER, 1},
    {"prmt.b32.rc8", "rrrr", prmt_mode, CLASS_INTEGER, 2},
    {"prmt.b32.ecl", "rrrr", prmt_mode, CLASS_INTEGER, 3},
    {"prmt.b32.ecr", "rrrr", prmt_mode, CLASS_INTEGER, 4},
    {"prmt.b32.rc16", "rrrr", prmt_mode, CLASS_INTEGER, 5},
    {"fns.b32", "rrrr", fns_b32, INT},
    {"cvt.pack.sat.u16.s32", "rrr", pack_u16, INT},
    {"cvt.pack.sat.s16.s32", "rrr", pack_s16, INT},
    {"cvt.pack.sat.u8.s32.b32", "rrrr", pack_u8, INT},
    {"cvt.pack.sat.s8.s32.b32", "rrrr", pack_s8, INT},
    {"lop3.b32", "rrrrr", lop3, INT},
    {"dp4a.u32.u32", "rrrr", dp4a, CLASS_INTEGER, 0},
    {"dp4a.s32.u32", "rrrr", dp4a, CLASS_INTEGER, 1},
    {"dp4a.u32.s32", "rrrr", dp4a, CLASS_INTEGER, 2},
    {"dp4a.s32.s32", "rrrr", dp4a, CLASS_INTEGER, 3},
    {"dp2a.lo.u32.u32", "rrrr", dp2a, CLASS_INTEGER, 0},
    {"dp2a.lo.s32.u32", "rrrr", dp2a, CLASS_INTEGER, 1},
    {"dp2a.lo.u32.s32", "rrrr", dp2a, CLASS_INTEGER, 2},
    {"dp2a.lo.s32.s32", "rrrr", dp2a, CLASS_INTEGER, 3},
    {"dp2a.hi.u32.u32", "rrrr", dp2a, CLASS_INTEGER, 4},
    {"dp2a.hi.s32.u32", "rrrr", dp2a, CLASS_INTEGER, 5},
    {"dp2a.hi.u32.s32", "rrrr", dp2a, CLASS_INTEGER, 6},
    {"dp2a.hi.s32.s32", "rrrr", dp2a, CLASS_INTEGER, 7},

    COMPARE_ROWS("setp", "phh", "prr", "pll", setp),
    ORDER_ROWS("setp", lt, "lo", "phh", "prr", "pll", setp),
    ORDER_ROWS("setp", le, "ls", "phh", "prr", "pll", setp),
    ORDER_ROWS("setp", gt, "hi", "phh", "prr", "pll", setp),
    ORDER_ROWS("setp", ge, "hs", "phh", "prr", "pll", setp),
    COMPARE_ROWS("set", "rhh", "rrr", "rll", set),
    ORDER_ROWS("set", lt, "lo", "rhh", "rrr", "rll", set),
    ORDER_ROWS("set", le, "ls", "rhh", "rrr", "rll", set),
    ORDER_ROWS("set", gt, "hi", "rhh", "rrr", "rll", set),
    ORDER_ROWS("set", ge, "hs", "rhh", "rrr", "rll", set),

    {"selp.b16", "hhhp", selp_32, INT},
    {"selp.u16", "hhhp", selp_32, INT},
    {"selp.s16", "hhhp", selp_32, INT},
    {"selp.b32", "rrrp", selp_32, INT},
    {"selp.u32", "rrrp", selp_32, INT},
    {"selp.s32", "rrrp", selp_32, INT},
    {"selp.f32", "fffp", selp_32, INT},
    {"selp.b64", "lllp", selp_64, INT},
    {"selp.u64", "lllp", selp_64, INT},
    {"selp.s64", "lllp", selp_64, INT},
    {"selp.f64", "dddp", selp_64, INT},
    {"slct.b16.s32", "hhhr", slct_32_s32, INT},
    {"slct.u16.s32", "hhhr", slct_32_s32, INT},
    {"slct.s16.s32", "hhhr", slct_32_s32, INT},
    {"slct.b32.s32", "rrrr", slct_32_s32, INT},
    {"slct.u32.s32", "rrrr", slct_32_s32, INT},
    {"slct.s32.s32", "rrrr", slct_32_s32, INT},
    {"slct.f32.s32", "fffr", slct_32_s32, INT},
    {"slct.b64.s32", "lllr", slct_64_s32, INT},
    {"slct.u64.s32", "lllr", slct_64_s32, INT},
    {"slct.s64.s32", "lllr", slct_64_s32, INT},
    {"slct.f64.s32", "dddr", slct_64_s32, INT},
    SLCT("b16", "hhhf", slct_32_f32),
    SLCT("u16", "hhhf", slct_32_f32),
    SLCT("s16", "hhhf", slct_32_f32),
    SLCT("b32", "rrrf", slct_32_f32),
    SLCT("u32", "rrrf", slct_32_f32),
    SLCT("s32", "rrrf", slct_32_f32),
    SLCT("f32", "ffff", slct_32_f32),
    SLCT("b64", "lllf", slct_64_f32),
    SLCT("u64", "lllf", slct_64_f32),
    SLCT("s64", "lllf", slct_64_f32),
    SLCT("f64", "dddf", slct_64_f32),
    {0},
};
