/* What the warps of some blocks did, in order: the input of kernel_time.c.
 *
 * The sample is the blocks of one SM, the first ones of a launch, until there is enough. A warp's
 * trace may end before the warp does; `executed` goes on counting.
 *
 * Work need not lie evenly on blocks, so one *long* block is traced, too: a warp of it executes
 * more than twice what the longest warp of the sample did. Its traces begin where that turns out.
 */
#ifndef VIRTUAL_GPU_TRACE_H
#define VIRTUAL_GPU_TRACE_H

#include "access.h"

/* A line of global memory that an access touched. */
struct trace_line {
    uint32_t line;   /* its number: address of a shadow / 128, the same in every run */
    uint8_t sectors; /* bit k: the k-th 32 bytes */
    uint8_t cold;    /* of those: not in the L2 when the launch touched them first */
    bool is_partial; /* a store that leaves gaps */
};

/* One instruction of a warp. */
struct trace_entry {
    uint32_t insn;      /* its index */
    uint32_t lines_end; /* in the warp's list; they begin where those of the entry before end */
    uint16_t passes;    /* that the first-level cache, or shared memory, needs for the access */
    bool is_grid_sync;
};

struct warp_trace {
    struct trace *trace;
    struct trace_entry *entries;
    struct trace_line *lines;
    uint32_t count, capacity, line_count, line_capacity;
    uint64_t executed;
    bool is_full, in_grid_sync;
};

struct block_trace {
    struct warp_trace *warps;
};

struct trace {
    struct block_trace *sample;
    uint32_t count, capacity, warps_per_block;
    uint32_t warp_room;            /* entries of a warp */
    uint64_t entries;              /* of the sample */
    struct block_trace long_block; /* no warps: there was none */
    uint64_t longest_of_sample;    /* instructions of a warp */
    uint64_t long_from;            /* a warp with so many makes its block a long one */
    uint64_t next_long;            /* so many are needed to be traced as the long block */
};

void trace_begin(struct launch *launch);
void trace_end(struct launch *launch);

/* The block is about to start: shall its warps be traced? */
void trace_block_begin(struct block *block);
void trace_block_end(struct block *block);

/* Does a block with such a longest warp count as long? */
bool trace_is_long(const struct block *block, uint64_t longest_warp);

/* Instructions that the longest warp of a traced block executed. */
uint64_t trace_longest_warp(const struct block_trace *traced, const struct launch *launch);

/* A warp is about to execute up to `share` instructions: how many until there is something to do
 * here again? */
uint32_t trace_share(struct warp *warp, uint32_t share);

/* The warp executes the instruction; NULL-safe calls are the caller's. */
void trace_insn(struct warp_trace *trace, const struct insn *insn);
/* The last instruction touched this line, or needed so many passes. */
void trace_touch(struct warp_trace *trace, uint32_t line, uint8_t sectors, uint8_t cold);
void trace_passes(struct warp_trace *trace, uint32_t passes);
void trace_partial(struct warp_trace *trace);
/* How many lines the last instruction touched, and how many sectors of them. */
uint32_t trace_latest_lines(const struct warp_trace *trace, uint32_t *sectors);
/* The last instruction arrives at the grid's barrier: until it is through, nothing is traced. */
void trace_grid_sync(struct warp_trace *trace);

#endif
