/* Loads, stores and asynchronous copies: sizes, extension, vectors, spaces; address conversion. */
#include "instructions.h"

static __constant__ uint64_t case_constants[SLOT_BYTES / 8] = {0x8180FF7F807F0180,
    0xFFFFFFFF80000001, 0x3FF0000000000000, 0x7FF8123456789ABC, 0xC0490FDB3F800000};

/* ---- loads ----------------------------------------------------------------------------------- */

/* From each space into a register as wide as the type, or wider. */
#define LOAD_FROM(space, prepare, address, type, D)                                              \
    MEMORY("ld." space #type " " #D, prepare "ld." space #type " d, " address ";", D, none, u64, \
        none, none, none)
#define EVERY_LOAD(space, prepare, address)      \
    LOAD_FROM(space, prepare, address, u8, u16)  \
    LOAD_FROM(space, prepare, address, s8, s16)  \
    LOAD_FROM(space, prepare, address, b8, u16)  \
    LOAD_FROM(space, prepare, address, u8, u32)  \
    LOAD_FROM(space, prepare, address, s8, s32)  \
    LOAD_FROM(space, prepare, address, s8, s64)  \
    LOAD_FROM(space, prepare, address, u16, u16) \
    LOAD_FROM(space, prepare, address, b16, u16) \
    LOAD_FROM(space, prepare, address, u16, u32) \
    LOAD_FROM(space, prepare, address, s16, s32) \
    LOAD_FROM(space, prepare, address, s16, s64) \
    LOAD_FROM(space, prepare, address, u32, u32) \
    LOAD_FROM(space, prepare, address, s32, s32) \
    LOAD_FROM(space, prepare, address, b32, u32) \
    LOAD_FROM(space, prepare, address, f32, f32) \
    LOAD_FROM(space, prepare, address, u32, u64) \
    LOAD_FROM(space, prepare, address, s32, s64) \
    LOAD_FROM(space, prepare, address, u64, u64) \
    LOAD_FROM(space, prepare, address, s64, s64) \
    LOAD_FROM(space, prepare, address, b64, u64) \
    LOAD_FROM(space, prepare, address, f64, f64)
EVERY_LOAD("global.", "st.global.u64 [g], x;\n\t", "[g]")
EVERY_LOAD("shared.", "st.shared.u64 [s], x;\n\t", "[s]")
EVERY_LOAD("", "st.u64 [g+8], x;\n\t", "[g+8]")
EVERY_LOAD("global.nc.", "", "[i]")
EVERY_LOAD(
    "local.", ".local .align 16 .b8 kept[32];\n\tst.local.u64 [kept+16], x;\n\t", "[kept+16]")

/* Every way to say how a load is cached and ordered. */
#define LOAD_HOW(how)                                                                           \
    MEMORY("ld." how ".u32", "st.global.u64 [g], x;\n\tld." how ".u32 d, [g];", u32, none, u64, \
        none, none, none)
LOAD_HOW("global.ca")
LOAD_HOW("global.cg")
LOAD_HOW("global.cs")
LOAD_HOW("global.lu")
LOAD_HOW("global.cv")
LOAD_HOW("volatile.global")
LOAD_HOW("relaxed.cta.global")
LOAD_HOW("relaxed.gpu.global")
LOAD_HOW("relaxed.sys.global")
LOAD_HOW("acquire.cta.global")
LOAD_HOW("acquire.gpu.global")
LOAD_HOW("acquire.sys.global")
LOAD_HOW("volatile")
LOAD_HOW("relaxed.gpu")
LOAD_HOW("acquire.gpu")
LOAD_HOW("weak.global")
LOAD_HOW("global.L1::evict_last")
LOAD_HOW("global.L1::no_allocate.L2::128B")
MEMORY("ldu.global.u32", "ldu.global.u32 d, [i];", u32, none, u64, none, none, none)
MEMORY("ldu.global.v2.u32", "ldu.global.v2.u32 {d, e}, [i];", u32, u32, u64, none, none, none)

