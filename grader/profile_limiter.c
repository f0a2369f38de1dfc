/* From demands to a limiter, with its numbers. */
#include "profile_limiter.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "profile_page.h"
#include "text.h"

enum {
    WARP = 32,
    SECTOR_BYTES = 32,
    SMS_OF_H200 = 132,
    SECTORS_OF_A_PASS = 4, /* of the L1 cache */
    LOADS_UNDER_WAY = 4,   /* of a warp: nvcc unrolls a simple loop four times */
    WARPS_FOR_ISSUE = 16,  /* of an SM: 4 schedulers, 4 cycles until a result can be used */
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

/* Below it there is too little to do for a rate to matter: the least a kernel takes on an H200. */
#define LEAST_NS 1540.0

/* Half filled is full enough for a limit of this kind; the others leave room for what a right
 * solution does, too: a row of a matrix times a vector loads each byte of the matrix with one of
 * the vector. */
#define FILLED_ENOUGH 0.5
#define MUCH_WASTE 1.5
#define MUCH_AGAIN 3.0
#define MANY_CONFLICTS 1.5

double ratio(uint64_t cost, uint64_t per)
{
    return per == 0 ? 0.0 : (double)cost / (double)per;
}

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

static uint64_t sectors_moved(const struct vgpu_counters *made)
{
    return made->global_load_sectors + made->global_store_sectors;
}

static uint64_t wavefronts(const struct vgpu_counters *made)
{
    return made->shared_load_wavefronts + made->shared_store_wavefronts;
}

static uint64_t conflicts(const struct vgpu_counters *made)
{
    return made->shared_load_conflicts + made->shared_store_conflicts;
}

static double wavefronts_for_each(const struct vgpu_counters *made)
{
    return ratio(wavefronts(made), wavefronts(made) - conflicts(made));
}

/* ---- demands -------------------------------------------------------------------------------- */

/* How often the same bytes are read: within a launch, and by all launches of what there is. */
static void find_repetitions(
    const struct vgpu_counters *made, double needed_bytes, struct limiter_reading *reading)
{
    const double distinct = (double)made->unique_load_sectors * SECTOR_BYTES;

    reading->waste = ratio(
        sectors_moved(made), made->global_load_sectors_ideal + made->global_store_sectors_ideal);
    reading->loaded = ratio(made->global_load_sectors_ideal, made->unique_load_sectors);
    reading->fetched = made->launches > 1 && needed_bytes > 0 ? distinct / needed_bytes : 1.0;
}

/* Passes of the L1 cache: a request is one, or one for every four sectors. */
static double cache_passes(uint64_t requests, uint64_t sectors)
{
    return fmax((double)requests, (double)sectors / SECTORS_OF_A_PASS);
}

/* Which accesses a cache answers is not counted. Taken for granted is that an L1 cache answers what a
 * launch with full sectors reads again, and that the L2 keeps what fits into it. */
static void find_demands(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;
    const double distinct = (double)(made->unique_load_sectors + made->unique_store_sectors);
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
    ns[RESOURCE_SHARED] = (double)wavefronts(made) / (PASSES_PER_NS_SM * sms);
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
    const double for_issue = fmin(1.0, reading->warps_per_sm / WARPS_FOR_ISSUE);
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
        return wavefronts_for_each(made) >= MANY_CONFLICTS ? LIMITER_CONFLICTS : LIMITER_SHARED;
    case RESOURCE_ATOMICS:
        return LIMITER_ATOMICS;
    default:
        return LIMITER_ISSUE;
    }
}

/* ---- words ---------------------------------------------------------------------------------- */

