/* Loads and stores: what is checked and counted, then the bytes. */
#include "access.h"
#include "bitmap.h"
#include "count.h"
#include "findings.h"

/* ---- bytes
 * -----------------------------------------------------------------------------------
 */

static inline uint64_t extended(uint64_t bits, uint32_t bytes, bool is_signed)
{
    int unused = 64 - 8 * (int)bytes;
    return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

void access_load_lane(struct warp *w, const struct insn *i, uint32_t lane, const uint8_t *bytes)
{
    for (int p = 0; p < i->count; p++, bytes += i->bytes) {
        uint64_t bits = 0;
        memcpy(&bits, bytes, i->bytes);
        bits = extended(bits, i->bytes, i->is_signed);
        if (i->wide)
            cell_64(w, i->parts[p])[lane] = bits;
        else
            cell_32(w, i->parts[p])[lane] = (uint32_t)bits;
    }
}

void access_store_lane(struct warp *w, const struct insn *i, uint32_t lane, uint8_t *bytes)
{
    for (int p = 0; p < i->count; p++, bytes += i->bytes) {
        uint64_t bits = i->wide ? cell_64(w, i->parts[p])[lane] : cell_32(w, i->parts[p])[lane];
        memcpy(bytes, &bits, i->bytes);
    }
}

/* Elements as wide as their cells, one a lane. */
static bool is_plain(const struct insn *i)
{
    return i->count == 1 && i->bytes == (i->wide ? 8 : 4);
}

static void load_words(const struct access *a, uint64_t base)
{
    uint32_t *target = cell_32(a->warp, a->insn->parts[0]);
    for (uint32_t r = 0; r < a->run_count; r++) {
        const struct access_run *run = &a->runs[r];
        const uint8_t *from = byte_at(base, run_start(a, run));
        if (run->is_uniform) {
            uint32_t bits;
            memcpy(&bits, from, 4);
            for (uint32_t k = 0; k < run->lanes; k++)
                target[run->first + k] = bits;
        } else if (run->lanes == WARP_LANES) {
            memcpy(target, from, 4 * WARP_LANES);
        } else {
            for (uint32_t k = 0; k < run->lanes; k++)
                memcpy(&target[run->first + k], from + 4 * k, 4);
        }
    }
}

/* Two or four neighbouring words a lane, neighbouring lanes: a transposition.
 */
static void load_word_vectors(const struct access *a, uint64_t base)
{
    const struct insn *i = a->insn;
    for (uint32_t p = 0; p < i->count; p++) {
        uint32_t *target = cell_32(a->warp, i->parts[p]);
        for (uint32_t rest = a->mask; rest != 0;) {
            uint32_t lane = next_lane(&rest);
            memcpy(&target[lane], byte_at(base, a->address[lane] + 4 * p), 4);
        }
    }
}

static void load_bytes(const struct access *a, uint64_t base)
{
    const struct insn *i = a->insn;
    if (i->bytes == 4 && !i->wide) {
        if (i->count == 1)
            load_words(a, base);
        else
            load_word_vectors(a, base);
        return;
    }
    if (is_plain(i) && a->run_count == 1 && !a->runs[0].is_uniform) {
        memcpy(cell_64(a->warp, i->parts[0]) + a->runs[0].first,
            byte_at(base, run_start(a, a->runs)), (size_t)8 * a->runs[0].lanes);
        return;
    }
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        access_load_lane(a->warp, i, lane, byte_at(base, a->address[lane]));
    }
}

static void store_bytes(const struct access *a, uint64_t base)
{
    const struct insn *i = a->insn;
    if (is_plain(i) && a->run_count == 1 && !a->runs[0].is_uniform) {
        const struct access_run *run = &a->runs[0];
        memcpy(byte_at(base, run_start(a, run)),
            (const uint8_t *)cell(a->warp, i->parts[0]) + (size_t)i->bytes * run->first,
            (size_t)i->bytes * run->lanes);
        return;
    }
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        access_store_lane(a->warp, i, lane, byte_at(base, a->address[lane]));
    }
}

