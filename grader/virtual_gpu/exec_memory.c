/* Loads and stores: address, checks, counters, bytes.
 *
 * An access is looked at as a whole: 32 lanes that read neighbouring elements, or all the same one,
 * take a short way through every check; anything else goes lane by lane.
 */
#include "memory_access.h"

#include "bitmap.h"
#include "findings.h"
#include "race.h"
#include "shadow.h"

/* ---- addresses ------------------------------------------------------------------------------- */

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

CLONES static void find_shape(struct access *a)
{
    uint32_t first = (uint32_t)__builtin_ctz(a->mask);
    uint64_t start = a->address[first], same = 0, next = 0;
    uint64_t low = start - (uint64_t)first * a->bytes;
    for (int k = 0; k < WARP_LANES; k++) {
        uint64_t in = (a->mask & lane_bit[k]) != 0 ? UINT64_MAX : 0;
        same |= (a->address[k] ^ start) & in;
        next |= (a->address[k] ^ (low + (uint64_t)k * a->bytes)) & in;
    }
    a->shape = same == 0 ? SHAPE_UNIFORM : next == 0 ? SHAPE_CONTIGUOUS : SHAPE_SCATTERED;
}

void access_prepare(struct access *a, struct warp *w, const struct insn *i, uint32_t mask)
{
    a->warp = w;
    a->insn = i;
    a->mask = mask;
    a->bytes = (uint32_t)i->bytes * i->count;
    a->is_store = i->access == ACCESS_STORE;
    fill_addresses(a);
    find_shape(a);
}

/* Lanes of the access whose generic address lies in the same window as the first lane's; the
 * window is taken off their addresses. */
static uint32_t same_window(struct access *a, uint32_t mask, enum ptx_space *space)
{
    uint64_t window = a->address[__builtin_ctz(mask)] & WINDOW_MASK;
    uint32_t lanes = 0;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if ((a->address[lane] & WINDOW_MASK) == window)
            lanes |= lane_bit[lane];
    }
    *space = window == SHARED_WINDOW  ? SPACE_SHARED
             : window == LOCAL_WINDOW ? SPACE_LOCAL
             : window == PARAM_WINDOW ? SPACE_PARAM
                                      : SPACE_GLOBAL;
    if (*space != SPACE_GLOBAL)
        for (int k = 0; k < WARP_LANES; k++)
            a->address[k] &= ~WINDOW_MASK;
    return lanes;
}

void access_by_space(struct access *a, access_handler *const handlers[])
{
    enum ptx_space space = a->insn->space;
    if (space != SPACE_GENERIC) {
        handlers[space](a);
        return;
    }
    for (uint32_t rest = a->mask; rest != 0;) {
        struct access part = *a;
        part.mask = same_window(&part, rest, &space);
        rest &= ~part.mask;
        if (part.mask != a->mask)
            find_shape(&part);
        handlers[space](&part);
    }
}

/* ---- alignment ------------------------------------------------------------------------------- */

/* Lanes whose address is a multiple of the access size; the others are reported. */
uint32_t access_aligned_lanes(const struct access *a)
{
    uint64_t bits = 0;
    for (int k = 0; k < WARP_LANES; k++)
        bits |= (a->mask & lane_bit[k]) != 0 ? a->address[k] : 0;
    if ((bits & (a->bytes - 1)) == 0)
        return a->mask;
    uint32_t good = 0, bad = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if ((a->address[lane] & (a->bytes - 1)) == 0)
            good |= lane_bit[lane];
        else
            bad |= lane_bit[lane];
    }
    uint32_t lane = (uint32_t)__builtin_ctz(bad);
    struct launch *launch = a->warp->launch;
    finding_at(a->warp, a->insn, lane, FINDING_MISALIGNED, a->address[lane],
        "A %s of %u bytes at address 0x%llx, which is not a multiple of %u.",
        a->is_store ? "store" : "load", a->bytes, (unsigned long long)a->address[lane], a->bytes);
    launch_stop(launch, cudaErrorMisalignedAddress,
        "misaligned address: an access of %u bytes needs an address that is a multiple of %u",
        a->bytes, a->bytes);
    return good;
}

/* ---- global memory --------------------------------------------------------------------------- */

