/* See race.h. */
#include "race.h"

#include <stdio.h>
#include <stdlib.h>

#include <string.h>

#include "findings.h"
#include "shadow.h"
#include "touch.h"

/* ---- segments -------------------------------------------------------------------------------- */

/* Which block a segment of the current launch belongs to. */
static struct {
    uint32_t first; /* segment number of blocks[0] */
    uint32_t next;  /* the next free number, over all launches */
    uint64_t *blocks;
    size_t capacity;
} segments = {.first = 1, .next = 1};

enum { SEGMENTS_MAX = 0x70000000 };

uint32_t race_new_segment(const struct block *block)
{
    size_t at = segments.next - segments.first;
    if (at >= segments.capacity) {
        segments.capacity = segments.capacity == 0 ? 4096 : segments.capacity * 2;
        segments.blocks =
            must_realloc(segments.blocks, segments.capacity * sizeof *segments.blocks);
    }
    segments.blocks[at] = block->linear;
    return segments.next++;
}

static uint64_t block_of_segment(uint32_t segment)
{
    size_t at = segment - segments.first;
    return at < segments.next - segments.first ? segments.blocks[at] : UINT64_MAX;
}

/* ---- releases and acquires ------------------------------------------------------------------- */

/* One thread published what it had fenced, by a strong write to a word. */
struct release {
    uint64_t block;
    uint32_t thread;
    uint32_t fenced;       /* its accesses in older segments are published */
    uint32_t block_fenced; /* so are those of its block before the last barrier, fenced by anyone */
    uint32_t epoch_first;  /* first segment after its block's last barrier */
    /* So are those of its warp before __syncwarp: all lanes', or each lane's where masks differed. */
    uint32_t warp_fenced;
    uint32_t *lanes_fenced; /* or NULL */
    uint32_t segment;       /* that of the write itself */
    bool of_block;          /* in global memory, but for the threads of its block only */
    uint32_t before;        /* previous release to this word by a block of the same chain, + 1 */
};

enum { CHAINS = 64 };

/* A word that strong accesses use: all releases so far, in order. */
struct sync_word {
    uint64_t address;
    struct release *releases;
    uint32_t count, capacity;
    uint32_t chains[CHAINS]; /* last release by block % CHAINS, + 1 */
    struct sync_word *next;
};

/* What a block has learnt: the first `count` releases of a word. */
struct acquired {
    struct sync_word *word;
    uint32_t count;
};
struct block_knowledge {
    uint64_t block;
    struct acquired *acquired;
    uint32_t count, capacity;
    uint32_t *places; /* hashed by word: position in `acquired`, + 1; 0 where there is none */
    uint32_t place_count;
    uint32_t visit; /* marks those seen by a search */
    struct block_knowledge *next;
};

enum { BUCKET_BITS = 14, BUCKETS = 1 << BUCKET_BITS, SEARCH_MAX = 20000 };
static struct sync_word *words[BUCKETS];
static struct block_knowledge *knowledge[BUCKETS];
static uint32_t search_number, search_left;

static uint32_t bucket_of(uint64_t key)
{
    return (uint32_t)((key * 0x9E3779B97F4A7C15u) >> (64 - BUCKET_BITS));
}

static struct sync_word *find_word(uint64_t address, bool create)
{
    struct sync_word **slot = &words[bucket_of(address)];
    for (struct sync_word *word = *slot; word != NULL; word = word->next)
        if (word->address == address)
            return word;
    if (!create)
        return NULL;
    struct sync_word *word = must_realloc(NULL, sizeof *word);
    memset(word, 0, sizeof *word);
    word->address = address;
    word->next = *slot;
    return *slot = word;
}

static struct block_knowledge *find_knowledge(uint64_t block, bool create)
{
    struct block_knowledge **slot = &knowledge[bucket_of(block)];
    for (struct block_knowledge *k = *slot; k != NULL; k = k->next)
        if (k->block == block)
            return k;
    if (!create)
        return NULL;
    struct block_knowledge *k = must_realloc(NULL, sizeof *k);
    memset(k, 0, sizeof *k);
    k->block = block;
    k->next = *slot;
    return *slot = k;
}