/* ---- global memory
 * ---------------------------------------------------------------------------
 */

static uint64_t bytes_of(const struct allocation *allocation)
{
    return (uint64_t)allocation->bytes_delta;
}

static void load_from(struct access *a, struct allocation *allocation)
{
    count_unique(a, allocation);
    access_synchronise(a, 0);
    access_check_global_initialised(a, allocation);
    access_race_global(a, allocation);
    load_bytes(a, bytes_of(allocation));
}

static void store_to(struct access *a, struct allocation *allocation)
{
    count_unique(a, allocation);
    access_synchronise(a, 0);
    access_mark_global(a, allocation);
    access_race_global(a, allocation);
    store_bytes(a, bytes_of(allocation));
}

static void load_global(struct access *a)
{
    count_global(a);
    if (a->insn->order & ORDER_STRONG) {
        a->warp->polled = true;
        warp_asks(a->warp, a->address[__builtin_ctz(a->mask)]);
    }
    if (access_keep_aligned(a))
        access_by_allocation(a, load_from);
}

static void store_global(struct access *a)
{
    count_global(a);
    a->warp->changed = true;
    if (access_keep_aligned(a))
        access_by_allocation(a, store_to);
}

static void load_from_constant(struct access *a, struct allocation *allocation)
{
    load_bytes(a, bytes_of(allocation));
}

static void load_constant(struct access *a)
{
    a->warp->launch->counts[a->insn->index].constant_requests++;
    if (access_keep_aligned(a))
        access_by_allocation(a, load_from_constant);
}

/* ---- shared and local memory
 * ----------------------------------------------------------------- */

static void load_shared(struct access *a)
{
    if (a->insn->order & ORDER_STRONG)
        a->warp->polled = true;
    if (!access_keep_shared(a))
        return;
    count_shared(a);
    access_synchronise(a, SHARED_WINDOW);
    access_check_shared_initialised(a);
    access_race_shared(a);
    load_bytes(a, (uint64_t)(uintptr_t)a->warp->block->shared);
}

static void store_shared(struct access *a)
{
    a->warp->changed = true;
    if (!access_keep_shared(a))
        return;
    count_shared(a);
    access_synchronise(a, SHARED_WINDOW);
    access_mark_shared(a);
    access_race_shared(a);
    store_bytes(a, (uint64_t)(uintptr_t)a->warp->block->shared);
}

/* Local memory is private, so there is nothing to check but its size. */
/* A lane reads local memory that it has not written, and uses what it gets. */
static void check_local(const struct access *a, uint32_t lane, uint64_t at, uint64_t first)
{
    const uint8_t *map = a->warp->local_initialised;
    if (a->insn->is_harmless || a->insn->is_unsure || a->insn->sets_bits || a->insn->in_toolkit ||
        a->insn->line == 0 || bitmap_all(map, first, a->bytes, true) ||
        finding_repeats(a->warp, a->insn, FINDING_UNINITIALISED))
        return;
    finding_at(a->warp, a->insn, lane, FINDING_UNINITIALISED, at,
        "Reads %u bytes of a local array, or of a variable, that the thread has not written.",
        a->bytes);
}

static void access_local(struct access *a)
{
    struct warp *w = a->warp;
    uint32_t limit = w->launch->local_limit_bytes;
    w->launch->counts[a->insn->index].local_requests++;
    if (!access_keep_aligned(a))
        return;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint64_t at = a->address[lane];
        if (at >= limit || a->bytes > limit - at) {
            finding_at(w, a->insn, lane, FINDING_OUT_OF_BOUNDS, at,
                "A %s of %u bytes at offset %lld of the thread's local "
                "memory, which has %u "
                "bytes.",
                a->is_store ? "store" : "load", a->bytes, (long long)(int32_t)at, limit);
            launch_stop(
                w->launch, cudaErrorIllegalAddress, "an access beyond the thread's local memory");
            return;
        }
        uint8_t *bytes = w->local + (size_t)lane * limit + at;
        uint64_t first = lane * 8 * ((uint64_t)limit / 8 + 1) + at;
        if (a->is_store) {
            access_store_lane(w, a->insn, lane, bytes);
            bitmap_fill(w->local_initialised, first, a->bytes, true);
        } else {
            access_load_lane(w, a->insn, lane, bytes);
            if (w->launch->check_initialisation)
                check_local(a, lane, at, first);
        }
    }
}