/* Lanes whose bytes lie in [low, high). */
static uint32_t lanes_within(const struct access *a, uint32_t mask, uint64_t low, uint64_t high)
{
    uint64_t room = high - low;
    if (room < a->bytes)
        return 0;
    room -= a->bytes;
    uint32_t lanes = 0;
    for (int k = 0; k < WARP_LANES; k++)
        lanes |= a->address[k] - low <= room ? lane_bit[k] : 0;
    return lanes & mask;
}

/* The next lanes of *rest that touch one allocation, which is returned; lanes that touch none are
 * reported and dropped. NULL when no lane is left. */
struct allocation *access_next_allocation(struct access *a, uint32_t *rest, uint32_t *lanes)
{
    struct launch *launch = a->warp->launch;
    struct insn_window *window = &launch->windows[a->insn->index];
    while (*rest != 0) {
        if (window->allocation != NULL) {
            *lanes = lanes_within(a, *rest, window->low, window->high);
            if (*lanes != 0) {
                *rest &= ~*lanes;
                return window->allocation;
            }
        }
        uint32_t lane = (uint32_t)__builtin_ctz(*rest);
        struct allocation *found = memory_find(a->address[lane]);
        bool fits = found != NULL && a->bytes <= found->size - (a->address[lane] - found->address);
        bool writes = a->insn->access != ACCESS_LOAD;
        if (fits && !(writes && found->kind == MEMORY_CONSTANT) &&
            launch_may_access(launch, found, writes)) {
            *window = (struct insn_window){found->address, found->address + found->size, found};
            continue;
        }
        finding_bad_access(a->warp, a->insn, lane, a->address[lane], a->bytes, writes);
        *rest &= ~lane_bit[lane];
    }
    return NULL;
}

void access_count_global(const struct access *a)
{
    struct launch *launch = a->warp->launch;
    if (!launch->count)
        return;
    struct insn_counts *c = &launch->counts[a->insn->index];
    uint32_t lanes = (uint32_t)__builtin_popcount(a->mask), bytes = lanes * a->bytes;
    uint32_t sectors = count_sectors(a), ideal = (bytes + 31) / 32;
    c->requests++;
    c->sectors += sectors;
    c->sectors_ideal += ideal < sectors ? ideal : sectors;
    c->bytes += bytes;
}

/* Reports the first lane that reads bytes nobody wrote. */
void access_check_initialised(
    const struct access *a, uint32_t lanes, const struct allocation *allocation)
{
    if (!a->warp->launch->check_initialisation || allocation->all_initialised)
        return;
    uint64_t base = allocation->shadow_offset - allocation->address;
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    if (lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS &&
        bitmap_all(shadow_initialised, base + a->address[0], (uint64_t)WARP_LANES * a->bytes, true))
        return;
    if (a->shape == SHAPE_UNIFORM)
        lanes = lane_bit[first];
    while (lanes != 0) {
        uint32_t lane = next_lane(&lanes);
        if (bitmap_all(shadow_initialised, base + a->address[lane], a->bytes, true))
            continue;
        if (finding_repeats(a->warp, a->insn, FINDING_UNINITIALISED))
            return;
        uint64_t offset = a->address[lane] - allocation->address;
        finding_at(a->warp, a->insn, lane, FINDING_UNINITIALISED, a->address[lane],
            "Reads %u bytes that nothing has written: byte %llu of %s (%llu bytes).", a->bytes,
            (unsigned long long)offset, allocation->name, (unsigned long long)allocation->size);
        return;
    }
}