static void forget_synchronisation(void)
{
    for (int b = 0; b < BUCKETS; b++) {
        while (words[b] != NULL) {
            struct sync_word *next = words[b]->next;
            for (uint32_t i = 0; i < words[b]->count; i++)
                free(words[b]->releases[i].lanes_fenced);
            free(words[b]->releases);
            free(words[b]);
            words[b] = next;
        }
        while (knowledge[b] != NULL) {
            struct block_knowledge *next = knowledge[b]->next;
            free(knowledge[b]->acquired);
            free(knowledge[b]->places);
            free(knowledge[b]);
            knowledge[b] = next;
        }
    }
}

/* Shared memory of different blocks has the same offsets: the block makes the key unique. */
static uint64_t key_of(const struct warp *w, uint64_t address)
{
    return address >= SHARED_WINDOW ? address + (w->block->linear << 20) : address;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What the lane has learnt of the other lanes by __syncwarp with partial masks, and has fenced. */
static uint32_t *fenced_of_lanes(const struct warp *w, uint32_t lane, uint32_t fenced)
{
    if (w->pair_floor == NULL)
        return NULL;
    uint32_t *lanes = must_realloc(NULL, WARP_LANES * sizeof *lanes);
    for (uint32_t k = 0; k < WARP_LANES; k++)
        lanes[k] = least(fenced, w->pair_floor[lane][k]);
    return lanes;
}

void race_release(struct warp *w, uint32_t lane, const struct insn *insn, uint64_t address)
{
    bool local = (insn->order & ORDER_BLOCK) != 0 || address >= SHARED_WINDOW;
    if (insn->order & ORDER_RELEASE)
        race_fence(w, 1u << lane, local);
    uint32_t fenced = w->fence_device[lane];
    uint32_t block_fenced = w->block->fence_device;
    if (local) {
        fenced = w->fence_block[lane];
        block_fenced = w->block->fence_block;
    }
    if (fenced == 0 && block_fenced == 0)
        return;
    w->launch->has_releases = true;
    struct sync_word *word = find_word(key_of(w, address), true);
    GROW(word->releases, word->count, word->capacity);
    uint32_t *chain = &word->chains[w->block->linear % CHAINS];
    word->releases[word->count++] = (struct release){.block = w->block->linear,
        .thread = thread_of(w, lane),
        .fenced = fenced,
        .block_fenced = block_fenced > fenced ? block_fenced : fenced,
        .epoch_first = w->block->epoch_first,
        .warp_fenced = least(fenced, w->sync_floor),
        .lanes_fenced = fenced_of_lanes(w, lane, fenced),
        .segment = w->segment,
        .of_block = (insn->order & ORDER_BLOCK) != 0,
        .before = *chain};
    *chain = word->count;
}

/* Where the position of the word in `acquired` stands, or is to stand. */
static uint32_t *find_place(const struct block_knowledge *k, const struct sync_word *word)
{
    uint32_t at = (uint32_t)(((uintptr_t)word * 0x9E3779B97F4A7C15u) >> 32);
    for (;; at++) {
        uint32_t *place = &k->places[at & (k->place_count - 1)];
        if (*place == 0 || k->acquired[*place - 1].word == word)
            return place;
    }
}

/* At least half of the places stay free, also when one more is taken. */
static void make_places(struct block_knowledge *k)
{
    if (2 * (k->count + 1) <= k->place_count)
        return;
    k->place_count = k->place_count == 0 ? 16 : 2 * k->place_count;
    k->places = must_realloc(k->places, k->place_count * sizeof *k->places);
    memset(k->places, 0, k->place_count * sizeof *k->places);
    for (uint32_t i = 0; i < k->count; i++)
        *find_place(k, k->acquired[i].word) = i + 1;
}

void race_acquire(struct warp *w, uint64_t address)
{
    if (!w->launch->has_releases)
        return;
    struct sync_word *word = find_word(key_of(w, address), false);
    if (word == NULL)
        return;
    struct block_knowledge *k = find_knowledge(w->block->linear, true);
    make_places(k);
    uint32_t *place = find_place(k, word);
    if (*place == 0) {
        GROW(k->acquired, k->count, k->capacity);
        k->acquired[k->count++].word = word;
        *place = k->count;
    }
    k->acquired[*place - 1].count = word->count;
}

struct past {
    uint64_t block;
    uint32_t segment, thread;
    const struct sync_word *written; /* as an atomic or a volatile; NULL: it did something else */
};

static bool covers(const struct sync_word *word, uint32_t at, const struct past *past)
{
    const struct release *r = &word->releases[at];
    if (r->block != past->block)
        return false;
    /* Who has read what a release wrote comes after that write, too. */
    if (word == past->written && r->thread == past->thread && past->segment <= r->segment)
        return true;
    if (r->thread == past->thread && past->segment < r->fenced)
        return true;
    if (r->thread / WARP_LANES == past->thread / WARP_LANES &&
        (past->segment < r->warp_fenced ||
            (r->lanes_fenced != NULL &&
                past->segment < r->lanes_fenced[past->thread % WARP_LANES])))
        return true;
    return past->segment < r->epoch_first && past->segment < r->block_fenced;
}

/* Has the block learnt of the past access, directly or through what others had learnt?  An
 * exhausted search counts as yes: a missed race is better than a false one. */
static bool knows(struct block_knowledge *k, const struct past *past)
{
    if (k == NULL || k->visit == search_number)
        return false;
    k->visit = search_number;
    for (uint32_t i = 0; i < k->count; i++) {
        const struct acquired *a = &k->acquired[i];
        uint32_t at = a->word->chains[past->block % CHAINS];
        for (; at != 0; at = a->word->releases[at - 1].before) {
            if (search_left-- == 0)
                return true;
            const bool reaches = !a->word->releases[at - 1].of_block || past->block == k->block;
            if (at <= a->count && reaches && covers(a->word, at - 1, past))
                return true;
        }
    }
    for (uint32_t i = 0; i < k->count; i++) {
        const struct acquired *a = &k->acquired[i];
        for (uint32_t at = a->count; at-- > 0;) {
            if (search_left-- == 0)
                return true;
            const struct release *r = &a->word->releases[at];
            if (r->block != k->block && !r->of_block &&
                knows(find_knowledge(r->block, false), past))
                return true;
            if (search_left == 0)
                return true;
        }
    }
    return false;
}

/* ---- order ----------------------------------------------------------------------------------- */

void race_launch_begin(struct launch *launch)
{
    if (segments.next > SEGMENTS_MAX) {
        shadow_forget_races();
        segments.next = 1;
    }
    segments.first = segments.next;
    launch->launch_first = launch->begin_segment = segments.next;
    launch->has_releases = false;
    touch_launch_begin(launch);
}

void race_launch_end(struct launch *launch)
{
    if (launch->has_releases)
        forget_synchronisation();
}

static void all_warps_in(struct block *block, uint32_t segment)
{
    for (uint32_t i = 0; i < block->warp_count; i++) {
        block->warps[i].segment = segment;
        block->warps[i].sync_floor = segment;
    }
}

void race_block_begin(struct block *block)
{
    uint32_t segment = race_new_segment(block);
    block->start_segment = block->epoch_first = segment;
    block->fence_device = block->fence_block = 0;
    block->warp_synced = false;
    all_warps_in(block, segment);
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct warp *w = &block->warps[i];
        memset(w->fence_block, 0, sizeof w->fence_block);
        memset(w->fence_device, 0, sizeof w->fence_device);
        free(w->pair_floor);
        w->pair_floor = NULL;
    }
}

