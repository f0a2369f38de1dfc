/* A block: its warps take turns; barriers hold them until all have arrived. */
#include "bitmap.h"
#include "exec.h"
#include "decode.h"
#include "findings.h"
#include "flow.h"
#include "trace.h"

#include <stdlib.h>

/* ---- arrival --------------------------------------------------------------------------------- */

static uint32_t operand_of_group(const struct group *g, uint32_t offset, uint32_t absent)
{
    if (offset == NO_CELL)
        return absent;
    return ((const uint32_t *)(g->activation->frame + offset))[__builtin_ctz(g->mask)];
}

enum flow flow_barrier(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    if (w->launch->stop)
        return FLOW_SWITCH;
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    if (mask != g->mask) {
        group_new(w, g->mask & ~mask, g->pc + 1, g->meeting, g->activation);
        g->mask = mask;
    }
    uint32_t number = operand_of_group(g, i->o[1], 0);
    w->in_grid_sync = false;
    g->state = GROUP_AT_BARRIER;
    g->barrier = number < BARRIERS ? number : BARRIERS - 1;
    return FLOW_SWITCH;
}

/* A barrier is complete when every live thread has arrived, or as many as it was told to expect. */
static bool is_complete(const struct block *block, const struct barrier *b)
{
    if (b->waiting_warps == 0)
        return false;
    if (b->expected_threads != 0)
        return b->arrived_threads >= b->expected_threads;
    for (uint32_t k = 0; k < block->warp_count; k++)
        if (block->warps[k].live != 0 && (b->waiting_warps >> k & 1) == 0)
            return false;
    return true;
}

static void note_place(struct warp *w, struct barrier *b, const struct insn *i, uint32_t lane)
{
    if (b->first == NULL) {
        b->first = i;
        return;
    }
    bool elsewhere = b->first->line != i->line || b->first->file != i->file;
    if (!elsewhere || b->expected_threads != 0 || !(i->variant & BARRIER_ALIGNED))
        return;
    finding_between(w, i, b->first, lane, FINDING_BARRIER,
        "Threads of one block wait at different barriers: some here, others at line %u. Every "
        "thread of the block must come to the same __syncthreads().",
        b->first->line);
}

static void vote(struct warp *w, struct group *g, struct barrier *b)
{
    const struct insn *i = group_insn(g);
    (void)w;
    if ((i->variant & (BARRIER_COUNT | BARRIER_AND | BARRIER_OR)) == 0)
        return;
    uint32_t p = *(const uint32_t *)(g->activation->frame + i->o[3]);
    p = (p ^ i->target) & g->mask;
    b->votes_true += (uint32_t)__builtin_popcount(p);
    b->voters += (uint32_t)__builtin_popcount(g->mask);
}

static void report_divergence(struct warp *w, struct group *g, uint32_t here)
{
    uint32_t absent = w->live & ~here;
    if (w->barrier_reported || absent == 0)
        return;
    w->barrier_reported = true;
    uint8_t *frame = w->frame;
    w->frame = g->activation->frame;
    finding_at(w, group_insn(g), (uint32_t)__builtin_ctz(g->mask), FINDING_BARRIER, 0,
        "Divergent barrier: thread %s waits here while thread %s of the same warp took the other "
        "side of a branch. Every thread of the block must come to the same __syncthreads().",
        finding_thread_text(w->launch, thread_of(w, (uint32_t)__builtin_ctz(g->mask))),
        finding_thread_text(w->launch, thread_of(w, (uint32_t)__builtin_ctz(absent))));
    w->frame = frame;
}

/* Every group of the warp waits; those at a barrier arrive there with the whole warp.  Lanes that
 * wait elsewhere are reported, and the warp counts as arrived. */
bool barrier_settle(struct warp *w)
{
    struct group *first = NULL;
    if (w->at_barrier >= 0)
        return false;
    for (struct group *g = w->groups; g != NULL; g = g->next)
        if (g->state == GROUP_AT_BARRIER && (first == NULL || g->barrier < first->barrier))
            first = g;
    if (first == NULL)
        return false;
    struct block *block = w->block;
    struct barrier *b = &block->barriers[first->barrier];
    uint32_t here = 0;
    b->expected_threads = operand_of_group(first, group_insn(first)->o[2], 0);
    for (struct group *g = w->groups; g != NULL; g = g->next) {
        if (g->state != GROUP_AT_BARRIER || g->barrier != first->barrier)
            continue;
        here |= g->mask;
        note_place(w, b, group_insn(g), (uint32_t)__builtin_ctz(g->mask));
        vote(w, g, b);
        w->launch->counts[group_insn(g)->index].requests++;
    }
    report_divergence(w, first, here);
    w->at_barrier = (int32_t)first->barrier;
    w->changed = true;
    b->waiting_warps |= 1u << w->index;
    b->arrived_threads += WARP_LANES;
    return false;
}

enum flow flow_barrier_arrive(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    if (mask != 0) {
        struct barrier *b = &w->block->barriers[operand_of_group(g, i->o[1], 0) % BARRIERS];
        b->expected_threads = operand_of_group(g, i->o[2], 0);
        b->arrived_threads += WARP_LANES;
        w->changed = true;
    }
    g->pc++;
    return FLOW_GO_ON;
}

/* ---- completion ------------------------------------------------------------------------------ */

static void put_result(struct group *g, const struct barrier *b)
{
    const struct insn *i = group_insn(g);
    uint8_t *target = g->activation->frame + i->o[0];
    if (i->variant & BARRIER_COUNT) {
        for (uint32_t rest = g->mask; rest != 0;)
            ((uint32_t *)target)[next_lane(&rest)] = b->votes_true;
    } else if (i->variant & (BARRIER_AND | BARRIER_OR)) {
        bool yes = i->variant & BARRIER_AND ? b->votes_true == b->voters : b->votes_true != 0;
        uint32_t *p = (uint32_t *)target;
        *p = (*p & ~g->mask) | (yes ? g->mask : 0);
    }
}