void access_mark_written(const struct access *a, uint32_t lanes, struct allocation *allocation)
{
    if (allocation->all_initialised && allocation->all_by_device)
        return;
    uint64_t base = allocation->shadow_offset - allocation->address;
    if (lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS) {
        bitmap_fill(shadow_initialised, base + a->address[0], WARP_LANES * a->bytes, true);
        bitmap_fill(shadow_by_device, base + a->address[0], WARP_LANES * a->bytes, true);
        return;
    }
    while (lanes != 0) {
        uint32_t lane = next_lane(&lanes);
        bitmap_fill(shadow_initialised, base + a->address[lane], a->bytes, true);
        bitmap_fill(shadow_by_device, base + a->address[lane], a->bytes, true);
    }
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static inline uint64_t extended(uint64_t bits, uint32_t bytes, bool is_signed)
{
    int unused = 64 - 8 * (int)bytes;
    return is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

/* Reads one lane's elements into their registers. */
static void load_lane(struct warp *w, const struct insn *i, uint32_t lane, const uint8_t *bytes)
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

static void store_lane(struct warp *w, const struct insn *i, uint32_t lane, uint8_t *bytes)
{
    for (int p = 0; p < i->count; p++, bytes += i->bytes) {
        uint64_t bits = i->wide ? cell_64(w, i->parts[p])[lane] : cell_32(w, i->parts[p])[lane];
        memcpy(bytes, &bits, i->bytes);
    }
}

/* `base` + address is where a lane's bytes are. */
CLONES static void load_bytes(const struct access *a, uint32_t lanes, const uint8_t *base)
{
    struct warp *w = a->warp;
    const struct insn *i = a->insn;
    bool word = i->count == 1 && ((i->bytes == 4 && !i->wide) || (i->bytes == 8 && i->wide));
    if (word && lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS) {
        memcpy(cell(w, i->parts[0]), base + a->address[0], (size_t)WARP_LANES * i->bytes);
    } else if (word && i->bytes == 4 && a->shape == SHAPE_UNIFORM) {
        uint32_t bits, *target = cell_32(w, i->parts[0]);
        memcpy(&bits, base + a->address[__builtin_ctz(lanes)], 4);
        for (int k = 0; k < WARP_LANES; k++)
            target[k] = (lanes & lane_bit[k]) != 0 ? bits : target[k];
    } else if (word && i->bytes == 4) {
        uint32_t *target = cell_32(w, i->parts[0]);
        for (uint32_t rest = lanes; rest != 0;) {
            uint32_t lane = next_lane(&rest);
            memcpy(&target[lane], base + a->address[lane], 4);
        }
    } else {
        for (uint32_t rest = lanes; rest != 0;) {
            uint32_t lane = next_lane(&rest);
            load_lane(w, i, lane, base + a->address[lane]);
        }
    }
}

static void store_bytes(const struct access *a, uint32_t lanes, uint8_t *base)
{
    struct warp *w = a->warp;
    const struct insn *i = a->insn;
    bool word = i->count == 1 && ((i->bytes == 4 && !i->wide) || (i->bytes == 8 && i->wide));
    if (word && lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS) {
        memcpy(base + a->address[0], cell(w, i->parts[0]), (size_t)WARP_LANES * i->bytes);
        return;
    }
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        store_lane(w, i, lane, base + a->address[lane]);
    }
}

/* ---- races ----------------------------------------------------------------------------------- */

/* The shadows of the words that an access touches: word of an address = (address + shift) / 4. */
struct race_shadow {
    uint64_t *writers, *readers;
    uint64_t shift;
    uint64_t floor;
    const uint8_t *bytes; /* bytes + address: the memory itself */
    bool is_shared;
};

static uint64_t byte_mask(uint64_t address, uint32_t bytes)
{
    return bytes >= 4 ? RACE_BYTES : (uint64_t)((1u << bytes) - 1) << (address & 3) & RACE_BYTES;
}

static void meet(const struct access *a, const struct race_shadow *s, uint32_t lane,
    uint64_t address, uint64_t stamp, uint64_t other, bool other_is_write)
{
    struct race_meeting m = {.warp = a->warp,
        .insn = a->insn,
        .lane = lane,
        .stamp = stamp,
        .other = other,
        .is_write = a->insn->access != ACCESS_LOAD,
        .other_is_write = other_is_write,
        .is_shared = s->is_shared,
        .address = address};
    uint8_t value[WARP_LANES];
    uint8_t old[4];
    if (a->is_store && a->bytes <= sizeof value) {
        /* The word as it is and as it will be: equal values do no harm. */
        store_lane(a->warp, a->insn, lane, value);
        uint64_t start = a->address[lane];
        memcpy(old, s->bytes + (address & ~(uint64_t)3), 4);
        uint8_t fresh[4];
        memcpy(fresh, old, 4);
        for (uint32_t b = 0; b < 4; b++) {
            uint64_t at = (address & ~(uint64_t)3) + b;
            if (at >= start && at < start + a->bytes)
                fresh[b] = value[at - start];
        }
        memcpy(value, fresh, 4);
        m.old_bytes = old;
        m.new_bytes = value;
    }
    race_conflict(&m);
}

#define IS_SUSPECT(word, stamp, floor) \
    ((word) >= (floor) && (((word) ^ (stamp)) & RACE_WHO_MASK) != 0)

/* What a word remembers of its readers once this one is added. */
static inline uint64_t with_reader(uint64_t reader, uint64_t stamp, uint64_t floor)
{
    if (reader < floor)
        return stamp;
    return ((reader ^ stamp) & RACE_THREAD_MASK) != 0 ? reader | RACE_SEVERAL | (stamp & RACE_BYTES)
                                                      : reader | (stamp & RACE_BYTES);
}

/* In global memory another block's older read must not be replaced by this block's later one, nor
 * the other way round; several segments of one block may alternate. */
static inline uint64_t with_global_reader(uint64_t reader, uint64_t stamp, uint64_t floor)
{
    if (reader < floor)
        return stamp;
    if ((reader ^ stamp) >> RACE_SEGMENT_SHIFT == 0)
        return reader | (stamp & RACE_BYTES);
    return (stamp & ~RACE_BYTES) | ((reader | stamp) & (RACE_BYTES | RACE_SEVERAL));
}

static void race_lane(const struct access *a, const struct race_shadow *s, uint32_t lane)
{
    bool writes = a->insn->access != ACCESS_LOAD;
    uint64_t stamp = race_stamp(a->warp, a->insn) | race_thread(a->warp, lane);
    uint64_t address = a->address[lane], end = address + a->bytes;
    for (; address < end; address = (address & ~(uint64_t)3) + 4) {
        uint64_t word = (address + s->shift) / 4;
        uint32_t bytes = end - address < 4 ? (uint32_t)(end - address) : 4;
        uint64_t mine = stamp | byte_mask(address, bytes);
        uint64_t writer = s->writers[word], reader = s->readers[word];
        if (IS_SUSPECT(writer, mine, s->floor))
            meet(a, s, lane, address, mine, writer, true);
        if (!writes) {
            s->readers[word] = s->is_shared ? with_reader(reader, mine, s->floor)
                                            : with_global_reader(reader, mine, s->floor);
            continue;
        }
        if (reader >= s->floor &&
            (IS_SUSPECT(reader, mine, s->floor) || (reader & RACE_SEVERAL) != 0))
            meet(a, s, lane, address, mine, reader, false);
        bool same = ((writer ^ mine) & RACE_WHO_MASK) == 0;
        s->writers[word] = same ? mine | (writer & RACE_BYTES) : mine;
    }
}

/* Contiguous words of 32 lanes: looks first, and goes lane by lane only when something is odd. */
CLONES static bool race_row_read(uint64_t *writers, uint64_t *readers, uint64_t stamp,
    uint64_t floor, uint32_t words, bool shared)
{
    uint64_t odd = 0;
    uint32_t shift = words == WARP_LANES ? 0 : words == 2 * WARP_LANES ? 1 : 2;
    for (uint32_t k = 0; k < words; k++) {
        uint64_t mine = stamp + ((uint64_t)(k >> shift) << RACE_THREAD_SHIFT);
        int64_t young = (int64_t)writers[k] >= (int64_t)floor ? -1 : 0;
        odd |= (uint64_t)young & (writers[k] ^ mine) & RACE_WHO_MASK;
    }
    if (odd != 0)
        return false;
    if (shared) {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t mine = stamp + ((uint64_t)(k >> shift) << RACE_THREAD_SHIFT);
            uint64_t reader = readers[k];
            uint64_t several = ((reader ^ mine) & RACE_THREAD_MASK) != 0 ? RACE_SEVERAL : 0;
            readers[k] = (int64_t)reader < (int64_t)floor ? mine : reader | several | RACE_BYTES;
        }
    } else {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t mine = stamp + ((uint64_t)(k >> shift) << RACE_THREAD_SHIFT);
            uint64_t reader = readers[k];
            uint64_t kept = (reader ^ mine) >> RACE_SEGMENT_SHIFT == 0 ? reader : mine;
            kept |= reader & RACE_SEVERAL;
            readers[k] = (int64_t)reader < (int64_t)floor ? mine : kept | RACE_BYTES;
        }
    }
    return true;
}

