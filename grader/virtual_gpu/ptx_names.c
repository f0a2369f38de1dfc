/* See ptx_names.h. */
#include "ptx_names.h"

#include <ctype.h>
#include <string.h>

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash ^ hash >> 29;
}

struct ptx_names *names_open(struct pool *pool, struct ptx_names *parent)
{
    struct ptx_names *scope = pool_take(pool, sizeof *scope);
    scope->parent = parent;
    return scope;
}

/* The slot of the name, or the empty slot where it belongs. */
static struct name **slot_of(const struct ptx_names *scope, const char *text, size_t length)
{
    size_t at = hash_of(text, length) & (scope->capacity - 1);
    for (;; at = (at + 1) & (scope->capacity - 1)) {
        struct name *name = scope->slots[at];
        if (name == NULL || (name->length == length && memcmp(name->text, text, length) == 0))
            return &scope->slots[at];
    }
}

struct name *names_here(const struct ptx_names *scope, const char *text, size_t length)
{
    return scope->capacity == 0 ? NULL : *slot_of(scope, text, length);
}

static void widen(struct pool *pool, struct ptx_names *scope)
{
    struct ptx_names old = *scope;
    scope->capacity = old.capacity == 0 ? 16 : old.capacity * 4;
    scope->slots = pool_take(pool, scope->capacity * sizeof(struct name *));
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i] != NULL)
            *slot_of(scope, old.slots[i]->text, old.slots[i]->length) = old.slots[i];
}

struct name *names_add(struct pool *pool, struct ptx_names *scope, struct name name)
{
    if (scope->count * 2 >= scope->capacity)
        widen(pool, scope);
    struct name **slot = slot_of(scope, name.text, name.length);
    if (*slot == NULL) {
        scope->count++;
        *slot = pool_take(pool, sizeof **slot);
    }
    **slot = name;
    return *slot;
}

/* "%r12" → the length of "%r" and 12. False when there are no digits, or far too many. */
static bool split_digits(const char *text, size_t length, size_t *prefix, uint32_t *number)
{
    size_t at = length;
    while (at > 0 && isdigit((unsigned char)text[at - 1]))
        at--;
    if (at == length || at == 0 || length - at > 8)
        return false;
    *prefix = at;
    *number = 0;
    for (size_t i = at; i < length; i++)
        *number = *number * 10 + (uint32_t)(text[i] - '0');
    return true;
}

struct name *names_find(const struct ptx_names *scope, const char *text, size_t length,
    bool want_label, uint32_t *index)
{
    size_t prefix = 0;
    uint32_t number = 0;
    bool has_digits = split_digits(text, length, &prefix, &number);
    for (; scope != NULL; scope = scope->parent) {
        struct name *name = names_here(scope, text, length);
        if (name != NULL && (name->kind == NAME_LABEL) == want_label &&
            name->kind != NAME_REGISTER_RANGE) {
            *index = name->index;
            return name;
        }
        if (!has_digits || want_label)
            continue;
        name = names_here(scope, text, prefix);
        if (name != NULL && name->kind == NAME_REGISTER_RANGE && number < name->count) {
            *index = name->index + number;
            return name;
        }
    }
    return NULL;
}
