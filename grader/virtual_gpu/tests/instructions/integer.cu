/* Integer arithmetic, carries, logic, shifts, bit fields, bytes. */
#include "instructions.h"

#define SIGNS(op, form, bits) \
    form(op ".u" #bits, u##bits, u##bits, u##bits) form(op ".s" #bits, s##bits, s##bits, s##bits)
#define ALL_TYPES(op)    \
    SIGNS(op, CASE2, 16) \
    SIGNS(op, CASE2, 32) \
    SIGNS(op, CASE2, 64)
#define SIGNED(op)             \
    CASE1(op ".s16", s16, s16) \
    CASE1(op ".s32", s32, s32) \
    CASE1(op ".s64", s64, s64)
#define TERNARY(op, type) CASE3(op "." #type, type, type, type, type)
#define ALL_TERNARY(op) \
    TERNARY(op, u16)    \
    TERNARY(op, s16)    \
    TERNARY(op, u32)    \
    TERNARY(op, s32)    \
    TERNARY(op, u64)    \
    TERNARY(op, s64)

/* ---- arithmetic ------------------------------------------------------------------------------ */

ALL_TYPES("add")
ALL_TYPES("sub")
CASE2("add.sat.s32", s32, s32, s32)
CASE2("sub.sat.s32", s32, s32, s32)
ALL_TYPES("mul.lo")
ALL_TYPES("mul.hi")
CASE2("mul.wide.u16", u32, u16, u16)
CASE2("mul.wide.s16", s32, s16, s16)
CASE2("mul.wide.u32", u64, u32, u32)
CASE2("mul.wide.s32", s64, s32, s32)
ALL_TERNARY("mad.lo")
ALL_TERNARY("mad.hi")
CASE3("mad.wide.u16", u32, u16, u16, u32)
CASE3("mad.wide.s16", s32, s16, s16, s32)
CASE3("mad.wide.u32", u64, u32, u32, u64)
CASE3("mad.wide.s32", s64, s32, s32, s64)
TERNARY("mad.hi.sat", s32)
CASE2("mul24.lo.u32", u32, u32, u32)
CASE2("mul24.lo.s32", s32, s32, s32)
CASE2("mul24.hi.u32", u32, u32, u32)
CASE2("mul24.hi.s32", s32, s32, s32)
TERNARY("mad24.lo", u32)
TERNARY("mad24.lo", s32)
TERNARY("mad24.hi", u32)
TERNARY("mad24.hi", s32)
TERNARY("mad24.hi.sat", s32)
ALL_TYPES("div")
ALL_TYPES("rem")
ALL_TYPES("min")
ALL_TYPES("max")
SIGNED("neg")
SIGNED("abs")
ALL_TERNARY("sad")

/* Dot products of four bytes, or of two halves and two bytes, with a sum. */
#define DOT(a, b)                                          \
    CASE3("dp4a." #a "32." #b "32", s32, u32, u32, u32)    \
    CASE3("dp2a.lo." #a "32." #b "32", s32, u32, u32, u32) \
    CASE3("dp2a.hi." #a "32." #b "32", s32, u32, u32, u32)
DOT(u, u)
DOT(u, s)
DOT(s, u)
DOT(s, s)

/* ---- carries --------------------------------------------------------------------------------- */

/* The low halves set the flag, the high halves use it, a last one shows what they set. */
#define CHAIN(op, bits, sign)                                                                      \
    CASE(#op ".cc." #sign #bits " " #op "c." #sign #bits,                                          \
        #op ".cc." #sign #bits " d, x, y;\n\t" #op "c." #sign #bits " e, z, v;", u##bits, u##bits, \
        u##bits, u##bits, u##bits, u##bits)                                                        \
    CASE(#op ".cc." #sign #bits " " #op "c.cc." #sign #bits " " #op "c." #sign #bits,              \
        ".reg .b" #bits " t;\n\t" #op ".cc." #sign #bits " t, x, y;\n\t" #op "c.cc." #sign #bits   \
        " d, z, v;\n\t" #op "c." #sign #bits " e, x, z;",                                          \
        u##bits, u##bits, u##bits, u##bits, u##bits, u##bits)
CHAIN(add, 32, u)
CHAIN(add, 32, s)
CHAIN(add, 64, u)
CHAIN(add, 64, s)
CHAIN(sub, 32, u)
CHAIN(sub, 32, s)
CHAIN(sub, 64, u)
CHAIN(sub, 64, s)
#define CHAIN_MAD(half, sign, bits)                                                         \
    CASE("mad." #half ".cc." #sign #bits " madc." #half "." #sign #bits,                    \
        "mad." #half ".cc." #sign #bits " d, x, y, z;\n\t"                                  \
        "madc." #half "." #sign #bits " e, y, z, v;",                                       \
        u##bits, u##bits, u##bits, u##bits, u##bits, u##bits)                               \
    CASE("mad." #half ".cc." #sign #bits " madc." #half ".cc." #sign #bits " addc.u" #bits, \
        ".reg .b" #bits " t;\n\tmad." #half ".cc." #sign #bits " t, x, y, z;\n\t"           \
        "madc." #half ".cc." #sign #bits " d, y, z, v;\n\taddc.u" #bits " e, x, t;",        \
        u##bits, u##bits, u##bits, u##bits, u##bits, u##bits)
CHAIN_MAD(lo, u, 32)
CHAIN_MAD(lo, s, 32)
CHAIN_MAD(hi, u, 32)
CHAIN_MAD(hi, s, 32)
CHAIN_MAD(lo, u, 64)
CHAIN_MAD(lo, s, 64)
CHAIN_MAD(hi, u, 64)
CHAIN_MAD(hi, s, 64)

/* ---- logic ----------------------------------------------------------------------------------- */

#define LOGIC(op)                   \
    CASE2(op ".b16", u16, u16, u16) \
    CASE2(op ".b32", u32, u32, u32) \
    CASE2(op ".b64", u64, u64, u64) \
    CASE2(op ".pred", pred, pred, pred)
LOGIC("and")
LOGIC("or")
LOGIC("xor")
CASE1("not.b16", u16, u16)
CASE1("not.b32", u32, u32)
CASE1("not.b64", u64, u64)
CASE1("not.pred", pred, pred)
CASE1("cnot.b16", u16, u16)
CASE1("cnot.b32", u32, u32)
CASE1("cnot.b64", u64, u64)

#define LOP3(table) \
    CASE("lop3.b32 " #table, "lop3.b32 d, x, y, z, " #table ";", u32, none, u32, u32, u32, none)
LOP3(0x00)
LOP3(0x01)
LOP3(0x02)
LOP3(0x04)
LOP3(0x08)
LOP3(0x10)
LOP3(0x20)
LOP3(0x40)
LOP3(0x80)
LOP3(0x96)
LOP3(0xCA)
LOP3(0xE8)
LOP3(0x6A)
LOP3(0xFE)
LOP3(0xFF)

/* ---- shifts ---------------------------------------------------------------------------------- */

#define SHIFTS(op, letter)                      \
    CASE2(op "." #letter "16", u16, u16, count) \
    CASE2(op "." #letter "32", u32, u32, count) \
    CASE2(op "." #letter "64", u64, u64, count)
SHIFTS("shl", b)
SHIFTS("shr", b)
SHIFTS("shr", u)
SHIFTS("shr", s)
CASE3("shf.l.clamp.b32", u32, u32, u32, count)
CASE3("shf.l.wrap.b32", u32, u32, u32, count)
CASE3("shf.r.clamp.b32", u32, u32, u32, count)
CASE3("shf.r.wrap.b32", u32, u32, u32, count)

/* ---- bits ------------------------------------------------------------------------------------ */

CASE1("popc.b32", u32, u32)
CASE1("popc.b64", u32, u64)
CASE1("clz.b32", u32, u32)
CASE1("clz.b64", u32, u64)
CASE1("brev.b32", u32, u32)
CASE1("brev.b64", u64, u64)
#define FIND(type)                   \
    CASE1("bfind." #type, u32, type) \
    CASE1("bfind.shiftamt." #type, u32, type)
FIND(u32)
FIND(s32)
FIND(u64)
FIND(s64)
CASE3("bfe.u32", u32, u32, field, field)
CASE3("bfe.s32", s32, s32, field, field)
CASE3("bfe.u64", u64, u64, field, field)
CASE3("bfe.s64", s64, s64, field, field)
CASE4("bfi.b32", u32, u32, u32, field, field)
CASE4("bfi.b64", u64, u64, u64, field, field)
CASE2("bmsk.clamp.b32", u32, field, field)
CASE2("bmsk.wrap.b32", u32, field, field)
CASE2("szext.clamp.u32", u32, u32, field)
CASE2("szext.clamp.s32", s32, s32, field)
CASE2("szext.wrap.u32", u32, u32, field)
CASE2("szext.wrap.s32", s32, s32, field)
CASE3("fns.b32", u32, u32, lane, nth)
CASE3("prmt.b32", u32, u32, u32, u32)
CASE3("prmt.b32.f4e", u32, u32, u32, u32)
CASE3("prmt.b32.b4e", u32, u32, u32, u32)
CASE3("prmt.b32.rc8", u32, u32, u32, u32)
CASE3("prmt.b32.ecl", u32, u32, u32, u32)
CASE3("prmt.b32.ecr", u32, u32, u32, u32)
CASE3("prmt.b32.rc16", u32, u32, u32, u32)
