/* Moves, packing, address conversion, and the registers that change while a kernel runs. */
#include "exec.h"

HANDLER(mov_32)
{
    const uint32_t *a = cell(w, i->o[1]);
    LANE_LOOP_32(a[k])
}

HANDLER(mov_64)
{
    const uint64_t *a = cell(w, i->o[1]);
    LANE_LOOP_64(a[k])
}

/* Adds the window of a space to an address, or takes it away; null stays null. */
void exec_convert_address(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint64_t *a = cell(w, i->o[1]);
    uint64_t offset = (uint64_t)i->offset;
    if (offset == 0) {
        mov_64(w, i, mask);
        return;
    }
    LANE_LOOP_64(a[k] + offset)
}

/* A local variable's address: this activation's local memory and an offset. */
void exec_local_address(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint32_t *base = cell(w, i->o[1]);
    uint32_t offset = (uint32_t)i->offset;
    if (i->wide) {
        LANE_LOOP_64((uint64_t)base[k] + offset)
    } else {
        LANE_LOOP_32(base[k] + offset)
    }
}

/* Constant variables lie among the global addresses. */
static bool is_constant(uint64_t address)
{
    const struct allocation *found = memory_find(address);
    return found != NULL && found->kind == MEMORY_CONSTANT;
}

void exec_is_space(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint64_t *a = cell(w, i->o[1]);
    uint32_t bits = 0;
    for (int k = 0; k < WARP_LANES; k++) {
        uint64_t window = a[k] & WINDOW_MASK;
        bool is_it = i->space == SPACE_SHARED   ? window == SHARED_WINDOW
                     : i->space == SPACE_LOCAL  ? window == LOCAL_WINDOW
                     : i->space == SPACE_PARAM  ? window == PARAM_WINDOW
                     : window != 0              ? false
                     : i->space == SPACE_GLOBAL ? !is_constant(a[k])
                                                : i->space == SPACE_CONSTANT && is_constant(a[k]);
        bits |= is_it ? lane_bit[k] : 0;
    }
    put_predicate(w, i->o[0], bits, mask);
}

static uint64_t read_lane(const struct warp *w, uint32_t offset, bool wide, uint32_t lane)
{
    return wide ? cell_64(w, offset)[lane] : cell_32(w, offset)[lane];
}

static void write_lane(struct warp *w, uint32_t offset, bool wide, uint32_t lane, uint64_t bits)
{
    if (wide)
        cell_64(w, offset)[lane] = bits;
    else
        cell_32(w, offset)[lane] = (uint32_t)bits;
}

/* mov.b64 d, {a, b}: the first part is the lowest. */
void exec_pack(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint64_t part_mask = i->bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * i->bytes) - 1;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        uint64_t bits = 0;
        for (int p = 0; p < i->count; p++)
            bits |= (read_lane(w, i->parts[p], i->wide_source, lane) & part_mask)
                    << 8 * i->bytes * p;
        write_lane(w, i->o[0], i->wide, lane, bits);
    }
}

void exec_unpack(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint64_t part_mask = i->bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * i->bytes) - 1;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        uint64_t bits = read_lane(w, i->o[0], i->wide, lane);
        for (int p = 0; p < i->count; p++)
            write_lane(w, i->parts[p], i->wide_source, lane, bits >> 8 * i->bytes * p & part_mask);
    }
}

static void put_all(struct warp *w, const struct insn *i, uint32_t mask, uint64_t bits)
{
    while (mask != 0)
        write_lane(w, i->o[0], i->wide, next_lane(&mask), bits);
}

/* The clock counts the instructions of the launch, so it is repeatable. */
void exec_clock(struct warp *w, const struct insn *i, uint32_t mask)
{
    put_all(w, i, mask, w->launch->instructions >> i->variant);
}

void exec_globaltimer(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint64_t start = engine_hooks.now_ns != NULL ? engine_hooks.now_ns() : 0;
    put_all(w, i, mask, (start + w->launch->instructions) >> i->variant);
}

#define MOVE(type, kinds, handler)                    \
    {                                                 \
        "mov." type, kinds, handler, CLASS_INTEGER, 0 \
    }
const struct exec_row exec_move_rows[] = {
    MOVE("b16", "hh", mov_32),
    MOVE("u16", "hh", mov_32),
    MOVE("s16", "hh", mov_32),
    MOVE("f16", "hh", mov_32),
    MOVE("bf16", "hh", mov_32),
    MOVE("b32", "rr", mov_32),
    MOVE("u32", "rr", mov_32),
    MOVE("s32", "rr", mov_32),
    MOVE("f32", "ff", mov_32),
    MOVE("f16x2", "rr", mov_32),
    MOVE("b64", "ll", mov_64),
    MOVE("u64", "ll", mov_64),
    MOVE("s64", "ll", mov_64),
    MOVE("f64", "dd", mov_64),
    {0},
};
