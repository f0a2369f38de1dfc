/* How evenly a launch's work lies on its blocks: the input of kernel_time.c that a sample of blocks
 * does not give.
 *
 * Work is counted in warp instructions. A *long* block has a warp that executes more than twice
 * what any warp of the traced sample did; see trace.h.
 */
#ifndef VIRTUAL_GPU_BALANCE_H
#define VIRTUAL_GPU_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"

struct block;
struct launch;

struct balance {
    uint64_t instructions;           /* of all blocks */
    uint64_t of_sm[DEVICE_SMS];      /* each block goes to the SM that has least */
    uint64_t long_blocks;            /* of them */
    uint64_t long_instructions;      /* of all their warps */
    uint64_t longest_warps, longest; /* of the longest warp of each: sum, and the most */
};

/* The block has ended. */
void balance_block(struct launch *launch, const struct block *block);

/* The busiest SM's share of the whole work. */
double balance_busiest(const struct balance *balance);

/* Do a few blocks have most of the work, where others could have done it? */
bool balance_is_lopsided(const struct launch *launch);

#endif