void race_block_barrier(struct block *block)
{
    uint32_t segment = race_new_segment(block);
    block->epoch_first = segment;
    block->fence_block = segment; /* a barrier is a fence within the block */
    block->warp_synced = false;
    all_warps_in(block, segment);
}

void race_warp_sync(struct warp *w, uint32_t lanes)
{
    w->segment = race_new_segment(w->block);
    w->block->warp_synced = true;
    if ((w->live & ~lanes) == 0) {
        w->sync_floor = w->segment;
        return;
    }
    if (w->pair_floor == NULL) {
        w->pair_floor = must_realloc(NULL, WARP_LANES * sizeof *w->pair_floor);
        memset(w->pair_floor, 0, WARP_LANES * sizeof *w->pair_floor);
    }
    /* What one of them has learnt of any other lane, all of them know from now on. */
    uint32_t known[WARP_LANES] = {0};
    for (uint32_t a = lanes; a != 0;) {
        uint32_t lane = next_lane(&a);
        for (uint32_t k = 0; k < WARP_LANES; k++)
            known[k] = w->pair_floor[lane][k] > known[k] ? w->pair_floor[lane][k] : known[k];
    }
    for (uint32_t a = lanes; a != 0;)
        known[next_lane(&a)] = w->segment;
    for (uint32_t a = lanes; a != 0;)
        memcpy(w->pair_floor[next_lane(&a)], known, sizeof known);
}

