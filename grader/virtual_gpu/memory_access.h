/* What loads, stores and atomics share: see exec_memory.c. */
#ifndef VIRTUAL_GPU_MEMORY_ACCESS_H
#define VIRTUAL_GPU_MEMORY_ACCESS_H

#include "count.h"
#include "exec.h"

typedef void access_handler(struct access *access);

/* Addresses and shape of an access. */
void access_prepare(
    struct access *access, struct warp *warp, const struct insn *insn, uint32_t mask);

/* Calls the handler of the space; a generic access once for every space its lanes address. */
void access_by_space(struct access *access, access_handler *const handlers[]);

/* Global memory: see exec_memory.c. */
struct allocation *access_next_allocation(struct access *access, uint32_t *rest, uint32_t *lanes);
uint32_t access_aligned_lanes(const struct access *access);
void access_count_global(const struct access *access);
void access_race_global(
    const struct access *access, uint32_t lanes, const struct allocation *allocation);
void access_check_initialised(
    const struct access *access, uint32_t lanes, const struct allocation *allocation);
void access_mark_written(
    const struct access *access, uint32_t lanes, struct allocation *allocation);

/* Shared memory: lanes that may go on, after reports about the others. */
uint32_t access_shared_lanes(struct access *access);
void access_count_shared(const struct access *access);
void access_race_shared(const struct access *access, uint32_t lanes);
void access_check_shared_initialised(const struct access *access, uint32_t lanes);
void access_mark_shared(const struct access *access, uint32_t lanes);

/* May this launch touch the allocation?  Asks the runtime once an allocation. */
bool launch_may_access(struct launch *launch, struct allocation *allocation, bool writes);

#endif
