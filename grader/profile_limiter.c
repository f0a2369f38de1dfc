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
    LOADS_UNDER_WAY = 4,  /* of a warp: nvcc unrolls a simple loop four times */
    WARPS_FOR_ISSUE = 16, /* of an SM: 4 schedulers, 4 cycles until a result can be used */
};

/* Of an NVIDIA H200 (2026-11-29, CUDA 13.0, driver 580): a copy of 2^28 floats, 4,214 GB/s; 2^28
 * floats added to one address, 471 ms; SM clock 1,980 MHz. An SM issues 4 instructions of warps and
 * makes one pass over shared memory a cycle. What belongs to the whole chip is divided by its SMs. */
#define CLOCK_GHZ 1.98
#define DRAM_BYTES_PER_NS_SM (4214.0 / SMS_OF_H200)
#define ISSUE_PER_NS_SM (4 * CLOCK_GHZ)
#define WAVEFRONTS_PER_NS_SM CLOCK_GHZ
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
    static const char *const names[RESOURCES] = {"memory", "issue", "shared memory", "atomics"};
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

static void find_demands(
    const struct vgpu_launch *launch, int sm_count, struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;
    double *ns = reading->busy_ns;

    ns[RESOURCE_MEMORY] =
        (double)sectors_moved(made) * SECTOR_BYTES / (DRAM_BYTES_PER_NS_SM * sm_count);
    ns[RESOURCE_ISSUE] = (double)made->warp_instructions / (ISSUE_PER_NS_SM * sm_count);
    ns[RESOURCE_SHARED] = (double)wavefronts(made) / (WAVEFRONTS_PER_NS_SM * sm_count);
    ns[RESOURCE_ATOMICS] = (double)made->global_atomic_worst_address * (double)made->launches *
                           ATOMIC_NS_OF_H200 * SMS_OF_H200 / sm_count;
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

/* The part that is busy longest, once few warps have stretched memory and issue. */
static enum resource find_longest(struct limiter_reading *reading)
{
    const double filled[RESOURCES] = {
        [RESOURCE_MEMORY] = fmin(1.0, reading->bytes_under_way / BYTES_TO_BE_UNDER_WAY),
        [RESOURCE_ISSUE] = fmin(1.0, reading->warps_per_sm / WARPS_FOR_ISSUE),
        [RESOURCE_SHARED] = 1.0,
        [RESOURCE_ATOMICS] = 1.0,
    };
    enum resource longest = RESOURCE_MEMORY;

    reading->longest_ns = -1.0;
    for (enum resource r = 0; r < RESOURCES; r++) {
        const double ns = filled[r] > 0 ? reading->busy_ns[r] / filled[r] : reading->busy_ns[r];
        if (ns <= reading->longest_ns)
            continue;
        reading->longest_ns = ns;
        longest = r;
    }
    reading->filled = filled[longest];
    return longest;
}

/* Within a launch, and from launch to launch, where together they read more than there is. */
static double times_read(const struct vgpu_counters *made, double needed_bytes, bool *by_launches)
{
    const double within = ratio(made->global_load_sectors_ideal, made->unique_load_sectors);
    const double across = made->launches > 1 && needed_bytes > 0
                              ? (double)made->unique_load_sectors * SECTOR_BYTES / needed_bytes
                              : 1.0;

    *by_launches = across > within;
    return fmax(1.0, within) * fmax(1.0, across);
}

static enum limiter limiter_of_memory(const struct limiter_reading *reading)
{
    if (reading->waste >= MUCH_WASTE && reading->waste >= reading->again)
        return LIMITER_WASTED_SECTORS;
    return reading->again >= MUCH_AGAIN ? LIMITER_BYTES_AGAIN : LIMITER_MEMORY;
}

static enum limiter limiter_of(
    enum resource longest, const struct vgpu_counters *made, const struct limiter_reading *reading)
{
    if (reading->longest_ns < LEAST_NS * (double)made->launches)
        return LIMITER_NOTHING;
    if (reading->filled < FILLED_ENOUGH)
        return LIMITER_PARALLELISM;
    switch (longest) {
    case RESOURCE_MEMORY:
        return limiter_of_memory(reading);
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
    [LIMITER_MEMORY] = {"memory: what is moved is asked for, and hardly read twice",
        "Only fewer bytes would be faster, or a smaller type."},
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

    if (reading->busy_ns[RESOURCE_MEMORY] < reading->busy_ns[RESOURCE_ISSUE])
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
    const double asked = (double)made->global_load_sectors_ideal * SECTOR_BYTES;
    const double distinct = (double)made->unique_load_sectors * SECTOR_BYTES; /* launch by launch */
    bool by_launches;

    times_read(made, needed_bytes, &by_launches);
    if (by_launches)
        SAY("%s launches read %s each, %s in all, of no more than %s that there are: the same "
            "bytes come back %.1f times.",
            COUNT(made->launches), BYTES(distinct / (double)made->launches), BYTES(distinct),
            BYTES(needed_bytes), distinct / needed_bytes);
    else
        SAY("%s are loaded, of %s that are distinct: the same bytes %.1f times. The caches catch "
            "some of that; how much cannot be known here.",
            BYTES(asked), BYTES(distinct), reading->again);
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
        SAY("%.1f sectors for each that would do, and each byte is read %.1f times.",
            reading->waste, reading->again);
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
    if (reading->again >= MUCH_AGAIN && reading->limiter != LIMITER_BYTES_AGAIN)
        ADD("The same bytes are read %.1f times. ", reading->again);
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
    bool by_launches;

    find_demands(launch, device->sm_count, &reading);
    find_parallelism(launch, device, &reading);
    reading.waste = ratio(
        sectors_moved(made), made->global_load_sectors_ideal + made->global_store_sectors_ideal);
    reading.again = times_read(made, device->needed_bytes, &by_launches);
    const enum resource longest = find_longest(&reading);
    reading.limiter = limiter_of(longest, made, &reading);
    say_numbers(launch, device, &reading);
    say_also(made, &reading);
    snprintf(reading.what, sizeof reading.what, "%s", words[reading.limiter].what);
    snprintf(reading.next, sizeof reading.next, "%s", words[reading.limiter].next);
    return reading;
}
