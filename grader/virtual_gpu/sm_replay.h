/* One SM plays the traces of its blocks again, all warps that fit at the same time.
 *
 * Every warp has a clock. The compiler is taken to order the instructions between two branches so
 * that each starts as soon as its operands are there; a branch waits until all before it have
 * started. So loads in flight, chains of dependent instructions, barriers and waves come from the
 * program. What warps share (issue slots, ports, bandwidth) is not looked at here: those are sums.
 */
#ifndef VIRTUAL_GPU_SM_REPLAY_H
#define VIRTUAL_GPU_SM_REPLAY_H

#include "insn_cost.h"
#include "trace.h"

struct replay_result {
    double cycles;        /* from the first block's start to the last one's end */
    double filled_cycles; /* until as many blocks had started as fit */
    double beyond_cycles; /* what went on after the traces had ended, as their second half went */
    /* Of the traced instructions: */
    uint64_t recorded, executed; /* entries, and what the traced warps executed in all */
    uint64_t load_requests, load_sectors, load_passes; /* of global memory */
    uint64_t store_requests, store_sectors;
    uint64_t l2_load_sectors;                         /* what the first-level cache does not hold */
    double l2_load_cost, l2_store_cost;               /* in sectors; lonely ones cost more */
    uint64_t again_load_sectors, again_store_sectors; /* fetched, lost, and fetched again */
};

void sm_replay(const struct launch *launch, const struct steps *steps, size_t l1_bytes,
    size_t l2_bytes, uint32_t resident, struct replay_result *result);

#endif
