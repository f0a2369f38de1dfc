/* atom and red: every operation and type in global, shared and generic memory. Memory holds x; the
 * results are what the instruction returned and what memory holds afterwards. */
#include "instructions.h"

static __constant__ uint64_t case_constants[1];

#define ATOM(space, at, op, type, kind, bits)                                                    \
    MEMORY("atom." space op "." type,                                                            \
        "st." space "b" #bits " " at ", x;\n\tatom." space op "." type " d, " at                 \
        ", y;\n\tld." space "b" #bits " e, " at ";",                                             \
        kind, kind, kind, kind, none, none)                                                      \
    MEMORY("red." space op "." type,                                                             \
        "st." space "b" #bits " " at ", x;\n\tred." space op "." type " " at ", y;\n\tld." space \
        "b" #bits " d, " at ";",                                                                 \
        kind, none, kind, kind, none, none)
#define ATOM_ONLY(space, at, op, type, kind, bits)                               \
    MEMORY("atom." space op "." type,                                            \
        "st." space "b" #bits " " at ", x;\n\tatom." space op "." type " d, " at \
        ", y;\n\tld." space "b" #bits " e, " at ";",                             \
        kind, kind, kind, kind, none, none)
#define CAS(space, at, kind, bits)                                                 \
    MEMORY("atom." space "cas.b" #bits,                                            \
        "st." space "b" #bits " " at ", x;\n\tatom." space "cas.b" #bits " d, " at \
        ", y, z;\n\tld." space "b" #bits " e, " at ";",                            \
        kind, kind, kind, kind, kind, none)                                        \
    MEMORY("atom." space "cas.b" #bits " equal",                                   \
        "st." space "b" #bits " " at ", x;\n\tatom." space "cas.b" #bits " d, " at \
        ", x, z;\n\tld." space "b" #bits " e, " at ";",                            \
        kind, kind, kind, none, kind, none)

#define IN_SPACE(space, at)                          \
    ATOM(space, at, "add", "u32", u32, 32)           \
    ATOM(space, at, "add", "s32", s32, 32)           \
    ATOM(space, at, "add", "u64", u64, 64)           \
    ATOM(space, at, "add", "f32", f32, 32)           \
    ATOM(space, at, "add", "f64", f64, 64)           \
    ATOM(space, at, "add.noftz", "f16", f16, 16)     \
    ATOM(space, at, "add.noftz", "f16x2", f16x2, 32) \
    ATOM(space, at, "min", "u32", u32, 32)           \
    ATOM(space, at, "min", "s32", s32, 32)           \
    ATOM(space, at, "min", "u64", u64, 64)           \
    ATOM(space, at, "min", "s64", s64, 64)           \
    ATOM(space, at, "max", "u32", u32, 32)           \
    ATOM(space, at, "max", "s32", s32, 32)           \
    ATOM(space, at, "max", "u64", u64, 64)           \
    ATOM(space, at, "max", "s64", s64, 64)           \
    ATOM(space, at, "inc", "u32", u32, 32)           \
    ATOM(space, at, "dec", "u32", u32, 32)           \
    ATOM(space, at, "and", "b32", u32, 32)           \
    ATOM(space, at, "and", "b64", u64, 64)           \
    ATOM(space, at, "or", "b32", u32, 32)            \
    ATOM(space, at, "or", "b64", u64, 64)            \
    ATOM(space, at, "xor", "b32", u32, 32)           \
    ATOM(space, at, "xor", "b64", u64, 64)           \
    ATOM_ONLY(space, at, "exch", "b32", u32, 32)     \
    ATOM_ONLY(space, at, "exch", "b64", u64, 64)     \
    CAS(space, at, u16, 16)                          \
    CAS(space, at, u32, 32)                          \
    CAS(space, at, u64, 64)
IN_SPACE("global.", "[g+8]")
IN_SPACE("shared.", "[s+8]")
IN_SPACE("", "[g]")

/* Orderings and scopes change nothing for one thread. */
#define ORDERED(how)                                              \
    MEMORY("atom." how "add.u32",                                 \
        "st.u32 [g], x;\n\tatom." how "add.u32 d, [g], y;\n\t"    \
        "ld.u32 e, [g];",                                         \
        u32, u32, u32, u32, none, none)                           \
    MEMORY("atom." how "cas.b64",                                 \
        "st.u64 [g], x;\n\tatom." how "cas.b64 d, [g], x, y;\n\t" \
        "ld.u64 e, [g];",                                         \
        u64, u64, u64, u64, none, none)                           \
    MEMORY("atom." how "exch.b32",                                \
        "st.u32 [g], x;\n\tatom." how "exch.b32 d, [g], y;\n\t"   \
        "ld.u32 e, [g];",                                         \
        u32, u32, u32, u32, none, none)
ORDERED("relaxed.cta.global.")
ORDERED("relaxed.gpu.global.")
ORDERED("relaxed.sys.global.")
ORDERED("acquire.gpu.global.")
ORDERED("release.gpu.global.")
ORDERED("acq_rel.gpu.global.")
ORDERED("acq_rel.sys.global.")
ORDERED("acq_rel.cta.")
ORDERED("global.cta.")
ORDERED("global.sys.")
#define RED_ORDERED(how)                                   \
    MEMORY("red." how "add.u32",                           \
        "st.u32 [g], x;\n\tred." how "add.u32 [g], y;\n\t" \
        "ld.u32 d, [g];",                                  \
        u32, none, u32, u32, none, none)
RED_ORDERED("relaxed.gpu.global.")
RED_ORDERED("release.gpu.global.")
RED_ORDERED("global.cta.")
RED_ORDERED("global.sys.")
