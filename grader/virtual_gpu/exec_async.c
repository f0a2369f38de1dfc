/* cp.async and mbarrier: copies to shared memory that run behind the threads' backs, and the
 * barriers that tell when they, or threads, are done.
 *
 * A copy is carried out when it is waited for, as late as is legal, so that a missing wait shows.
 */
#include <stdlib.h>

#include "access.h"
#include "count.h"
#include "findings.h"
#include "race.h"

/* ---- pending copies -------------------------------------------------------------------------- */

struct async_copy {
    const struct insn *insn;
    uint32_t lanes;
    uint32_t group; /* 0 until it is committed */
    uint32_t target[WARP_LANES];
    uint64_t source[WARP_LANES];
    uint32_t source_bytes[WARP_LANES]; /* the rest of the target is filled with zeros */
};

struct async_copies {
    struct async_copy *copies;
    uint32_t count, capacity;
    uint32_t groups; /* committed so far */
};

void async_forget(struct warp *w)
{
    if (w->async == NULL)
        return;
    free(w->async->copies);
    free(w->async);
    w->async = NULL;
}

/* Half of a copy as an ordinary access, so that it meets the ordinary checks. */
static void as_access(struct access *a, struct warp *w, struct insn *insn, uint32_t lanes)
{
    static _Alignas(64) uint64_t zeros[WARP_LANES];
    uint8_t *frame = w->frame;
    insn->o[1] = 0;
    insn->offset = 0;
    insn->wide_source = true;
    w->frame = (uint8_t *)zeros;
    access_prepare(a, w, insn, lanes);
    w->frame = frame;
}

/* The reading half, of the lanes that read; false if there is none.
 *   load  becomes its instruction */
static bool as_load(struct access *a, struct warp *w, const struct async_copy *copy, uint32_t lanes,
    struct insn *load)
{
    uint32_t reading = 0;
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        reading |= copy->source_bytes[lane] != 0 ? lane_bit[lane] : 0;
    }
    if (reading == 0)
        return false;
    *load = *copy->insn;
    load->access = ACCESS_LOAD;
    load->count = 1;
    load->space = SPACE_GLOBAL;
    as_access(a, w, load, reading);
    memcpy(a->address, copy->source, sizeof a->address);
    access_readdress(a);
    return true;
}

/* The memory system hears of a copy when it is issued, not when it is waited for. What reads no
 * memory that exists is reported when it is carried out. */
static void count_copy(struct warp *w, const struct async_copy *copy)
{
    struct access all;
    struct insn load;
    if (!w->launch->count || !as_load(&all, w, copy, copy->lanes, &load))
        return;
    count_global(&all);
    for (uint32_t rest = all.mask; rest != 0;) {
        const struct allocation *found = memory_find(all.address[__builtin_ctz(rest)]);
        uint32_t lanes = 0;
        for (uint32_t others = rest; others != 0;) {
            uint32_t lane = next_lane(&others);
            if (memory_find(all.address[lane]) == found)
                lanes |= lane_bit[lane];
        }
        struct access part = all;
        access_narrow(&part, lanes);
        if (found != NULL)
            count_unique(&part, found);
        rest &= ~lanes;
    }
}

/* The writing half. False if nothing of it lies where it may.
 *   store  becomes its instruction */
static bool as_store(struct access *a, struct warp *w, const struct async_copy *copy,
    uint32_t lanes, struct insn *store)
{
    *store = *copy->insn;
    store->access = ACCESS_ATOMIC; /* a write without registers behind it */
    store->count = 1;
    store->space = SPACE_SHARED;
    as_access(a, w, store, lanes);
    for (int k = 0; k < WARP_LANES; k++)
        a->address[k] = copy->target[k];
    access_readdress(a);
    return access_keep_shared(a);
}

/* It may also be carried out at once, and must not meet others even then. */
static void check_early(struct warp *w, const struct async_copy *copy)
{
    struct access a;
    struct insn store;
    if (w->launch->check_races && as_store(&a, w, copy, copy->lanes, &store))
        access_race_shared(&a);
}

