/* What the lanes of a warp, or the threads of a block, compute together. */
#include "instructions.h"

#include <string.h>

enum { LANES = 32 };

/* Partial masks: halves, quarters, alternating, single lanes, irregular. */
static const uint32_t masks[] = {0xFFFFFFFF, 0x0000FFFF, 0xFFFF0000, 0x000000FF, 0x55555555,
    0xAAAAAAAA, 0x0F0F0F0F, 0x00000001, 0x80000000, 0x12345678, 0x7FFFFFFE};
enum { MASKS = sizeof masks / sizeof masks[0] };

/* in[OPERANDS * lane + operand] */
static void set(uint64_t *in, uint32_t lane, int operand, uint64_t value)
{
    in[OPERANDS * lane + (uint32_t)operand] = value;
}

/* ---- shuffles -------------------------------------------------------------------------------- */

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

/* The lane that `lane` reads, with PTX's words for clamp and segment: only to leave out what reads
 * lanes that do not take part, whose result is undefined. */
static uint32_t source_of(int mode, uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t clamp = c & 31, segment = c >> 8 & 31, start = lane & segment;
    uint32_t last = start | (clamp & ~segment);
    b &= 31;
    int from = mode == SHUFFLE_UP     ? (int)lane - (int)b
               : mode == SHUFFLE_DOWN ? (int)(lane + b)
               : mode == SHUFFLE_BFLY ? (int)(lane ^ b)
                                      : (int)(start | (b & ~segment));
    bool is_inside = mode == SHUFFLE_UP ? from >= (int)last : from <= (int)last;
    return is_inside ? (uint32_t)from : lane;
}

static void shuffle(
    const struct instruction *instruction, int mode, uint32_t mask, const uint32_t *b, uint32_t c)
{
    uint64_t in[OPERANDS * LANES] = {0};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        bool takes_part = (mask >> lane & 1) != 0;
        if (takes_part && (mask >> source_of(mode, lane, b[lane], c) & 1) == 0)
            return;
        set(in, lane, 0, 0x80 + lane);
        set(in, lane, 1, b[lane]);
        set(in, lane, 2, c);
    }
    run_collective(instruction, LANES, mask, in);
}

static void shuffles(const struct instruction *instruction)
{
    static const uint32_t widths[] = {0x0000, 0x1000, 0x1800, 0x1C00, 0x1E00, 0x1F00};
    static const uint32_t distances[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 255};
    const char *name = instruction->name;
    int mode = strstr(name, ".up") != NULL     ? SHUFFLE_UP
               : strstr(name, ".down") != NULL ? SHUFFLE_DOWN
               : strstr(name, ".bfly") != NULL ? SHUFFLE_BFLY
                                               : SHUFFLE_IDX;
    uint32_t b[LANES];
    for (uint32_t m = 0; m < MASKS; m++)
        for (uint32_t width = 0; width < sizeof widths / sizeof widths[0]; width++)
            for (uint32_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
                /* Fewer rows where little changes. */
                if ((m > 1 || width > 2) && (m + width + d) % 7 != 0)
                    continue;
                for (uint32_t lane = 0; lane < LANES; lane++)
                    b[lane] = distances[d];
                shuffle(
                    instruction, mode, masks[m], b, widths[width] | (mode == SHUFFLE_UP ? 0 : 31));
            }
    /* Clamps that no width makes, and a source of each lane's own. */
    static const uint32_t clamps[] = {
        0x0007, 0x0010, 0x1005, 0x1814, 0x0A1F, 0x1F1F, 0xFFE0, 0xFFFF};
    for (uint32_t k = 0; k < sizeof clamps / sizeof clamps[0]; k++) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            b[lane] = 3;
        shuffle(instruction, mode, 0xFFFFFFFF, b, clamps[k]);
        for (uint32_t lane = 0; lane < LANES; lane++)
            b[lane] = (lane * 7 + 5) % 32;
        shuffle(instruction, mode, 0xFFFFFFFF, b, clamps[k]);
    }
}

COLLECTIVE(
    shuffles, "shfl.sync.up.b32", "shfl.sync.up.b32 d|e, x, y, z, m;", u32, pred, u32, u32, u32)
COLLECTIVE(
    shuffles, "shfl.sync.down.b32", "shfl.sync.down.b32 d|e, x, y, z, m;", u32, pred, u32, u32, u32)
COLLECTIVE(
    shuffles, "shfl.sync.bfly.b32", "shfl.sync.bfly.b32 d|e, x, y, z, m;", u32, pred, u32, u32, u32)
COLLECTIVE(
    shuffles, "shfl.sync.idx.b32", "shfl.sync.idx.b32 d|e, x, y, z, m;", u32, pred, u32, u32, u32)

