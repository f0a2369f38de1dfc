/* The virtual clock: one host clock, and for every device the times at which its engines are busy.
 *
 * Time passes for the host only in runtime calls and while it waits for the device; the host's own
 * work costs nothing. Copies and launch costs are modelled from figures of an H200 (clock.c), kernels
 * in kernel_time.c. Where nothing is counted (VGPU_CHECKS=off) a kernel only takes the time that its
 * instructions need to be issued: that keeps events in order, and is no performance.
 */
#ifndef VIRTUAL_GPU_CLOCK_H
#define VIRTUAL_GPU_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The engines of a device that work side by side. */
enum clock_engine {
    ENGINE_NONE, /* takes no time on the device: events, waits, host functions */
    ENGINE_COPY_IN,
    ENGINE_COPY_OUT,
    ENGINE_COMPUTE,
    ENGINE_COUNT,
};

/* What the host pays for a call, and the least that the device needs for an operation. */
enum clock_cost {
    COST_QUERY,
    COST_RECORD,
    COST_WAIT,
    COST_LAUNCH,
    COST_GRAPH_LAUNCH,
    COST_COPY,
    COST_FILL,
    COST_SYNCHRONISE, /* when there is nothing to wait for */
    COST_NOTICE,      /* from the end of the work until the host, which waits, goes on */
    COST_ALLOCATE,
    COST_FREE,
    COST_POOL,       /* an allocation, or its end, in the order of a stream */
    COST_POOL_GROWS, /* by one unit of 32 MiB */
    COST_POOL_SHRINKS,
    COST_ALLOCATE_PINNED,
    COST_FREE_PINNED,
    COST_STREAM, /* to make or destroy one */
    COST_EVENT,
    COST_HOST_FUNCTION, /* on the device's side */
    COST_GRAPH_NODE,
    COST_PREFETCH, /* of managed memory, beyond its bytes */
    COST_FAULTS,   /* a message to the driver and its answer, for one batch of faults */
    COST_KERNEL_LEAST,
    COST_COPY_LEAST,
    COST_DEVICE_COPY_LEAST,
    COST_FILL_LEAST,
    COST_COUNT,
};

enum clock_route {
    ROUTE_PINNED_TO_DEVICE,
    ROUTE_DEVICE_TO_PINNED,
    ROUTE_PAGEABLE_TO_DEVICE,
    ROUTE_DEVICE_TO_PAGEABLE,
    ROUTE_DEVICE_TO_DEVICE,
    ROUTE_FILL,
    ROUTE_PEER,
    ROUTE_HOST_TO_HOST,
    ROUTE_PREFETCH,
    ROUTE_PREFETCH_HOME,
    ROUTE_FAULTING, /* managed pages that one batch of faults fetches */
    ROUTE_COUNT,
};

uint64_t clock_now(void); /* virtual host time, nanoseconds since the library was first used */
void clock_spend(enum clock_cost cost);
void clock_wait_until(uint64_t ns);
uint64_t clock_cost_ns(enum clock_cost cost);

uint64_t clock_transfer_ns(enum clock_route route, size_t bytes);

/* Nanoseconds to issue the instructions of a launch, for one that is not modelled.
 *   warps  of the whole launch */
uint64_t clock_issue_ns(uint64_t warp_instructions, uint64_t warps);

/* The first time at or after `ready` from which on the engine is free for `duration`. `share` in
 * thousandths: small kernels share the compute engine. */
uint64_t clock_first_fit(
    int device, enum clock_engine engine, uint64_t ready, uint64_t duration, unsigned share);

/* Reserves the engine; provisionally: until clock_free_provisional(). */
void clock_book(int device, enum clock_engine engine, uint64_t start, uint64_t end, unsigned share);
void clock_book_provisionally(
    int device, enum clock_engine engine, uint64_t start, uint64_t end, unsigned share);
void clock_free_provisional(void);
/* Takes back a part of what was reserved with that share. */
void clock_release(
    int device, enum clock_engine engine, uint64_t start, uint64_t end, unsigned share);

/* No operation will ask for a time before `ns` any more. */
void clock_forget_before(uint64_t ns);

#endif
