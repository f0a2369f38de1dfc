/* Sums over counters that every part of a profile needs. */
#ifndef GRADER_PROFILE_SUMS_H
#define GRADER_PROFILE_SUMS_H

#include <stdint.h>

#include "virtual_gpu/vgpu.h"

enum { SECTOR_BYTES = 32 };

/* cost / per, 0 where there is nothing to divide by. */
static inline double ratio(uint64_t cost, uint64_t per)
{
    return per == 0 ? 0.0 : (double)cost / (double)per;
}

/* Reads of global memory: by loads, and by cp.async into shared memory. */
static inline uint64_t read_requests(const struct vgpu_counters *made)
{
    return made->global_load_requests + made->global_copy_requests;
}

static inline uint64_t read_sectors(const struct vgpu_counters *made)
{
    return made->global_load_sectors + made->global_copy_sectors;
}

static inline uint64_t read_sectors_ideal(const struct vgpu_counters *made)
{
    return made->global_load_sectors_ideal + made->global_copy_sectors_ideal;
}

static inline uint64_t sectors_moved(const struct vgpu_counters *made)
{
    return read_sectors(made) + made->global_store_sectors;
}

/* As few sectors as the bytes fill that were asked for. */
static inline uint64_t sectors_asked(const struct vgpu_counters *made)
{
    return read_sectors_ideal(made) + made->global_store_sectors_ideal;
}

/* Global memory, by kind of access, but for atomics. */
struct accesses {
    const char *name;
    uint64_t requests, sectors, ideal;
};

#define ACCESSES_OF(made)                                                           \
    {                                                                               \
        {"load", (made)->global_load_requests, (made)->global_load_sectors,         \
            (made)->global_load_sectors_ideal},                                     \
            {"store", (made)->global_store_requests, (made)->global_store_sectors,  \
                (made)->global_store_sectors_ideal},                                \
            {"cp.async", (made)->global_copy_requests, (made)->global_copy_sectors, \
                (made)->global_copy_sectors_ideal},                                 \
    }

static inline uint64_t sectors_distinct(const struct vgpu_counters *made)
{
    return made->unique_load_sectors + made->unique_store_sectors;
}

static inline uint64_t global_requests(const struct vgpu_counters *made)
{
    return read_requests(made) + made->global_store_requests;
}

static inline uint64_t shared_requests(const struct vgpu_counters *made)
{
    return made->shared_load_requests + made->shared_store_requests;
}

static inline uint64_t shared_wavefronts(const struct vgpu_counters *made)
{
    return made->shared_load_wavefronts + made->shared_store_wavefronts;
}

static inline uint64_t shared_conflicts(const struct vgpu_counters *made)
{
    return made->shared_load_conflicts + made->shared_store_conflicts;
}

static inline uint64_t local_requests(const struct vgpu_counters *made)
{
    return made->local_load_requests + made->local_store_requests;
}

static inline uint64_t atomic_lanes(const struct vgpu_counters *made)
{
    return made->global_atomic_lanes + made->shared_atomic_lanes;
}

#endif
