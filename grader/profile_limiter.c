/* From demands to a limiter. */
#include "profile_limiter.h"

#include <math.h>
#include <stdbool.h>

#include "profile_sums.h"

enum {
    WARP = 32,
    SMS_OF_H200 = 132,
    SECTORS_OF_A_PASS = 4, /* of the L1 cache */
};

/* Of an NVIDIA H200 (2026-11-29 and 30, CUDA 13.0, driver 580): a copy of 2^28 floats, 4,214 GB/s;
 * loads that hit the L2, 312 sectors a ns; 2^28 floats added to one address, 471 ms; SM clock
 * 1,980 MHz. An SM issues 4 instructions of warps and makes one pass over shared memory or its L1
 * cache a cycle. What belongs to the whole chip is divided by its SMs. */
#define CLOCK_GHZ 1.98
#define DRAM_BYTES_PER_NS_SM (4214.0 / SMS_OF_H200)
#define L2_SECTORS_PER_NS_SM (312.0 / SMS_OF_H200)
#define PASSES_PER_NS_SM CLOCK_GHZ
#define ISSUE_PER_NS_SM (4 * CLOCK_GHZ)
#define ATOMIC_NS_OF_H200 (471.0e6 / (1 << 28))

/* A load from DRAM takes 400 to 800 cycles; what an SM must have under way to keep DRAM busy. */
#define DRAM_CYCLES 800
#define BYTES_TO_BE_UNDER_WAY (DRAM_BYTES_PER_NS_SM * DRAM_CYCLES / CLOCK_GHZ)

/* Half filled is full enough. */
#define FILLED_ENOUGH 0.5

const char *resource_name(enum resource resource)
{
    static const char *const names[RESOURCES] = {
        "DRAM", "L2", "L1", "shared memory", "issue", "atomics"};
    return names[resource];
}

