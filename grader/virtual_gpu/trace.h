/* What the warps of some blocks did, in order: the input of kernel_time.c.
 *
 * The blocks of one SM are traced, the first ones of a launch, until there is enough. A warp's trace
 * may end before the warp does; `executed` goes on counting.
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
    struct block_trace *blocks;
    uint32_t count, capacity, warps_per_block;
    uint32_t warp_room; /* entries of a warp */
    uint64_t entries;   /* of all blocks */
};

void trace_begin(struct launch *launch);
void trace_end(struct launch *launch);

/* The block is about to start: shall its warps be traced? */
void trace_block(struct block *block);

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