CLONES static bool race_row_write(
    uint64_t *writers, const uint64_t *readers, uint64_t stamp, uint64_t floor, uint32_t words)
{
    uint64_t odd = 0;
    uint32_t shift = words == WARP_LANES ? 0 : words == 2 * WARP_LANES ? 1 : 2;
    for (uint32_t k = 0; k < words; k++) {
        uint64_t mine = stamp + ((uint64_t)(k >> shift) << RACE_THREAD_SHIFT);
        int64_t young = (int64_t)writers[k] >= (int64_t)floor ? -1 : 0;
        odd |= (uint64_t)young & (writers[k] ^ mine) & RACE_WHO_MASK;
        young = (int64_t)readers[k] >= (int64_t)floor ? -1 : 0;
        odd |=
            (uint64_t)young & (((readers[k] ^ mine) & RACE_WHO_MASK) | (readers[k] & RACE_SEVERAL));
    }
    if (odd != 0)
        return false;
    for (uint32_t k = 0; k < words; k++)
        writers[k] = stamp + ((uint64_t)(k >> shift) << RACE_THREAD_SHIFT);
    return true;
}

static void race_uniform_read(const struct access *a, const struct race_shadow *s, uint32_t lanes)
{
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    uint64_t stamp = race_stamp(a->warp, a->insn) | race_thread(a->warp, lane) | RACE_BYTES;
    uint64_t word = (a->address[lane] + s->shift) / 4, reader = s->readers[word];
    if (lanes & (lanes - 1))
        stamp |= RACE_SEVERAL;
    s->readers[word] = (s->is_shared ? with_reader(reader, stamp, s->floor)
                                     : with_global_reader(reader, stamp, s->floor)) |
                       (stamp & RACE_SEVERAL);
}

