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

size_t memory_limit_bytes(void)
{
    static size_t bytes; /* asked for at every look */

    if (bytes == 0) {
        const long long wanted = setting("MEMORY") ? atoll(setting("MEMORY")) : 0;
        const size_t half = memory_here_bytes() / 2;
        bytes = MEMORY_MIB_MOST * mib;
        if (wanted > 0)
            bytes = (size_t)wanted * mib;
        else if (half < bytes)
            bytes = half > MEMORY_MIB_LEAST * mib ? half : MEMORY_MIB_LEAST * mib;
    }
    return bytes;
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