/* Constants: the operand picks the place, the address is converted first. */
#define CONSTANT(type, D)                             \
    MEMORY("ld.const." #type " " #D,                  \
        ".reg .b64 a;\n\tcvta.to.const.u64 a, k;\n\t" \
        "ld.const." #type " d, [a+8];",               \
        D, none, none, none, none, none)              \
    MEMORY("ld." #type " " #D " constant", "ld." #type " d, [k];", D, none, none, none, none, none)
CONSTANT(u8, u32)
CONSTANT(s8, s32)
CONSTANT(u16, u32)
CONSTANT(s16, s32)
CONSTANT(u32, u32)
CONSTANT(s32, s64)
CONSTANT(f32, f32)
CONSTANT(u64, u64)
CONSTANT(f64, f64)
MEMORY("ld.const.v2.u32",
    ".reg .b64 a;\n\tcvta.to.const.u64 a, k;\n\tld.const.v2.u32 {d, e}, [a+8];", u32, u32, none,
    none, none, none)

/* Vectors: the results hold the elements, low to high. */
#define FILL                                                                           \
    "st.global.u64 [g], x;\n\tst.global.u64 [g+8], y;\n\tst.global.u64 [g+16], z;\n\t" \
    "st.global.u64 [g+24], v;\n\t"
#define FILL_SHARED                                        \
    "st.shared.u64 [s], x;\n\tst.shared.u64 [s+8], y;\n\t" \
    "st.shared.u64 [s+16], z;\n\tst.shared.u64 [s+24], v;\n\t"
#define VECTOR_LOADS(space, fill, at)                                                           \
    MEMORY("ld." space "v2.u8",                                                                 \
        fill ".reg .b16 a, b;\n\tld." space "v2.u8 {a, b}, " at ";\n\t"                         \
             "mov.b32 d, {a, b};",                                                              \
        u32, none, u64, u64, u64, u64)                                                          \
    MEMORY("ld." space "v4.u8",                                                                 \
        fill ".reg .b16 a<4>;\n\tld." space "v4.u8 {a0, a1, a2, a3}, " at                       \
             ";\n\tmov.b64 d, {a0, a1, a2, a3};",                                               \
        u64, none, u64, u64, u64, u64)                                                          \
    MEMORY("ld." space "v4.s8",                                                                 \
        fill ".reg .b16 a<4>;\n\tld." space "v4.s8 {a0, a1, a2, a3}, " at                       \
             ";\n\tmov.b64 d, {a0, a1, a2, a3};",                                               \
        u64, none, u64, u64, u64, u64)                                                          \
    MEMORY("ld." space "v2.s16",                                                                \
        fill ".reg .b32 a, b;\n\tld." space "v2.s16 {a, b}, " at ";\n\t"                        \
             "mov.b64 d, {a, b};",                                                              \
        u64, none, u64, u64, u64, u64)                                                          \
    MEMORY("ld." space "v4.u16",                                                                \
        fill ".reg .b16 a<4>;\n\tld." space "v4.u16 {a0, a1, a2, a3}, " at                      \
             ";\n\tmov.b64 d, {a0, a1, a2, a3};",                                               \
        u64, none, u64, u64, u64, u64)                                                          \
    MEMORY("ld." space "v2.u32", fill "ld." space "v2.u32 {d, e}, " at ";", u32, u32, u64, u64, \
        u64, u64)                                                                               \
    MEMORY("ld." space "v2.f32", fill "ld." space "v2.f32 {d, e}, " at ";", f32, f32, u64, u64, \
        u64, u64)                                                                               \
    MEMORY("ld." space "v4.u32",                                                                \
        fill ".reg .b32 a<4>;\n\tld." space "v4.u32 {a0, a1, a2, a3}, " at                      \
             ";\n\tmov.b64 d, {a0, a1};\n\tmov.b64 e, {a2, a3};",                               \
        u64, u64, u64, u64, u64, u64)                                                           \
    MEMORY("ld." space "v4.f32",                                                                \
        fill ".reg .b32 a<4>;\n\tld." space "v4.f32 {a0, a1, a2, a3}, " at                      \
             ";\n\tmov.b64 d, {a0, a1};\n\tmov.b64 e, {a2, a3};",                               \
        u64, u64, u64, u64, u64, u64)                                                           \
    MEMORY("ld." space "v2.u64", fill "ld." space "v2.u64 {d, e}, " at ";", u64, u64, u64, u64, \
        u64, u64)                                                                               \
    MEMORY("ld." space "v2.f64", fill "ld." space "v2.f64 {d, e}, " at ";", f64, f64, u64, u64, \
        u64, u64)
VECTOR_LOADS("global.", FILL, "[g+16]")
VECTOR_LOADS("shared.", FILL_SHARED, "[s+16]")
VECTOR_LOADS("global.nc.", "", "[i+16]")
VECTOR_LOADS("", FILL, "[g]")
VECTOR_LOADS("volatile.global.", FILL, "[g]")
MEMORY("ld.relaxed.gpu.v2.u32", FILL "ld.relaxed.gpu.v2.u32 {d, e}, [g+8];", u32, u32, u64, u64,
    u64, u64)
MEMORY("ld.volatile.shared.v2.u32", FILL_SHARED "ld.volatile.shared.v2.u32 {d, e}, [s+8];", u32,
    u32, u64, u64, u64, u64)

/* ---- stores ---------------------------------------------------------------------------------- */

/* The eight bytes around what is stored, which begin as y. */
#define STORE_TO(space, before, address, after, type, A)                                         \
    MEMORY("st." space #type " " #A, before "st." space #type " " address ", x;\n\t" after, u64, \
        none, A, u64, none, none)
#define EVERY_STORE(space, before, address, after)    \
    STORE_TO(space, before, address, after, u8, u16)  \
    STORE_TO(space, before, address, after, s8, s16)  \
    STORE_TO(space, before, address, after, b8, u32)  \
    STORE_TO(space, before, address, after, u8, u64)  \
    STORE_TO(space, before, address, after, u16, u16) \
    STORE_TO(space, before, address, after, s16, s32) \
    STORE_TO(space, before, address, after, b16, u64) \
    STORE_TO(space, before, address, after, u32, u32) \
    STORE_TO(space, before, address, after, s32, s64) \
    STORE_TO(space, before, address, after, f32, f32) \
    STORE_TO(space, before, address, after, b32, u32) \
    STORE_TO(space, before, address, after, u64, u64) \
    STORE_TO(space, before, address, after, f64, f64)
EVERY_STORE("global.", "st.global.u64 [g], y;\n\t", "[g]", "ld.global.u64 d, [g];")
EVERY_STORE("shared.", "st.shared.u64 [s], y;\n\t", "[s]", "ld.shared.u64 d, [s];")
EVERY_STORE("", "st.u64 [g], y;\n\t", "[g]", "ld.u64 d, [g];")
EVERY_STORE("local.", ".local .align 16 .b8 kept[32];\n\tst.local.u64 [kept+8], y;\n\t", "[kept+8]",
    "ld.local.u64 d, [kept+8];")
#define STORE_HOW(how)                                          \
    MEMORY("st." how ".u32",                                    \
        "st.global.u64 [g], y;\n\tst." how ".u32 [g+4], x;\n\t" \
        "ld.global.u64 d, [g];",                                \
        u64, none, u32, u64, none, none)
STORE_HOW("global.wb")
STORE_HOW("global.cg")
STORE_HOW("global.cs")
STORE_HOW("global.wt")
STORE_HOW("volatile.global")
STORE_HOW("relaxed.cta.global")
STORE_HOW("relaxed.gpu.global")
STORE_HOW("release.cta.global")
STORE_HOW("release.gpu.global")
STORE_HOW("release.sys.global")
STORE_HOW("volatile")
STORE_HOW("relaxed.gpu")
STORE_HOW("release.gpu")
STORE_HOW("weak.global")
#define VECTOR_STORES(space, at, first, second)                                                    \
    MEMORY("st." space "v2.u8",                                                                    \
        ".reg .b16 a, b;\n\tmov.b32 {a, b}, x;\n\t"                                                \
        "st." space "v2.u8 " at ", {a, b};\n\t" first second,                                      \
        u64, u64, u32, none, none, none)                                                           \
    MEMORY("st." space "v4.u8", "st." space "v4.u8 " at ", {x, y, z, v};\n\t" first second, u64,   \
        u64, u16, u16, u16, u16)                                                                   \
    MEMORY("st." space "v4.u16", "st." space "v4.u16 " at ", {x, y, z, v};\n\t" first second, u64, \
        u64, u16, u16, u16, u16)                                                                   \
    MEMORY("st." space "v2.u32", "st." space "v2.u32 " at ", {x, y};\n\t" first second, u64, u64,  \
        u32, u32, none, none)                                                                      \
    MEMORY("st." space "v4.u32", "st." space "v4.u32 " at ", {x, y, z, v};\n\t" first second, u64, \
        u64, u32, u32, u32, u32)                                                                   \
    MEMORY("st." space "v4.f32", "st." space "v4.f32 " at ", {x, y, z, v};\n\t" first second, u64, \
        u64, f32, f32, f32, f32)                                                                   \
    MEMORY("st." space "v2.u64", "st." space "v2.u64 " at ", {x, y};\n\t" first second, u64, u64,  \
        u64, u64, none, none)                                                                      \
    MEMORY("st." space "v2.f64", "st." space "v2.f64 " at ", {x, y};\n\t" first second, u64, u64,  \
        f64, f64, none, none)
VECTOR_STORES("global.", "[g]", "ld.global.u64 d, [g];\n\t", "ld.global.u64 e, [g+8];")
VECTOR_STORES("shared.", "[s]", "ld.shared.u64 d, [s];\n\t", "ld.shared.u64 e, [s+8];")
VECTOR_STORES("", "[g]", "ld.u64 d, [g];\n\t", "ld.u64 e, [g+8];")
VECTOR_STORES("volatile.global.", "[g]", "ld.global.u64 d, [g];\n\t", "ld.global.u64 e, [g+8];")

/* ---- addresses ------------------------------------------------------------------------------- */

/* There and back gives the same address; the generic one reaches the same memory. */
MEMORY("cvta.shared.u64",
    ".reg .b64 a, b;\n\tst.shared.u64 [s], x;\n\tcvt.u64.u32 a, s;\n\t"
    "cvta.shared.u64 b, a;\n\tld.u64 d, [b];",
    u64, none, u64, none, none, none)
MEMORY("cvta.to.shared.u64",
    ".reg .b64 a, b;\n\t.reg .pred p;\n\tcvt.u64.u32 a, s;\n\t"
    "cvta.shared.u64 b, a;\n\tcvta.to.shared.u64 b, b;\n\tsetp.eq.u64 d, a, b;",
    pred, none, none, none, none, none)
MEMORY("cvta.global.u64",
    ".reg .b64 a;\n\tst.global.u64 [g], x;\n\tcvta.to.global.u64 a, g;\n\t"
    "cvta.global.u64 a, a;\n\tld.u64 d, [a];",
    u64, none, u64, none, none, none)
MEMORY("cvta.local.u64",
    ".reg .b64 a, b;\n\t.local .align 8 .b8 kept[8];\n\t"
    "st.local.u64 [kept], x;\n\tmov.u64 a, kept;\n\tcvta.local.u64 b, a;\n\tld.u64 d, [b];",
    u64, none, u64, none, none, none)
MEMORY("cvta.to.local.u64",
    ".reg .b64 a, b;\n\t.local .align 8 .b8 kept[8];\n\tmov.u64 a, kept;\n\t"
    "cvta.local.u64 b, a;\n\tcvta.to.local.u64 b, b;\n\tsetp.eq.u64 d, a, b;",
    pred, none, none, none, none, none)
MEMORY("cvta.const.u64",
    ".reg .b64 a;\n\tcvta.to.const.u64 a, k;\n\tcvta.const.u64 a, a;\n\t"
    "setp.eq.u64 d, a, k;",
    pred, none, none, none, none, none)

/* Bits 0 … 4: a global, shared, local and constant address, and null. */
#define IS_SPACE(space)                                                                            \
    MEMORY("isspacep." space,                                                                      \
        ".reg .pred p<5>;\n\t.reg .b64 a, b;\n\t.reg .b32 t;\n\t"                                  \
        ".local .align 8 .b8 kept[8];\n\tst.local.u64 [kept], 0;\n\t"                              \
        "isspacep." space " p0, g;\n\tcvt.u64.u32 a, s;\n\tcvta.shared.u64 a, a;\n\t"              \
        "isspacep." space " p1, a;\n\tmov.u64 b, kept;\n\tcvta.local.u64 b, b;\n\t"                \
        "isspacep." space " p2, b;\n\tisspacep." space " p3, k;\n\tmov.u64 a, 0;\n\t"              \
        "isspacep." space " p4, a;\n\tselp.u32 d, 1, 0, p0;\n\t"                                   \
        "selp.u32 t, 2, 0, p1;\n\tor.b32 d, d, t;\n\tselp.u32 t, 4, 0, p2;\n\tor.b32 d, d, t;\n\t" \
        "selp.u32 t, 8, 0, p3;\n\tor.b32 d, d, t;\n\tselp.u32 t, 16, 0, p4;\n\tor.b32 d, d, t;",   \
        u32, none, none, none, none, none)
IS_SPACE("global")
IS_SPACE("shared")
IS_SPACE("local")
IS_SPACE("const")

/* ---- asynchronous copies --------------------------------------------------------------------- */

#define COPIED "cp.async.wait_all;\n\tld.shared.u64 d, [s];\n\tld.shared.u64 e, [s+8];"
#define ASYNC(name, rest)                                                                      \
    MEMORY(name, FILL "st.shared.u64 [s], v;\n\tst.shared.u64 [s+8], z;\n\t" rest COPIED, u64, \
        u64, u64, u64, u64, u64)
ASYNC("cp.async.ca.shared.global 4", "cp.async.ca.shared.global [s], [g], 4;\n\t")
ASYNC("cp.async.ca.shared.global 8", "cp.async.ca.shared.global [s+8], [g+8], 8;\n\t")
ASYNC("cp.async.ca.shared.global 16", "cp.async.ca.shared.global [s], [g], 16;\n\t")
ASYNC("cp.async.cg.shared.global 16", "cp.async.cg.shared.global [s], [g+16], 16;\n\t")
ASYNC("cp.async.ca.shared.global 8 of 3", "cp.async.ca.shared.global [s], [g], 8, 3;\n\t")
ASYNC("cp.async.cg.shared.global 16 of 4", "cp.async.cg.shared.global [s], [g], 16, 4;\n\t")
ASYNC("cp.async.cg.shared.global 16 of 0", "cp.async.cg.shared.global [s], [g], 16, 0;\n\t")
ASYNC("cp.async.ca.shared.global.L2::128B 4", "cp.async.ca.shared.global.L2::128B [s], [g], 4;\n\t")
ASYNC("cp.async.commit_group wait_group",
    "cp.async.ca.shared.global [s], [g], 4;\n\t"
    "cp.async.commit_group;\n\tcp.async.ca.shared.global [s+4], [g+4], 4;\n\t"
    "cp.async.commit_group;\n\tcp.async.wait_group 1;\n\tcp.async.wait_group 0;\n\t")
#define ASYNC_IGNORED(name, rest)                                                       \
    MEMORY(name,                                                                        \
        "st.global.u64 [g], x;\n\tst.global.u64 [g+8], y;\n\tst.shared.u64 [s], y;\n\t" \
        "st.shared.u64 [s+8], x;\n\t" rest COPIED,                                      \
        u64, u64, u64, u64, pred, none)
ASYNC_IGNORED("cp.async.ca.shared.global 8, p", "cp.async.ca.shared.global [s], [g], 8, z;\n\t")
ASYNC_IGNORED("cp.async.cg.shared.global 16, p", "cp.async.cg.shared.global [s], [g], 16, z;\n\t")
ASYNC("cp.async.mbarrier.arrive.noinc.shared.b64",
    ".reg .b64 t;\n\t.reg .pred p;\n\tmbarrier.init.shared.b64 [s+32], 1;\n\t"
    "cp.async.ca.shared.global [s], [g], 16;\n\t"
    "cp.async.mbarrier.arrive.noinc.shared.b64 [s+32];\n"
    "WAIT: mbarrier.test_wait.parity.shared.b64 p, [s+32], 0;\n\t@!p bra WAIT;\n\t")
ASYNC("cp.async.mbarrier.arrive.shared.b64",
    ".reg .b64 t;\n\t.reg .pred p;\n\tmbarrier.init.shared.b64 [s+32], 1;\n\t"
    "cp.async.ca.shared.global [s], [g], 16;\n\t"
    "cp.async.mbarrier.arrive.shared.b64 [s+32];\n\tmbarrier.arrive.shared.b64 t, [s+32];\n"
    "WAIT: mbarrier.test_wait.shared.b64 p, [s+32], t;\n\t@!p bra WAIT;\n\t")

/* ---- mbarrier -------------------------------------------------------------------------------- */

/* Bit k of the result: the phase is over at the k-th look. A token is good for its own phase and
 * while the next one lasts; a parity always is. */
#define PHASES(name, count, steps)                                             \
    MEMORY(name,                                                               \
        ".reg .b64 t, u;\n\t.reg .pred p;\n\t.reg .b32 b;\n\t"                 \
        "mbarrier.init.shared.b64 [s], " #count ";\n\tmov.u32 d, 0;\n\t" steps \
        "mbarrier.inval.shared.b64 [s];",                                      \
        u32, none, none, none, none, none)
#define SET_BIT(bit) "selp.u32 b, " #bit ", 0, p;\n\tor.b32 d, d, b;\n\t"
#define ARRIVE(token) "mbarrier.arrive.shared.b64 " #token ", [s];\n\t"
#define ARRIVE_EARLY(token) "mbarrier.arrive.noComplete.shared.b64 " #token ", [s], 2;\n\t"
#define DROP(token) "mbarrier.arrive_drop.shared.b64 " #token ", [s];\n\t"
#define DROP_EARLY(token) "mbarrier.arrive_drop.noComplete.shared.b64 " #token ", [s], 1;\n\t"
#define IS_OVER(bit) "mbarrier.test_wait.shared.b64 p, [s], t;\n\t" SET_BIT(bit)
#define IS_EVEN_OVER(bit) "mbarrier.test_wait.parity.shared.b64 p, [s], 0;\n\t" SET_BIT(bit)
#define IS_ODD_OVER(bit) "mbarrier.test_wait.parity.shared.b64 p, [s], 1;\n\t" SET_BIT(bit)
PHASES("mbarrier.test_wait.shared.b64 of 1", 1, ARRIVE(t) IS_OVER(1))
PHASES("mbarrier.test_wait.shared.b64 of 2", 2,
    ARRIVE(t) IS_OVER(1) ARRIVE(u) IS_OVER(2) ARRIVE(u) IS_OVER(4))
PHASES("mbarrier.test_wait.shared.b64 of 3", 3,
    ARRIVE(t) IS_OVER(1) ARRIVE(u) IS_OVER(2) ARRIVE(u) IS_OVER(4) ARRIVE(u) IS_OVER(8))
PHASES("mbarrier.arrive.noComplete.shared.b64", 4,
    ARRIVE_EARLY(t) IS_OVER(1) ARRIVE(u) IS_OVER(2) ARRIVE(u) IS_OVER(4) ARRIVE(u) IS_OVER(8))
PHASES("mbarrier.arrive_drop.shared.b64", 3,
    DROP(t) IS_EVEN_OVER(1) ARRIVE(u) IS_EVEN_OVER(2) ARRIVE(u) IS_EVEN_OVER(4) ARRIVE(u)
        IS_ODD_OVER(8) ARRIVE(u) IS_ODD_OVER(16) ARRIVE(u) IS_EVEN_OVER(32))
PHASES("mbarrier.arrive_drop.noComplete.shared.b64", 3,
    DROP_EARLY(t) IS_EVEN_OVER(1) ARRIVE(u) ARRIVE(u) IS_EVEN_OVER(2) ARRIVE(u) ARRIVE(u)
        IS_ODD_OVER(4))
PHASES("mbarrier.test_wait.parity.shared.b64 0", 2,
    IS_EVEN_OVER(1) ARRIVE(t) IS_EVEN_OVER(2) ARRIVE(t) IS_EVEN_OVER(4) ARRIVE(t) IS_EVEN_OVER(8)
        ARRIVE(t) IS_EVEN_OVER(16))
PHASES("mbarrier.test_wait.parity.shared.b64 1", 2,
    IS_ODD_OVER(1) ARRIVE(t) IS_ODD_OVER(2) ARRIVE(t) IS_ODD_OVER(4) ARRIVE(t) IS_ODD_OVER(8)
        ARRIVE(t) IS_ODD_OVER(16))
MEMORY("mbarrier.pending_count.b64",
    ".reg .b64 t;\n\tmbarrier.init.shared.b64 [s], 5;\n\t"
    "mbarrier.arrive.shared.b64 t, [s];\n\tmbarrier.pending_count.b64 d, t;\n\t"
    "mbarrier.arrive.shared.b64 t, [s];\n\tmbarrier.pending_count.b64 e, t;",
    u32, u32, none, none, none, none)
MEMORY("mbarrier.arrive.release.cta.shared::cta.b64",
    ".reg .b64 t;\n\tmbarrier.init.shared::cta.b64 [s], 2;\n\t"
    "mbarrier.arrive.release.cta.shared::cta.b64 t, [s];\n\t"
    "mbarrier.test_wait.acquire.cta.shared::cta.b64 d, [s], t;\n\t"
    "mbarrier.arrive.shared::cta.b64 t, [s];\n\t"
    "mbarrier.test_wait.parity.shared::cta.b64 e, [s], 0;",
    pred, pred, none, none, none, none)