static void check_races(const struct access *a, uint32_t lanes, const struct race_shadow *s)
{
    bool writes = a->insn->access != ACCESS_LOAD;
    uint64_t first_word = (a->address[0] + s->shift) / 4;
    if (lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS && a->bytes >= 4) {
        uint64_t stamp = race_stamp(a->warp, a->insn) | race_thread(a->warp, 0) | RACE_BYTES;
        uint32_t words = WARP_LANES * a->bytes / 4;
        if (writes ? race_row_write(
                         s->writers + first_word, s->readers + first_word, stamp, s->floor, words)
                   : race_row_read(s->writers + first_word, s->readers + first_word, stamp,
                         s->floor, words, s->is_shared))
            return;
    } else if (a->shape == SHAPE_UNIFORM && !writes && a->bytes == 4) {
        uint64_t word = (a->address[__builtin_ctz(lanes)] + s->shift) / 4;
        if (s->writers[word] < s->floor) {
            race_uniform_read(a, s, lanes);
            return;
        }
    }
    /* Stores go one by one with their bytes, so that two lanes that write the same word see each
     * other's value. */
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        race_lane(a, s, lane);
        if (a->is_store)
            store_lane(a->warp, a->insn, lane, (uint8_t *)(uintptr_t)s->bytes + a->address[lane]);
    }
}

void access_race_global(const struct access *a, uint32_t lanes, const struct allocation *allocation)
{
    struct launch *launch = a->warp->launch;
    if (!launch->check_races || allocation->kind == MEMORY_CONSTANT ||
        allocation->kind == MEMORY_INTERNAL)
        return;
    struct race_shadow shadow = {.writers = shadow_writer,
        .readers = shadow_reader,
        .shift = allocation->shadow_offset - allocation->address,
        .floor = (uint64_t)launch->launch_first << RACE_SEGMENT_SHIFT,
        .bytes = (const uint8_t *)(uintptr_t)allocation->bytes_delta};
    check_races(a, lanes, &shadow);
}