static void release_warp(struct warp *w, uint32_t number, const struct barrier *b)
{
    w->at_barrier = -1;
    for (struct group *g = w->groups, *next; g != NULL; g = next) {
        next = g->next;
        if (g->state != GROUP_AT_BARRIER || g->barrier != number)
            continue;
        put_result(g, b);
        g->state = GROUP_READY;
        g->pc++;
        group_join(w, g);
        next = w->groups; /* the list has changed */
    }
}

void block_check_barriers(struct block *block)
{
    for (uint32_t n = 0; n < BARRIERS; n++) {
        struct barrier *b = &block->barriers[n];
        if (!is_complete(block, b))
            continue;
        struct barrier done = *b;
        memset(b, 0, sizeof *b);
        for (uint32_t k = 0; k < block->warp_count; k++)
            if (done.waiting_warps >> k & 1)
                release_warp(&block->warps[k], n, &done);
        if (block->launch->check_races)
            race_block_barrier(block);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static uint32_t shared_words(const struct block *block)
{
    return (block->shared_capacity + 3) / 4 + 8;
}

uint64_t *block_race_bytes(struct block *block)
{
    if (block->shared_race_bytes == NULL)
        block->shared_race_bytes = calloc(shared_words(block), 8 * sizeof(uint64_t));
    if (block->shared_race_bytes == NULL)
        abort();
    return block->shared_race_bytes;
}

struct block *block_new(struct launch *launch)
{
    struct block *block = must_realloc(NULL, sizeof *block);
    memset(block, 0, sizeof *block);
    block->launch = launch;
    block->threads = launch->block_threads;
    block->warp_count = launch->block_warps;
    block->shared_bytes = launch->shared_bytes;
    block->shared_capacity = launch->shared_bytes + RESERVED_SHARED_BYTES;
    block->shared_limit =
        launch->kernel->uses_reserved_shared ? block->shared_capacity : block->shared_bytes;
    uint32_t words = shared_words(block);
    block->shared = calloc(words, 4);
    block->shared_initialised = calloc(words, 1);
    block->shared_rows = calloc(words / 32 + 2, sizeof *block->shared_rows);
    block->shared_writer = calloc(words, sizeof *block->shared_writer);
    block->shared_reader = calloc(words, sizeof *block->shared_reader);
    block->warps = calloc(block->warp_count, sizeof *block->warps);
    if (block->shared == NULL || block->shared_initialised == NULL || block->shared_rows == NULL ||
        block->shared_writer == NULL || block->shared_reader == NULL || block->warps == NULL)
        abort();
    for (uint32_t k = 0; k < block->warp_count; k++) {
        struct warp *w = &block->warps[k];
        w->block = block;
        w->launch = launch;
        w->index = k;
        if (launch->local_limit_bytes != 0) {
            w->local = calloc(WARP_LANES, launch->local_limit_bytes);
            w->local_initialised = calloc(WARP_LANES, launch->local_limit_bytes / 8 + 1);
            if (w->local == NULL || w->local_initialised == NULL)
                abort();
        }
    }
    return block;
}

void block_free(struct block *block)
{
    for (uint32_t k = 0; k < block->warp_count; k++)
        warp_free(&block->warps[k]);
    free(block->warps);
    free(block->shared);
    free(block->shared_initialised);
    free(block->shared_rows);
    free(block->shared_writer);
    free(block->shared_reader);
    free(block->shared_race_bytes);
    free(block);
}

void block_start(struct block *block, uint64_t linear)
{
    const uint32_t *grid = block->launch->spec->grid;
    block->linear = linear;
    block->id[0] = (uint32_t)(linear % grid[0]);
    block->id[1] = (uint32_t)(linear / grid[0] % grid[1]);
    block->id[2] = (uint32_t)(linear / grid[0] / grid[1]);
    block->is_done = false;
    memset(block->shared, SHARED_JUNK, block->shared_bytes);
    memset(block->shared + block->shared_bytes, 0, RESERVED_SHARED_BYTES);
    memset(block->shared_initialised, 0, (block->shared_bytes + 7) / 8);
    bitmap_fill(block->shared_initialised, block->shared_bytes, RESERVED_SHARED_BYTES, true);
    memset(block->barriers, 0, sizeof block->barriers);
    race_block_begin(block);
    for (uint32_t k = 0; k < block->warp_count; k++) {
        block->warps[k].at_barrier = -1;
        warp_start(&block->warps[k]);
    }
    trace_block_begin(block);
}

enum { SLICE = 4096, SLICE_IDLE = 128, IDLE_SLICES = 2 };

bool block_round(struct block *block)
{
    struct launch *launch = block->launch;
    bool moved = false, alive = false;
    for (uint32_t n = 0; n < block->warp_count && !launch->stop; n++) {
        struct warp *w = &block->warps[launch->warp_order[n]];
        if (w->live == 0 || w->at_barrier >= 0) {
            alive |= w->live != 0;
            continue;
        }
        uint32_t slice = w->idle_slices > IDLE_SLICES ? SLICE_IDLE : SLICE;
        uint32_t used = warp_run(w, slice);
        bool idle = used == 0 || (w->polled && !w->changed);
        w->idle_slices = idle ? w->idle_slices + 1 : 0;
        moved |= !idle;
        alive |= w->live != 0;
        if (w->live == 0 || w->at_barrier >= 0)
            block_check_barriers(block);
    }
    block->is_done = !alive;
    return moved;
}
