/* The race words of an access: looked at, compared, brought up to date.  See race.h. */
#include "access.h"
#include "findings.h"
#include "touch.h"

/* The race words of a space: that of an address is number (address + shift) / 4. */
struct race_shadow {
    uint64_t *writers, *readers;
    uint64_t shift;
    uint64_t floor; /* words below are ordered before */
    uint64_t start; /* words below are another block's, whom nothing orders; global memory only */
    uint64_t bytes; /* bytes + address: the memory itself */
    struct block *block; /* of shared memory; NULL for global */
};

/* Hands an access and the race word it met to race_conflict(). `bytes`: those of the word that both
 * touch. */
static void meet(const struct access *a, const struct race_shadow *s, uint32_t lane, uint64_t word,
    uint32_t bytes, uint64_t stamp, uint64_t other, bool other_is_write)
{
    uint64_t address = 4 * word - s->shift;
    struct race_meeting m = {.warp = a->warp,
        .insn = a->insn,
        .lane = lane,
        .bytes = bytes,
        .stamp = stamp,
        .other = other,
        .is_write = a->insn->access != ACCESS_LOAD,
        .other_is_write = other_is_write,
        .is_shared = s->block != NULL,
        .address = address + (uint32_t)__builtin_ctz(bytes)};
    uint8_t value[WARP_LANES], old[4], fresh[4];
    if (a->is_store) {
        /* The word as it is and as it will be: equal values do no harm. */
        uint64_t start = a->address[lane];
        access_store_lane(a->warp, a->insn, lane, value);
        memcpy(old, byte_at(s->bytes, address), 4);
        for (uint32_t b = 0; b < 4; b++) {
            bool covered = address + b >= start && address + b < start + a->bytes;
            fresh[b] = covered ? value[address + b - start] : old[b];
        }
        m.old_bytes = old;
        m.new_bytes = fresh;
    }
    race_conflict(&m);
}

#define IS_SUSPECT(word, stamp, floor) \
    ((word) >= (floor) && (((word) ^ (stamp)) & RACE_WHO_MASK) != 0)

#define IS_OF_ANOTHER_BLOCK(reader, start) ((reader) < (start) && ((reader)&RACE_STRONG) == 0)

/* What a word of shared memory remembers of its readers once this one is added. */
static inline uint64_t with_reader(uint64_t reader, uint64_t stamp, uint64_t floor)
{
    if (reader < floor)
        return stamp;
    uint64_t several = ((reader ^ stamp) & RACE_THREAD_MASK) != 0 ? RACE_SEVERAL : 0;
    return reader | several | (stamp & RACE_SEVERAL);
}

/* The same for global memory, where several blocks may read: a plain read by another block stays,
 * since whoever writes here now races with it; else the latest segment counts. */
static inline uint64_t with_global_reader(
    uint64_t reader, uint64_t stamp, uint64_t floor, uint64_t start)
{
    if (reader < floor)
        return stamp;
    if (IS_OF_ANOTHER_BLOCK(reader, start))
        return reader | RACE_BLOCKS | (stamp & (RACE_SPLIT | RACE_SEVERAL));
    uint64_t kept = (reader ^ stamp) >> RACE_SEGMENT_SHIFT == 0 ? reader : stamp;
    return kept | ((reader | stamp) & (RACE_SPLIT | RACE_SEVERAL | RACE_BLOCKS));
}

static inline bool hides_plain_write(uint64_t writer, uint64_t mine)
{
    return ((writer ^ mine) & RACE_WHO_MASK) == 0 && (~writer & mine & RACE_STRONG) != 0 &&
           (writer & RACE_WHOLE) != 0;
}

/* What a word remembers of its writers once `mine` has written it. Where a thread has written it
 * plainly and then, with nothing between that orders, as an atomic, the plain write stays: whatever
 * races with the atomic races with that as well. */
static inline uint64_t with_writer(uint64_t writer, uint64_t mine)
{
    return hides_plain_write(writer, mine) ? writer : mine;
}

/* ---- lane by lane ---------------------------------------------------------------------------- */

/* The race words of a word's four bytes: writers, then readers. */
static uint64_t *byte_words(const struct race_shadow *s, uint64_t word)
{
    return s->block != NULL ? block_race_bytes(s->block) + 8 * word : shadow_race_bytes(word);
}

/* Meets race word number `at` if it may not be ordered before the access. */
static void meet_if_suspect(const struct access *a, const struct race_shadow *s, uint32_t lane,
    uint64_t at, uint32_t bytes, uint64_t mine, uint64_t word, bool is_writer)
{
    bool several = !is_writer && word >= s->floor && (word & (RACE_SEVERAL | RACE_BLOCKS)) != 0;
    if ((word & RACE_WHOLE) != 0 && (several || IS_SUSPECT(word, mine, s->floor)))
        meet(a, s, lane, at, bytes, mine, word, is_writer);
}

