/* What an access costs the memory system, by the definitions of Nsight Compute:
 *
 *   request     a warp-level load or store with at least one active lane
 *   sectors     distinct 32-byte pieces of global memory that a request touches
 *   wavefronts  passes of shared memory that a request needs.  Up to 4 bytes a lane: the largest
 *               number of distinct 4-byte words in one of the 32 banks.  8 bytes: half-warps one
 *               after the other.  16 bytes: quarter-warps.
 *   conflicts   wavefronts beyond what the same bytes would need without conflicts
 */
#ifndef VIRTUAL_GPU_COUNT_H
#define VIRTUAL_GPU_COUNT_H

#include "warp.h"

enum access_shape { SHAPE_UNIFORM, SHAPE_CONTIGUOUS, SHAPE_SCATTERED };

/* The addresses of one access. Lanes outside the mask hold anything. */
struct access {
    struct warp *warp;
    const struct insn *insn;
    uint32_t mask;
    uint32_t bytes; /* a lane: element size × elements */
    enum access_shape shape;
    bool is_store;
    uint64_t address[WARP_LANES];
};

/* Distinct 32-byte sectors. */
uint32_t count_sectors(const struct access *access);

/* Wavefronts of an access to shared memory; *ideal without conflicts. */
uint32_t count_wavefronts(const struct access *access, uint32_t *ideal);

/* Lanes of an atomic access: *addresses distinct ones, *worst lanes on one address. */
void count_contention(const struct access *access, uint32_t *addresses, uint32_t *worst);

/* Sums over the instructions of a launch. */
void count_launch(const struct launch *launch, struct engine_counters *counters);
void count_insn(
    const struct insn *insn, const struct insn_counts *counts, struct engine_counters *sum);

#endif
