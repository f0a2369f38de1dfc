/* See trace.h. */
#include "trace.h"

#include "cache_filter.h"

#include <stdlib.h>

enum {
    ENTRIES_WANTED = 16384, /* of a launch: enough for several waves, cheap to play again */
    WARP_ENTRIES_MIN = 1024,
    LINES_AN_ENTRY = 6, /* on average, at most */
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
        .warp_room = room < WARP_ENTRIES_MIN ? WARP_ENTRIES_MIN : room};
    launch->trace = trace;
}

void trace_end(struct launch *launch)
{
    struct trace *trace = launch->trace;
    if (trace == NULL)
        return;
    for (uint32_t b = 0; b < trace->count; b++) {
        for (uint32_t k = 0; k < trace->warps_per_block; k++) {
            free(trace->blocks[b].warps[k].entries);
            free(trace->blocks[b].warps[k].lines);
        }
        free(trace->blocks[b].warps);
    }
    free(trace->blocks);
    free(trace);
    launch->trace = NULL;
}

void trace_block(struct block *block)
{
    struct launch *launch = block->launch;
    struct trace *trace = launch->trace;
    for (uint32_t k = 0; k < block->warp_count; k++)
        block->warps[k].trace = NULL;
    if (trace == NULL || block->linear % launch->spec->sm_count != 0)
        return;
    /* Whole waves only. */
    if (trace->entries >= ENTRIES_WANTED && trace->count % resident_blocks(launch) == 0)
        return;
    GROW(trace->blocks, trace->count, trace->capacity);
    struct block_trace *traced = &trace->blocks[trace->count++];
    traced->warps = calloc(block->warp_count, sizeof *traced->warps);
    if (traced->warps == NULL)
        abort();
    for (uint32_t k = 0; k < block->warp_count; k++) {
        traced->warps[k].trace = trace;
        block->warps[k].trace = &traced->warps[k];
    }
}

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
