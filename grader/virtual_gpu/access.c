/* See access.h. */
#include "access.h"

#include "bitmap.h"
#include "findings.h"
#include "shadow.h"
#include "touch.h"

/* ---- addresses and runs ---------------------------------------------------------------------- */

CLONES static void fill_addresses(struct access *a)
{
    const struct insn *i = a->insn;
    uint64_t offset = (uint64_t)i->offset;
    if (i->wide_source) {
        const uint64_t *base = cell(a->warp, i->o[1]);
        for (int k = 0; k < WARP_LANES; k++)
            a->address[k] = base[k] + offset;
    } else {
        const uint32_t *base = cell(a->warp, i->o[1]);
        for (int k = 0; k < WARP_LANES; k++)
            a->address[k] = base[k] + (uint32_t)offset;
    }
}

/* Bit k: lane k + 1 has the same address as lane k (*same), or the next element's (*next). */
CLONES static void compare_neighbours(const struct access *a, uint32_t *same, uint32_t *next)
{
    uint32_t same_bits = 0, next_bits = 0;
    for (int k = 0; k < WARP_LANES - 1; k++) {
        uint64_t step = a->address[k + 1] - a->address[k];
        same_bits |= step == 0 ? lane_bit[k] : 0;
        next_bits |= step == a->bytes ? lane_bit[k] : 0;
    }
    *same = same_bits;
    *next = next_bits;
}

static uint32_t ones_at(uint32_t bits, uint32_t position)
{
    uint32_t inverted = ~(bits >> position);
    return inverted == 0 ? WARP_LANES : (uint32_t)__builtin_ctz(inverted);
}

static void find_runs(struct access *a)
{
    uint32_t same, next, pairs = a->mask & a->mask >> 1;
    compare_neighbours(a, &same, &next);
    a->run_count = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t first = (uint32_t)__builtin_ctz(rest);
        uint32_t uniform = ones_at(same & pairs, first), row = ones_at(next & pairs, first);
        struct access_run *run = &a->runs[a->run_count++];
        run->first = (uint8_t)first;
        run->is_uniform = uniform > row;
        run->lanes = (uint8_t)(1 + (uniform > row ? uniform : row));
        rest &= run->lanes + first >= WARP_LANES ? 0 : FULL_MASK << (first + run->lanes);
    }
}

void access_prepare(struct access *a, struct warp *w, const struct insn *i, uint32_t mask)
{
    a->warp = w;
    a->insn = i;
    a->mask = mask;
    a->bytes = (uint32_t)i->bytes * i->count;
    a->is_store = i->access == ACCESS_STORE;
    fill_addresses(a);
    find_runs(a);
}

void access_readdress(struct access *a)
{
    find_runs(a);
}

void access_narrow(struct access *a, uint32_t mask)
{
    if (mask == a->mask)
        return;
    a->mask = mask;
    find_runs(a);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

/* Lanes whose generic address lies in the same window as the first lane's. */
static uint32_t same_window(const struct access *a, uint32_t mask, uint64_t *window)
{
    *window = a->address[__builtin_ctz(mask)] & WINDOW_MASK;
    uint32_t lanes = 0;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        lanes |= (a->address[lane] & WINDOW_MASK) == *window ? lane_bit[lane] : 0;
    }
    return lanes;
}

void access_by_space(struct access *a, access_handler *const handlers[])
{
    if (a->insn->space != SPACE_GENERIC) {
        handlers[a->insn->space](a);
        return;
    }
    for (uint32_t rest = a->mask; rest != 0;) {
        uint64_t window;
        struct access part = *a;
        uint32_t lanes = same_window(a, rest, &window);
        enum ptx_space space = window == SHARED_WINDOW  ? SPACE_SHARED
                               : window == LOCAL_WINDOW ? SPACE_LOCAL
                               : window == PARAM_WINDOW ? SPACE_PARAM
                                                        : SPACE_GLOBAL;
        if (space != SPACE_GLOBAL)
            for (int k = 0; k < WARP_LANES; k++)
                part.address[k] &= ~WINDOW_MASK;
        access_narrow(&part, lanes);
        handlers[space](&part);
        rest &= ~lanes;
    }
}

/* ---- alignment ------------------------------------------------------------------------------- */

