/* PTX as parsed: names resolved, nothing interpreted yet.
 *
 * The parser knows the grammar and the scopes of names; it knows no instruction.  What `add` or
 * `ld` mean, and whether their operands fit, is decided in decode.c.
 */
#ifndef VIRTUAL_GPU_PTX_H
#define VIRTUAL_GPU_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pool.h"

enum ptx_type_class {
    TYPE_NONE,
    TYPE_PREDICATE,
    TYPE_BITS,
    TYPE_UNSIGNED,
    TYPE_SIGNED,
    TYPE_FLOAT,
    TYPE_BFLOAT
};

struct ptx_type {
    uint8_t class; /* enum ptx_type_class */
    uint8_t bytes; /* 1, 2, 4, 8, 16; 0 for predicates */
    uint8_t lanes; /* 2 for f16x2 and bf16x2, else 1 */
};

enum ptx_space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONSTANT,
    SPACE_PARAM
};

/* A declared name other than a register: variable, parameter or function. */
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    bool is_extern, is_managed;
    struct ptx_type type;
    uint32_t align;
    size_t size;                /* bytes; 0 for an extern array of unknown size */
    const uint8_t *data;        /* initial value, or NULL for zeros */
    struct ptx_fixup *fixups;   /* addresses inside the initial value */
    struct ptx_function *owner; /* NULL at module scope */
    uint32_t index;             /* in the list of the module or function that declares it */
};

struct ptx_fixup {
    struct ptx_fixup *next;
    const char *symbol;
    size_t offset;
    int64_t addend;
    bool is_generic;
};

struct ptx_register {
    const char *name;
    struct ptx_type type;
};

enum ptx_operand_kind {
    OPERAND_REGISTER, /* index into the function's registers */
    OPERAND_INTEGER,  /* bits */
    OPERAND_FLOAT32,  /* bits */
    OPERAND_FLOAT64,  /* bits */
    OPERAND_SPECIAL,  /* %tid.x and its like: name */
    OPERAND_VARIABLE, /* variable + offset */
    OPERAND_FUNCTION, /* function */
    OPERAND_LABEL,    /* name, resolved to `target` */
    OPERAND_VECTOR,   /* parts[0 … count) */
    OPERAND_LIST,     /* (a, b, c) of a call: parts */
    OPERAND_SINK,     /* _ */
    OPERAND_NAME,     /* an identifier that nothing declares: prototypes, branch target lists */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool is_address; /* [ … ] */
    bool is_negated; /* !p */
    uint32_t index;  /* register */
    uint32_t target; /* label: index of the instruction it names */
    uint64_t bits;   /* literal */
    int64_t offset;  /* [register + offset], variable + offset */
    const char *name;
    struct ptx_variable *variable;
    struct ptx_function *function;
    struct ptx_operand *parts;
    uint32_t part_count;
    struct ptx_operand *also; /* the predicate of "d|p" */
};

enum { PTX_OPERANDS_MAX = 8, PTX_MODIFIERS_MAX = 12 };

struct ptx_instruction {
    const char *opcode;                       /* "ld" */
    const char *modifiers[PTX_MODIFIERS_MAX]; /* "global", "v4", "f32"; without dots */
    uint8_t modifier_count;
    uint8_t operand_count;
    bool has_guard, guard_negated;
    uint32_t guard; /* register */
    struct ptx_operand operands[PTX_OPERANDS_MAX];
    uint32_t ptx_line;
    uint32_t file, line; /* of the source; 0 when unknown */
    bool in_toolkit;     /* inlined there from a header of the toolkit */
};

struct ptx_function {
    const char *name;
    uint32_t index; /* in the module */
    bool is_entry, is_defined;
    struct ptx_variable **params; /* including results last for device functions */
    uint32_t param_count;
    struct ptx_variable **results;
    uint32_t result_count;
    struct ptx_register *registers;
    uint32_t register_count, register_capacity;
    struct ptx_variable **variables; /* declared inside: shared, local, param */
    uint32_t variable_count, variable_capacity;
    struct ptx_instruction *code;
    uint32_t code_count, code_capacity;
    uint32_t max_threads, min_blocks; /* 0 when not given */
    uint32_t file, line;              /* of the first .loc */
    struct ptx_module *module;
    void *compiled; /* decode.c */
};

struct ptx_module {
    struct pool pool;
    struct ptx_function **functions;
    uint32_t function_count, function_capacity;
    struct ptx_variable **variables;
    uint32_t variable_count, variable_capacity;
    uint32_t target;    /* 80 for sm_80 */
    const char **files; /* by .file number; NULL where undefined */
    uint32_t file_count;
    struct ptx_names *names; /* module scope; the parser's */
};

/* Parses a NUL-terminated text.  On a syntax error returns NULL and a message that names the PTX
 * line.  Never crashes on bad input. */
struct ptx_module *ptx_parse(const char *text, char *error, size_t error_size);
void ptx_free(struct ptx_module *module);

struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name);
struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

/* A header of the toolkit rather than a student's file? */
bool ptx_is_toolkit_file(const char *path);

/* "f32" → the type; false for anything that is not a type. */
bool ptx_type_of(const char *word, struct ptx_type *type);

#endif
