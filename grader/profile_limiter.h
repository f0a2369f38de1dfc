/* What probably limits a kernel: the part of the device that would be busy longest with it alone, by
 * the virtual GPU's model of an H200, read together with its exact counts. */
#ifndef GRADER_PROFILE_LIMITER_H
#define GRADER_PROFILE_LIMITER_H

#include <stddef.h>

#include "virtual_gpu/vgpu.h"

enum resource {
    RESOURCE_DRAM,
    RESOURCE_L2,
    RESOURCE_L1,
    RESOURCE_SHARED,
    RESOURCE_ISSUE,
    RESOURCE_PIPES,
    RESOURCE_ATOMICS,
    RESOURCE_LATENCY,
    RESOURCES
};

/* "DRAM", "issue", … */
const char *resource_name(enum resource resource);

enum limiter {
    LIMITER_UNKNOWN, /* it did not reach its end */
    LIMITER_NOTHING, /* the kernel does too little to be limited by anything but its launch */
    LIMITER_PARALLELISM,
    LIMITER_WASTED_SECTORS,
    LIMITER_BYTES_AGAIN,
    LIMITER_MEMORY, /* and every byte is wanted, once */
    LIMITER_CACHE,  /* the first-level cache: many requests, or the same bytes again and again */
    LIMITER_ISSUE,
    LIMITER_PIPES,
    LIMITER_WAITS, /* latency, although there are warps enough */
    LIMITER_CONFLICTS,
    LIMITER_SHARED,
    LIMITER_ATOMICS,
};

/* What counts as much. The middle one leaves room for what a right solution does: a row of a matrix
 * times a vector loads a byte of the vector with each byte of the matrix. */
#define MUCH_WASTE 1.5
#define MUCH_AGAIN 3.0
#define MANY_CONFLICTS 1.5

/* The least that a kernel takes on an H200: below it no rate matters. */
#define LEAST_NS 1540.0

enum {
    LOADS_UNDER_WAY = 4, /* of a warp: nvcc unrolls a simple loop four times */
    FEW_WARPS = 16,      /* of an SM, or fewer: 4 schedulers, 4 cycles until a result can be used */
};

/* Where a kernel runs: what does not depend on it. */
struct profiled_device {
    int sm_count;
    int warps_per_sm;    /* that fit */
    double needed_bytes; /* of the whole call, 0: unknown */
};

struct limiter_reading {
    enum limiter limiter;
    enum resource longest;
    double busy_ns[RESOURCES]; /* each part, if it alone took time */
    double warps_per_sm;       /* that are there at the same time, at most */
    double bytes_under_way;    /* of an SM, with LOADS_UNDER_WAY loads a warp */
    double bytes_wanted;       /* that keep the DRAM busy */
    double wavefronts;         /* of shared memory, for each that would do */
    double waste;              /* sectors moved for each that would do */
    double loaded;             /* times that a launch loads the same bytes */
    double fetched;            /* times that all launches together read what there is */
    char what[120];            /* "memory (L1), and much of what is moved is not asked for" */
    char numbers[400], next[200];
    char also[300]; /* what else is far from what it could be, or "" */
};

struct limiter_reading find_limiter(
    const struct vgpu_launch *launch, const struct profiled_device *device);

/* Fills in the words of a reading: for find_limiter(). */
void word_limiter(const struct vgpu_launch *launch, const struct profiled_device *device,
    struct limiter_reading *reading);

/* Warps of one launch, and of a block of it. */
double launched_warps(const struct vgpu_launch *launch);
double warps_of_block(const struct vgpu_launch *launch);

#endif
