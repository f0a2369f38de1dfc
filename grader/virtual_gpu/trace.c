/* See trace.h. */
#include "trace.h"

#include "cache_filter.h"

#include <stdlib.h>

enum {
    ENTRIES_WANTED = 16384, /* of a launch: enough for several waves, cheap to play again */
    WARP_ENTRIES_MIN = 1024,
    LINES_AN_ENTRY = 6, /* on average, at most */
    LONG_TIMES = 2,     /* a long block: more than so many times the longest warp of the sample */
};

static uint64_t blocks_of_sm(const struct launch *launch)
{
    const uint64_t sms = launch->spec->sm_count;
    return (launch->block_total + sms - 1) / sms;
}

static uint32_t resident_blocks(const struct launch *launch)
{
    const uint64_t sms = launch->spec->sm_count, most = launch->spec->resident_blocks_max / sms;
    const uint64_t mine = blocks_of_sm(launch);
    return (uint32_t)(most == 0 || mine < most ? mine : most);
}

void trace_begin(struct launch *launch)
{
    if (!engine_settings.time || launch->spec->sm_count == 0)
        return;
    struct trace *trace = must_realloc(NULL, sizeof *trace);
    const uint32_t room = ENTRIES_WANTED / (resident_blocks(launch) * launch->block_warps);
    *trace = (struct trace){.warps_per_block = launch->block_warps,
        .long_from = UINT64_MAX,
        .next_long = UINT64_MAX,
        .warp_room = room < WARP_ENTRIES_MIN ? WARP_ENTRIES_MIN : room};
    launch->trace = trace;
}

static void free_block(const struct trace *trace, struct block_trace *traced)
{
    for (uint32_t k = 0; traced->warps != NULL && k < trace->warps_per_block; k++) {
        free(traced->warps[k].entries);
        free(traced->warps[k].lines);
    }
    free(traced->warps);
    traced->warps = NULL;
}

void trace_end(struct launch *launch)
{
    struct trace *trace = launch->trace;
    if (trace == NULL)
        return;
    for (uint32_t b = 0; b < trace->count; b++)
        free_block(trace, &trace->sample[b]);
    free_block(trace, &trace->long_block);
    free(trace->sample);
    free(trace);
    launch->trace = NULL;
}

/* From now on. */
static void trace_warps(struct block *block, struct block_trace *traced)
{
    traced->warps = calloc(block->warp_count, sizeof *traced->warps);
    if (traced->warps == NULL)
        abort();
    for (uint32_t k = 0; k < block->warp_count; k++) {
        traced->warps[k].trace = block->launch->trace;
        traced->warps[k].executed = block->warps[k].executed;
        block->warps[k].trace = &traced->warps[k];
    }
}

void trace_block_begin(struct block *block)
{
    struct launch *launch = block->launch;
    struct trace *trace = launch->trace;
    block->traced = TRACED_NOT;
    for (uint32_t k = 0; k < block->warp_count; k++)
        block->warps[k].trace = NULL;
    if (trace == NULL || block->linear % launch->spec->sm_count != 0)
        return;
    /* Whole waves only. */
    if (trace->entries >= ENTRIES_WANTED && trace->count % resident_blocks(launch) == 0)
        return;
    GROW(trace->sample, trace->count, trace->capacity);
    block->traced = TRACED_IN_SAMPLE;
    trace_warps(block, &trace->sample[trace->count++]);
}

/* ---- a long block ---------------------------------------------------------------------------- */

uint64_t trace_longest_warp(const struct block_trace *traced, const struct launch *launch)
{
    uint64_t longest = 0;
    for (uint32_t k = 0; k < launch->block_warps; k++)
        longest = traced->warps[k].executed > longest ? traced->warps[k].executed : longest;
    return longest;
}

static void grow_sample(struct trace *trace, uint64_t executed)
{
    if (executed <= trace->longest_of_sample)
        return;
    trace->longest_of_sample = executed;
    trace->long_from = LONG_TIMES * executed;
    if (trace->long_block.warps == NULL)
        trace->next_long = trace->long_from;
}

