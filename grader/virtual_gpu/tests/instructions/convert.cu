/* cvt between all types, and moves that pack and unpack. */
#include "instructions.h"

/* Results of 8 and 16 bits go to 32-bit registers, so that their extension shows; narrow sources
 * come from 32-bit registers with other bits above them. */
#define INTEGER(to, D, from, A) CASE1("cvt." #to "." #from, D, A)
#define FROM_INTEGERS(form, to, D)                                   \
    form(to, D, u8, u32) form(to, D, s8, u32) form(to, D, u16, u32)  \
        form(to, D, s16, u32) form(to, D, u32, u32)                  \
            form(to, D, s32, s32) form(to, D, u64, u64)              \
                form(to, D, s64, s64)
FROM_INTEGERS(INTEGER, u8, u32)
FROM_INTEGERS(INTEGER, s8, s32)
FROM_INTEGERS(INTEGER, u16, u32)
FROM_INTEGERS(INTEGER, s16, s32)
FROM_INTEGERS(INTEGER, u32, u32)
FROM_INTEGERS(INTEGER, s32, s32)
FROM_INTEGERS(INTEGER, u64, u64)
FROM_INTEGERS(INTEGER, s64, s64)
/* Saturation exists where the source has values that the result lacks. */
#define SATURATING(to, D, from, A) CASE1("cvt.sat." #to "." #from, D, A)
#define FROM_WIDER(form, to, D)                                              \
    form(to, D, u16, u32) form(to, D, s16, u32) form(to, D, u32, u32)         \
        form(to, D, s32, s32) form(to, D, u64, u64) form(to, D, s64, s64)
FROM_WIDER(SATURATING, u8, u32)
SATURATING(u8, u32, s8, u32)
FROM_WIDER(SATURATING, s8, s32)
SATURATING(s8, s32, u8, u32)
#define FROM_32_AND_64(form, to, D)                                          \
    form(to, D, u32, u32) form(to, D, s32, s32) form(to, D, u64, u64)         \
        form(to, D, s64, s64)
FROM_32_AND_64(SATURATING, u16, u32)
SATURATING(u16, u32, s8, u32)
SATURATING(u16, u32, s16, u32)
FROM_32_AND_64(SATURATING, s16, s32)
SATURATING(s16, s32, u16, u32)
SATURATING(u32, u32, s8, u32)
SATURATING(u32, u32, s16, u32)
SATURATING(u32, u32, s32, s32)
SATURATING(u32, u32, u64, u64)
SATURATING(u32, u32, s64, s64)
SATURATING(s32, s32, u32, u32)
SATURATING(s32, s32, u64, u64)
SATURATING(s32, s32, s64, s64)
SATURATING(u64, u64, s8, u32)
SATURATING(u64, u64, s16, u32)
SATURATING(u64, u64, s32, s32)
SATURATING(u64, u64, s64, s64)
SATURATING(s64, s64, u64, u64)
/* Into and out of 16- and 64-bit registers. */
CASE("cvt.s16.s8 16-bit", "cvt.s16.s8 d, x;", s16, none, s16, none, none, none)
CASE("cvt.u16.u8 16-bit", "cvt.u16.u8 d, x;", u16, none, u16, none, none, none)
CASE("cvt.u32.u16 16-bit", "cvt.u32.u16 d, x;", u32, none, u16, none, none, none)
CASE("cvt.s32.s16 16-bit", "cvt.s32.s16 d, x;", s32, none, s16, none, none, none)
CASE("cvt.s32.s8 16-bit", "cvt.s32.s8 d, x;", s32, none, s16, none, none, none)
CASE("cvt.u64.u16 16-bit", "cvt.u64.u16 d, x;", u64, none, u16, none, none, none)
CASE("cvt.s8.s32 64-bit", "cvt.s8.s32 d, x;", s64, none, s32, none, none, none)
CASE("cvt.u16.u32 16-bit", "cvt.u16.u32 d, x;", u16, none, u32, none, none, none)