void exec_async_copy(struct warp *w, const struct insn *i, uint32_t mask)
{
    if (w->async == NULL) {
        w->async = must_realloc(NULL, sizeof *w->async);
        memset(w->async, 0, sizeof *w->async);
    }
    struct async_copies *all = w->async;
    GROW(all->copies, all->count, all->capacity);
    struct async_copy *copy = &all->copies[all->count++];
    *copy = (struct async_copy){.insn = i, .lanes = mask};
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint64_t target = i->wide_source ? cell_64(w, i->o[1])[lane] : cell_32(w, i->o[1])[lane];
        copy->target[lane] = (uint32_t)((target & ~WINDOW_MASK) + (uint64_t)i->offset);
        copy->source[lane] = cell_64(w, i->o[2])[lane] + (uint64_t)(int64_t)(int32_t)i->target;
        copy->source_bytes[lane] = i->o[3] == NO_CELL ? i->bytes : cell_32(w, i->o[3])[lane];
        if (copy->source_bytes[lane] > i->bytes)
            copy->source_bytes[lane] = i->bytes;
        if (i->o[4] != NO_CELL && (*predicate(w, i->o[4]) & lane_bit[lane]) != 0)
            copy->source_bytes[lane] = 0;
    }
    count_copy(w, copy);
    check_early(w, copy);
}

static void read_source(struct access *a, struct allocation *allocation)
{
    access_check_global_initialised(a, allocation);
    access_race_global(a, allocation);
    uint8_t(*bytes)[16] = a->scratch;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        memcpy(bytes[lane], byte_at((uint64_t)allocation->bytes_delta, a->address[lane]), a->bytes);
    }
}

static void carry_out(struct warp *w, const struct async_copy *copy, uint32_t lanes)
{
    uint8_t bytes[WARP_LANES][16] = {{0}};
    struct insn load, store;
    struct access a;

    if (as_load(&a, w, copy, lanes, &load)) {
        a.scratch = bytes;
        if (access_keep_aligned(&a))
            access_by_allocation(&a, read_source);
    }
    if (!as_store(&a, w, copy, lanes, &store))
        return;
    access_mark_shared(&a);
    access_race_shared(&a);
    for (uint32_t rest = a.mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        memset(bytes[lane] + copy->source_bytes[lane], 0, a.bytes - copy->source_bytes[lane]);
        memcpy(w->block->shared + a.address[lane], bytes[lane], a.bytes);
    }
    w->changed = true;
}

/* Carries out what the lanes have pending, but for the last `spared` groups. */
static void finish(struct warp *w, uint32_t lanes, uint32_t spared, bool uncommitted_too)
{
    struct async_copies *all = w->async;
    if (all == NULL)
        return;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < all->count; k++) {
        struct async_copy *copy = &all->copies[k];
        bool due = copy->group != 0 ? copy->group + spared <= all->groups : uncommitted_too;
        uint32_t now = due ? copy->lanes & lanes & w->live : 0;
        if (now != 0)
            carry_out(w, copy, now);
        copy->lanes &= ~now & w->live;
        if (copy->lanes != 0)
            all->copies[kept++] = *copy;
    }
    all->count = kept;
}

void exec_async_commit(struct warp *w, const struct insn *i, uint32_t mask)
{
    (void)i;
    if (w->async == NULL)
        return;
    w->async->groups++;
    for (uint32_t k = 0; k < w->async->count; k++)
        if (w->async->copies[k].group == 0 && (w->async->copies[k].lanes & mask) != 0)
            w->async->copies[k].group = w->async->groups;
}

void exec_async_wait(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint32_t spared = i->o[1] == NO_CELL ? 0 : cell_32(w, i->o[1])[__builtin_ctz(mask)];
    finish(w, mask, spared, i->o[1] == NO_CELL);
}

/* ---- mbarrier -------------------------------------------------------------------------------- */

/* The 64 bits in shared memory: phase, threads expected, threads still to come. */
enum { COUNT_BITS = 20 };
#define COUNT_MASK (((uint64_t)1 << COUNT_BITS) - 1)

static uint64_t packed(uint64_t phase, uint64_t expected, uint64_t pending)
{
    return phase << 63 | (expected & COUNT_MASK) << COUNT_BITS | (pending & COUNT_MASK);
}

