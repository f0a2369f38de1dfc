/* The race words of an access: looked at, compared, brought up to date.  See race.h. */
#include "access.h"
#include "race.h"
#include "shadow.h"

/* The race words of a space: that of an address is number (address + shift) / 4. */
struct race_shadow {
    uint64_t *writers, *readers;
    uint64_t shift;
    uint64_t floor;       /* words below are ordered before */
    const uint8_t *bytes; /* bytes + address: the memory itself */
    bool is_shared;
};

static uint64_t byte_mask(uint64_t address, uint32_t bytes)
{
    return bytes >= 4 ? RACE_BYTES : (uint64_t)((1u << bytes) - 1) << (address & 3) & RACE_BYTES;
}

/* Hands an access and the word it met to race_conflict(). */
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
    uint8_t value[WARP_LANES], old[4], fresh[4];
    if (a->is_store) {
        /* The word as it is and as it will be: equal values do no harm. */
        uint64_t word = address & ~(uint64_t)3, start = a->address[lane];
        access_store_lane(a->warp, a->insn, lane, value);
        memcpy(old, s->bytes + word, 4);
        for (uint32_t b = 0; b < 4; b++) {
            bool covered = word + b >= start && word + b < start + a->bytes;
            fresh[b] = covered ? value[word + b - start] : old[b];
        }
        m.old_bytes = old;
        m.new_bytes = fresh;
    }
    race_conflict(&m);
}

#define IS_SUSPECT(word, stamp, floor) \
    ((word) >= (floor) && (((word) ^ (stamp)) & RACE_WHO_MASK) != 0)

/* What a word of shared memory remembers of its readers once this one is added. */
static inline uint64_t with_reader(uint64_t reader, uint64_t stamp, uint64_t floor)
{
    if (reader < floor)
        return stamp;
    uint64_t several = ((reader ^ stamp) & RACE_THREAD_MASK) != 0 ? RACE_SEVERAL : 0;
    return reader | several | (stamp & (RACE_BYTES | RACE_SEVERAL));
}

/* The same for global memory, where the latest segment counts: several blocks may read. */
static inline uint64_t with_global_reader(uint64_t reader, uint64_t stamp, uint64_t floor)
{
    if (reader < floor)
        return stamp;
    uint64_t kept = (reader ^ stamp) >> RACE_SEGMENT_SHIFT == 0 ? reader : stamp;
    return kept | ((reader | stamp) & (RACE_BYTES | RACE_SEVERAL));
}

/* One lane, word by word. */
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

static void race_run_by_lane(
    const struct access *a, const struct race_shadow *s, const struct access_run *run)
{
    for (uint32_t lane = run->first; lane < (uint32_t)run->first + run->lanes; lane++) {
        race_lane(a, s, lane);
        /* So that the next lane, if it writes the same word, sees this one's value. */
        if (a->is_store)
            access_store_lane(
                a->warp, a->insn, lane, (uint8_t *)(uintptr_t)s->bytes + a->address[lane]);
    }
}

/* ---- rows: words that follow each other ------------------------------------------------------ */

/* Segments stay below 2^31, so words compare as signed numbers, which vector units can do. */
#define IS_YOUNG(word, floor) ((int64_t)(word) >= (int64_t)(floor) ? UINT64_MAX : 0)
#define STAMP_OF(k) (stamp + ((uint64_t)((k) >> shift) << RACE_THREAD_SHIFT))

/* `shift`: log2 of the words a lane reads.  False when something needs a closer look; then
 * nothing has changed. */
CLONES static bool read_row(uint64_t *writers, uint64_t *readers, uint64_t stamp, uint64_t floor,
    uint32_t words, uint32_t shift, bool is_shared)
{
    uint64_t odd = 0;
    for (uint32_t k = 0; k < words; k++)
        odd |= IS_YOUNG(writers[k], floor) & (writers[k] ^ STAMP_OF(k)) & RACE_WHO_MASK;
    if (odd != 0)
        return false;
    if (is_shared) {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t mine = STAMP_OF(k), reader = readers[k];
            uint64_t several = ((reader ^ mine) & RACE_THREAD_MASK) != 0 ? RACE_SEVERAL : 0;
            readers[k] = IS_YOUNG(reader, floor) ? reader | several | RACE_BYTES : mine;
        }
    } else {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t mine = STAMP_OF(k), reader = readers[k];
            uint64_t kept = (reader ^ mine) >> RACE_SEGMENT_SHIFT == 0 ? reader : mine;
            kept |= (reader & RACE_SEVERAL) | RACE_BYTES;
            readers[k] = IS_YOUNG(reader, floor) ? kept : mine;
        }
    }
    return true;
}

CLONES static bool write_row(uint64_t *writers, const uint64_t *readers, uint64_t stamp,
    uint64_t floor, uint32_t words, uint32_t shift)
{
    uint64_t odd = 0;
    for (uint32_t k = 0; k < words; k++) {
        uint64_t mine = STAMP_OF(k);
        odd |= IS_YOUNG(writers[k], floor) & (writers[k] ^ mine) & RACE_WHO_MASK;
        odd |= IS_YOUNG(readers[k], floor) &
               (((readers[k] ^ mine) & RACE_WHO_MASK) | (readers[k] & RACE_SEVERAL));
    }
    if (odd != 0)
        return false;
    for (uint32_t k = 0; k < words; k++)
        writers[k] = STAMP_OF(k);
    return true;
}

