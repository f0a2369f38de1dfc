/* See pool.h. */
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool_chunk {
    struct pool_chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

enum { CHUNK_BYTES = 65536 };

void *must_realloc(void *old, size_t size)
{
    void *grown = realloc(old, size);
    if (grown == NULL && size != 0) {
        fprintf(stderr, "virtual GPU: out of host memory\n");
        abort();
    }
    return grown;
}

void *pool_take(struct pool *pool, size_t size)
{
    size = (size + 15) / 16 * 16;
    struct pool_chunk *chunk = pool->chunks;
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        chunk = must_realloc(NULL, sizeof *chunk + room);
        memset(chunk->bytes, 0, room);
        chunk->next = pool->chunks;
        chunk->used = 0;
        chunk->size = room;
        pool->chunks = chunk;
    }
    void *piece = chunk->bytes + chunk->used;
    chunk->used += size;
    return piece;
}

char *pool_text(struct pool *pool, const char *text, size_t length)
{
    char *copy = pool_take(pool, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void pool_drop(struct pool *pool)
{
    while (pool->chunks != NULL) {
        struct pool_chunk *next = pool->chunks->next;
        free(pool->chunks);
        pool->chunks = next;
    }
}
