/* What is said of a limiter. */
#include <stdbool.h>
#include <stdio.h>

#include "profile_limiter.h"
#include "profile_page.h"
#include "profile_sums.h"
#include "text.h"

/* Behind the part of the memory that is busy longest, for those limiters that are of memory. */
static const struct {
    const char *what, *next;
} words[] = {
    [LIMITER_UNKNOWN] = {"not known: the kernel did not reach its end", ""},
    [LIMITER_NOTHING] = {"the launch itself: the kernel does less than a launch costs",
        "More work a launch: larger problems, or several steps in one kernel."},
    [LIMITER_PARALLELISM] = {"too little parallelism: latency bound",
        "More blocks and threads, or more independent loads a thread."},
    [LIMITER_WASTED_SECTORS] = {", and much of what is moved is not asked for",
        "Let neighbouring threads touch neighbouring elements."},
    [LIMITER_BYTES_AGAIN] = {", and the same bytes are read again and again",
        "Use what was read more often: several results a pass, registers, shared memory."},
    [LIMITER_MEMORY] = {": what is moved is asked for",
        "Fewer bytes; or more under way at a time: loads of 16 bytes, several a thread."},
    [LIMITER_CACHE] = {", which answers many requests",
        "Keep in registers or shared memory what is used again, and load more a request."},
    [LIMITER_ISSUE] = {"the issue of instructions",
        "Fewer instructions for each result: wider loads, unrolled loops, cheaper indices."},
    [LIMITER_PIPES] = {"the arithmetic units",
        "Cheaper operations, or another unit: float for double, a table for a function."},
    [LIMITER_WAITS] = {"latency: there are warps, and they wait",
        "More independent work in each thread before the first use of a result: several loads, "
        "wide ones; fewer barriers."},
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

/* SMs that get no block, while others have one. */
static int idle_sms(const struct vgpu_launch *launch, const struct profiled_device *device)
{
    const double blocks = launched_warps(launch) / warps_of_block(launch);

    return blocks < device->sm_count ? device->sm_count - (int)blocks : 0;
}

static void say_waits(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const int idle = idle_sms(launch, device), busy = device->sm_count - idle;

    if (idle > 0)
        SAY("%d of %d SMs have no block, and the warps of the others wait: %.3g on each.", idle,
            device->sm_count, launched_warps(launch) / busy);
    else
        SAY("%.3g warps on an SM, of %d that fit: each waits for its own results most of the time.",
            reading->warps_per_sm, device->warps_per_sm);
}

static void say_parallelism(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const double warps = launched_warps(launch);
    const int length =
        SAY("%s warp%s for %d SMs, which hold %s: %.3g of %d on an SM.", COUNT(warps),
            warps == 1 ? "" : "s", device->sm_count, COUNT(device->sm_count * device->warps_per_sm),
            reading->warps_per_sm, device->warps_per_sm);

    if (read_requests(&launch->counters) == 0)
        return;
    snprintf(reading->numbers + length, sizeof reading->numbers - (size_t)length,
        " With %d loads of each under way an SM waits for %s at a time; to keep the memory of an "
        "H200 busy takes about %s.",
        LOADS_UNDER_WAY, BYTES(reading->bytes_under_way), BYTES(reading->bytes_wanted));
}

/* "32.0 sectors a load request, where 4.0 would do" of the kind of access that wastes most. */
static void describe_waste(const struct vgpu_counters *made, char *text, size_t bytes)
{
    const struct accesses all[] = ACCESSES_OF(made);
    const struct accesses *worst = &all[0];

    for (size_t i = 1; i < sizeof all / sizeof all[0]; i++)
        if (all[i].sectors - all[i].ideal > worst->sectors - worst->ideal)
            worst = &all[i];
    const double moved = ratio(worst->sectors, worst->requests);
    snprintf(text, bytes, "%.1f sectors a %s request%s, where %.1f would do", moved, worst->name,
        moved < 31 ? " on average" : "", ratio(worst->ideal, worst->requests));
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
        COUNT(global_requests(made)), ratio(global_requests(made), sectors_distinct(made)),
        BYTES((double)read_sectors_ideal(made) * SECTOR_BYTES),
        BYTES((double)made->unique_load_sectors * SECTOR_BYTES), reading->loaded);
}

