/* One load, store or atomic of a warp: its addresses, and what is checked about them.
 *
 * Lanes that address neighbouring elements, or all the same one, form a *run*; every check looks
 * at runs.  A coalesced access is one run, a scattered one has as many as lanes.
 */
#ifndef VIRTUAL_GPU_ACCESS_H
#define VIRTUAL_GPU_ACCESS_H

#include "exec.h"

struct access_run {
    uint8_t first, lanes; /* lanes first, first + 1, … */
    bool is_uniform;      /* all at one address, otherwise one element after the other */
};

struct access {
    struct warp *warp;
    const struct insn *insn;
    uint32_t mask;  /* never empty */
    uint32_t bytes; /* a lane: element size × elements */
    bool is_store;
    uint32_t run_count;
    struct access_run runs[WARP_LANES];
    void *scratch;                /* for the caller's allocation_handler */
    uint64_t address[WARP_LANES]; /* lanes outside the mask hold anything */
};

/* First address of a run, and the bytes it covers. */
static inline uint64_t run_start(const struct access *a, const struct access_run *run)
{
    return a->address[run->first];
}

static inline uint64_t run_bytes(const struct access *a, const struct access_run *run)
{
    return run->is_uniform ? a->bytes : (uint64_t)run->lanes * a->bytes;
}

/* The byte at an address of a space whose byte 0 would be at `base`; integers, because that byte
 * need not exist. */
static inline uint8_t *byte_at(uint64_t base, uint64_t address)
{
    return (uint8_t *)(uintptr_t)(base + address);
}

typedef void access_handler(struct access *access);

void access_prepare(
    struct access *access, struct warp *warp, const struct insn *insn, uint32_t mask);

/* After a change of addresses. */
void access_readdress(struct access *access);

/* The same access for fewer lanes. */
void access_narrow(struct access *access, uint32_t mask);

/* Calls the handler of the space; a generic access once for every space its lanes address. */
void access_by_space(struct access *access, access_handler *const handlers[]);

/* Drops misaligned lanes after a report. False when no lane is left. */
bool access_keep_aligned(struct access *access);

/* Global memory: calls the handler once for every allocation that lanes touch; lanes that touch
 * none are reported and dropped. */
typedef void allocation_handler(struct access *access, struct allocation *allocation);
void access_by_allocation(struct access *access, allocation_handler *handler);

/* May this launch touch the allocation?  Asks the runtime. */
bool launch_may_access(struct launch *launch, struct allocation *allocation);

/* Shared memory: drops lanes outside the block's after a report. False when none is left. */
bool access_keep_shared(struct access *access);

/* ---- initialisation -------------------------------------------------------------------------- */

void access_check_global_initialised(
    const struct access *access, const struct allocation *allocation);
void access_mark_global(const struct access *access, struct allocation *allocation);
void access_check_shared_initialised(const struct access *access);
void access_mark_shared(const struct access *access);

/* ---- races: access_race.c -------------------------------------------------------------------- */

/* Stores write their bytes on the way when lanes must see each other's; writing them again is
 * harmless. */
void access_race_global(const struct access *access, const struct allocation *allocation);
void access_race_shared(const struct access *access);

/* Strong accesses acquire and release; `window` tells shared memory from global. */
void access_synchronise(const struct access *access, uint64_t window);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* One lane's elements from memory to registers, and back. */
void access_load_lane(
    struct warp *warp, const struct insn *insn, uint32_t lane, const uint8_t *bytes);
void access_store_lane(struct warp *warp, const struct insn *insn, uint32_t lane, uint8_t *bytes);

#endif