static double blocks_of(const struct vgpu_launch *launch)
{
    return (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

static double warps_of_block(const struct vgpu_launch *launch)
{
    return ceil((double)launch->block[0] * launch->block[1] * launch->block[2] / WARP);
}

double launched_warps(const struct vgpu_launch *launch)
{
    return blocks_of(launch) * warps_of_block(launch);
}

/* ---- demands -------------------------------------------------------------------------------- */

/* How often the same bytes are read: within a launch, and by all launches of what there is. */
static void find_repetitions(
    const struct vgpu_counters *made, double needed_bytes, struct limiter_reading *reading)
{
    const double distinct = (double)made->unique_load_sectors * SECTOR_BYTES;

    reading->waste = ratio(sectors_moved(made), sectors_asked(made));
    reading->wavefronts =
        ratio(shared_wavefronts(made), shared_wavefronts(made) - shared_conflicts(made));
    reading->loaded = ratio(made->global_load_sectors_ideal, made->unique_load_sectors);
    reading->fetched = made->launches > 1 && needed_bytes > 0 ? distinct / needed_bytes : 1.0;
}

/* Passes of the L1 cache: a request is one, or one for every four sectors. */
static double cache_passes(uint64_t requests, uint64_t sectors)
{
    return fmax((double)requests, (double)sectors / SECTORS_OF_A_PASS);
}

/* Which accesses a cache answers is not counted. Taken for granted is that an L1 cache answers what
 * a launch with full sectors reads again, and that the L2 keeps what fits into it. */
static void find_demands(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;
    const double distinct = (double)sectors_distinct(made);
    const double beyond_l1 = reading->waste >= MUCH_WASTE ? (double)sectors_moved(made) : distinct;
    const double of_a_launch = distinct / (double)made->launches;
    const bool fits = of_a_launch * SECTOR_BYTES <= device->l2_bytes;
    const double sms = device->sm_count;
    double *ns = reading->busy_ns;

    ns[RESOURCE_DRAM] =
        (fits ? of_a_launch : beyond_l1) * SECTOR_BYTES / (DRAM_BYTES_PER_NS_SM * sms);
    ns[RESOURCE_L2] = beyond_l1 / (L2_SECTORS_PER_NS_SM * sms);
    ns[RESOURCE_L1] = (cache_passes(made->global_load_requests, made->global_load_sectors) +
                          cache_passes(made->global_store_requests, made->global_store_sectors)) /
                      (PASSES_PER_NS_SM * sms);
    ns[RESOURCE_SHARED] = (double)shared_wavefronts(made) / (PASSES_PER_NS_SM * sms);
    ns[RESOURCE_ISSUE] = (double)made->warp_instructions / (ISSUE_PER_NS_SM * sms);
    ns[RESOURCE_ATOMICS] = (double)made->global_atomic_worst_address * (double)made->launches *
                           ATOMIC_NS_OF_H200 * SMS_OF_H200 / sms;
}

static void find_parallelism(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;
    const double fit = launch->resident_blocks * warps_of_block(launch);
    const bool loads = made->global_load_requests > 0;
    const double request_bytes =
        SECTOR_BYTES * (loads ? ratio(made->global_load_sectors, made->global_load_requests)
                              : ratio(made->global_store_sectors, made->global_store_requests));

    reading->warps_per_sm = fmin(launched_warps(launch) / device->sm_count, fit);
    reading->bytes_wanted = BYTES_TO_BE_UNDER_WAY;
    reading->bytes_under_way = reading->warps_per_sm * request_bytes * LOADS_UNDER_WAY;
}

static bool is_memory(enum resource resource)
{
    return resource == RESOURCE_DRAM || resource == RESOURCE_L2 || resource == RESOURCE_L1;
}

/* The part that is busy longest, once few warps have stretched memory and issue. */
static enum resource find_longest(struct limiter_reading *reading)
{
    const double for_memory = fmin(1.0, reading->bytes_under_way / BYTES_TO_BE_UNDER_WAY);
    const double for_issue = fmin(1.0, reading->warps_per_sm / FEW_WARPS);
    enum resource longest = RESOURCE_DRAM;

    reading->longest_ns = -1.0;
    for (enum resource r = 0; r < RESOURCES; r++) {
        const double filled = is_memory(r) ? for_memory : r == RESOURCE_ISSUE ? for_issue : 1.0;
        const double ns = reading->busy_ns[r] / (filled > 0 ? filled : 1.0);
        if (ns <= reading->longest_ns)
            continue;
        reading->longest_ns = ns;
        reading->filled = filled;
        longest = r;
    }
    return longest;
}

static enum limiter limiter_of_memory(const struct limiter_reading *reading)
{
    if (reading->waste >= MUCH_WASTE && reading->waste >= reading->fetched)
        return LIMITER_WASTED_SECTORS;
    return reading->fetched >= MUCH_AGAIN ? LIMITER_BYTES_AGAIN : LIMITER_MEMORY;
}

static enum limiter limiter_of(
    enum resource longest, const struct vgpu_counters *made, const struct limiter_reading *reading)
{
    if (reading->longest_ns < LEAST_NS * (double)made->launches)
        return LIMITER_NOTHING;
    if (reading->filled < FILLED_ENOUGH)
        return LIMITER_PARALLELISM;
    switch (longest) {
    case RESOURCE_DRAM:
    case RESOURCE_L2:
        return limiter_of_memory(reading);
    case RESOURCE_L1:
        return reading->waste >= MUCH_WASTE ? LIMITER_WASTED_SECTORS : LIMITER_CACHE;
    case RESOURCE_SHARED:
        return reading->wavefronts >= MANY_CONFLICTS ? LIMITER_CONFLICTS : LIMITER_SHARED;
    case RESOURCE_ATOMICS:
        return LIMITER_ATOMICS;
    default:
        return LIMITER_ISSUE;
    }
}

struct limiter_reading find_limiter(
    const struct vgpu_launch *launch, const struct profiled_device *device)
{
    const struct vgpu_counters *made = &launch->counters;
    struct limiter_reading reading = {.limiter = LIMITER_NOTHING};

    find_repetitions(made, device->needed_bytes, &reading);
    find_demands(launch, device, &reading);
    find_parallelism(launch, device, &reading);
    reading.longest = find_longest(&reading);
    reading.limiter = limiter_of(reading.longest, made, &reading);
    word_limiter(launch, device, &reading);
    return reading;
}
