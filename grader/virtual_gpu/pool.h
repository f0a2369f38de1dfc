/* Memory that lives as long as a module: many small pieces, freed at once. */
#ifndef VIRTUAL_GPU_POOL_H
#define VIRTUAL_GPU_POOL_H

#include <stddef.h>

struct pool {
    struct pool_chunk *chunks;
};

/* Zeroed, 16-byte aligned. Aborts with a message when the host is out of memory. */
void *pool_take(struct pool *pool, size_t size);

/* A NUL-terminated copy of `length` characters. */
char *pool_text(struct pool *pool, const char *text, size_t length);

void pool_drop(struct pool *pool);

/* realloc that aborts with a message instead of returning NULL. */
void *must_realloc(void *old, size_t size);

/* Makes room for one more element in an array that doubles: `*items` of `*capacity` elements. */
#define GROW(items, count, capacity)                                       \
    do {                                                                   \
        if ((count) == (capacity)) {                                       \
            (capacity) = (capacity) == 0 ? 16 : (capacity)*2;              \
            (items) = must_realloc((items), (capacity) * sizeof *(items)); \
        }                                                                  \
    } while (0)

#endif
