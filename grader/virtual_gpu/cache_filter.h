/* Which lines of memory a cache still holds: sets of lines, the one used longest ago goes first.
 * Only names of lines are kept, no bytes: it filters traffic for kernel_time.c. */
#ifndef VIRTUAL_GPU_CACHE_FILTER_H
#define VIRTUAL_GPU_CACHE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_LINE_BYTES = 128, CACHE_SECTORS_PER_LINE = 4 };

/* How many of a line's sectors these are. */
static inline uint32_t cache_count(uint8_t sectors)
{
    static const uint8_t counts[1 << CACHE_SECTORS_PER_LINE] = {
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[sectors & ((1 << CACHE_SECTORS_PER_LINE) - 1)];
}

struct cache_line {
    float filled_cycles; /* the caller's: when its bytes have arrived */
    uint8_t sectors;     /* bit k: the k-th 32 bytes are there */
    uint8_t dirty;       /* and must be written back */
};

struct cache_filter {
    uint32_t *names; /* sets of WAYS: number of the line plus one; 0: free */
    uint32_t *used;  /* when, in accesses */
    struct cache_line *lines;
    uint32_t sets; /* a power of two */
    uint32_t clock;
};

/* Empty, for about `bytes` bytes; what it held is forgotten. */
void cache_open(struct cache_filter *cache, size_t bytes);
void cache_close(struct cache_filter *cache);

/* The line, now the one used last, or NULL. */
struct cache_line *cache_find(struct cache_filter *cache, uint32_t line);

/* A place for a line that is not there. *dirty_sectors: how many go back to memory for it. */
struct cache_line *cache_take(struct cache_filter *cache, uint32_t line, uint32_t *dirty_sectors);

#endif