#define ROUNDINGS(form, ...) \
    form("rn", __VA_ARGS__) form("rz", __VA_ARGS__) form("rm", __VA_ARGS__) form("rp", __VA_ARGS__)
#define WHOLE(form, ...) \
    form("rni", __VA_ARGS__) form("rzi", __VA_ARGS__) form("rmi", __VA_ARGS__) form("rpi", __VA_ARGS__)
#define CVT(rounding, to, D, from, A) CASE1("cvt." rounding "." #to "." #from, D, A)
#define CVT_SAT(rounding, to, D, from, A) CASE1("cvt." rounding ".sat." #to "." #from, D, A)
#define CVT_FTZ(rounding, to, D, from, A) CASE1("cvt." rounding ".ftz." #to "." #from, D, A)
#define CVT_FTZ_SAT(rounding, to, D, from, A) CASE1("cvt." rounding ".ftz.sat." #to "." #from, D, A)

#define TO_FLOATS(from, A)                  \
    ROUNDINGS(CVT, f16, f16, from, A)       \
    ROUNDINGS(CVT, f32, f32, from, A)       \
    ROUNDINGS(CVT, f64, f64, from, A)
TO_FLOATS(u8, u32)
TO_FLOATS(s8, u32)
TO_FLOATS(u16, u16)
TO_FLOATS(s16, s16)
TO_FLOATS(u32, u32)
TO_FLOATS(s32, s32)
TO_FLOATS(u64, u64)
TO_FLOATS(s64, s64)
CVT_SAT("rn", f32, f32, s32, s32)
CVT_SAT("rn", f16, f16, s32, s32)
CVT_SAT("rn", f64, f64, s64, s64)
CVT_SAT("rz", f32, f32, u64, u64)

#define TO_INTEGER(to, D)                            \
    WHOLE(CVT, to, D, f16, f16)                      \
    WHOLE(CVT, to, D, f32, convert32)                \
    WHOLE(CVT_FTZ, to, D, f32, convert32)            \
    WHOLE(CVT, to, D, f64, convert64)                \
    CVT_SAT("rzi", to, D, f32, convert32)            \
    CVT_SAT("rzi", to, D, f64, convert64)
TO_INTEGER(u8, u32)
TO_INTEGER(s8, s32)
TO_INTEGER(u16, u16)
TO_INTEGER(s16, s16)
TO_INTEGER(u32, u32)
TO_INTEGER(s32, s32)
TO_INTEGER(u64, u64)
TO_INTEGER(s64, s64)

/* Between floating-point types: exact ones need no rounding. */
CASE1("cvt.f32.f16", f32, f16)
CASE1("cvt.ftz.f32.f16", f32, f16)
CASE1("cvt.sat.f32.f16", f32, f16)
CASE1("cvt.ftz.sat.f32.f16", f32, f16)
CASE1("cvt.f64.f16", f64, f16)
CASE1("cvt.sat.f64.f16", f64, f16)
CASE1("cvt.f64.f32", f64, convert32)
CASE1("cvt.ftz.f64.f32", f64, convert32)
CASE1("cvt.sat.f64.f32", f64, convert32)
CASE1("cvt.f32.f32", f32, convert32)
CASE1("cvt.ftz.f32.f32", f32, convert32)
CASE1("cvt.sat.f32.f32", f32, convert32)
CASE1("cvt.ftz.sat.f32.f32", f32, convert32)
CASE1("cvt.f64.f64", f64, convert64)
CASE1("cvt.sat.f64.f64", f64, convert64)
CASE1("cvt.f16.f16", f16, f16)
CASE1("cvt.sat.f16.f16", f16, f16)
ROUNDINGS(CVT, f16, f16, f32, convert32)
ROUNDINGS(CVT_FTZ, f16, f16, f32, convert32)
ROUNDINGS(CVT_SAT, f16, f16, f32, convert32)
ROUNDINGS(CVT_FTZ_SAT, f16, f16, f32, convert32)
ROUNDINGS(CVT, f16, f16, f64, convert64)
ROUNDINGS(CVT_SAT, f16, f16, f64, convert64)
ROUNDINGS(CVT, f32, f32, f64, convert64)
ROUNDINGS(CVT_FTZ, f32, f32, f64, convert64)
ROUNDINGS(CVT_SAT, f32, f32, f64, convert64)
ROUNDINGS(CVT_FTZ_SAT, f32, f32, f64, convert64)
WHOLE(CVT, f16, f16, f16, f16)
WHOLE(CVT, f32, f32, f32, convert32)
WHOLE(CVT_FTZ, f32, f32, f32, convert32)
WHOLE(CVT_SAT, f32, f32, f32, convert32)
WHOLE(CVT_FTZ_SAT, f32, f32, f32, convert32)
WHOLE(CVT, f64, f64, f64, convert64)
WHOLE(CVT_SAT, f64, f64, f64, convert64)

