/* From the bounds of a kernel to its limiter. */
#include "profile_limiter.h"

#include <math.h>
#include <stdbool.h>

#include "profile_sums.h"

enum { WARP = 32, SMS_OF_H200 = 132 };

/* A copy of 2^28 floats on an NVIDIA H200 (2026-11-29, CUDA 13.0, driver 580) moves 4,214 bytes a
 * ns, at 1.98 GHz, and a load from DRAM takes 400 to 800 cycles: what an SM must have under way. */
#define DRAM_BYTES_PER_NS_SM (4214.0 / SMS_OF_H200)
#define DRAM_CYCLES 800
#define CLOCK_GHZ 1.98

#define FILLED_ENOUGH 0.5 /* of the warps that hide latency */

const char *resource_name(enum resource resource)
{
    static const char *const names[RESOURCES] = {
        "DRAM", "L2", "L1", "shared memory", "issue", "arithmetic units", "atomics", "latency"};
    return names[resource];
}

static double blocks_of(const struct vgpu_launch *launch)
{
    return (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

double warps_of_block(const struct vgpu_launch *launch)
{
    return ceil((double)launch->block[0] * launch->block[1] * launch->block[2] / WARP);
}

double launched_warps(const struct vgpu_launch *launch)
{
    return blocks_of(launch) * warps_of_block(launch);
}

/* ---- what is known of a kernel ---------------------------------------------------------------- */

/* How often the same bytes are read: within a launch, and by all launches of what there is. */
static void find_repetitions(
    const struct vgpu_counters *made, double needed_bytes, struct limiter_reading *reading)
{
    const double distinct = (double)made->unique_load_sectors * SECTOR_BYTES;

    reading->waste = ratio(sectors_moved(made), sectors_asked(made));
    reading->wavefronts =
        ratio(shared_wavefronts(made), shared_wavefronts(made) - shared_conflicts(made));
    reading->loaded = ratio(read_sectors_ideal(made), made->unique_load_sectors);
    reading->fetched = made->launches > 1 && needed_bytes > 0 ? distinct / needed_bytes : 1.0;
}

/* What the model of an H200 says of each part. */
static void take_bounds(const struct vgpu_bounds *bounds, double *ns)
{
    ns[RESOURCE_DRAM] = bounds->dram;
    ns[RESOURCE_L2] = bounds->l2;
    ns[RESOURCE_L1] = bounds->l1;
    ns[RESOURCE_SHARED] = bounds->shared;
    ns[RESOURCE_ISSUE] = bounds->issue;
    ns[RESOURCE_PIPES] = bounds->pipes;
    ns[RESOURCE_ATOMICS] = bounds->atomics;
    ns[RESOURCE_LATENCY] = bounds->latency;
}

static void find_parallelism(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;
    const double fit = launch->resident_blocks * warps_of_block(launch);
    const bool reads = read_requests(made) > 0;
    const double request_bytes =
        SECTOR_BYTES * (reads ? ratio(read_sectors(made), read_requests(made))
                              : ratio(made->global_store_sectors, made->global_store_requests));

    reading->warps_per_sm = fmin(launched_warps(launch) / device->sm_count, fit);
    reading->bytes_wanted = DRAM_BYTES_PER_NS_SM * DRAM_CYCLES / CLOCK_GHZ;
    reading->bytes_under_way = reading->warps_per_sm * request_bytes * LOADS_UNDER_WAY;
}

static enum resource find_longest(const struct limiter_reading *reading)
{
    enum resource longest = 0;

    for (enum resource r = 0; r < RESOURCES; r++)
        if (reading->busy_ns[r] > reading->busy_ns[longest])
            longest = r;
    return longest;
}

static enum limiter limiter_of_memory(const struct limiter_reading *reading)
{
    if (reading->waste >= MUCH_WASTE && reading->waste >= reading->fetched)
        return LIMITER_WASTED_SECTORS;
    return reading->fetched >= MUCH_AGAIN ? LIMITER_BYTES_AGAIN : LIMITER_MEMORY;
}

static enum limiter limiter_of(
    const struct vgpu_launch *launch, const struct limiter_reading *reading)
{
    if (launch->modelled_ns <= 0)
        return LIMITER_UNKNOWN;
    if (launch->modelled_ns < LEAST_NS * (double)launch->counters.launches)
        return LIMITER_NOTHING;
    switch (reading->longest) {
    case RESOURCE_DRAM:
    case RESOURCE_L2:
        return limiter_of_memory(reading);
    case RESOURCE_L1:
        return reading->waste >= MUCH_WASTE ? LIMITER_WASTED_SECTORS : LIMITER_CACHE;
    case RESOURCE_SHARED:
        return reading->wavefronts >= MANY_CONFLICTS ? LIMITER_CONFLICTS : LIMITER_SHARED;
    case RESOURCE_ATOMICS:
        return LIMITER_ATOMICS;
    case RESOURCE_LATENCY:
        return reading->warps_per_sm < FILLED_ENOUGH * FEW_WARPS ? LIMITER_PARALLELISM
                                                                 : LIMITER_WAITS;
    case RESOURCE_PIPES:
        return LIMITER_PIPES;
    default:
        return LIMITER_ISSUE;
    }
}

struct limiter_reading find_limiter(
    const struct vgpu_launch *launch, const struct profiled_device *device)
{
    struct limiter_reading reading = {.limiter = LIMITER_UNKNOWN};

    find_repetitions(&launch->counters, device->needed_bytes, &reading);
    take_bounds(&launch->bounds_ns, reading.busy_ns);
    find_parallelism(launch, device, &reading);
    reading.longest = find_longest(&reading);
    reading.limiter = limiter_of(launch, &reading);
    word_limiter(launch, device, &reading);
    return reading;
}