/* ---- votes ----------------------------------------------------------------------------------- */

static void votes(const struct instruction *instruction)
{
    static const uint32_t patterns[] = {
        0, 0xFFFFFFFF, 1, 0x80000000, 0x55555555, 0x0000FFFF, 0x12345678, 0xFFFFFFFE, 0xCAFEF00D};
    for (uint32_t m = 0; m < MASKS; m++)
        for (uint32_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
            uint64_t in[OPERANDS * LANES] = {0};
            for (uint32_t lane = 0; lane < LANES; lane++)
                set(in, lane, 0, patterns[p] >> lane & 1);
            run_collective(instruction, LANES, masks[m], in);
        }
}

COLLECTIVE(votes, "vote.sync.all.pred", "vote.sync.all.pred d, x, m;", pred, none, pred, none, none)
COLLECTIVE(votes, "vote.sync.any.pred", "vote.sync.any.pred d, x, m;", pred, none, pred, none, none)
COLLECTIVE(votes, "vote.sync.uni.pred", "vote.sync.uni.pred d, x, m;", pred, none, pred, none, none)
COLLECTIVE(
    votes, "vote.sync.ballot.b32", "vote.sync.ballot.b32 d, x, m;", u32, none, pred, none, none)
COLLECTIVE(
    votes, "vote.sync.ballot.b32 !x", "vote.sync.ballot.b32 d, !x, m;", u32, none, pred, none, none)

/* ---- match, redux, activemask ---------------------------------------------------------------- */

static void matches(const struct instruction *instruction)
{
    for (uint32_t m = 0; m < MASKS; m++)
        for (int pattern = 0; pattern < 6; pattern++) {
            uint64_t in[OPERANDS * LANES] = {0};
            for (uint32_t lane = 0; lane < LANES; lane++) {
                const uint64_t values[] = {7, lane % 4, lane / 8, lane, (uint64_t)(lane % 3) << 31,
                    (uint64_t)(lane & 1) << 40 | (lane >> 4)};
                uint64_t value = values[pattern];
                set(in, lane, 0, instruction->operands[0] == VALUES_u32 ? (uint32_t)value : value);
            }
            run_collective(instruction, LANES, masks[m], in);
        }
}

COLLECTIVE(matches, "match.any.sync.b32", "match.any.sync.b32 d, x, m;", u32, none, u32, none, none)
COLLECTIVE(matches, "match.any.sync.b64", "match.any.sync.b64 d, x, m;", u32, none, u64, none, none)
COLLECTIVE(
    matches, "match.all.sync.b32", "match.all.sync.b32 d|e, x, m;", u32, pred, u32, none, none)
COLLECTIVE(
    matches, "match.all.sync.b64", "match.all.sync.b64 d|e, x, m;", u32, pred, u64, none, none)

static void reductions(const struct instruction *instruction)
{
    static const enum values kind[OPERANDS] = {VALUES_u32};
    for (uint32_t m = 0; m < MASKS; m++)
        for (uint32_t pattern = 0; pattern < 3; pattern++) {
            uint64_t in[OPERANDS * LANES] = {0};
            for (uint32_t lane = 0; lane < LANES; lane++) {
                uint64_t values[OPERANDS];
                /* Edges, then pseudo-random numbers, then small ones. */
                values_row(kind, pattern == 1 ? 100 + lane : lane % 30, values);
                set(in, lane, 0, pattern == 2 ? lane + 1 : values[0]);
            }
            run_collective(instruction, LANES, masks[m], in);
        }
}

#define REDUX(op, type)                                                                           \
    COLLECTIVE(reductions, "redux.sync." op "." type, "redux.sync." op "." type " d, x, m;", u32, \
        none, u32, none, none)
REDUX("add", "u32")
REDUX("add", "s32")
REDUX("min", "u32")
REDUX("min", "s32")
REDUX("max", "u32")
REDUX("max", "s32")
REDUX("and", "b32")
REDUX("or", "b32")
REDUX("xor", "b32")

static void only_masks(const struct instruction *instruction)
{
    uint64_t in[OPERANDS * LANES] = {0};
    for (uint32_t m = 0; m < MASKS; m++)
        run_collective(instruction, LANES, masks[m], in);
}

COLLECTIVE(only_masks, "activemask.b32", "activemask.b32 d;", u32, none, none, none, none)
#define SPECIAL(name) \
    COLLECTIVE(only_masks, "mov.u32 " name, "mov.u32 d, %%" name ";", u32, none, none, none, none)