static const char *verb_of(const struct access *a)
{
    return a->insn->access == ACCESS_LOAD    ? "load"
           : a->insn->access == ACCESS_STORE ? "store"
                                             : "atomic operation";
}

bool access_keep_aligned(struct access *a)
{
    uint64_t bits = 0;
    for (uint32_t r = 0; r < a->run_count; r++)
        bits |= run_start(a, &a->runs[r]);
    if ((bits & (a->bytes - 1)) == 0)
        return true;
    uint32_t good = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        good |= (a->address[lane] & (a->bytes - 1)) == 0 ? lane_bit[lane] : 0;
    }
    uint32_t lane = (uint32_t)__builtin_ctz(a->mask & ~good);
    finding_at(a->warp, a->insn, lane, FINDING_MISALIGNED, a->address[lane],
        "A %s of %u bytes at address 0x%llx, which is not a multiple of %u.", verb_of(a), a->bytes,
        (unsigned long long)a->address[lane], a->bytes);
    launch_stop(a->warp->launch, cudaErrorMisalignedAddress,
        "misaligned address: an access of %u bytes needs an address that is a multiple of %u",
        a->bytes, a->bytes);
    if (good != 0)
        access_narrow(a, good);
    return good != 0;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* Lanes of `among` whose bytes lie in [low, high). */
static uint32_t lanes_within(const struct access *a, uint32_t among, uint64_t low, uint64_t high)
{
    uint64_t room = high - low;
    if (room < a->bytes)
        return 0;
    uint32_t lanes = 0;
    room -= a->bytes;
    for (uint32_t r = 0; r < a->run_count; r++) {
        const struct access_run *run = &a->runs[r];
        uint32_t bits = (run->lanes == WARP_LANES ? FULL_MASK : (1u << run->lanes) - 1)
                        << run->first;
        uint64_t first = run_start(a, run) - low,
                 last = a->address[run->first + run->lanes - 1] - low;
        if (first <= room && last <= room) {
            lanes |= bits;
            continue;
        }
        for (uint32_t rest = bits; rest != 0;) {
            uint32_t lane = next_lane(&rest);
            lanes |= a->address[lane] - low <= room ? lane_bit[lane] : 0;
        }
    }
    return lanes & among;
}

/* Widens the instruction's window to the allocation that the lane touches. */
static bool find_window(const struct access *a, uint32_t lane, struct insn_window *window)
{
    struct allocation *found = memory_find(a->address[lane]);
    bool writes = a->insn->access != ACCESS_LOAD;
    if (found == NULL || a->bytes > found->size - (a->address[lane] - found->address) ||
        (writes && found->kind == MEMORY_CONSTANT) || !launch_may_access(a->warp->launch, found))
        return false;
    *window = (struct insn_window){found->address, found->address + found->size, found};
    return true;
}

/* A load that may not be made yields zeros, so that what follows is repeatable. */
static void give_zeros(const struct access *a, uint32_t lane)
{
    static const uint8_t zeros[VECTOR_MAX * 8];
    if (a->insn->handler == exec_load)
        access_load_lane(a->warp, a->insn, lane, zeros);
}

static void hand_over(struct access *a, struct allocation *allocation, allocation_handler *handler)
{
    touch_note(a, allocation);
    handler(a, allocation);
}

void access_by_allocation(struct access *a, allocation_handler *handler)
{
    struct insn_window *window = &a->warp->launch->windows[a->insn->index];
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lanes =
            window->allocation == NULL ? 0 : lanes_within(a, rest, window->low, window->high);
        if (lanes == a->mask) {
            hand_over(a, window->allocation, handler);
            return;
        }
        if (lanes != 0) {
            struct access part = *a;
            access_narrow(&part, lanes);
            hand_over(&part, window->allocation, handler);
            rest &= ~lanes;
            continue;
        }
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (!find_window(a, lane, window)) {
            finding_bad_access(
                a->warp, a->insn, lane, a->address[lane], a->bytes, a->insn->access != ACCESS_LOAD);
            give_zeros(a, lane);
            rest &= ~lane_bit[lane];
        }
    }
}