void access_race_shared(const struct access *a, uint32_t lanes)
{
    struct block *block = a->warp->block;
    if (!a->warp->launch->check_races)
        return;
    struct race_shadow shadow = {.writers = block->shared_writer,
        .readers = block->shared_reader,
        .floor = (uint64_t)block->epoch_first << RACE_SEGMENT_SHIFT,
        .bytes = block->shared,
        .is_shared = true};
    check_races(a, lanes, &shadow);
}

/* A strong access may wait for others, or publish. */
static void synchronise(const struct access *a, uint32_t lanes, uint64_t window)
{
    struct warp *w = a->warp;
    const struct insn *i = a->insn;
    if (!(i->order & ORDER_STRONG) || !w->launch->check_races)
        return;
    while (lanes != 0) {
        uint32_t lane = next_lane(&lanes);
        if (a->is_store)
            race_release(w, lane, i, window + a->address[lane]);
        else
            race_acquire(w, window + a->address[lane]);
    }
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static void load_global(struct access *a)
{
    struct warp *w = a->warp;
    access_count_global(a);
    if (a->insn->order & ORDER_STRONG)
        w->polled = true;
    uint32_t rest = access_aligned_lanes(a), lanes;
    for (struct allocation *found; (found = access_next_allocation(a, &rest, &lanes)) != NULL;) {
        synchronise(a, lanes, 0);
        access_check_initialised(a, lanes, found);
        access_race_global(a, lanes, found);
        load_bytes(a, lanes, (const uint8_t *)(uintptr_t)found->bytes_delta);
    }
}

static void store_global(struct access *a)
{
    access_count_global(a);
    a->warp->changed = true;
    uint32_t rest = access_aligned_lanes(a), lanes;
    for (struct allocation *found; (found = access_next_allocation(a, &rest, &lanes)) != NULL;) {
        synchronise(a, lanes, 0);
        access_mark_written(a, lanes, found);
        access_race_global(a, lanes, found);
        store_bytes(a, lanes, (uint8_t *)(uintptr_t)found->bytes_delta);
    }
}

static void load_constant(struct access *a)
{
    a->warp->launch->counts[a->insn->index].constant_requests++;
    uint32_t rest = access_aligned_lanes(a), lanes;
    for (struct allocation *found; (found = access_next_allocation(a, &rest, &lanes)) != NULL;)
        load_bytes(a, lanes, (const uint8_t *)(uintptr_t)found->bytes_delta);
}

void access_count_shared(const struct access *a)
{
    struct launch *launch = a->warp->launch;
    if (!launch->count)
        return;
    struct insn_counts *c = &launch->counts[a->insn->index];
    uint32_t ideal;
    c->shared_requests++;
    c->wavefronts += count_wavefronts(a, &ideal);
    c->wavefronts_ideal += ideal;
}

uint32_t access_shared_lanes(struct access *a)
{
    const struct block *block = a->warp->block;
    uint32_t good = lanes_within(a, a->mask, 0, block->shared_bytes);
    if (good != a->mask && !finding_repeats(a->warp, a->insn, FINDING_OUT_OF_BOUNDS)) {
        uint32_t lane = (uint32_t)__builtin_ctz(a->mask & ~good);
        finding_at(a->warp, a->insn, lane, FINDING_OUT_OF_BOUNDS, a->address[lane],
            "A %s of %u bytes at offset %lld of shared memory, of which the block has %u bytes.",
            a->insn->access == ACCESS_LOAD ? "load" : "store", a->bytes,
            (long long)(int32_t)a->address[lane], block->shared_bytes);
    }
    if (good != a->mask)
        launch_stop(a->warp->launch, cudaErrorIllegalAddress,
            "an access to shared memory beyond the block's %u bytes", block->shared_bytes);
    struct access inside = *a;
    inside.mask = good;
    return good == 0 ? 0 : good & access_aligned_lanes(&inside);
}

void access_check_shared_initialised(const struct access *a, uint32_t lanes)
{
    const struct block *block = a->warp->block;
    if (!a->warp->launch->check_initialisation || block->shared_complete)
        return;
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    if (lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS &&
        bitmap_all(block->shared_initialised, a->address[0], WARP_LANES * a->bytes, true))
        return;
    if (a->shape == SHAPE_UNIFORM)
        lanes = lane_bit[first];
    while (lanes != 0) {
        uint32_t lane = next_lane(&lanes);
        if (bitmap_all(block->shared_initialised, a->address[lane], a->bytes, true))
            continue;
        if (finding_repeats(a->warp, a->insn, FINDING_UNINITIALISED))
            return;
        char name[96];
        finding_at(a->warp, a->insn, lane, FINDING_UNINITIALISED, a->address[lane],
            "Reads %u bytes of shared memory (%s) that no thread of the block has written.",
            a->bytes, shared_name(a->warp->launch, a->address[lane], name, sizeof name));
        return;
    }
}

void access_mark_shared(const struct access *a, uint32_t lanes)
{
    struct block *block = a->warp->block;
    if (lanes == FULL_MASK && a->shape == SHAPE_CONTIGUOUS)
        bitmap_fill(block->shared_initialised, a->address[0], WARP_LANES * a->bytes, true);
    else
        for (uint32_t rest = lanes; rest != 0;)
            bitmap_fill(block->shared_initialised, a->address[next_lane(&rest)], a->bytes, true);
}

static void load_shared(struct access *a)
{
    struct warp *w = a->warp;
    if (a->insn->order & ORDER_STRONG)
        w->polled = true;
    uint32_t lanes = access_shared_lanes(a);
    if (lanes == 0)
        return;
    access_count_shared(a);
    synchronise(a, lanes, SHARED_WINDOW);
    access_check_shared_initialised(a, lanes);
    access_race_shared(a, lanes);
    load_bytes(a, lanes, w->block->shared);
}

static void store_shared(struct access *a)
{
    struct block *block = a->warp->block;
    a->warp->changed = true;
    uint32_t lanes = access_shared_lanes(a);
    if (lanes == 0)
        return;
    access_count_shared(a);
    synchronise(a, lanes, SHARED_WINDOW);
    access_mark_shared(a, lanes);
    access_race_shared(a, lanes);
    store_bytes(a, lanes, block->shared);
}

/* Local memory is private, so there is nothing to check but its size. */
static void access_local(struct access *a)
{
    struct warp *w = a->warp;
    uint32_t limit = w->launch->local_limit_bytes;
    w->launch->counts[a->insn->index].local_requests++;
    uint32_t good = lanes_within(a, a->mask, 0, limit);
    if (good != a->mask) {
        uint32_t lane = (uint32_t)__builtin_ctz(a->mask & ~good);
        finding_at(w, a->insn, lane, FINDING_OUT_OF_BOUNDS, a->address[lane],
            "A %s of %u bytes at offset %lld of the thread's local memory, which has %u bytes.",
            a->is_store ? "store" : "load", a->bytes, (long long)(int32_t)a->address[lane], limit);
        launch_stop(
            w->launch, cudaErrorIllegalAddress, "an access beyond the thread's local memory");
    }
    struct access inside = *a;
    inside.mask = good;
    for (uint32_t rest = good == 0 ? 0 : access_aligned_lanes(&inside); rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint8_t *bytes = w->local + (size_t)lane * limit + a->address[lane];
        if (a->is_store)
            store_lane(w, a->insn, lane, bytes);
        else
            load_lane(w, a->insn, lane, bytes);
    }
}

static void load_kernel_param(struct access *a)
{
    const struct launch *launch = a->warp->launch;
    uint32_t limit = launch->param_bytes;
    for (uint32_t rest = lanes_within(a, a->mask, 0, limit); rest != 0;) {
        uint32_t lane = next_lane(&rest);
        load_lane(a->warp, a->insn, lane, launch->params + a->address[lane]);
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

/* ---- parameters ------------------------------------------------------------------------------ */

void exec_load_param(struct warp *w, const struct insn *i, uint32_t mask)
{
    struct access a;
    access_prepare(&a, w, i, mask);
    load_kernel_param(&a);
}

void exec_load_frame_param(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint8_t *bytes = (const uint8_t *)cell(w, i->o[1]) + i->offset;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        load_lane(w, i, lane, bytes + (size_t)lane * i->stride);
    }
}

void exec_store_frame_param(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint8_t *bytes = (uint8_t *)cell(w, i->o[1]) + i->offset;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        store_lane(w, i, lane, bytes + (size_t)lane * i->stride);
    }
}
