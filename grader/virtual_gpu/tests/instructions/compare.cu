/* Comparison and selection: setp, set, selp, slct. */
#include "instructions.h"

/* Comparisons that integers have, and which floating-point numbers have besides. */
#define EQUALITIES(form, ...) form(eq, __VA_ARGS__) form(ne, __VA_ARGS__)
#define ORDERS(form, ...) \
    form(lt, __VA_ARGS__) form(le, __VA_ARGS__) form(gt, __VA_ARGS__) form(ge, __VA_ARGS__)
#define UNSIGNED_ORDERS(form, ...) \
    form(lo, __VA_ARGS__) form(ls, __VA_ARGS__) form(hi, __VA_ARGS__) form(hs, __VA_ARGS__)
#define UNORDERED(form, ...)                                                                    \
    form(equ, __VA_ARGS__) form(neu, __VA_ARGS__) form(ltu, __VA_ARGS__) form(leu, __VA_ARGS__) \
        form(gtu, __VA_ARGS__) form(geu, __VA_ARGS__) form(num, __VA_ARGS__)                    \
            form(nan, __VA_ARGS__)
#define FLOAT_COMPARISONS(form, ...) \
    EQUALITIES(form, __VA_ARGS__) ORDERS(form, __VA_ARGS__) UNORDERED(form, __VA_ARGS__)