static uint64_t with_any_reader(const struct race_shadow *s, uint64_t reader, uint64_t mine)
{
    if (reader >= s->floor && (reader & RACE_WHOLE) == 0)
        return mine | RACE_SPLIT;
    return s->block != NULL ? with_reader(reader, mine, s->floor)
                            : with_global_reader(reader, mine, s->floor, s->start);
}

/* All four bytes of a word. */
static void race_word(const struct access *a, const struct race_shadow *s, uint32_t lane,
    uint64_t word, uint64_t mine)
{
    bool writes = a->insn->access != ACCESS_LOAD;
    uint64_t writer = s->writers[word], reader = s->readers[word];
    uint64_t both = (writer >= s->floor ? writer : 0) | (reader >= s->floor ? reader : 0);
    meet_if_suspect(a, s, lane, word, 15, mine, writer, true);
    if (writes)
        meet_if_suspect(a, s, lane, word, 15, mine, reader, false);
    if (both & RACE_SPLIT) {
        const uint64_t *bytes = byte_words(s, word);
        for (uint32_t b = 0; b < (writes ? 8 : 4); b++)
            meet_if_suspect(a, s, lane, word, 1u << b % 4, mine, bytes[b], b < 4);
    }
    if (writes)
        s->writers[word] = with_writer(writer, mine);
    else
        s->readers[word] = with_any_reader(s, reader, mine);
}

/* Some bytes of a word: each has race words of its own, and the whole word's say so. */
static void race_bytes(const struct access *a, const struct race_shadow *s, uint32_t lane,
    uint64_t word, uint32_t mask, uint64_t mine)
{
    bool writes = a->insn->access != ACCESS_LOAD;
    uint64_t *bytes = byte_words(s, word);
    uint64_t *whole = writes ? &s->writers[word] : &s->readers[word];
    meet_if_suspect(a, s, lane, word, mask, mine, s->writers[word], true);
    if (writes)
        meet_if_suspect(a, s, lane, word, mask, mine, s->readers[word], false);
    for (uint32_t b = 0; b < 4; b++) {
        if ((mask >> b & 1) == 0)
            continue;
        meet_if_suspect(a, s, lane, word, 1u << b, mine, bytes[b], true);
        if (writes) {
            meet_if_suspect(a, s, lane, word, 1u << b, mine, bytes[4 + b], false);
            bytes[b] = with_writer(bytes[b], mine);
        } else {
            bytes[4 + b] = with_any_reader(s, bytes[4 + b], mine);
        }
    }
    *whole = *whole >= s->floor ? *whole | RACE_SPLIT : (mine & ~RACE_WHOLE) | RACE_SPLIT;
}

static void race_lane(const struct access *a, const struct race_shadow *s, uint32_t lane)
{
    uint64_t mine = race_stamp(a->warp, a->insn) | race_thread(a->warp, lane) | RACE_WHOLE;
    uint64_t first = a->address[lane] + s->shift;
    if (a->bytes < 4)
        race_bytes(a, s, lane, first / 4, ((1u << a->bytes) - 1) << first % 4, mine);
    for (uint32_t k = 0; k < a->bytes / 4; k++)
        race_word(a, s, lane, first / 4 + k, mine);
}

static void race_run_by_lane(
    const struct access *a, const struct race_shadow *s, const struct access_run *run)
{
    for (uint32_t lane = run->first; lane < (uint32_t)run->first + run->lanes; lane++) {
        race_lane(a, s, lane);
        /* So that the next lane, if it writes the same word, sees this one's value. */
        if (a->is_store)
            access_store_lane(a->warp, a->insn, lane, byte_at(s->bytes, a->address[lane]));
    }
}

/* ---- rows: words that follow each other ------------------------------------------------------ */

/* Segments stay below 2^31, so words compare as signed numbers, which vector units can do. */
#define IS_YOUNG(word, floor) ((int64_t)(word) >= (int64_t)(floor) ? UINT64_MAX : 0)
/* Another thread's, or bytes of the word have race words of their own. */
#define IS_ODD(word, mine) ((((word) ^ (mine)) & RACE_WHO_MASK) | ((word)&RACE_SPLIT))
#define STAMP_OF(k) (stamp + ((uint64_t)((k) >> shift) << RACE_THREAD_SHIFT))

/* `shift`: log2 of the words a lane reads.  False when something needs a closer look; then
 * nothing has changed. */
