/* Virtual time: the host's clock and the engines' calendars. */
#include "clock.h"

#include "device.h"

#include <stdlib.h>

static uint64_t now_ns;

/* Nanoseconds; latencies are not scaled with the device. Medians of 201 on an NVIDIA H200 (driver
 * 580.159.04, CUDA 13.0, 2026-11-29) with tests/host_costs.cu. Where that measures a pair of calls,
 * each has half. COST_NOTICE is what is left of a launch and a synchronisation, 9,564 ns, and
 * COST_GRAPH_NODE a thousandth of a graph of 1,000 empty kernels. The pool of a stream was measured on
 * 2026-11-30; of 64 MiB at once each unit costs it a tenth less.
 *
 * Managed memory: 64 MiB that a kernel increments took 1.45 to 1.62 ms with one prefetch, 4.43 with
 * 32 and a launch each, 11.3 with faults (2026-11-30). The threads that an H200 holds read 1.03 MiB
 * at a time, and those of the virtual device a page of 64 KiB: 64 MiB there and 4 MiB here fault in
 * about 64 batches. */
static const uint64_t cost_ns[COST_COUNT] = {
    [COST_QUERY] = 1480,
    [COST_RECORD] = 1330,
    [COST_WAIT] = 370,
    [COST_LAUNCH] = 4470,
    [COST_GRAPH_LAUNCH] = 1880,
    [COST_COPY] = 2200,
    [COST_FILL] = 1360,
    [COST_SYNCHRONISE] = 1730,
    [COST_NOTICE] = 2030,
    [COST_ALLOCATE] = 48000,
    [COST_FREE] = 48000,
    [COST_POOL] = 1140,
    [COST_POOL_GROWS] = 82000,
    [COST_POOL_SHRINKS] = 45000,
    [COST_ALLOCATE_PINNED] = 2660,
    [COST_FREE_PINNED] = 2660,
    [COST_STREAM] = 3340,
    [COST_EVENT] = 380,
    [COST_HOST_FUNCTION] = 14530,
    [COST_GRAPH_NODE] = 680,
    [COST_PREFETCH] = 90000,
    [COST_FAULTS] = 154000,
    [COST_KERNEL_LEAST] = 1540,
    [COST_COPY_LEAST] = 2430,
    [COST_DEVICE_COPY_LEAST] = 5020,
    [COST_FILL_LEAST] = 1600,
};

/* Bytes a microsecond on a whole H200 (CUDA 13.0, driver 580; copies of 256 MiB for the host link,
 * 1 GiB for the device: copying n bytes moves 2n, 4,214 GB/s), and the least for the smallest
 * transfer. The virtual device has 8/132 of the rate. */
static const struct {
    double h200_bytes_per_us; /* 0: the host's own work, which is free */
    enum clock_cost least;
} routes[ROUTE_COUNT] = {
    [ROUTE_PINNED_TO_DEVICE] = {54900, COST_COPY_LEAST},
    [ROUTE_DEVICE_TO_PINNED] = {55000, COST_COPY_LEAST},
    [ROUTE_PAGEABLE_TO_DEVICE] = {7600, COST_COPY_LEAST},
    [ROUTE_DEVICE_TO_PAGEABLE] = {13600, COST_COPY_LEAST},
    [ROUTE_DEVICE_TO_DEVICE] = {2107000, COST_DEVICE_COPY_LEAST},
    [ROUTE_FILL] = {4214000, COST_FILL_LEAST},
    [ROUTE_PEER] = {54900, COST_COPY_LEAST},
    [ROUTE_HOST_TO_HOST] = {0, COST_COPY_LEAST},
    /* Pages that move: 256 MiB in 5.47 ms beyond the call and the kernel, and home in 26 to 27. */
    [ROUTE_PREFETCH] = {49000, COST_PREFETCH},
    [ROUTE_PREFETCH_HOME] = {10100, COST_PREFETCH},
    [ROUTE_FAULTING] = {49000, COST_FAULTS},
};

uint64_t clock_now(void)
{
    return now_ns;
}

uint64_t clock_cost_ns(enum clock_cost cost)
{
    return cost_ns[cost];
}

void clock_spend(enum clock_cost cost)
{
    now_ns += cost_ns[cost];
}

void clock_wait_until(uint64_t ns)
{
    if (ns > now_ns)
        now_ns = ns;
}

uint64_t clock_transfer_ns(enum clock_route route, size_t bytes)
{
    const double rate = routes[route].h200_bytes_per_us * DEVICE_SMS / DEVICE_SMS_OF_H200;
    if (rate == 0.0)
        return 0;
    return cost_ns[routes[route].least] + (uint64_t)((double)bytes / rate * 1000.0);
}

uint64_t clock_issue_ns(uint64_t warp_instructions, uint64_t warps)
{
    enum { SCHEDULERS = 4 * DEVICE_SMS };
    const uint64_t lanes = warps < SCHEDULERS ? (warps == 0 ? 1 : warps) : SCHEDULERS;
    const double cycles = (double)warp_instructions / (double)lanes;
    return cost_ns[COST_KERNEL_LEAST] + (uint64_t)(cycles * 1e6 / DEVICE_CLOCK_KHZ);
}

