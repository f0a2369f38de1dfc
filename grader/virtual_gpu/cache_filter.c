/* See cache_filter.h. */
#include "cache_filter.h"

#include "exec.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS = 16 }; /* places of a set; a cache may use fewer of them */
#define NOT_IN_USE UINT32_MAX

static void *must_allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

void cache_open(struct cache_filter *cache, size_t bytes)
{
    const size_t lines = bytes / CACHE_LINE_BYTES;
    uint32_t sets = 1;
    while ((size_t)sets * WAYS < lines)
        sets *= 2;
    const size_t places = (size_t)sets * WAYS;
    if (sets != cache->sets) {
        cache_close(cache);
        cache->names = must_allocate(places, sizeof *cache->names);
        cache->used = must_allocate(places, sizeof *cache->used);
        cache->lines = must_allocate(places, sizeof *cache->lines);
    }
    memset(cache->names, 0, places * sizeof *cache->names);
    const uint32_t ways = lines / sets > 0 ? (uint32_t)(lines / sets) : 1;
    for (size_t place = 0; place < places; place++)
        cache->used[place] = place % WAYS < ways ? 0 : NOT_IN_USE;
    cache->sets = sets;
    cache->clock = 0;
}

void cache_close(struct cache_filter *cache)
{
    free(cache->names);
    free(cache->used);
    free(cache->lines);
    *cache = (struct cache_filter){0};
}

/* First place of the set. Neighbours go to neighbouring sets; strides of a power of two are
 * spread. */
static size_t set_of(const struct cache_filter *cache, uint32_t line)
{
    const uint32_t mixed = line ^ line >> 9 ^ line >> 16 ^ line >> 23;
    return (size_t)(mixed & (cache->sets - 1)) * WAYS;
}

/* Both loops over a whole set, without a way out in the middle, so that they become a few vector
 * instructions. */
CLONES static uint32_t places_with(const uint32_t *names, uint32_t name)
{
    uint32_t places = 0;
    for (int w = 0; w < WAYS; w++)
        places |= names[w] == name ? lane_bit[w] : 0;
    return places;
}

CLONES static uint32_t least_of(const uint32_t *numbers)
{
    uint32_t least = numbers[0];
    for (int w = 1; w < WAYS; w++)
        least = numbers[w] < least ? numbers[w] : least;
    return least;
}

struct cache_line *cache_find(struct cache_filter *cache, uint32_t line)
{
    const size_t set = set_of(cache, line);
    const uint32_t places = places_with(cache->names + set, line + 1);
    if (places == 0)
        return NULL;
    const size_t place = set + (size_t)__builtin_ctz(places);
    cache->used[place] = ++cache->clock;
    return &cache->lines[place];
}

struct cache_line *cache_take(struct cache_filter *cache, uint32_t line, uint32_t *dirty_sectors)
{
    const size_t set = set_of(cache, line);
    const uint32_t oldest = least_of(cache->used + set);
    const size_t place = set + (size_t)__builtin_ctz(places_with(cache->used + set, oldest));
    *dirty_sectors = cache->names[place] == 0 ? 0 : cache_count(cache->lines[place].dirty);
    cache->names[place] = line + 1;
    cache->used[place] = ++cache->clock;
    cache->lines[place] = (struct cache_line){0};
    return &cache->lines[place];
}