void race_fence(struct warp *w, uint32_t lanes, bool of_block_only)
{
    w->segment = race_new_segment(w->block);
    w->block->fence_block = w->segment;
    if (!of_block_only)
        w->block->fence_device = w->segment;
    while (lanes != 0) {
        uint32_t lane = next_lane(&lanes);
        w->fence_block[lane] = w->segment;
        if (!of_block_only)
            w->fence_device[lane] = w->segment;
    }
}

void race_grid_barrier(struct launch *launch)
{
    launch->launch_first = segments.next;
    for (uint32_t b = 0; b < launch->in_flight; b++) {
        struct block *block = launch->resident[b];
        block->epoch_first = block->start_segment = race_new_segment(block);
        all_warps_in(block, block->epoch_first);
    }
}

/* The word that the other access has written as an atomic or a volatile, if others have seen it. */
static const struct sync_word *written_by_other(const struct race_meeting *m)
{
    if (!m->other_is_write || (m->other & RACE_STRONG) == 0)
        return NULL;
    const uint64_t address = m->address + (m->is_shared ? SHARED_WINDOW : 0);
    const struct sync_word *word = find_word(key_of(m->warp, address), false);
    return word != NULL ? word : find_word(key_of(m->warp, address & ~(uint64_t)7), false);
}

/* Is the other access ordered before this one? */
static bool is_ordered(const struct race_meeting *m, bool *same_block)
{
    const struct warp *w = m->warp;
    struct past past = {.segment = (uint32_t)(m->other >> RACE_SEGMENT_SHIFT),
        .thread = (uint32_t)(m->other >> RACE_THREAD_SHIFT & 1023)};
    past.block = m->is_shared ? w->block->linear : block_of_segment(past.segment);
    *same_block = past.block == w->block->linear;
    if (*same_block) {
        if (past.thread == thread_of(w, m->lane) || past.segment < w->block->epoch_first)
            return true;
        if (past.thread / WARP_LANES == w->index) {
            uint32_t lane = past.thread % WARP_LANES;
            if (past.segment < w->sync_floor ||
                (w->pair_floor != NULL && past.segment < w->pair_floor[m->lane][lane]))
                return true;
        }
    }
    if (!w->launch->has_releases)
        return false;
    past.written = written_by_other(m);
    search_number++;
    search_left = SEARCH_MAX;
    return knows(find_knowledge(w->block->linear, false), &past);
}

static bool writes_the_same(const struct race_meeting *m)
{
    if (!m->is_write || !m->other_is_write || m->new_bytes == NULL)
        return false;
    for (int b = 0; b < 4; b++)
        if ((m->bytes >> b & 1) != 0 && m->old_bytes[b] != m->new_bytes[b])
            return false;
    return true;
}

/* In an epoch with warp-level synchronisation their order is not known. */
static bool has_readers_in_block(const struct race_meeting *m)
{
    const struct block *block = m->warp->block;
    return (m->other & RACE_SEVERAL) != 0 && !block->warp_synced &&
           (uint32_t)(m->other >> RACE_SEGMENT_SHIFT) >= block->epoch_first;
}

bool race_is_too_narrow(const struct race_meeting *m)
{
    return !m->is_shared && ((m->stamp | m->other) & RACE_OF_BLOCK) != 0 &&
           (m->stamp & m->other & RACE_STRONG) != 0;
}

void race_conflict(const struct race_meeting *m)
{
    const bool too_narrow = race_is_too_narrow(m);
    if ((m->stamp & m->other & RACE_STRONG) != 0 && !too_narrow)
        return;
    bool same_block = true;
    bool same_thread = false;
    if (is_ordered(m, &same_block)) {
        if (too_narrow)
            return;
        /* The one reader that is remembered is in order, but there were others. */
        if (!m->is_write || m->other_is_write || m->warp->launch->has_releases ||
            !(m->is_shared ? has_readers_in_block(m) : (m->other & RACE_BLOCKS) != 0))
            return;
        same_thread = true;
        same_block = m->is_shared;
    }
    if (too_narrow && same_block)
        return;
    if (writes_the_same(m))
        return;
    finding_race(m, same_block, same_thread);
}