CVT("rn", bf16, bf16, f32, convert32)
CVT("rz", bf16, bf16, f32, convert32)
CVT("rn.relu", bf16, bf16, f32, convert32)
CVT("rz.relu", bf16, bf16, f32, convert32)
CVT("rn.relu", f16, f16, f32, convert32)
CVT("rz.relu", f16, f16, f32, convert32)
CASE1("cvt.rna.tf32.f32", f32, convert32)
CASE1("cvt.f32.bf16", f32, bf16)
#define PAIR(rounding, to, D) CASE2("cvt." rounding "." #to ".f32", D, convert32, convert32)
PAIR("rn", f16x2, f16x2)
PAIR("rz", f16x2, f16x2)
PAIR("rn.relu", f16x2, f16x2)
PAIR("rz.relu", f16x2, f16x2)
PAIR("rn", bf16x2, bf16x2)
PAIR("rz", bf16x2, bf16x2)
PAIR("rn.relu", bf16x2, bf16x2)
PAIR("rz.relu", bf16x2, bf16x2)
CASE2("cvt.pack.sat.u16.s32", u32, s32, s32)
CASE2("cvt.pack.sat.s16.s32", u32, s32, s32)
CASE3("cvt.pack.sat.u8.s32.b32", u32, s32, s32, u32)
CASE3("cvt.pack.sat.s8.s32.b32", u32, s32, s32, u32)

/* ---- moves ----------------------------------------------------------------------------------- */

CASE1("mov.b16", u16, u16)
CASE1("mov.u16", u16, u16)
CASE1("mov.s16", s16, s16)
CASE1("mov.b32", u32, u32)
CASE1("mov.u32", u32, u32)
CASE1("mov.s32", s32, s32)
CASE1("mov.f32", f32, f32)
CASE1("mov.b64", u64, u64)
CASE1("mov.u64", u64, u64)
CASE1("mov.s64", s64, s64)
CASE1("mov.f64", f64, f64)
CASE1("mov.pred", pred, pred)
CASE("mov.b32 {x, y}", "mov.b32 d, {x, y};", u32, none, u16, u16, none, none)
CASE("mov.b64 {x, y}", "mov.b64 d, {x, y};", u64, none, u32, u32, none, none)
CASE("mov.b64 {x, y, z, v}", "mov.b64 d, {x, y, z, v};", u64, none, u16, u16, u16, u16)
CASE("mov.b32 {d, e}", "mov.b32 {d, e}, x;", u16, u16, u32, none, none, none)
CASE("mov.b64 {d, e}", "mov.b64 {d, e}, x;", u32, u32, u64, none, none, none)
CASE("mov.b64 {_, d, _, e}", ".reg .b16 a, b;\n\tmov.b64 {a, d, b, e}, x;", u16, u16, u64, none,
    none, none)
CASE("mov.b64 {d, _}", "mov.b64 {d, _}, x;", u32, none, u64, none, none, none)