SPECIAL("laneid")
SPECIAL("lanemask_eq")
SPECIAL("lanemask_le")
SPECIAL("lanemask_lt")
SPECIAL("lanemask_ge")
SPECIAL("lanemask_gt")
SPECIAL("tid.x")
SPECIAL("tid.y")
SPECIAL("ntid.x")
SPECIAL("ntid.z")
SPECIAL("ctaid.x")
SPECIAL("nctaid.x")
SPECIAL("nctaid.y")

/* ---- atomics on one address ------------------------------------------------------------------ */

/* Memory holds the first thread's z; what all lanes made of it does not depend on their order. */
static void contention(const struct instruction *instruction)
{
    static const uint64_t starts[] = {0, 5, 0xFFFFFFF0};
    for (uint32_t m = 0; m < MASKS; m++)
        for (uint32_t start = 0; start < 3; start++) {
            uint64_t in[OPERANDS * LANES] = {0};
            for (uint32_t lane = 0; lane < LANES; lane++) {
                set(in, lane, 0,
                    strstr(instruction->name, ".inc.") || strstr(instruction->name, ".dec.")
                        ? 6
                        : lane * 7 + 3);
                set(in, lane, 2, starts[start]);
            }
            run_collective(instruction, LANES, masks[m], in);
        }
}

#define TOGETHER(space, at, op, type)                                                      \
    COLLECTIVE(contention, "atom." space op "." type " together",                          \
        ".reg .b32 t;\n\tatom." space op "." type " t, " at ", x;\n\tbar.warp.sync m;\n\t" \
        "ld.volatile." space "u32 d, " at ";",                                             \
        u32, none, u32, none, u32)                                                         \
    COLLECTIVE(contention, "red." space op "." type " together",                           \
        "red." space op "." type " " at ", x;\n\tbar.warp.sync m;\n\tld.volatile." space   \
        "u32 d, " at ";",                                                                  \
        u32, none, u32, none, u32)
#define TOGETHER_IN(space, at)        \
    TOGETHER(space, at, "add", "u32") \
    TOGETHER(space, at, "min", "s32") \
    TOGETHER(space, at, "max", "u32") \
    TOGETHER(space, at, "inc", "u32") \
    TOGETHER(space, at, "dec", "u32") \
    TOGETHER(space, at, "and", "b32") \
    TOGETHER(space, at, "or", "b32")  \
    TOGETHER(space, at, "xor", "b32")
TOGETHER_IN("global.", "[g]")
TOGETHER_IN("shared.", "[s]")

/* ---- barriers with a result ------------------------------------------------------------------ */

static void barriers(const struct instruction *instruction)
{
    static const uint64_t patterns[] = {0, UINT64_MAX, 1, (uint64_t)1 << 63, 0x5555555555555555,
        0x00000000FFFFFFFF, 0x123456789ABCDEF0, 0xFFFFFFFFFFFFFFFE};
    for (uint32_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        uint64_t in[OPERANDS * THREADS_PER_BLOCK] = {0};
        for (uint32_t thread = 0; thread < THREADS_PER_BLOCK; thread++)
            set(in, thread, 0, patterns[p] >> thread & 1);
        run_collective(instruction, THREADS_PER_BLOCK, 0xFFFFFFFF, in);
    }
}

#define BARRIER(name, arguments)                                                                  \
    COLLECTIVE(barriers, name ".red.popc.u32" arguments,                                          \
        name ".red.popc.u32 d, " arguments ", x;", u32, none, pred, none, none)                   \
    COLLECTIVE(barriers, name ".red.popc.u32" arguments " !x",                                    \
        name ".red.popc.u32 d, " arguments ", !x;", u32, none, pred, none, none)                  \
    COLLECTIVE(barriers, name ".red.and.pred" arguments,                                          \
        name ".red.and.pred d, " arguments ", x;", pred, none, pred, none, none)                  \
    COLLECTIVE(barriers, name ".red.or.pred" arguments, name ".red.or.pred d, " arguments ", x;", \
        pred, none, pred, none, none)
BARRIER("bar", " 0")
BARRIER("bar", " 3, 64")
BARRIER("barrier", " 1")
BARRIER("barrier", " 15, 64")
/* A barrier that the first warp only arrives at and the second waits for. */
COLLECTIVE(barriers, "bar.arrive bar.sync",
    ".reg .pred p;\n\t.reg .b32 t, n;\n\tmov.u32 t, %%tid.x;\n\tmov.u32 d, 0;\n\t"
    "setp.lt.u32 p, t, 32;\n\t@p st.shared.u32 [s], 77;\n\t@p bar.arrive 2, 64;\n\t"
    "@!p bar.sync 2, 64;\n\t@!p ld.shared.u32 d, [s];",
    u32, none, pred, none, none)
