/* Scopes of names in PTX.  Braces open a scope; inline assembly relies on that, because the same
 * register and label names then occur many times in one function. */
#ifndef VIRTUAL_GPU_PTX_NAMES_H
#define VIRTUAL_GPU_PTX_NAMES_H

#include "ptx.h"

enum name_kind { NAME_REGISTER, NAME_REGISTER_RANGE, NAME_VARIABLE, NAME_FUNCTION, NAME_LABEL };

struct name {
    const char *text;
    size_t length;
    enum name_kind kind;
    uint32_t index; /* register: index; range: first index; label: instruction */
    uint32_t count; /* range: how many */
    void *object;   /* variable or function */
};

struct ptx_names {
    struct ptx_names *parent;
    struct name **slots; /* open addressing, a power of two */
    size_t count, capacity;
};

struct ptx_names *names_open(struct pool *pool, struct ptx_names *parent);

/* Adds a name to the scope; a name that is already there is replaced. */
struct name *names_add(struct pool *pool, struct ptx_names *scope, struct name name);

/* The name in this scope alone, or NULL. */
struct name *names_here(const struct ptx_names *scope, const char *text, size_t length);

/* The name in this scope or those around it, or NULL; labels and others do not hide each other.
 * "%r12" finds the range "%r<20>"; *index receives its register. */
struct name *names_find(const struct ptx_names *scope, const char *text, size_t length,
    bool want_label, uint32_t *index);

#endif