static void say_issue(const struct vgpu_counters *made, struct limiter_reading *reading)
{
    const uint64_t requests = global_requests(made);

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
    case LIMITER_UNKNOWN:
        break;
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
    case LIMITER_WAITS:
        say_waits(launch, device, reading);
        break;
    case LIMITER_PIPES:
    case LIMITER_ISSUE:
        say_issue(made, reading);
        break;
    case LIMITER_CONFLICTS:
    case LIMITER_SHARED:
        SAY("%s wavefronts, where %s would do without conflicts.", COUNT(shared_wavefronts(made)),
            COUNT(shared_wavefronts(made) - shared_conflicts(made)));
        break;
    case LIMITER_ATOMICS:
        SAY("%s operations on the address that gets most%s.",
            COUNT(made->global_atomic_worst_address),
            made->launches > 1 ? ", in every launch" : "");
    }
}

static void say_also(const struct vgpu_counters *made, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    char waste[120];
    size_t length = 0;

#define ADD(...) \
    length += (size_t)snprintf(reading->also + length, sizeof reading->also - length, __VA_ARGS__)
    describe_waste(made, waste, sizeof waste);
    if (reading->warps_per_sm < FEW_WARPS && reading->limiter != LIMITER_PARALLELISM &&
        reading->limiter != LIMITER_NOTHING)
        ADD("%.3g warps on an SM, of %d that fit. ", reading->warps_per_sm, device->warps_per_sm);
    if (reading->waste >= MUCH_WASTE && reading->limiter != LIMITER_WASTED_SECTORS)
        ADD("%s. ", waste);
    if (reading->loaded >= MUCH_AGAIN && reading->limiter != LIMITER_CACHE)
        ADD("The same bytes are loaded %.1f times; how often a cache answers cannot be known "
            "here. ",
            reading->loaded);
    if (reading->fetched >= MUCH_AGAIN && reading->limiter != LIMITER_BYTES_AGAIN)
        ADD("From launch to launch the same bytes come back %.1f times. ", reading->fetched);
    if (reading->wavefronts >= MANY_CONFLICTS && reading->limiter != LIMITER_CONFLICTS)
        ADD("%.1f wavefronts of shared memory for each that would do. ", reading->wavefronts);
    if (local_requests(made) > 0)
        ADD("%s requests go to local memory. ", COUNT(local_requests(made)));
#undef ADD
}

/* Local memory is a detour whatever the limiter is, and an SM without a block is idle. */
static const char *next_step(
    const struct vgpu_launch *launch, const struct profiled_device *device, enum limiter limiter)
{
    const struct vgpu_counters *made = &launch->counters;

    if (local_requests(made) * 4 >= global_requests(made) && local_requests(made) > 0)
        return "Out of local memory first: an array stays in registers where the compiler knows "
               "every index, in loops that are unrolled.";
    if (limiter == LIMITER_WAITS && idle_sms(launch, device) > 0)
        return "A block for every SM first: divide the work further. Then more independent work in "
               "each thread.";
    return words[limiter].next;
}

void word_limiter(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading)
{
    const bool is_memory =
        words[reading->limiter].what[0] == ',' || words[reading->limiter].what[0] == ':';

    say_numbers(launch, device, reading);
    say_also(&launch->counters, device, reading);
    snprintf(reading->what, sizeof reading->what, "%s%s%s%s", is_memory ? "memory (" : "",
        is_memory ? resource_name(reading->longest) : "", is_memory ? ")" : "",
        words[reading->limiter].what);
    snprintf(
        reading->next, sizeof reading->next, "%s", next_step(launch, device, reading->limiter));
}