static const struct {
    const char *what, *next;
} words[] = {
    [LIMITER_NOTHING] = {"the launch itself: the kernel does less than a launch costs",
        "More work a launch: larger problems, or several steps in one kernel."},
    [LIMITER_PARALLELISM] = {"too little parallelism: latency bound",
        "More blocks and threads, or more independent loads a thread."},
    [LIMITER_WASTED_SECTORS] = {"memory, and much of what it moves is not asked for",
        "Let neighbouring threads touch neighbouring elements."},
    [LIMITER_BYTES_AGAIN] = {"memory, and the same bytes are read again and again",
        "Use what was read more often: several results a pass, registers, shared memory."},
    [LIMITER_MEMORY] = {"memory: what is moved is asked for",
        "Fewer bytes; or more under way at a time: loads of 16 bytes, several a thread."},
    [LIMITER_CACHE] = {"the L1 cache, which answers many requests",
        "Keep in registers or shared memory what is used again, and load more a request."},
    [LIMITER_ISSUE] = {"the issue of instructions",
        "Fewer instructions for each result: wider loads, unrolled loops, cheaper indices."},
    [LIMITER_CONFLICTS] = {"shared memory, with bank conflicts",
        "Let the threads of a warp meet 32 different banks: another layout, or a column of "
        "padding."},
    [LIMITER_SHARED] = {"shared memory",
        "Fewer trips to it: keep in registers what a thread uses again."},
    [LIMITER_ATOMICS] = {"atomics on one address, which go one after the other",
        "Combine before the atomic: in a warp, then in a block."},
};

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, (size_t)(n))
#define BYTES(n) text_bytes((char[NUMBER_TEXT_BYTES]){0}, n)
#define SAY(...) snprintf(reading->numbers, sizeof reading->numbers, __VA_ARGS__)

static void say_parallelism(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const double warps = launched_warps(launch);
    const int length =
        SAY("%s warp%s for %d SMs, which hold %s: %.3g of %d on an SM.", COUNT(warps),
            warps == 1 ? "" : "s", device->sm_count, COUNT(device->sm_count * device->warps_per_sm),
            reading->warps_per_sm, device->warps_per_sm);

    if (reading->busy_ns[RESOURCE_ISSUE] > reading->busy_ns[RESOURCE_DRAM] &&
        reading->busy_ns[RESOURCE_ISSUE] > reading->busy_ns[RESOURCE_L2])
        return;
    snprintf(reading->numbers + length, sizeof reading->numbers - (size_t)length,
        " With %d loads of each under way an SM waits for %s at a time; to keep the memory of an "
        "H200 busy takes about %s.",
        LOADS_UNDER_WAY, BYTES(reading->bytes_under_way), BYTES(BYTES_TO_BE_UNDER_WAY));
}

/* "32.0 sectors a load request, where 4.0 would do" of loads or stores, whichever waste more. */
static void describe_waste(const struct vgpu_counters *made, char *text, size_t bytes)
{
    const bool loads = made->global_load_sectors - made->global_load_sectors_ideal >=
                       made->global_store_sectors - made->global_store_sectors_ideal;
    const uint64_t requests = loads ? made->global_load_requests : made->global_store_requests;

    const double moved =
        ratio(loads ? made->global_load_sectors : made->global_store_sectors, requests);

    snprintf(text, bytes, "%.1f sectors a %s request%s, where %.1f would do", moved,
        loads ? "load" : "store", moved < 31 ? " on average" : "",
        ratio(
            loads ? made->global_load_sectors_ideal : made->global_store_sectors_ideal, requests));
}

static void say_wasted_sectors(const struct vgpu_counters *made, struct limiter_reading *reading)
{
    char waste[120];

    describe_waste(made, waste, sizeof waste);
    SAY("%s: %.0f %% of the %s moved is not asked for.", waste,
        100.0 * (1.0 - 1.0 / reading->waste), BYTES((double)sectors_moved(made) * SECTOR_BYTES));
}

static void say_bytes_again(
    const struct vgpu_counters *made, double needed_bytes, struct limiter_reading *reading)
{
    const double distinct = (double)made->unique_load_sectors * SECTOR_BYTES; /* launch by launch */

    SAY("%s launches read %s each, %s in all, of no more than %s that there are: the same bytes "
        "come back %.1f times.",
        COUNT(made->launches), BYTES(distinct / (double)made->launches), BYTES(distinct),
        BYTES(needed_bytes), reading->fetched);
}

static void say_cache(const struct vgpu_counters *made, struct limiter_reading *reading)
{
    SAY("%s requests, %.1f for each sector that is distinct: %s are loaded, of %s, so the same "
        "bytes %.1f times.",
        COUNT(made->global_load_requests + made->global_store_requests),
        ratio(made->global_load_requests + made->global_store_requests,
            made->unique_load_sectors + made->unique_store_sectors),
        BYTES((double)made->global_load_sectors_ideal * SECTOR_BYTES),
        BYTES((double)made->unique_load_sectors * SECTOR_BYTES), reading->loaded);
}

