/* See sm_replay.h. */
#include "sm_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache_filter.h"

/* Cycles of 1.98 GHz, from an NVIDIA H200 (driver 580.159.04, CUDA 13.0, 2026-11-30). Measured: chains
 * of dependent loads (l1, l2), copies by few threads (dram), 2^20 empty blocks (block_interval),
 * barriers of 32 to 1,024 threads, grids that only synchronise. Fitted to the kernels of tests/times:
 * block_start, warp_start, branch, grid_sync_block. */
static const struct {
    double l1, l2, dram;
    double block_interval;                  /* between the starts of two blocks of an SM */
    double block_start, warp_start, branch; /* of a block: warp_start for each of its warps */
    double barrier, barrier_warp;
    double grid_sync, grid_sync_block; /* a block of an SM beyond the second */
} latency = {
    .l1 = 36,
    .l2 = 275,
    .dram = 740,
    .block_interval = 160,
    .block_start = 60,
    .warp_start = 16,
    .branch = 8,
    .barrier = 14,
    .barrier_warp = 2,
    .grid_sync = 1700,
    .grid_sync_block = 460,
};

enum {
    UNROLLED = 4,
    WARPS_MAX = 64,
    LONELY = 2 /* the least sectors of a line that the L2 is paid for */
};
#define PARTIAL_COST 1.28

/* ---- sectors seen ---------------------------------------------------------------------------- */

/* Every sector that the SM has touched. */
struct seen {
    struct {
        uint64_t name;
        uint8_t sectors;
    } * slots;
    size_t count, capacity;
};

static size_t seen_slot(const struct seen *seen, uint64_t name)
{
    size_t at = (size_t)(name * 0x9E3779B97F4A7C15u >> 30) & (seen->capacity - 1);
    while (seen->slots[at].name != 0 && seen->slots[at].name != name)
        at = (at + 1) & (seen->capacity - 1);
    return at;
}

static void seen_grow(struct seen *seen)
{
    struct seen old = *seen;
    seen->capacity = old.capacity == 0 ? 1024 : old.capacity * 2;
    seen->slots = calloc(seen->capacity, sizeof *seen->slots);
    if (seen->slots == NULL)
        abort();
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].name != 0)
            seen->slots[seen_slot(seen, old.slots[i].name)] = old.slots[i];
    free(old.slots);
}

/* Adds sectors of a line; returns those that were there before. */
static uint8_t seen_add(struct seen *seen, uint32_t line, uint8_t sectors)
{
    if (seen->count * 2 >= seen->capacity)
        seen_grow(seen);
    const size_t at = seen_slot(seen, (uint64_t)line + 1);
    const uint8_t before = seen->slots[at].sectors;
    seen->count += seen->slots[at].name == 0;
    seen->slots[at].name = (uint64_t)line + 1;
    seen->slots[at].sectors |= sectors;
    return before & sectors;
}

/* ---- the SM ---------------------------------------------------------------------------------- */

struct replayed_block {
    uint32_t live, arrived;
    double free_at; /* when the slot can take a block */
    double latest;
    bool is_grid_sync;
};

struct replayed_warp {
    const struct warp_trace *trace;
    struct replayed_block *block;
    double *ready; /* by register */
    double now, copies_done;
    double halfway; /* when half of the trace was played */
    uint32_t at;
    bool waits;
};

/* The instructions of a warp up to the next branch or barrier. */
#define NO_STORE UINT32_MAX
struct stretch {
    double start, issued, end;
    double last_store[2];  /* to global and to shared memory */
    uint32_t latest_store; /* entry of the latest one to global memory */
};

struct sm {
    const struct block_trace *traced;
    uint32_t block_count;
    const struct steps *steps;
    struct replay_result *result;
    struct cache_filter l1, l2;
    bool l2_is_small; /* the launch touches more than it holds */
    struct seen seen;
    uint32_t resident, started, warps_per_block, ended;
    double next_start;
    struct replayed_block blocks[WARPS_MAX];
    struct replayed_warp warps[WARPS_MAX];
    double *ready;
};