static uint64_t arrived(uint64_t state, uint64_t count, bool drops)
{
    uint64_t phase = state >> 63, expected = state >> COUNT_BITS & COUNT_MASK;
    uint64_t pending = state & COUNT_MASK;
    if (drops)
        expected -= count;
    if (pending <= count)
        return packed(!phase, expected, expected);
    return packed(phase, expected, pending - count);
}

static uint64_t operand_64(const struct warp *w, const struct insn *i, int number, uint32_t lane)
{
    uint32_t offset = i->o[number];
    return i->wide ? cell_64(w, offset)[lane] : cell_32(w, offset)[lane];
}

static void barrier_lane(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address)
{
    uint8_t *bytes = w->block->shared + address;
    uint64_t state, key = SHARED_WINDOW + address;
    bool checks = w->launch->check_races;
    memcpy(&state, bytes, sizeof state);
    switch ((enum mbarrier_operation)i->variant) {
    case MBARRIER_INIT:
        state = packed(0, cell_32(w, i->o[2])[lane], cell_32(w, i->o[2])[lane]);
        break;
    case MBARRIER_INVALIDATE:
        break;
    case MBARRIER_ARRIVE:
    case MBARRIER_DROP:
        if (checks)
            race_release(w, lane, i, key);
        if (i->o[0] != NO_CELL)
            cell_64(w, i->o[0])[lane] = state;
        state = arrived(
            state, i->o[2] == NO_CELL ? 1 : cell_32(w, i->o[2])[lane], i->variant == MBARRIER_DROP);
        break;
    case MBARRIER_COPY_ARRIVE:
        finish(w, lane_bit[lane], 0, true);
        if (checks)
            race_release(w, lane, i, key);
        memcpy(&state, bytes, sizeof state);
        /* Without .noinc the arrival was not among the expected ones. */
        if (i->is_signed)
            state = arrived(state, 1, false);
        break;
    case MBARRIER_TEST:
    case MBARRIER_TEST_PARITY: {
        uint64_t phase = i->variant == MBARRIER_TEST ? operand_64(w, i, 2, lane) >> 63
                                                     : cell_32(w, i->o[2])[lane] & 1;
        bool done = state >> 63 != phase;
        put_predicate(w, i->o[0], done ? FULL_MASK : 0, lane_bit[lane]);
        if (done && checks)
            race_acquire(w, key);
        w->polled |= !done;
        w->waits_for_mbarrier |= !done;
        return;
    }
    case MBARRIER_PENDING:
        return;
    }
    memcpy(bytes, &state, sizeof state);
    w->changed = true;
}

static void barrier_shared(struct access *a)
{
    if (!access_keep_shared(a))
        return;
    if (a->insn->variant != MBARRIER_INIT)
        access_check_shared_initialised(a);
    access_mark_shared(a);
    /* A pipeline of libcu++ takes its barriers down while others may still ask them. */
    if (a->insn->variant != MBARRIER_INVALIDATE)
        access_race_shared(a);
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        barrier_lane(a->warp, a->insn, lane, a->address[lane]);
    }
}

static void barrier_elsewhere(struct access *a)
{
    finding_at(a->warp, a->insn, (uint32_t)__builtin_ctz(a->mask), FINDING_OUT_OF_BOUNDS,
        a->address[__builtin_ctz(a->mask)], "An mbarrier that is not in shared memory.");
    launch_stop(a->warp->launch, cudaErrorIllegalAddress, "an mbarrier outside shared memory");
}

void exec_mbarrier(struct warp *w, const struct insn *i, uint32_t mask)
{
    static access_handler *const by_space[] = {[SPACE_GLOBAL] = barrier_elsewhere,
        [SPACE_SHARED] = barrier_shared,
        [SPACE_LOCAL] = barrier_elsewhere,
        [SPACE_CONSTANT] = barrier_elsewhere,
        [SPACE_PARAM] = barrier_elsewhere};
    struct access a;
    access_prepare(&a, w, i, mask);
    access_by_space(&a, by_space);
}

void exec_pending_count(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint32_t *d = cell(w, i->o[0]);
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        d[lane] = (uint32_t)(cell_64(w, i->o[1])[lane] & COUNT_MASK);
    }
}
