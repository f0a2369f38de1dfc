/* What handler files share: cells, blending, and how their tables look.
 *
 * A table row names an instruction as PTX writes it, the kinds of its operands (result first) and
 * the handler:
 *     {"add.s32", "rrr", add_u32, CLASS_INTEGER}
 * Kinds: r 32-bit, l 64-bit, h 16-bit, f float, d double, p predicate, ? absent or "_".
 * Modifiers may come in any order in the PTX. That is the one place to add an instruction.
 */
#ifndef VIRTUAL_GPU_EXEC_H
#define VIRTUAL_GPU_EXEC_H

#include <string.h>

#include "warp.h"

struct exec_row {
    const char *name, *operands;
    insn_handler *handler;
    uint8_t class; /* enum insn_class */
    uint8_t variant;
};

/* Tables end with a NULL name. */
extern const struct exec_row exec_integer_rows[];
extern const struct exec_row exec_float_rows[];
extern const struct exec_row exec_half_rows[];
extern const struct exec_row exec_move_rows[];

/* Two copies of a function, for processors with and without AVX2 and FMA; the loader picks. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(VGPU_NO_CLONES)
#if __GNUC__ >= 12
#define CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CLONES __attribute__((target_clones("avx2", "default")))
#endif
#else
#define CLONES
#endif

extern const uint32_t lane_bit[WARP_LANES]; /* 1 << lane */

/* Writes the lanes of `mask`; the others keep their value. */
#define BLEND_32(target, value, mask)                                       \
    do {                                                                    \
        for (int k_ = 0; k_ < WARP_LANES; k_++) {                           \
            uint32_t keep_ = ((mask)&lane_bit[k_]) != 0 ? 0 : FULL_MASK;    \
            (target)[k_] = ((target)[k_] & keep_) | ((value)[k_] & ~keep_); \
        }                                                                   \
    } while (0)
#define BLEND_64(target, value, mask)                                       \
    do {                                                                    \
        for (int k_ = 0; k_ < WARP_LANES; k_++) {                           \
            uint64_t keep_ = ((mask)&lane_bit[k_]) != 0 ? 0 : UINT64_MAX;   \
            (target)[k_] = ((target)[k_] & keep_) | ((value)[k_] & ~keep_); \
        }                                                                   \
    } while (0)

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Defines a handler that computes `expression` from a, b, c for every lane.
 *   R        type of the result as the expression yields it; its cell is 32 or 64 bits wide
 *   A, B, C  types that the operands are read as; cells as wide as given */
#define LANE_LOOP_32(expression)                                                            \
    uint32_t *target = cell_32(w, i->o[0]);                                                 \
    if (mask == FULL_MASK) {                                                                \
        _Pragma("GCC ivdep") for (int k = 0; k < WARP_LANES; k++) target[k] = (expression); \
    } else {                                                                                \
        uint32_t value[WARP_LANES];                                                         \
        for (int k = 0; k < WARP_LANES; k++)                                                \
            value[k] = (expression);                                                        \
        BLEND_32(target, value, mask);                                                      \
    }
#define LANE_LOOP_64(expression)                                                            \
    uint64_t *target = cell_64(w, i->o[0]);                                                 \
    if (mask == FULL_MASK) {                                                                \
        _Pragma("GCC ivdep") for (int k = 0; k < WARP_LANES; k++) target[k] = (expression); \
    } else {                                                                                \
        uint64_t value[WARP_LANES];                                                         \
        for (int k = 0; k < WARP_LANES; k++)                                                \
            value[k] = (expression);                                                        \
        BLEND_64(target, value, mask);                                                      \
    }

/* Sets the predicate cell `offset` to `bits` in the lanes of `mask`. */
static inline void put_predicate(struct warp *w, uint32_t offset, uint32_t bits, uint32_t mask)
{
    uint32_t *p = predicate(w, offset);
    *p = (*p & ~mask) | (bits & mask);
}

#define HANDLER(name) CLONES static void name(struct warp *w, const struct insn *i, uint32_t mask)

/* Writes the results of a comparison (one bit a lane) to the predicates of a setp, combined as its
 * form says; see exec_integer.c. */
void set_predicates(struct warp *w, const struct insn *i, uint32_t mask, uint32_t bits);

/* Truths of setp or set, combined with the third predicate where the instruction has one:
 * insn->variant is 0 for none, 1 and, 2 or, 3 xor. */
static inline uint32_t combined_truths(struct warp *w, const struct insn *i, uint32_t truths)
{
    if (i->variant == 0)
        return truths;
    uint32_t c = *predicate(w, i->o[3]) ^ i->target;
    return i->variant == 1 ? truths & c : i->variant == 2 ? truths | c : truths ^ c;
}

/* setp, and set (insn->type: form of the result: bits, float, half, bfloat16), of x and y. */
#define COMPARE(name, W, T, expression)                                         \
    HANDLER(setp_##name)                                                        \
    {                                                                           \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);         \
        uint32_t bits = 0;                                                      \
        for (int k = 0; k < WARP_LANES; k++) {                                  \
            T x = (T)a[k], y = (T)b[k];                                         \
            bits |= (expression) ? lane_bit[k] : 0;                             \
        }                                                                       \
        set_predicates(w, i, mask, bits);                                       \
    }                                                                           \
    HANDLER(set_##name)                                                         \
    {                                                                           \
        static const uint32_t ones[] = {FULL_MASK, 0x3F800000, 0x3C00, 0x3F80}; \
        const uint##W##_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]);         \
        uint32_t yes = ones[i->type], truths = 0;                               \
        for (int k = 0; k < WARP_LANES; k++) {                                  \
            T x = (T)a[k], y = (T)b[k];                                         \
            truths |= (expression) ? lane_bit[k] : 0;                           \
        }                                                                       \
        truths = combined_truths(w, i, truths);                                 \
        LANE_LOOP_32((truths & lane_bit[k]) != 0 ? yes : 0)                     \
    }

/* Handlers that decode.c picks itself, because their form depends on more than the name. */
insn_handler exec_load_param, exec_load_frame_param, exec_store_frame_param;
insn_handler exec_load, exec_store, exec_atomic;
insn_handler exec_pack, exec_unpack, exec_local_address, exec_convert_address, exec_is_space;
insn_handler exec_clock, exec_globaltimer;
insn_handler exec_async_copy, exec_async_commit, exec_async_wait, exec_mbarrier, exec_pending_count;

/* insn->variant of exec_mbarrier. */
enum mbarrier_operation {
    MBARRIER_INIT,
    MBARRIER_INVALIDATE,
    MBARRIER_ARRIVE,
    MBARRIER_DROP,        /* arrives, and is not expected any more */
    MBARRIER_COPY_ARRIVE, /* when the thread's copies are done */
    MBARRIER_TEST,
    MBARRIER_TEST_PARITY,
    MBARRIER_PENDING,
};

/* Drops the warp's pending copies. */
void async_forget(struct warp *warp);

/* insn->variant of atomics and warp reductions. */
enum atomic_operation {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCHANGE,
    ATOMIC_CAS
};

/* insn->variant of block barriers. */
enum { BARRIER_ALIGNED = 1, BARRIER_COUNT = 2, BARRIER_AND = 4, BARRIER_OR = 8 };

/* A function that the device runtime provides (vprintf, malloc, …), or NULL. See exec_call.c. */
insn_handler *system_function(const char *name);

#endif