static void start_long(struct block *block)
{
    struct trace *trace = block->launch->trace;
    free_block(trace, &trace->long_block);
    trace->next_long = UINT64_MAX; /* one at a time */
    block->traced = TRACED_AS_LONG;
    trace_warps(block, &trace->long_block);
}

void trace_block_end(struct block *block)
{
    struct trace *trace = block->launch->trace;
    if (block->traced == TRACED_AS_LONG)
        trace->next_long = LONG_TIMES * trace_longest_warp(&trace->long_block, block->launch);
    for (uint32_t k = 0; block->traced == TRACED_IN_SAMPLE && k < block->warp_count; k++)
        grow_sample(trace, block->warps[k].executed);
}

bool trace_is_long(const struct block *block, uint64_t longest)
{
    const struct trace *trace = block->launch->trace;
    return trace != NULL && block->traced != TRACED_IN_SAMPLE && trace->long_block.warps != NULL &&
           (block->traced == TRACED_AS_LONG || longest > trace->long_from);
}

uint32_t trace_share(struct warp *w, uint32_t share)
{
    struct trace *trace = w->launch->trace;
    if (trace == NULL || w->block->traced == TRACED_AS_LONG)
        return share;
    if (w->block->traced == TRACED_IN_SAMPLE) {
        grow_sample(trace, w->executed);
        return share;
    }
    if (w->executed > trace->next_long) {
        start_long(w->block);
        return share;
    }
    const uint64_t left = trace->next_long - w->executed;
    return left < share ? (uint32_t)left + 1 : share;
}

/* ---- writing --------------------------------------------------------------------------------- */

void trace_insn(struct warp_trace *t, const struct insn *i)
{
    t->executed++;
    if (t->in_grid_sync) {
        t->in_grid_sync = !i->is_barrier;
        t->executed--;
        return;
    }
    if (t->is_full)
        return;
    if (t->count >= t->trace->warp_room || t->line_count >= LINES_AN_ENTRY * t->trace->warp_room) {
        t->is_full = true;
        return;
    }
    GROW(t->entries, t->count, t->capacity);
    t->entries[t->count++] = (struct trace_entry){.insn = i->index, .lines_end = t->line_count};
    t->trace->entries++;
}

static bool is_writing(const struct warp_trace *t)
{
    return !t->is_full && !t->in_grid_sync && t->count > 0;
}

static uint32_t first_line_of_latest(const struct warp_trace *t)
{
    return t->count > 1 ? t->entries[t->count - 2].lines_end : 0;
}

void trace_touch(struct warp_trace *t, uint32_t line, uint8_t sectors, uint8_t cold)
{
    if (!is_writing(t))
        return;
    for (uint32_t k = t->line_count; k > first_line_of_latest(t); k--)
        if (t->lines[k - 1].line == line) {
            t->lines[k - 1].sectors |= sectors;
            t->lines[k - 1].cold |= cold;
            return;
        }
    GROW(t->lines, t->line_count, t->line_capacity);
    t->lines[t->line_count++] = (struct trace_line){line, sectors, cold, false};
    t->entries[t->count - 1].lines_end = t->line_count;
}

void trace_passes(struct warp_trace *t, uint32_t passes)
{
    if (is_writing(t))
        t->entries[t->count - 1].passes += (uint16_t)passes;
}

void trace_partial(struct warp_trace *t)
{
    for (uint32_t k = first_line_of_latest(t); is_writing(t) && k < t->line_count; k++)
        t->lines[k].is_partial = true;
}

uint32_t trace_latest_lines(const struct warp_trace *t, uint32_t *sectors)
{
    const uint32_t first = first_line_of_latest(t);
    *sectors = 0;
    if (!is_writing(t))
        return 0;
    for (uint32_t k = first; k < t->line_count; k++)
        *sectors += cache_count(t->lines[k].sectors);
    return t->line_count - first;
}

void trace_grid_sync(struct warp_trace *t)
{
    if (is_writing(t))
        t->entries[t->count - 1].is_grid_sync = true;
    t->in_grid_sync = true;
}
