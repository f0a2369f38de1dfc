/* See cache_filter.h. */
#include "cache_filter.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS_MAX = 16 };

void cache_open(struct cache_filter *cache, size_t bytes)
{
    const size_t lines = bytes / CACHE_LINE_BYTES;
    uint32_t sets = 1;
    while ((size_t)sets * WAYS_MAX < lines)
        sets *= 2;
    const uint32_t ways = lines / sets > 0 ? (uint32_t)(lines / sets) : 1;
    if (sets != cache->sets || ways != cache->ways || cache->lines == NULL) {
        free(cache->lines);
        cache->lines = malloc((size_t)sets * ways * sizeof *cache->lines);
        if (cache->lines == NULL)
            abort();
    }
    memset(cache->lines, 0, (size_t)sets * ways * sizeof *cache->lines);
    cache->sets = sets;
    cache->ways = ways;
    cache->clock = 0;
}

void cache_close(struct cache_filter *cache)
{
    free(cache->lines);
    *cache = (struct cache_filter){0};
}

/* Neighbours go to neighbouring sets; strides of a power of two are spread. */
static struct cache_line *set_of(const struct cache_filter *cache, uint64_t line)
{
    const uint64_t mixed = line ^ line >> 9 ^ line >> 16 ^ line >> 23;
    return &cache->lines[(mixed & (cache->sets - 1)) * cache->ways];
}

struct cache_line *cache_find(struct cache_filter *cache, uint64_t line)
{
    struct cache_line *set = set_of(cache, line);
    for (uint32_t w = 0; w < cache->ways; w++)
        if (set[w].name == line + 1) {
            set[w].used = ++cache->clock;
            return &set[w];
        }
    return NULL;
}

struct cache_line *cache_take(struct cache_filter *cache, uint64_t line, uint32_t *dirty_sectors)
{
    struct cache_line *set = set_of(cache, line), *oldest = set;
    for (uint32_t w = 1; w < cache->ways && oldest->name != 0; w++)
        if (set[w].name == 0 || set[w].used < oldest->used)
            oldest = &set[w];
    *dirty_sectors = (uint32_t)__builtin_popcount(oldest->dirty);
    *oldest = (struct cache_line){.name = line + 1, .used = ++cache->clock};
    return oldest;
}
