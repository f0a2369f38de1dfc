/* Races: two threads touch the same bytes, one of them writes, and nothing orders them.
 *
 * Every 4 bytes of shared and global memory remember their last writer and their readers in a
 * *race word* each:
 *
 *   63 … 32  segment   a number that grows whenever something orders accesses: a new block, a
 *                      barrier, a __syncwarp, a fence.  A segment belongs to one block, and often
 *                      to one warp.
 *   31 … 22  thread    in the block
 *   21 …  6  insn      where: insn.index, 65535 when larger
 *   5        shared by several threads (readers only)
 *   4        strong    atomic or volatile: such accesses do not race with each other
 *   3        … for the threads of its block only
 *   2        read by several blocks (readers of global memory only)
 *   1        bytes of the word have race words of their own
 *   0        the whole word was touched
 *
 * An older segment than the *floor* (the block's last barrier, or the start of the launch) is
 * ordered before; so the common case is one comparison.  Everything else goes to race_conflict().
 * Segments grow from launch to launch, so the shadows never need to be cleared.
 */
#ifndef VIRTUAL_GPU_RACE_H
#define VIRTUAL_GPU_RACE_H

#include "warp.h"

#define RACE_THREAD_SHIFT 22
#define RACE_INSN_SHIFT 6
#define RACE_SEGMENT_SHIFT 32
#define RACE_SEVERAL ((uint64_t)1 << 5)
#define RACE_STRONG ((uint64_t)1 << 4)
#define RACE_OF_BLOCK ((uint64_t)1 << 3)
#define RACE_BLOCKS ((uint64_t)1 << 2)
#define RACE_SPLIT ((uint64_t)2)
#define RACE_WHOLE ((uint64_t)1)
#define RACE_THREAD_MASK ((uint64_t)1023 << RACE_THREAD_SHIFT)
#define RACE_WHO_MASK (RACE_THREAD_MASK | (uint64_t)UINT32_MAX << RACE_SEGMENT_SHIFT)

static inline uint64_t race_stamp(const struct warp *w, const struct insn *i)
{
    uint64_t place = i->index < 65535 ? i->index : 65535;
    return (uint64_t)w->segment << RACE_SEGMENT_SHIFT | place << RACE_INSN_SHIFT |
           (i->order & ORDER_STRONG ? RACE_STRONG : 0) |
           (i->order & ORDER_BLOCK ? RACE_OF_BLOCK : 0);
}

static inline uint64_t race_thread(const struct warp *w, uint32_t lane)
{
    return (uint64_t)thread_of(w, lane) << RACE_THREAD_SHIFT;
}

/* An access that met a race word it may not be ordered with. */
struct race_meeting {
    struct warp *warp;
    const struct insn *insn;
    uint32_t lane;
    uint32_t bytes; /* of the word: those that both touch, a bit each */
    uint64_t stamp; /* of this access, with thread */
    uint64_t other; /* the race word */
    bool is_write, other_is_write, is_shared;
    uint64_t address;                     /* of the first such byte; offset for shared */
    const uint8_t *old_bytes, *new_bytes; /* of the word, when is_write; to tell equal values */
};
void race_conflict(const struct race_meeting *meeting);

/* Are both atomic or volatile, and one of them for the threads of its own block only? */
bool race_is_too_narrow(const struct race_meeting *meeting);

/* ---- order ----------------------------------------------------------------------------------- */

void race_launch_begin(struct launch *launch);
void race_launch_end(struct launch *launch);

/* A fresh segment that belongs to the block. */
uint32_t race_new_segment(const struct block *block);

void race_block_begin(struct block *block);
void race_block_barrier(struct block *block);
void race_warp_sync(struct warp *warp, uint32_t lanes);
void race_fence(struct warp *warp, uint32_t lanes, bool of_block_only);
void race_grid_barrier(struct launch *launch);

/* A strong access to an address by one lane.  Reads learn what earlier releases published;
 * writes publish what the thread has fenced. */
void race_acquire(struct warp *warp, uint64_t address);
void race_release(struct warp *warp, uint32_t lane, const struct insn *insn, uint64_t address);

#endif
