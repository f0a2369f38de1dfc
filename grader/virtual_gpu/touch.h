/* Which pages of 4 KiB a launch reads and writes: for managed memory, whose pages move when they
 * are touched, and so that what a launch touched can be told afterwards without looking at all
 * memory. */
#ifndef VIRTUAL_GPU_TOUCH_H
#define VIRTUAL_GPU_TOUCH_H

#include "access.h"
#include "shadow.h"

enum { TOUCH_PAGE_SHIFT = 12, TOUCH_READ = 1, TOUCH_WRITE = 2 };

extern uint32_t touch_stamp; /* of the running launch, in the pages' entries; see shadow.h */

/* The first touch of the kind. `also`: the same instruction of a warp has touched a page that had
 * to be told to the runtime; returns whether this one had to be. */
bool touch_page(const struct allocation *allocation, uint64_t page, uint32_t kinds, bool also);

/* Has the launch written to the page of the byte with this number? */
static inline bool touch_was_written(uint64_t byte)
{
    return (shadow_pages[byte >> TOUCH_PAGE_SHIFT] & ~(uint32_t)TOUCH_READ) ==
           (touch_stamp | TOUCH_WRITE);
}

static inline void touch_note(const struct access *a, const struct allocation *allocation)
{
    if (!a->warp->launch->check_races && allocation->kind != MEMORY_MANAGED)
        return;
    uint32_t kinds = a->insn->access == ACCESS_LOAD    ? TOUCH_READ
                     : a->insn->access == ACCESS_STORE ? TOUCH_WRITE
                                                       : TOUCH_READ | TOUCH_WRITE;
    uint64_t shift = allocation->shadow_offset - allocation->address;
    bool also = false;
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint64_t first = run_start(a, &a->runs[r]) + shift;
        uint64_t last = (first + run_bytes(a, &a->runs[r]) - 1) >> TOUCH_PAGE_SHIFT;
        for (uint64_t page = first >> TOUCH_PAGE_SHIFT; page <= last; page++)
            if ((shadow_pages[page] & (~3u | kinds)) != (touch_stamp | kinds))
                also |= touch_page(allocation, page, kinds, also);
    }
}

/* engine_touched() tells afterwards, see engine.h. */
void touch_launch_begin(const struct launch *launch);

#endif