static void say_issue(const struct vgpu_counters *made, struct limiter_reading *reading)
{
    const uint64_t requests = made->global_load_requests + made->global_store_requests;

    SAY("%s instructions of warps, %.0f for each request to memory, with %.1f of 32 threads at "
        "work in each.",
        COUNT(made->warp_instructions), ratio(made->warp_instructions, requests),
        ratio(made->thread_instructions, made->warp_instructions));
}

static void say_numbers(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;

    switch (reading->limiter) {
    case LIMITER_NOTHING:
        SAY("Its bytes and instructions would keep the device busy for less than the %.1f µs that "
            "a kernel takes at least.",
            LEAST_NS / 1000);
        break;
    case LIMITER_PARALLELISM:
        say_parallelism(launch, device, reading);
        break;
    case LIMITER_WASTED_SECTORS:
        say_wasted_sectors(made, reading);
        break;
    case LIMITER_BYTES_AGAIN:
        say_bytes_again(made, device->needed_bytes, reading);
        break;
    case LIMITER_MEMORY:
        SAY("%s are moved, %.1f times what is asked for%s.",
            BYTES((double)sectors_moved(made) * SECTOR_BYTES), reading->waste,
            reading->fetched > MUCH_WASTE ? "; the launches share some of it" : "");
        break;
    case LIMITER_CACHE:
        say_cache(made, reading);
        break;
    case LIMITER_ISSUE:
        say_issue(made, reading);
        break;
    case LIMITER_CONFLICTS:
    case LIMITER_SHARED:
        SAY("%s wavefronts, where %s would do without conflicts.", COUNT(wavefronts(made)),
            COUNT(wavefronts(made) - conflicts(made)));
        break;
    case LIMITER_ATOMICS:
        SAY("%s operations on the address that gets most%s.",
            COUNT(made->global_atomic_worst_address),
            made->launches > 1 ? ", in every launch" : "");
    }
}

static void say_also(const struct vgpu_counters *made, struct limiter_reading *reading)
{
    char waste[120];
    size_t length = 0;

#define ADD(...) \
    length += (size_t)snprintf(reading->also + length, sizeof reading->also - length, __VA_ARGS__)
    describe_waste(made, waste, sizeof waste);
    if (reading->waste >= MUCH_WASTE && reading->limiter != LIMITER_WASTED_SECTORS)
        ADD("%s. ", waste);
    if (reading->loaded >= MUCH_AGAIN && reading->limiter != LIMITER_CACHE)
        ADD("The same bytes are loaded %.1f times; how often a cache answers cannot be known "
            "here. ",
            reading->loaded);
    if (reading->fetched >= MUCH_AGAIN && reading->limiter != LIMITER_BYTES_AGAIN)
        ADD("From launch to launch the same bytes come back %.1f times. ", reading->fetched);
    if (wavefronts_for_each(made) >= MANY_CONFLICTS && reading->limiter != LIMITER_CONFLICTS)
        ADD("%.1f wavefronts of shared memory for each that would do. ", wavefronts_for_each(made));
    if (made->local_load_requests + made->local_store_requests > 0)
        ADD("%s requests go to local memory. ",
            COUNT(made->local_load_requests + made->local_store_requests));
#undef ADD
}

struct limiter_reading find_limiter(
    const struct vgpu_launch *launch, const struct profiled_device *device)
{
    const struct vgpu_counters *made = &launch->counters;
    struct limiter_reading reading = {.limiter = LIMITER_NOTHING};

    find_repetitions(made, device->needed_bytes, &reading);
    find_demands(launch, device, &reading);
    find_parallelism(launch, device, &reading);
    const enum resource longest = find_longest(&reading);
    reading.limiter = limiter_of(longest, made, &reading);
    say_numbers(launch, device, &reading);
    say_also(made, &reading);
    snprintf(reading.what, sizeof reading.what, "%s", words[reading.limiter].what);
    snprintf(reading.next, sizeof reading.next, "%s", words[reading.limiter].next);
    return reading;
}
