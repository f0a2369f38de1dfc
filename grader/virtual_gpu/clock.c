/* Virtual time: the host's clock and the engines' calendars. */
#include "clock.h"

#include "device.h"

#include <stdlib.h>

static uint64_t now_ns;

/* Host costs and fixed latencies, not scaled with the device. From an H200 (CUDA 13.0, driver 580):
 * 1,000 launches of a tiny kernel took 3.57 ms in a stream and 0.96 ms in a graph, and 9.11 ms when
 * the host synchronised after each. The latter leaves 5.54 µs for the kernel to start and end and
 * for the host to notice; it is split evenly between the two. */
static const uint64_t cost_ns[COST_COUNT] = {
    [COST_QUERY] = 500,
    [COST_CALL] = 500,
    [COST_LAUNCH] = 3570,
    [COST_SYNCHRONISE] = 2770,
    [COST_GRAPH_NODE] = 960,
    [COST_KERNEL_LEAST] = 2770,
    [COST_COPY_LEAST] = 2770,
};

/* Bytes a microsecond on a whole H200 (CUDA 13.0, driver 580; copies of 256 MiB for the host link,
 * 1 GiB for the device: copying n bytes moves 2n, 4,214 GB/s). The virtual device has 8/132. */
static const double h200_bytes_per_us[ROUTE_COUNT] = {
    [ROUTE_PINNED_TO_DEVICE] = 54900,
    [ROUTE_DEVICE_TO_PINNED] = 55000,
    [ROUTE_PAGEABLE_TO_DEVICE] = 7600,
    [ROUTE_DEVICE_TO_PAGEABLE] = 13600,
    [ROUTE_DEVICE_TO_DEVICE] = 2107000,
    [ROUTE_FILL] = 4214000,
    [ROUTE_PEER] = 54900,
    [ROUTE_HOST_TO_HOST] = 0, /* the host's own work: free */
    [ROUTE_FAULTING] = 8630,  /* 256 MiB of managed memory, incremented where it faults: 31.1 ms */
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
    const double rate = h200_bytes_per_us[route] * DEVICE_SMS / DEVICE_SMS_OF_H200;
    if (rate == 0.0)
        return 0;
    return cost_ns[COST_COPY_LEAST] + (uint64_t)((double)bytes / rate * 1000.0);
}

uint64_t clock_issue_ns(uint64_t warp_instructions, uint64_t warps)
{
    enum { SCHEDULERS = 4 * DEVICE_SMS };
    const uint64_t lanes = warps < SCHEDULERS ? (warps == 0 ? 1 : warps) : SCHEDULERS;
    const double cycles = (double)warp_instructions / (double)lanes;
    return cost_ns[COST_KERNEL_LEAST] + (uint64_t)(cycles * 1e6 / DEVICE_CLOCK_KHZ);
}

bool clock_kernels_modelled(void)
{
    return false;
}

/* ---------------------------------------------------------------------------------------------- */

/* A calendar holds the busy times of one engine, ordered by their start. */
struct booking {
    uint64_t start, end;
    unsigned share;
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

/* Two whole-engine bookings that touch become one, so that long queues stay short lists. */
static bool extend_last(struct calendar *calendar, const struct booking *added)
{
    if (calendar->count == 0 || added->share != WHOLE_ENGINE)
        return false;
    struct booking *last = &calendar->bookings[calendar->count - 1];
    if (last->share != WHOLE_ENGINE || last->end != added->start)
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

uint64_t clock_place(
    int device, enum clock_engine engine, uint64_t ready, uint64_t duration, unsigned share)
{
    const uint64_t start = clock_first_fit(device, engine, ready, duration, share);
    if (engine != ENGINE_NONE && duration > 0)
        insert(&calendars[device][engine], &(struct booking){start, start + duration, share});
    return start;
}

void clock_forget_the_past(void)
{
    for (int device = 0; device < DEVICE_COUNT_MAX; device++)
        for (int engine = 0; engine < ENGINE_COUNT; engine++) {
            struct calendar *calendar = &calendars[device][engine];
            size_t kept = 0;
            for (size_t i = 0; i < calendar->count; i++)
                if (calendar->bookings[i].end > now_ns)
                    calendar->bookings[kept++] = calendar->bookings[i];
            calendar->count = kept;
        }
}