/* ---------------------------------------------------------------------------------------------- */

/* A calendar holds the busy times of one engine, ordered by their start. */
struct booking {
    uint64_t start, end;
    unsigned share;
    bool is_provisional;
};

struct calendar {
    struct booking *bookings;
    size_t count, room;
};

enum { WHOLE_ENGINE = 1000 };

static struct calendar calendars[DEVICE_COUNT_MAX][ENGINE_COUNT];

/* Is there room for `share` all through [start, start + duration)? If not, *retry is the end of a
 * booking that is in the way: the next time worth trying. */
static bool fits(const struct calendar *calendar, uint64_t start, uint64_t duration, unsigned share,
    uint64_t *retry)
{
    const uint64_t end = start + duration;
    for (size_t i = 0; i < calendar->count; i++) {
        const struct booking *at = &calendar->bookings[i];
        const uint64_t moment = at->start > start ? at->start : start;
        if (at->end <= start || at->start >= end)
            continue;
        unsigned busy = 0;
        uint64_t first_end = UINT64_MAX;
        for (size_t j = 0; j < calendar->count; j++) {
            const struct booking *other = &calendar->bookings[j];
            if (other->start > moment)
                break;
            if (other->end <= moment)
                continue;
            busy += other->share;
            first_end = other->end < first_end ? other->end : first_end;
        }
        if (busy + share > WHOLE_ENGINE) {
            *retry = first_end;
            return false;
        }
    }
    return true;
}

static uint64_t first_fit(
    const struct calendar *calendar, uint64_t ready, uint64_t duration, unsigned share)
{
    uint64_t start = ready;
    while (!fits(calendar, start, duration, share, &start)) {
    }
    return start;
}

/* Two bookings of the same share that touch become one, so that long queues stay short lists. */
static bool extend_last(struct calendar *calendar, const struct booking *added)
{
    if (calendar->count == 0)
        return false;
    struct booking *last = &calendar->bookings[calendar->count - 1];
    if (last->share != added->share || last->end != added->start ||
        last->is_provisional != added->is_provisional)
        return false;
    last->end = added->end;
    return true;
}

static void insert(struct calendar *calendar, const struct booking *added)
{
    if (extend_last(calendar, added))
        return;
    if (calendar->count == calendar->room) {
        const size_t room = calendar->room == 0 ? 64 : 2 * calendar->room;
        struct booking *bookings = realloc(calendar->bookings, room * sizeof *bookings);
        if (bookings == NULL)
            abort();
        calendar->bookings = bookings;
        calendar->room = room;
    }
    size_t at = calendar->count++;
    for (; at > 0 && calendar->bookings[at - 1].start > added->start; at--)
        calendar->bookings[at] = calendar->bookings[at - 1];
    calendar->bookings[at] = *added;
}

uint64_t clock_first_fit(
    int device, enum clock_engine engine, uint64_t ready, uint64_t duration, unsigned share)
{
    if (engine == ENGINE_NONE || duration == 0)
        return ready;
    return first_fit(&calendars[device][engine], ready, duration, share);
}

static void book(int device, enum clock_engine engine, const struct booking *booking)
{
    if (engine != ENGINE_NONE && booking->end > booking->start)
        insert(&calendars[device][engine], booking);
}

void clock_book(int device, enum clock_engine engine, uint64_t start, uint64_t end, unsigned share)
{
    book(device, engine, &(struct booking){start, end, share, false});
}

void clock_book_provisionally(
    int device, enum clock_engine engine, uint64_t start, uint64_t end, unsigned share)
{
    book(device, engine, &(struct booking){start, end, share, true});
}

/* Keeps the bookings that end after a time, and provisional ones if wanted. */
static void keep_bookings(uint64_t after, bool provisional)
{
    for (int device = 0; device < DEVICE_COUNT_MAX; device++)
        for (int engine = 0; engine < ENGINE_COUNT; engine++) {
            struct calendar *calendar = &calendars[device][engine];
            size_t kept = 0;
            for (size_t i = 0; i < calendar->count; i++)
                if (calendar->bookings[i].end > after &&
                    (provisional || !calendar->bookings[i].is_provisional))
                    calendar->bookings[kept++] = calendar->bookings[i];
            calendar->count = kept;
        }
}

void clock_release(
    int device, enum clock_engine engine, uint64_t start, uint64_t end, unsigned share)
{
    struct calendar *calendar = &calendars[device][engine];
    for (size_t i = 0; i < calendar->count; i++) {
        struct booking *at = &calendar->bookings[i];
        if (at->share != share || at->start > start || at->end < end)
            continue;
        const struct booking after = {end, at->end, share, at->is_provisional};
        at->end = start;
        book(device, engine, &after);
        return;
    }
}

void clock_free_provisional(void)
{
    keep_bookings(0, false);
}

void clock_forget_before(uint64_t ns)
{
    keep_bookings(ns, true);
}
