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
    double cycles;        /* from the first block's start to the last one's end; a trace that ended
                           * before its warp goes on as its second half went */
    double filled_cycles; /* until as many blocks had started as fit */
    /* Of the traced instructions: */
    double recorded, executed; /* entries, and what the traced warps executed in all */
    double load_requests, load_sectors, load_passes; /* of global memory */
    double store_requests, store_sectors;
    double l2_load_sectors;                         /* what the first-level cache does not hold */
    double l2_load_cost, l2_store_cost;             /* in sectors; lonely ones cost more */
    double again_load_sectors, again_store_sectors; /* fetched, lost, and fetched again */
};

/* A second-level cache of 0 bytes holds everything. `resident`: blocks at the same time. */
void sm_replay(const struct launch *launch, const struct block_trace *blocks, uint32_t count,
    size_t l1_bytes, size_t l2_bytes, uint32_t resident, struct replay_result *result);

#endif