/* setp: the mnemonic's type, the kind of operands. */
#define SETP(cmp, type, kind) CASE2("setp." #cmp "." type, pred, kind, kind)
EQUALITIES(SETP, "b16", u16)
EQUALITIES(SETP, "b32", u32)
EQUALITIES(SETP, "b64", u64)
#define SETP_INTEGER(bits)               \
    EQUALITIES(SETP, "u" #bits, u##bits) \
    EQUALITIES(SETP, "s" #bits, s##bits) \
    ORDERS(SETP, "u" #bits, u##bits)     \
    ORDERS(SETP, "s" #bits, s##bits)     \
    UNSIGNED_ORDERS(SETP, "u" #bits, u##bits)
SETP_INTEGER(16)
SETP_INTEGER(32)
SETP_INTEGER(64)
FLOAT_COMPARISONS(SETP, "f32", f32)
FLOAT_COMPARISONS(SETP, "ftz.f32", f32)
FLOAT_COMPARISONS(SETP, "f64", f64)
FLOAT_COMPARISONS(SETP, "f16", f16)
FLOAT_COMPARISONS(SETP, "ftz.f16", f16)
#define SETP_PAIR(cmp, type, kind)                                                                 \
    CASE("setp." #cmp "." type, "setp." #cmp "." type " d|e, x, y;", pred, pred, kind, kind, none, \
        none)
FLOAT_COMPARISONS(SETP_PAIR, "f16x2", f16x2)
FLOAT_COMPARISONS(SETP_PAIR, "ftz.f16x2", f16x2)

/* Two results, and combined with a third predicate. */
#define SETP_COMBINED(cmp, type, kind)                                                             \
    CASE("setp." #cmp "." type " d|e", "setp." #cmp "." type " d|e, x, y;", pred, pred, kind,      \
        kind, none, none)                                                                          \
    CASE("setp." #cmp ".and." type, "setp." #cmp ".and." type " d|e, x, y, z;", pred, pred, kind,  \
        kind, pred, none)                                                                          \
    CASE("setp." #cmp ".or." type, "setp." #cmp ".or." type " d|e, x, y, z;", pred, pred, kind,    \
        kind, pred, none)                                                                          \
    CASE("setp." #cmp ".xor." type, "setp." #cmp ".xor." type " d|e, x, y, z;", pred, pred, kind,  \
        kind, pred, none)                                                                          \
    CASE("setp." #cmp ".and." type " !z", "setp." #cmp ".and." type " d|e, x, y, !z;", pred, pred, \
        kind, kind, pred, none)
SETP_COMBINED(eq, "b32", u32)
SETP_COMBINED(lt, "u16", u16)
SETP_COMBINED(lt, "s32", s32)
SETP_COMBINED(ge, "u64", u64)
SETP_COMBINED(lt, "f32", f32)
SETP_COMBINED(neu, "ftz.f32", f32)
SETP_COMBINED(gtu, "f64", f64)
#define SETP_COMBINED_HALF(cmp, op)                                                                \
    CASE("setp." #cmp "." op ".f16", "setp." #cmp "." op ".f16 d, x, y, z;", pred, none, f16, f16, \
        pred, none)                                                                                \
    CASE("setp." #cmp "." op ".f16x2", "setp." #cmp "." op ".f16x2 d|e, x, y, z;", pred, pred,     \
        f16x2, f16x2, pred, none)
SETP_COMBINED_HALF(lt, "and")
SETP_COMBINED_HALF(geu, "or")
SETP_COMBINED_HALF(ne, "xor")

/* set: all ones, or 1.0 when the result is a number. */
#define SET(cmp, result, type, kind) CASE2("set." #cmp "." #result "." type, result, kind, kind)
#define SET_INTEGER(bits)                    \
    EQUALITIES(SET, u32, "b" #bits, u##bits) \
    EQUALITIES(SET, s32, "b" #bits, u##bits) \
    EQUALITIES(SET, f32, "b" #bits, u##bits) \
    ORDERS(SET, u32, "u" #bits, u##bits)     \
    ORDERS(SET, u32, "s" #bits, s##bits)     \
    ORDERS(SET, f32, "s" #bits, s##bits)     \
    UNSIGNED_ORDERS(SET, s32, "u" #bits, u##bits)
SET_INTEGER(16)
SET_INTEGER(32)
SET_INTEGER(64)
FLOAT_COMPARISONS(SET, u32, "f32", f32)
FLOAT_COMPARISONS(SET, f32, "f32", f32)
FLOAT_COMPARISONS(SET, s32, "f64", f64)
FLOAT_COMPARISONS(SET, f32, "f64", f64)
FLOAT_COMPARISONS(SET, f16, "f16", f16)
FLOAT_COMPARISONS(SET, u16, "f16", f16)
FLOAT_COMPARISONS(SET, u32, "f16", f16)
FLOAT_COMPARISONS(SET, f16x2, "f16x2", f16x2)
#define SET_FTZ(cmp, result, type, kind) \
    CASE2("set." #cmp ".ftz." #result "." type, result, kind, kind)
FLOAT_COMPARISONS(SET_FTZ, u32, "f32", f32)
FLOAT_COMPARISONS(SET_FTZ, f16, "f16", f16)
FLOAT_COMPARISONS(SET_FTZ, f16x2, "f16x2", f16x2)
SET(lt, f16, "f32", f32)
SET(lt, f16, "s32", s32)
SET(lt, f16, "u64", u64)
SET(lt, f16, "f64", f64)
SET(eq, s16, "f16", f16)
SET(eq, s32, "f16", f16)
#define SET_COMBINED(op, cmp, result, type, kind)                                                \
    CASE("set." #cmp "." op "." #result "." type,                                                \
        "set." #cmp "." op "." #result "." type " d, x, y, z;", result, none, kind, kind, pred,  \
        none)                                                                                    \
    CASE("set." #cmp "." op "." #result "." type " !z",                                          \
        "set." #cmp "." op "." #result "." type " d, x, y, !z;", result, none, kind, kind, pred, \
        none)
SET_COMBINED("and", lt, u32, "s32", s32)
SET_COMBINED("or", lt, s32, "u64", u64)
SET_COMBINED("xor", eq, u32, "b32", u32)
SET_COMBINED("and", gtu, f32, "f32", f32)
SET_COMBINED("or", num, u32, "f64", f64)
SET_COMBINED("and", lt, f16, "f16", f16)

#define SELP(type, kind) CASE3("selp." type, kind, kind, kind, pred)
SELP("b16", u16)
SELP("u16", u16)
SELP("s16", s16)
SELP("b32", u32)
SELP("u32", u32)
SELP("s32", s32)
SELP("f32", f32)
SELP("b64", u64)
SELP("u64", u64)
SELP("s64", s64)
SELP("f64", f64)
#define SLCT(type, kind)                              \
    CASE3("slct." type ".s32", kind, kind, kind, s32) \
    CASE3("slct." type ".f32", kind, kind, kind, f32) \
    CASE3("slct.ftz." type ".f32", kind, kind, kind, f32)
SLCT("b16", u16)
SLCT("u16", u16)
SLCT("s16", s16)
SLCT("b32", u32)
SLCT("u32", u32)
SLCT("s32", s32)
SLCT("f32", f32)
SLCT("b64", u64)
SLCT("u64", u64)
SLCT("s64", s64)
SLCT("f64", f64)
