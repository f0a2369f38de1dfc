/* What an access costs the memory system, by the definitions of Nsight Compute:
 *
 *   request     a warp-level load or store with at least one active lane
 *   sectors     distinct 32-byte pieces of global memory that a request touches
 *   wavefronts  passes of shared memory that a request needs.  Up to 4 bytes a
 * lane: the largest number of distinct 4-byte words in one of the 32 banks.  8
 * bytes: half-warps one after the other.  16 bytes: quarter-warps. conflicts
 * wavefronts beyond what the same bytes would need without conflicts
 */
#ifndef VIRTUAL_GPU_COUNT_H
#define VIRTUAL_GPU_COUNT_H

#include "access.h"

/* Adds what an access costs to the counters of its instruction. */
void count_global(const struct access *access);
void count_shared(const struct access *access);
/* Sectors that the launch touches for the first time. */
void count_unique(const struct access *access, const struct allocation *allocation);
void count_launch_begin(struct launch *launch);
void count_launch_end(struct launch *launch);

void count_atomic(const struct access *access, bool is_shared);

/* Sums over the instructions of a launch. */
void count_launch(const struct launch *launch, struct engine_counters *counters);
void count_insn(
    const struct insn *insn, const struct insn_counts *counts, struct engine_counters *sum);

#endif