static void load_kernel_param(struct access *a)
{
    const struct launch *launch = a->warp->launch;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if (a->address[lane] + a->bytes <= launch->param_bytes)
            access_load_lane(a->warp, a->insn, lane, launch->params + a->address[lane]);
    }
}

static void store_read_only(struct access *a)
{
    uint32_t lane = (uint32_t)__builtin_ctz(a->mask);
    finding_at(a->warp, a->insn, lane, FINDING_READ_ONLY, a->address[lane],
        "Stores to memory that kernels can only read.");
    launch_stop(a->warp->launch, cudaErrorIllegalAddress, "a store to read-only memory");
}

void exec_load(struct warp *w, const struct insn *i, uint32_t mask)
{
    static access_handler *const by_space[] = {[SPACE_GLOBAL] = load_global,
        [SPACE_SHARED] = load_shared,
        [SPACE_LOCAL] = access_local,
        [SPACE_CONSTANT] = load_constant,
        [SPACE_PARAM] = load_kernel_param};
    struct access a;
    access_prepare(&a, w, i, mask);
    access_by_space(&a, by_space);
}

void exec_store(struct warp *w, const struct insn *i, uint32_t mask)
{
    static access_handler *const by_space[] = {[SPACE_GLOBAL] = store_global,
        [SPACE_SHARED] = store_shared,
        [SPACE_LOCAL] = access_local,
        [SPACE_CONSTANT] = store_read_only,
        [SPACE_PARAM] = store_read_only};
    struct access a;
    access_prepare(&a, w, i, mask);
    access_by_space(&a, by_space);
}

/* ---- parameters
 * ------------------------------------------------------------------------------
 */

/* A kernel's parameter at a fixed offset: the same for all lanes. */
CLONES static void broadcast(struct warp *w, uint32_t offset, bool wide, uint64_t bits)
{
    if (wide) {
        uint64_t *target = cell_64(w, offset);
        for (int k = 0; k < WARP_LANES; k++)
            target[k] = bits;
    } else {
        uint32_t *target = cell_32(w, offset);
        for (int k = 0; k < WARP_LANES; k++)
            target[k] = (uint32_t)bits;
    }
}

void exec_load_param(struct warp *w, const struct insn *i, uint32_t mask)
{
    if (mask != FULL_MASK || !i->variant) {
        struct access a;
        access_prepare(&a, w, i, mask);
        load_kernel_param(&a);
        return;
    }
    const struct launch *launch = w->launch;
    for (int p = 0; p < i->count; p++) {
        uint64_t bits = 0, at = (uint64_t)i->offset + (uint64_t)p * i->bytes;
        if (at + i->bytes > launch->param_bytes)
            return;
        memcpy(&bits, launch->params + at, i->bytes);
        broadcast(w, i->parts[p], i->wide, extended(bits, i->bytes, i->is_signed));
    }
}

void exec_load_frame_param(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint8_t *bytes = (const uint8_t *)cell(w, i->o[1]) + i->offset;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        access_load_lane(w, i, lane, bytes + (size_t)lane * i->stride);
    }
}

void exec_store_frame_param(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint8_t *bytes = (uint8_t *)cell(w, i->o[1]) + i->offset;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        access_store_lane(w, i, lane, bytes + (size_t)lane * i->stride);
    }
}
