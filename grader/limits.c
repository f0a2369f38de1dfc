/* The limits of a candidate on this machine. */
#define _GNU_SOURCE
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "settings.h"

static const size_t mib = (size_t)1 << 20;

/* The smaller of what the machine and what the container has. */
static size_t memory_here_bytes(void)
{
    static const char *const of_container[] = {
        "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);

    for (size_t i = 0; i < sizeof of_container / sizeof of_container[0]; i++) {
        FILE *file = fopen(of_container[i], "r");
        size_t most;
        if (file && fscanf(file, "%zu", &most) == 1 && most < bytes) /* "max" is no number */
            bytes = most;
        if (file)
            fclose(file);
    }
    return bytes;
}

static size_t sharing = 1; /* tests at the same time */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t wanted_bytes(void)
{
    const long long wanted = setting("MEMORY") ? atoll(setting("MEMORY")) : 0;
    return wanted > 0 ? (size_t)wanted * mib : 0;
}

/* Of all tests together. */
static size_t memory_for_tests_bytes(void)
{
    const size_t half = memory_here_bytes() / 2;
    return half > MEMORY_MIB_LEAST * mib ? half : MEMORY_MIB_LEAST * mib;
}

size_t memory_limit_bytes(void)
{
    static size_t bytes, of; /* asked for at every look */

    if (of != sharing) {
        of = sharing;
        bytes = wanted_bytes() ? wanted_bytes()
                               : smaller(memory_for_tests_bytes() / sharing, MEMORY_MIB_MOST * mib);
    }
    return bytes;
}

size_t share_memory(size_t wanted)
{
    const size_t parts = memory_for_tests_bytes() / (MEMORY_MIB_PART * mib);

    sharing = wanted_bytes() ? wanted : smaller(wanted, parts);
    return sharing;
}

enum host_limit limit_exceeded(const struct family_use *use)
{
    if (use->processes > PROCESSES_MOST)
        return OVER_PROCESSES;
    if (use->threads > THREADS_MOST)
        return OVER_THREADS;
    if (use->resident_bytes > memory_limit_bytes())
        return OVER_MEMORY;
    return WITHIN_LIMITS;
}