static void start_block(struct sm *sm, uint32_t slot)
{
    if (sm->started == sm->block_count)
        return;
    const struct block_trace *traced = &sm->traced[sm->started++];
    struct replayed_block *block = &sm->blocks[slot];
    const double start = fmax(block->free_at, sm->next_start);
    sm->next_start = start + latency.block_interval;
    if (sm->started <= sm->resident)
        sm->result->filled_cycles = start;
    block->live = sm->warps_per_block;
    block->arrived = 0;
    block->latest = 0.0;
    block->is_grid_sync = false;
    for (uint32_t k = 0; k < sm->warps_per_block; k++) {
        struct replayed_warp *w = &sm->warps[slot * sm->warps_per_block + k];
        double *ready = w->ready;
        memset(ready, 0, sm->steps->register_count * sizeof *ready);
        *w = (struct replayed_warp){.trace = &traced->warps[k],
            .block = block,
            .ready = ready,
            .now = start + latency.block_start + latency.warp_start * sm->warps_per_block,
            .halfway = start};
        sm->result->recorded += traced->warps[k].count;
        sm->result->executed += traced->warps[k].executed;
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Is a sector that the SM has used before still in its share of the second-level cache? */
static uint8_t lost_sectors(struct sm *sm, const struct trace_line *line, uint8_t wanted)
{
    uint32_t dirty;
    if (!sm->l2_is_small)
        return 0;
    const uint8_t before = seen_add(&sm->seen, line->line, wanted);
    struct cache_line *held = cache_find(&sm->l2, line->line);
    const uint8_t lost = held == NULL ? before : before & (uint8_t)~held->sectors;
    if (held == NULL)
        held = cache_take(&sm->l2, line->line, &dirty);
    held->sectors |= wanted;
    return lost;
}

static double l2_cost(uint8_t sectors)
{
    const uint32_t count = cache_count(sectors);
    return count < LONELY ? LONELY : count;
}

/* When the sectors of a line that are asked for at `now` have arrived. */
static double load_line(
    struct sm *sm, const struct step *step, const struct trace_line *line, double now)
{
    struct replay_result *r = sm->result;
    uint32_t dirty;
    struct cache_line *held = step->bypasses_l1 ? NULL : cache_find(&sm->l1, line->line);
    const uint8_t missing = held == NULL ? line->sectors : line->sectors & (uint8_t)~held->sectors;
    r->load_sectors += cache_count(line->sectors);
    if (missing == 0)
        return fmax(now + latency.l1, held->filled_cycles);
    const uint8_t lost = lost_sectors(sm, line, missing);
    r->l2_load_sectors += cache_count(missing);
    r->l2_load_cost += l2_cost(missing);
    r->again_load_sectors += cache_count(lost);
    const double filled = now + (((line->cold & missing) | lost) != 0 ? latency.dram : latency.l2);
    if (step->bypasses_l1)
        return filled;
    if (held == NULL)
        held = cache_take(&sm->l1, line->line, &dirty);
    held->sectors |= line->sectors;
    held->filled_cycles = (float)fmax(held->filled_cycles, filled);
    return filled;
}

static uint32_t first_line(const struct warp_trace *trace, uint32_t at)
{
    return at > 0 ? trace->entries[at - 1].lines_end : 0;
}

static double load(struct sm *sm, const struct replayed_warp *w, const struct trace_entry *entry,
    const struct step *step, double now)
{
    uint32_t first = first_line(w->trace, w->at);
    const double extra = entry->passes > 1 ? entry->passes - 1 : 0;
    double done = now + step->latency;
    if (first < entry->lines_end) {
        sm->result->load_requests++;
        sm->result->load_passes += entry->passes;
    }
    for (; first < entry->lines_end; first++)
        done = fmax(done, load_line(sm, step, &w->trace->lines[first], now));
    return done + extra;
}

/* Sectors of a line that the store before wrote in part: both go out together. */
static uint8_t combined_sectors(
    const struct replayed_warp *w, const struct stretch *stretch, uint32_t number)
{
    const struct warp_trace *trace = w->trace;
    if (stretch->latest_store == NO_STORE)
        return 0;
    const uint32_t line = first_line(trace, w->at) + number;
    const uint32_t before = first_line(trace, stretch->latest_store) + number;
    if (before >= trace->entries[stretch->latest_store].lines_end ||
        trace->lines[before].line != trace->lines[line].line)
        return 0;
    return trace->lines[before].sectors & trace->lines[line].sectors;
}

static void store(struct sm *sm, const struct replayed_warp *w, const struct trace_entry *entry,
    struct stretch *stretch)
{
    const uint32_t first = first_line(w->trace, w->at);
    struct replay_result *r = sm->result;
    r->store_requests += first < entry->lines_end;
    for (uint32_t k = first; k < entry->lines_end; k++) {
        const struct trace_line *line = &w->trace->lines[k];
        const uint8_t fresh = line->sectors & (uint8_t)~combined_sectors(w, stretch, k - first);
        r->store_sectors += cache_count(line->sectors);
        if (fresh != 0)
            r->l2_store_cost += l2_cost(fresh) * (line->is_partial ? PARTIAL_COST : 1.0);
        r->again_store_sectors += cache_count(lost_sectors(sm, line, line->sectors));
    }
    if (first < entry->lines_end)
        stretch->latest_store = w->at;
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void release_block(struct sm *sm, uint32_t slot)
{
    struct replayed_block *block = &sm->blocks[slot];
    double then = block->latest + latency.barrier + latency.barrier_warp * sm->warps_per_block;
    if (block->is_grid_sync)
        then += latency.grid_sync +
                (sm->resident > 2 ? latency.grid_sync_block * (sm->resident - 2) : 0.0);
    block->arrived = 0;
    block->latest = 0.0;
    block->is_grid_sync = false;
    for (uint32_t k = 0; k < sm->warps_per_block; k++) {
        struct replayed_warp *w = &sm->warps[slot * sm->warps_per_block + k];
        if (w->waits)
            w->now = then;
        w->waits = false;
    }
}

static void arrive(struct sm *sm, uint32_t slot, struct replayed_warp *w)
{
    struct replayed_block *block = w->block;
    w->waits = true;
    block->latest = fmax(block->latest, w->now);
    if (++block->arrived == block->live)
        release_block(sm, slot);
}

static void end_warp(struct sm *sm, uint32_t slot, struct replayed_warp *w)
{
    struct replayed_block *block = w->block;
    const uint32_t count = w->trace->count;
    if (count > 0)
        w->now +=
            (w->now - w->halfway) * (double)(w->trace->executed - count) / (count - count / 2);
    block->free_at = fmax(block->free_at, w->now);
    sm->result->cycles = fmax(sm->result->cycles, w->now);
    w->trace = NULL;
    if (--block->live == 0)
        start_block(sm, slot);
    else if (block->arrived == block->live)
        release_block(sm, slot);
}

/* ---- running --------------------------------------------------------------------------------- */

/* When the instruction starts. */
static double start_of(const struct sm *sm, const struct replayed_warp *w, const struct step *step,
    const struct stretch *stretch)
{
    const uint32_t *sources = sm->steps->registers + step->first + step->result_count;
    double start = stretch->start + stretch->issued;
    for (uint32_t k = 0; k < step->source_count; k++)
        start = fmax(start, w->ready[sources[k]]);
    if (step->kind == STEP_LOAD && !step->may_pass_stores)
        start = fmax(start, stretch->last_store[step->is_shared]);
    return step->kind == STEP_COPY_WAIT ? fmax(start, w->copies_done) : start;
}

static void take_step(struct sm *sm, struct replayed_warp *w, const struct trace_entry *entry,
    struct stretch *stretch)
{
    const struct step *step = &sm->steps->step[entry->insn];
    const double start = start_of(sm, w, step, stretch);
    double done = start + step->latency;
    if (step->kind == STEP_LOAD)
        done = load(sm, w, entry, step, start);
    if (step->kind == STEP_STORE || step->kind == STEP_ATOMIC) {
        store(sm, w, entry, stretch);
        double *last = &stretch->last_store[step->is_shared];
        *last = fmax(*last, start);
    }
    if (step->kind == STEP_COPY)
        w->copies_done = fmax(w->copies_done, load(sm, w, entry, step, start));
    for (uint32_t k = 0; k < step->result_count; k++)
        w->ready[sm->steps->registers[step->first + k]] = done;
    stretch->issued += step->issue;
    if (step->issue > 0)
        stretch->end = fmax(stretch->end, start + step->issue);
    w->block->is_grid_sync |= entry->is_grid_sync;
}

/* A load that may not come before a store, which waits for something that takes long. */
static bool waits_for_store(const struct step *step, const struct stretch *stretch)
{
    enum { LONG_CYCLES = 100 };
    return !step->may_pass_stores &&
           stretch->last_store[step->is_shared] > stretch->start + stretch->issued + LONG_CYCLES;
}

/* The instructions up to the next branch or barrier. */
static void run_stretch(struct sm *sm, uint32_t number)
{
    struct replayed_warp *w = &sm->warps[number];
    const uint32_t slot = number / sm->warps_per_block;
    struct stretch stretch = {.start = w->now, .end = w->now, .latest_store = NO_STORE};
    uint8_t kind = STEP_PLAIN;
    uint32_t rounds = 1;
    while (w->at < w->trace->count && kind != STEP_FLOW && kind != STEP_BARRIER) {
        const struct trace_entry *entry = &w->trace->entries[w->at];
        const struct step *step = &sm->steps->step[entry->insn];
        if (step->kind == STEP_LOAD && waits_for_store(step, &stretch))
            break; /* other warps come first, and may drive its line out of the cache */
        kind = step->kind;
        if (step->is_unrolled_loop && rounds++ < UNROLLED)
            kind = STEP_PLAIN;
        take_step(sm, w, entry, &stretch);
        w->at++;
    }
    w->now = fmax(stretch.end, stretch.start + stretch.issued);
    if (w->at <= w->trace->count / 2)
        w->halfway = w->now;
    if (kind == STEP_FLOW)
        w->now += latency.branch;
    if (kind == STEP_BARRIER)
        arrive(sm, slot, w);
    else if (w->at == w->trace->count)
        end_warp(sm, slot, w);
}

/* The warp that is furthest behind; -1 when all have ended. */
static int next_warp(const struct sm *sm)
{
    int next = -1;
    const uint32_t count = sm->resident * sm->warps_per_block;
    for (uint32_t k = 0; k < count; k++)
        if (sm->warps[k].trace != NULL && !sm->warps[k].waits &&
            (next < 0 || sm->warps[k].now < sm->warps[next].now))
            next = (int)k;
    return next;
}

void sm_replay(const struct launch *launch, const struct block_trace *blocks, uint32_t count,
    size_t l1_bytes, size_t l2_bytes, uint32_t resident, struct replay_result *result)
{
    const struct steps *steps = launch->kernel->steps;
    static struct sm sm; /* its caches keep their memory */
    struct cache_filter l1 = sm.l1, l2 = sm.l2;
    memset(result, 0, sizeof *result);
    sm = (struct sm){.traced = blocks,
        .block_count = count,
        .steps = steps,
        .result = result,
        .l1 = l1,
        .l2 = l2,
        .l2_is_small = l2_bytes != 0,
        .resident = resident,
        .warps_per_block = launch->block_warps};
    cache_open(&sm.l1, l1_bytes);
    if (l2_bytes != 0)
        cache_open(&sm.l2, l2_bytes);
    const size_t warps = (size_t)resident * launch->block_warps;
    sm.ready = calloc(warps * (steps->register_count + 1), sizeof *sm.ready);
    if (sm.ready == NULL)
        abort();
    for (size_t k = 0; k < warps; k++)
        sm.warps[k].ready = sm.ready + k * (steps->register_count + 1);
    for (uint32_t slot = 0; slot < resident; slot++)
        start_block(&sm, slot);
    for (int next = next_warp(&sm); next >= 0; next = next_warp(&sm))
        run_stretch(&sm, (uint32_t)next);
    free(sm.ready);
    free(sm.seen.slots);
    sm.seen = (struct seen){0};
}