CLONES static bool read_row(uint64_t *writers, uint64_t *readers, uint64_t stamp, uint64_t floor,
    uint64_t start, uint32_t words, uint32_t shift, bool is_shared)
{
    uint64_t odd = 0;
    for (uint32_t k = 0; k < words; k++) {
        odd |= IS_YOUNG(writers[k], floor) & IS_ODD(writers[k], STAMP_OF(k));
        odd |= IS_YOUNG(readers[k], floor) & readers[k] & RACE_SPLIT;
    }
    if (odd != 0)
        return false;
    if (is_shared) {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t mine = STAMP_OF(k), reader = readers[k];
            uint64_t several = ((reader ^ mine) & RACE_THREAD_MASK) != 0 ? RACE_SEVERAL : 0;
            readers[k] = IS_YOUNG(reader, floor) ? reader | several : mine;
        }
    } else {
        for (uint32_t k = 0; k < words; k++) {
            uint64_t mine = STAMP_OF(k), reader = readers[k];
            uint64_t kept = (reader ^ mine) >> RACE_SEGMENT_SHIFT == 0 ? reader : mine;
            kept |= reader & (RACE_SEVERAL | RACE_BLOCKS);
            kept = IS_OF_ANOTHER_BLOCK(reader, start) ? reader | RACE_BLOCKS : kept;
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
        odd |= IS_YOUNG(writers[k], floor) &
               (IS_ODD(writers[k], mine) | (~writers[k] & mine & RACE_STRONG));
        odd |= IS_YOUNG(readers[k], floor) &
               (IS_ODD(readers[k], mine) | (readers[k] & (RACE_SEVERAL | RACE_BLOCKS)));
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
    uint64_t stamp = race_stamp(a->warp, a->insn) | race_thread(a->warp, run->first) | RACE_WHOLE;
    uint64_t first = (run_start(a, run) + s->shift) / 4;
    uint32_t lane_words = a->bytes / 4, shift = (uint32_t)__builtin_ctz(lane_words);
    uint32_t words = lane_words * (run->is_uniform ? 1 : run->lanes);
    if (run->is_uniform && run->lanes > 1)
        stamp |= RACE_SEVERAL;
    if (writes)
        return write_row(s->writers + first, s->readers + first, stamp, s->floor, words, shift);
    if (!read_row(s->writers + first, s->readers + first, stamp, s->floor, s->start, words, shift,
            s->block != NULL))
        return false;
    if (stamp & RACE_SEVERAL)
        for (uint32_t k = 0; k < words; k++)
            s->readers[first + k] |= RACE_SEVERAL;
    return true;
}

/* Reads of one word a lane all over the place. */
static uint32_t read_scattered(const struct access *a, const struct race_shadow *s)
{
    uint64_t stamp = race_stamp(a->warp, a->insn) | RACE_WHOLE;
    uint32_t odd = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint64_t word = (a->address[lane] + s->shift) / 4;
        uint64_t mine = stamp | race_thread(a->warp, lane), reader = s->readers[word];
        uint64_t young = (s->writers[word] >= s->floor ? s->writers[word] : 0) |
                         (reader >= s->floor ? reader : 0);
        if (IS_SUSPECT(s->writers[word], mine, s->floor) || (young & RACE_SPLIT) != 0) {
            odd |= lane_bit[lane];
            continue;
        }
        s->readers[word] = s->block != NULL ? with_reader(reader, mine, s->floor)
                                            : with_global_reader(reader, mine, s->floor, s->start);
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

/* ---- read-only data -------------------------------------------------------------------------- */

/* The race word of a byte's latest writer in this launch, or 0. */
static uint64_t writer_of_byte(uint64_t at, uint64_t begin)
{
    uint64_t writer = shadow_writer[at / 4];
    if (writer >= begin && (writer & RACE_WHOLE) != 0)
        return writer;
    if (writer >= begin && (writer & RACE_SPLIT) != 0)
        writer = shadow_race_bytes(at / 4)[at % 4];
    return writer >= begin && (writer & RACE_WHOLE) != 0 ? writer : 0;
}

/* A load through the cache of read-only data may get what a word held before this launch wrote it,
 * whoever wrote it and whatever lies between. Few launches write where they read in this way, so
 * pages are looked at first. */
static void check_read_only(const struct access *a, uint64_t shift)
{
    uint64_t begin = (uint64_t)a->warp->launch->begin_segment << RACE_SEGMENT_SHIFT;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint64_t first = a->address[lane] + shift, writer = 0;
        if (!touch_was_written(first))
            continue;
        for (uint64_t byte = 0; byte < a->bytes && writer == 0; byte++)
            writer = writer_of_byte(first + byte, begin);
        if (writer != 0)
            finding_read_only(a->warp, a->insn, lane, a->address[lane], writer);
    }
}

static bool may_read_what_was_written(const struct access *a, uint64_t shift)
{
    if ((a->insn->order & ORDER_READ_ONLY) == 0)
        return false;
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint64_t first = run_start(a, &a->runs[r]) + shift;
        if (touch_was_written(first) || touch_was_written(first + run_bytes(a, &a->runs[r]) - 1))
            return true;
    }
    return false;
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
        .start = launch->has_releases
                     ? 0
                     : (uint64_t)a->warp->block->start_segment << RACE_SEGMENT_SHIFT,
        .bytes = (uint64_t)allocation->bytes_delta};
    check_races(a, &shadow);
    if (may_read_what_was_written(a, shadow.shift))
        check_read_only(a, shadow.shift);
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
        .bytes = (uint64_t)(uintptr_t)block->shared,
        .block = block};
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