bool access_keep_shared(struct access *a)
{
    const struct block *block = a->warp->block;
    uint32_t good = lanes_within(a, a->mask, 0, block->shared_limit);
    if (good != a->mask) {
        uint32_t lane = (uint32_t)__builtin_ctz(a->mask & ~good);
        finding_at(a->warp, a->insn, lane, FINDING_OUT_OF_BOUNDS, a->address[lane],
            "A %s of %u bytes at offset %lld of shared memory, of which the block has %u bytes.",
            verb_of(a), a->bytes, (long long)(int32_t)a->address[lane], block->shared_bytes);
        launch_stop(a->warp->launch, cudaErrorIllegalAddress,
            "an access to shared memory beyond the block's %u bytes", block->shared_bytes);
        if (good == 0)
            return false;
        access_narrow(a, good);
    }
    return access_keep_aligned(a);
}

/* ---- initialisation -------------------------------------------------------------------------- */

/* A copied structure has holes: nothing was written there, but something nearby was. */
static bool is_hole(const struct access *a, const uint8_t *map, uint64_t first)
{
    enum { NEARBY_BYTES = 16 };
    if (!a->insn->is_harmless)
        return false;
    uint64_t start = first / NEARBY_BYTES * NEARBY_BYTES;
    return bitmap_first_not(map, start, NEARBY_BYTES, false) < NEARBY_BYTES;
}

/* The first lane that reads bytes nobody has written, or -1.  Bit of an address = address + base. */
static int first_unwritten(const struct access *a, const uint8_t *map, uint64_t base)
{
    if (a->insn->sets_bits)
        return -1;
    for (uint32_t r = 0; r < a->run_count; r++) {
        const struct access_run *run = &a->runs[r];
        uint64_t first = run_start(a, run) + base, size = run_bytes(a, run);
        for (uint64_t at = 0; at < size;) {
            uint64_t bad = at + bitmap_first_not(map, first + at, size - at, true);
            if (bad >= size)
                break;
            uint64_t lane = bad / a->bytes;
            if (!is_hole(a, map, first + lane * a->bytes))
                return run->first + (int)lane;
            at = (lane + 1) * a->bytes;
        }
    }
    return -1;
}

void access_check_global_initialised(const struct access *a, const struct allocation *allocation)
{
    if (!a->warp->launch->check_initialisation || allocation->all_initialised)
        return;
    int lane =
        first_unwritten(a, shadow_initialised, allocation->shadow_offset - allocation->address);
    if (lane < 0 || finding_repeats(a->warp, a->insn, FINDING_UNINITIALISED))
        return;
    uint64_t offset = a->address[lane] - allocation->address;
    finding_at(a->warp, a->insn, (uint32_t)lane, FINDING_UNINITIALISED, a->address[lane],
        "Reads %u bytes that nothing has written: byte %llu of %s (%llu bytes).", a->bytes,
        (unsigned long long)offset, allocation->name, (unsigned long long)allocation->size);
}

void access_mark_global(const struct access *a, struct allocation *allocation)
{
    if (allocation->all_initialised && allocation->all_by_device)
        return;
    uint64_t base = allocation->shadow_offset - allocation->address;
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint64_t first = run_start(a, &a->runs[r]) + base, size = run_bytes(a, &a->runs[r]);
        bitmap_fill(shadow_initialised, first, size, true);
        bitmap_fill(shadow_by_device, first, size, true);
    }
}

/* CUB reads padding of its scratch memory, and throws it away. */
void access_check_shared_initialised(const struct access *a)
{
    const struct block *block = a->warp->block;
    if (!a->warp->launch->check_initialisation || a->insn->in_toolkit)
        return;
    int lane = first_unwritten(a, block->shared_initialised, 0);
    if (lane < 0 || finding_repeats(a->warp, a->insn, FINDING_UNINITIALISED))
        return;
    char name[96];
    finding_at(a->warp, a->insn, (uint32_t)lane, FINDING_UNINITIALISED, a->address[lane],
        "Reads %u bytes of shared memory (%s) that no thread of the block has written.", a->bytes,
        shared_name(a->warp->launch, a->address[lane], name, sizeof name));
}

void access_mark_shared(const struct access *a)
{
    for (uint32_t r = 0; r < a->run_count; r++)
        bitmap_fill(a->warp->block->shared_initialised, run_start(a, &a->runs[r]),
            run_bytes(a, &a->runs[r]), true);
}
