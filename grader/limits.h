/* How much of the machine a candidate may take. Wall time is in task.h. */
#ifndef GRADER_LIMITS_H
#define GRADER_LIMITS_H

#include <stddef.h>

#include "family.h"

enum {
    PROCESSES_MOST = 64, /* at the same time, the test's own two among them */
    THREADS_MOST = 1000, /* of all of them together; the virtual GPU starts some of its own */
    FILE_MIB_MOST = 1024,
    MEMORY_MIB_MOST = 8192,  /* or half of what this machine has */
    MEMORY_MIB_LEAST = 3072, /* the virtual GPU itself takes up to 1 GiB */
    MEMORY_MIB_PART = 1536,  /* the least of a test beside others */
};

enum host_limit { WITHIN_LIMITS, OVER_MEMORY, OVER_PROCESSES, OVER_THREADS };

/* Bytes of host memory: --memory= in MiB, or MEMORY_MIB_MOST, or half of the machine's or the
 * container's memory if that is less. That half counts as MEMORY_MIB_LEAST at least, and tests at the
 * same time share it (share_memory). */
size_t memory_limit_bytes(void);

/* How many tests, at most `wanted`, this machine has the memory for at the same time: together they
 * get no more than half of it. From now on the limit is that of one of so many. One that --memory=
 * sets is that of each test. */
size_t share_memory(size_t wanted);

/* The first limit that this use exceeds. */
enum host_limit limit_exceeded(const struct family_use *use);

#endif