static bool race_row(
    const struct access *a, const struct race_shadow *s, const struct access_run *run)
{
    bool writes = a->insn->access != ACCESS_LOAD;
    if (a->bytes < 4 || (run->is_uniform && writes))
        return false;
    uint64_t stamp = race_stamp(a->warp, a->insn) | race_thread(a->warp, run->first) | RACE_BYTES;
    uint64_t first = (run_start(a, run) + s->shift) / 4;
    uint32_t lane_words = a->bytes / 4, shift = (uint32_t)__builtin_ctz(lane_words);
    uint32_t words = lane_words * (run->is_uniform ? 1 : run->lanes);
    if (run->is_uniform && run->lanes > 1)
        stamp |= RACE_SEVERAL;
    if (writes)
        return write_row(s->writers + first, s->readers + first, stamp, s->floor, words, shift);
    if (!read_row(
            s->writers + first, s->readers + first, stamp, s->floor, words, shift, s->is_shared))
        return false;
    if (stamp & RACE_SEVERAL)
        for (uint32_t k = 0; k < words; k++)
            s->readers[first + k] |= RACE_SEVERAL;
    return true;
}

/* Reads of one word a lane all over the place. */
static uint32_t read_scattered(const struct access *a, const struct race_shadow *s)
{
    uint64_t stamp = race_stamp(a->warp, a->insn) | RACE_BYTES;
    uint32_t odd = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint64_t word = (a->address[lane] + s->shift) / 4;
        uint64_t mine = stamp | race_thread(a->warp, lane), reader = s->readers[word];
        if (IS_SUSPECT(s->writers[word], mine, s->floor))
            odd |= lane_bit[lane];
        s->readers[word] = s->is_shared ? with_reader(reader, mine, s->floor)
                                        : with_global_reader(reader, mine, s->floor);
    }
    return odd;
}

/* ---- whole rows of shared memory ------------------------------------------------------------- */

/* A row of 32 words that several threads have read in this epoch, and none has written, needs no
 * more notes about readers: the next writer meets "several" in any case.  This makes the common
 * "everyone reads the tile" cheap.  Any other access to shared memory takes the usual way; a
 * write also forgets the rows it touches. */
static bool is_whole_row(const struct access *a)
{
    return a->run_count == 1 && a->mask == FULL_MASK && a->bytes == 4 && !a->runs[0].is_uniform &&
           a->address[0] % 128 == 0;
}

static void note_row(const struct access *a, struct block *block)
{
    const uint64_t *readers = block->shared_reader + a->address[0] / 4;
    uint64_t all = RACE_SEVERAL;
    for (uint32_t k = 0; k < WARP_LANES; k++)
        all &= readers[k];
    if (all != 0)
        block->shared_rows[a->address[0] / 128] = block->epoch_first;
}

static void forget_rows(const struct access *a, struct block *block)
{
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint64_t first = run_start(a, &a->runs[r]);
        uint64_t last = first + run_bytes(a, &a->runs[r]) - 1;
        for (uint64_t row = first / 128; row <= last / 128; row++)
            block->shared_rows[row] = 0;
    }
}

enum { MANY_RUNS = 12 };

static void check_races(const struct access *a, const struct race_shadow *s)
{
    if (a->run_count >= MANY_RUNS && a->bytes == 4 && a->insn->access == ACCESS_LOAD) {
        for (uint32_t odd = read_scattered(a, s); odd != 0;)
            race_lane(a, s, next_lane(&odd));
        return;
    }
    for (uint32_t r = 0; r < a->run_count; r++)
        if (!race_row(a, s, &a->runs[r]))
            race_run_by_lane(a, s, &a->runs[r]);
}

void access_race_global(const struct access *a, const struct allocation *allocation)
{
    const struct launch *launch = a->warp->launch;
    if (!launch->check_races || allocation->kind == MEMORY_CONSTANT ||
        allocation->kind == MEMORY_INTERNAL)
        return;
    struct race_shadow shadow = {.writers = shadow_writer,
        .readers = shadow_reader,
        .shift = allocation->shadow_offset - allocation->address,
        .floor = (uint64_t)launch->launch_first << RACE_SEGMENT_SHIFT,
        .bytes = (const uint8_t *)(uintptr_t)allocation->bytes_delta};
    check_races(a, &shadow);
}

void access_race_shared(const struct access *a)
{
    struct block *block = a->warp->block;
    if (!a->warp->launch->check_races)
        return;
    bool reads_row = a->insn->access == ACCESS_LOAD && is_whole_row(a);
    if (reads_row && block->shared_rows[a->address[0] / 128] == block->epoch_first)
        return;
    if (a->insn->access != ACCESS_LOAD)
        forget_rows(a, block);
    struct race_shadow shadow = {.writers = block->shared_writer,
        .readers = block->shared_reader,
        .floor = (uint64_t)block->epoch_first << RACE_SEGMENT_SHIFT,
        .bytes = block->shared,
        .is_shared = true};
    check_races(a, &shadow);
    if (reads_row && !block->warp_synced)
        note_row(a, block);
}

void access_synchronise(const struct access *a, uint64_t window)
{
    const struct insn *i = a->insn;
    if (!(i->order & ORDER_STRONG) || !a->warp->launch->check_races)
        return;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if (a->is_store)
            race_release(a->warp, lane, i, window + a->address[lane]);
        else
            race_acquire(a->warp, window + a->address[lane]);
    }
}
