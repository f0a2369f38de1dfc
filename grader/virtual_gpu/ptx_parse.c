/* PTX text → struct ptx_module.  See ptx.h. */
#include "ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_lex.h"
#include "ptx_names.h"

/* A position in the student's source, with the call it was inlined into. */
struct source_position {
    uint32_t file, line, column;
    uint32_t inlined_into; /* index, 0 for none */
};

struct label_use {
    uint32_t instruction, operand; /* indices: the code array moves when it grows */
    struct ptx_names *scope;
};

struct parser {
    struct lexer lexer;
    struct token token; /* the next one */
    struct ptx_module *module;
    struct ptx_function *function; /* NULL outside */
    struct ptx_names *scope;
    struct source_position *positions; /* [0] is "unknown" */
    uint32_t position_count, position_capacity;
    uint32_t position;
    struct label_use *label_uses;
    uint32_t label_use_count, label_use_capacity;
    uint32_t depth;
    jmp_buf failed;
    char *error;
    size_t error_size;
};

enum {
    REGISTERS_MAX = 1 << 20,
    VARIABLE_BYTES_MAX = 1 << 30,
    NESTING_MAX = 64,
    PARTS_MAX = 256,
};

/* ---- errors and tokens ----------------------------------------------------------------------- */

__attribute__((noreturn, format(printf, 2, 3))) static void fail(
    struct parser *p, const char *format, ...)
{
    char reason[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    snprintf(p->error, p->error_size, "PTX line %u: %s", p->token.line, reason);
    longjmp(p->failed, 1);
}

static void advance(struct parser *p)
{
    p->token = lexer_next(&p->lexer);
    if (p->token.kind == TOKEN_BAD)
        fail(p, "unfinished string");
}

static bool is_word(const struct parser *p, const char *word)
{
    return p->token.kind == TOKEN_WORD && p->token.length == strlen(word) &&
           memcmp(p->token.text, word, p->token.length) == 0;
}

static bool is_punctuation(const struct parser *p, char c)
{
    return p->token.kind == TOKEN_PUNCTUATION && p->token.punctuation == c;
}

static bool accept(struct parser *p, char c)
{
    if (!is_punctuation(p, c))
        return false;
    advance(p);
    return true;
}

static bool accept_word(struct parser *p, const char *word)
{
    if (!is_word(p, word))
        return false;
    advance(p);
    return true;
}

static void expect(struct parser *p, char c)
{
    if (!accept(p, c))
        fail(p, "'%c' expected before \"%.*s\"", c,
            (int)(p->token.length < 40 ? p->token.length : 40), p->token.text);
}

static const char *take_name(struct parser *p)
{
    if (p->token.kind != TOKEN_WORD)
        fail(p, "a name expected before \"%.*s\"",
            (int)(p->token.length < 40 ? p->token.length : 40), p->token.text);
    const char *name = pool_text(&p->module->pool, p->token.text, p->token.length);
    advance(p);
    return name;
}

static uint64_t take_integer(struct parser *p)
{
    if (p->token.kind != TOKEN_INTEGER)
        fail(p, "a number expected");
    uint64_t bits = p->token.bits;
    advance(p);
    return bits;
}

static void skip_to_semicolon(struct parser *p)
{
    while (p->token.kind != TOKEN_END && !is_punctuation(p, ';'))
        advance(p);
    expect(p, ';');
}

static void skip_braces(struct parser *p)
{
    expect(p, '{');
    for (uint32_t depth = 1; depth > 0; advance(p)) {
        if (p->token.kind == TOKEN_END)
            fail(p, "'}' missing");
        depth += is_punctuation(p, '{');
        depth -= is_punctuation(p, '}');
    }
}

/* ---- types ----------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    struct ptx_type type;
} type_words[] = {
    {"pred", {TYPE_PREDICATE, 0, 1}},
    {"b8", {TYPE_BITS, 1, 1}},
    {"b16", {TYPE_BITS, 2, 1}},
    {"b32", {TYPE_BITS, 4, 1}},
    {"b64", {TYPE_BITS, 8, 1}},
    {"b128", {TYPE_BITS, 16, 1}},
    {"u8", {TYPE_UNSIGNED, 1, 1}},
    {"u16", {TYPE_UNSIGNED, 2, 1}},
    {"u32", {TYPE_UNSIGNED, 4, 1}},
    {"u64", {TYPE_UNSIGNED, 8, 1}},
    {"s8", {TYPE_SIGNED, 1, 1}},
    {"s16", {TYPE_SIGNED, 2, 1}},
    {"s32", {TYPE_SIGNED, 4, 1}},
    {"s64", {TYPE_SIGNED, 8, 1}},
    {"f16", {TYPE_FLOAT, 2, 1}},
    {"f32", {TYPE_FLOAT, 4, 1}},
    {"f64", {TYPE_FLOAT, 8, 1}},
    {"f16x2", {TYPE_FLOAT, 4, 2}},
    {"bf16", {TYPE_BFLOAT, 2, 1}},
    {"bf16x2", {TYPE_BFLOAT, 4, 2}},
};

bool ptx_type_of(const char *word, struct ptx_type *type)
{
    for (size_t i = 0; i < sizeof type_words / sizeof type_words[0]; i++) {
        if (strcmp(word, type_words[i].word) == 0) {
            *type = type_words[i].type;
            return true;
        }
    }
    return false;
}

static const struct {
    const char *word;
    enum ptx_space space;
} space_words[] = {
    {".global", SPACE_GLOBAL},
    {".shared", SPACE_SHARED},
    {".local", SPACE_LOCAL},
    {".const", SPACE_CONSTANT},
    {".param", SPACE_PARAM},
};

static bool is_space_word(const struct parser *p, enum ptx_space *space)
{
    for (size_t i = 0; i < sizeof space_words / sizeof space_words[0]; i++) {
        if (is_word(p, space_words[i].word)) {
            *space = space_words[i].space;
            return true;
        }
    }
    return false;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void declare(
    struct parser *p, const char *text, enum name_kind kind, uint32_t index, void *object)
{
    names_add(&p->module->pool, p->scope,
        (struct name){
            .text = text, .length = strlen(text), .kind = kind, .index = index, .object = object});
}

/* Dotted words before a name: type, alignment, vector size, and attributes that change nothing. */
struct declaration {
    struct ptx_type type;
    uint32_t align, vector;
    bool is_managed;
};

static struct declaration declaration_words(struct parser *p)
{
    struct declaration d = {.vector = 1};
    while (p->token.kind == TOKEN_WORD && p->token.text[0] == '.') {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)p->token.length - 1, p->token.text + 1);
        advance(p);
        if (strcmp(word, "align") == 0) {
            uint64_t align = take_integer(p);
            if (align == 0 || align > 4096 || (align & (align - 1)) != 0)
                fail(p, "bad alignment");
            /* ".ptr .align 1" speaks of what a pointer points at; a later type does not follow. */
            d.align = d.type.class == TYPE_NONE ? (uint32_t)align : d.align;
        } else if (strcmp(word, "attribute") == 0) {
            expect(p, '(');
            while (!is_punctuation(p, ')') && p->token.kind != TOKEN_END) {
                d.is_managed |= is_word(p, ".managed");
                advance(p);
            }
            expect(p, ')');
        } else if (strcmp(word, "v2") == 0) {
            d.vector = 2;
        } else if (strcmp(word, "v4") == 0) {
            d.vector = 4;
        } else if (!ptx_type_of(word, &d.type) && strcmp(word, "texref") == 0) {
            d.type = (struct ptx_type){TYPE_BITS, 8, 1};
        }
    }
    if (d.type.class == TYPE_NONE)
        fail(p, "a type expected");
    if (d.align == 0)
        d.align = d.type.bytes * d.vector;
    if (d.align == 0)
        d.align = 1;
    return d;
}

static void registers(struct parser *p)
{
    struct declaration d = declaration_words(p);
    struct ptx_function *f = p->function;
    if (f == NULL)
        fail(p, "register outside a function");
    do {
        const char *name = take_name(p);
        uint64_t count = 1;
        bool is_range = accept(p, '<');
        if (is_range) {
            count = take_integer(p);
            expect(p, '>');
        }
        if (count > REGISTERS_MAX || f->register_count + count > REGISTERS_MAX)
            fail(p, "too many registers");
        names_add(&p->module->pool, p->scope,
            (struct name){.text = name,
                .length = strlen(name),
                .kind = is_range ? NAME_REGISTER_RANGE : NAME_REGISTER,
                .index = f->register_count,
                .count = (uint32_t)count});
        for (uint64_t i = 0; i < count; i++) {
            GROW(f->registers, f->register_count, f->register_capacity);
            f->registers[f->register_count++] = (struct ptx_register){name, d.type};
        }
    } while (accept(p, ','));
    expect(p, ';');
}

/* The values of an initialiser, written into `data` from *offset on. */
static void initialiser(
    struct parser *p, struct ptx_variable *variable, uint8_t *data, size_t unit, size_t *offset)
{
    if (accept(p, '{')) {
        if (p->depth++ > NESTING_MAX)
            fail(p, "nested too deeply");
        while (!is_punctuation(p, '}')) {
            initialiser(p, variable, data, unit, offset);
            if (!accept(p, ','))
                break;
        }
        p->depth--;
        expect(p, '}');
        return;
    }
    if (*offset + unit > variable->size)
        fail(p, "too many values for %s", variable->name);
    bool negative = accept(p, '-');
    uint64_t bits = p->token.bits;
    switch (p->token.kind) {
    case TOKEN_INTEGER:
        bits = negative ? 0 - bits : bits;
        break;
    case TOKEN_FLOAT32:
    case TOKEN_FLOAT64:
        break;
    case TOKEN_WORD: {
        struct ptx_fixup *fixup = pool_take(&p->module->pool, sizeof *fixup);
        fixup->is_generic = accept_word(p, "generic");
        if (fixup->is_generic)
            expect(p, '(');
        fixup->symbol = pool_text(&p->module->pool, p->token.text, p->token.length);
        fixup->offset = *offset;
        if (fixup->is_generic) {
            advance(p);
            if (!is_punctuation(p, ')'))
                fail(p, "')' expected");
        }
        fixup->next = variable->fixups;
        variable->fixups = fixup;
        bits = 0;
        break;
    }
    default:
        fail(p, "a value expected");
    }
    advance(p);
    if (p->token.kind == TOKEN_PUNCTUATION && is_punctuation(p, '+') && variable->fixups != NULL) {
        advance(p);
        variable->fixups->addend = (int64_t)take_integer(p);
    }
    memcpy(data + *offset, &bits, unit);
    *offset += unit;
}

/* [n][m]…, in elements; *is_open for []. */
static size_t array_size(struct parser *p, bool *is_array, bool *is_open)
{
    size_t elements = 1;
    *is_array = *is_open = false;
    while (accept(p, '[')) {
        *is_array = true;
        if (accept(p, ']')) {
            *is_open = true;
            continue;
        }
        uint64_t n = take_integer(p);
        expect(p, ']');
        if (n > VARIABLE_BYTES_MAX || elements * n > VARIABLE_BYTES_MAX)
            fail(p, "array too large");
        elements *= n;
    }
    return elements;
}

static struct ptx_variable *variable(struct parser *p, enum ptx_space space, bool is_extern)
{
    struct declaration d = declaration_words(p);
    struct ptx_variable *v = pool_take(&p->module->pool, sizeof *v);
    v->space = space;
    v->is_extern = is_extern;
    v->is_managed = d.is_managed;
    v->type = d.type;
    v->align = d.align;
    v->owner = p->function;
    v->name = take_name(p);
    if (accept(p, '<')) { /* .param .b32 name<4>: not emitted by nvcc */
        fail(p, "parameterised names of variables are not supported");
    }
    bool is_array, is_open;
    size_t elements = array_size(p, &is_array, &is_open);
    v->size = is_open ? 0 : elements * d.type.bytes * d.vector;
    if (accept(p, '=')) {
        if (v->size == 0 || v->size > VARIABLE_BYTES_MAX)
            fail(p, "%s has values but no size", v->name);
        uint8_t *data = pool_take(&p->module->pool, v->size);
        size_t offset = 0;
        initialiser(p, v, data, d.type.bytes, &offset);
        v->data = data;
    }
    return v;
}

static void variables(struct parser *p, enum ptx_space space, bool is_extern)
{
    struct ptx_variable *v = variable(p, space, is_extern);
    struct ptx_function *f = p->function;
    declare(p, v->name, NAME_VARIABLE, 0, v);
    /* A global variable of a function lives as long as the module, like one outside. */
    if (f != NULL && space != SPACE_GLOBAL && space != SPACE_CONSTANT) {
        GROW(f->variables, f->variable_count, f->variable_capacity);
        v->index = f->variable_count;
        f->variables[f->variable_count++] = v;
    } else {
        GROW(p->module->variables, p->module->variable_count, p->module->variable_capacity);
        v->index = p->module->variable_count;
        p->module->variables[p->module->variable_count++] = v;
    }
    expect(p, ';');
}

/* ---- operands -------------------------------------------------------------------------------- */

static struct ptx_operand operand(struct parser *p);

static void operand_list(struct parser *p, struct ptx_operand *o, char end)
{
    struct ptx_operand parts[PARTS_MAX];
    if (p->depth++ > NESTING_MAX)
        fail(p, "nested too deeply");
    while (!is_punctuation(p, end)) {
        if (o->part_count == PARTS_MAX)
            fail(p, "too many operands");
        parts[o->part_count++] = operand(p);
        if (!accept(p, ','))
            break;
    }
    p->depth--;
    expect(p, end);
    o->parts = pool_take(&p->module->pool, o->part_count * sizeof *o->parts + 1);
    memcpy(o->parts, parts, o->part_count * sizeof *o->parts);
}

static void named_operand(struct parser *p, struct ptx_operand *o)
{
    uint32_t index = 0;
    struct name *name = names_find(p->scope, p->token.text, p->token.length, false, &index);
    o->name = pool_text(&p->module->pool, p->token.text, p->token.length);
    if (name == NULL) {
        o->kind = o->name[0] == '%' ? OPERAND_SPECIAL : OPERAND_NAME;
        if (strcmp(o->name, "_") == 0)
            o->kind = OPERAND_SINK;
        else if (strcmp(o->name, "WARP_SZ") == 0)
            *o = (struct ptx_operand){.kind = OPERAND_INTEGER, .bits = 32};
    } else if (name->kind == NAME_VARIABLE) {
        o->kind = OPERAND_VARIABLE;
        o->variable = name->object;
    } else if (name->kind == NAME_FUNCTION) {
        o->kind = OPERAND_FUNCTION;
        o->function = name->object;
    } else {
        o->kind = OPERAND_REGISTER;
        o->index = index;
    }
    advance(p);
}

static void operand_offset(struct parser *p, struct ptx_operand *o)
{
    while (is_punctuation(p, '+') || is_punctuation(p, '-')) {
        int64_t sign = accept(p, '+') ? 1 : -1;
        if (sign < 0)
            advance(p);
        if (accept(p, '-'))
            sign = -sign;
        o->offset += sign * (int64_t)take_integer(p);
    }
}

static void literal(struct parser *p, struct ptx_operand *o, bool negative)
{
    o->bits = p->token.bits;
    switch (p->token.kind) {
    case TOKEN_INTEGER:
        o->kind = OPERAND_INTEGER;
        o->bits = negative ? 0 - o->bits : o->bits;
        break;
    case TOKEN_FLOAT32:
        o->kind = OPERAND_FLOAT32;
        o->bits ^= negative ? (uint64_t)1 << 31 : 0;
        break;
    case TOKEN_FLOAT64:
        o->kind = OPERAND_FLOAT64;
        o->bits ^= negative ? (uint64_t)1 << 63 : 0;
        break;
    default:
        fail(p, "an operand expected before \"%.*s\"",
            (int)(p->token.length < 40 ? p->token.length : 40), p->token.text);
    }
    advance(p);
}

static struct ptx_operand operand(struct parser *p)
{
    struct ptx_operand o = {.kind = OPERAND_SINK};
    if (accept(p, '!')) {
        o = operand(p);
        o.is_negated = true;
        return o;
    }
    if (accept(p, '[')) {
        if (p->depth++ > NESTING_MAX)
            fail(p, "nested too deeply");
        o = operand(p);
        p->depth--;
        if (is_punctuation(p, ',')) { /* textures: [name, {x, y}] */
            struct ptx_operand list = {.kind = OPERAND_LIST};
            advance(p);
            operand_list(p, &list, ']');
            o = list;
        } else {
            expect(p, ']');
        }
        o.is_address = true;
        return o;
    }
    if (accept(p, '{')) {
        o.kind = OPERAND_VECTOR;
        operand_list(p, &o, '}');
    } else if (accept(p, '(')) {
        o.kind = OPERAND_LIST;
        operand_list(p, &o, ')');
    } else if (p->token.kind == TOKEN_WORD) {
        named_operand(p, &o);
        operand_offset(p, &o);
    } else {
        literal(p, &o, accept(p, '-'));
        operand_offset(p, &o);
        if (o.kind == OPERAND_INTEGER) {
            o.bits += (uint64_t)o.offset;
            o.offset = 0;
        }
    }
    if (accept(p, '|')) {
        struct ptx_operand *also = pool_take(&p->module->pool, sizeof *also);
        *also = operand(p);
        o.also = also;
    }
    return o;
}

/* Operands that may be labels, once the whole function is known. */
static void note_labels(struct parser *p, struct ptx_instruction *i)
{
    for (uint32_t k = 0; k < i->operand_count; k++) {
        if (i->operands[k].kind != OPERAND_NAME)
            continue;
        GROW(p->label_uses, p->label_use_count, p->label_use_capacity);
        p->label_uses[p->label_use_count++] =
            (struct label_use){p->function->code_count, k, p->scope};
    }
}

static void resolve_labels(struct parser *p)
{
    for (uint32_t k = 0; k < p->label_use_count; k++) {
        const struct label_use *use = &p->label_uses[k];
        struct ptx_operand *o = &p->function->code[use->instruction].operands[use->operand];
        uint32_t index = 0;
        if (names_find(use->scope, o->name, strlen(o->name), true, &index) != NULL) {
            o->kind = OPERAND_LABEL;
            o->target = index;
        }
    }
    p->label_use_count = 0;
}

/* ---- statements ------------------------------------------------------------------------------ */

static void split_opcode(struct parser *p, struct ptx_instruction *i, const char *text)
{
    const char *dot = strchr(text, '.');
    size_t length = dot == NULL ? strlen(text) : (size_t)(dot - text);
    i->opcode = pool_text(&p->module->pool, text, length);
    while (dot != NULL) {
        const char *start = dot + 1;
        dot = strchr(start, '.');
        length = dot == NULL ? strlen(start) : (size_t)(dot - start);
        if (i->modifier_count == PTX_MODIFIERS_MAX)
            fail(p, "too many modifiers");
        i->modifiers[i->modifier_count++] = pool_text(&p->module->pool, start, length);
    }
}

static void instruction(struct parser *p, struct ptx_instruction *i, const char *opcode)
{
    i->ptx_line = p->token.line;
    i->file = p->position; /* replaced when the file table is known */
    split_opcode(p, i, opcode);
    while (!is_punctuation(p, ';')) {
        if (i->operand_count == PTX_OPERANDS_MAX)
            fail(p, "too many operands");
        i->operands[i->operand_count++] = operand(p);
        if (!accept(p, ','))
            break;
    }
    expect(p, ';');
    struct ptx_function *f = p->function;
    note_labels(p, i);
    GROW(f->code, f->code_count, f->code_capacity);
    f->code[f->code_count++] = *i;
}

static void guarded_instruction(struct parser *p)
{
    struct ptx_instruction i = {.has_guard = true};
    i.guard_negated = accept(p, '!');
    struct ptx_operand guard = operand(p);
    if (guard.kind != OPERAND_REGISTER ||
        p->function->registers[guard.index].type.class != TYPE_PREDICATE)
        fail(p, "the guard is not a predicate");
    i.guard = guard.index;
    instruction(p, &i, take_name(p));
}

static uint32_t find_position(const struct parser *p, uint32_t file, uint32_t line, uint32_t column)
{
    for (uint32_t i = p->position_count; i-- > 1;)
        if (p->positions[i].file == file && p->positions[i].line == line &&
            p->positions[i].column == column)
            return i;
    return 0;
}

static uint32_t add_position(struct parser *p, struct source_position position)
{
    GROW(p->positions, p->position_count, p->position_capacity);
    p->positions[p->position_count] = position;
    return p->position_count++;
}

/* .loc file line column [, function_name label [, inlined_at file line column]] */
static void location(struct parser *p)
{
    struct source_position here = {0};
    here.file = (uint32_t)take_integer(p);
    here.line = (uint32_t)take_integer(p);
    here.column = (uint32_t)take_integer(p);
    while (is_punctuation(p, ',') || is_word(p, "function_name")) {
        if (accept(p, ','))
            continue;
        advance(p);
        take_name(p);
        if (accept(p, '+'))
            take_integer(p);
        if (is_punctuation(p, ','))
            advance(p);
        if (!accept_word(p, "inlined_at"))
            break;
        uint32_t file = (uint32_t)take_integer(p), line = (uint32_t)take_integer(p),
                 column = (uint32_t)take_integer(p);
        here.inlined_into = find_position(p, file, line, column);
        if (here.inlined_into == 0)
            here.inlined_into = add_position(p, (struct source_position){file, line, column, 0});
    }
    uint32_t known = find_position(p, here.file, here.line, here.column);
    if (known != 0 && p->positions[known].inlined_into == here.inlined_into)
        p->position = known;
    else
        p->position = add_position(p, here);
    if (p->function != NULL && p->function->line == 0) {
        p->function->file = p->position;
        p->function->line = here.line;
    }
}

static void file_directive(struct parser *p)
{
    uint64_t number = take_integer(p);
    if (p->token.kind != TOKEN_STRING || number > 65535)
        fail(p, "bad .file");
    struct ptx_module *m = p->module;
    if (number >= m->file_count) {
        m->files = must_realloc(m->files, (number + 1) * sizeof *m->files);
        for (uint32_t i = m->file_count; i <= number; i++)
            m->files[i] = NULL;
        m->file_count = (uint32_t)number + 1;
    }
    m->files[number] = pool_text(&m->pool, p->token.text, p->token.length);
    advance(p);
    while (accept(p, ','))
        take_integer(p);
}

/* A label, or an instruction. */
static void word_statement(struct parser *p)
{
    const char *word = take_name(p);
    if (!accept(p, ':')) {
        struct ptx_instruction i = {0};
        instruction(p, &i, word);
        return;
    }
    if (is_word(p, ".callprototype") || is_word(p, ".calltargets") ||
        is_word(p, ".branchtargets")) {
        skip_to_semicolon(p);
        return;
    }
    struct name *before = names_here(p->scope, word, strlen(word));
    if (before != NULL && before->kind == NAME_LABEL)
        fail(p, "label %s occurs twice", word);
    declare(p, word, NAME_LABEL, p->function->code_count, NULL);
}

static void block(struct parser *p);

static void directive_statement(struct parser *p)
{
    enum ptx_space space;
    if (accept_word(p, ".reg")) {
        registers(p);
    } else if (is_space_word(p, &space)) {
        advance(p);
        variables(p, space, false);
    } else if (accept_word(p, ".loc")) {
        location(p);
    } else if (accept_word(p, ".file")) {
        file_directive(p);
    } else if (accept_word(p, ".section")) {
        if (p->token.kind == TOKEN_WORD)
            advance(p);
        skip_braces(p);
    } else { /* .pragma and others that change nothing */
        skip_to_semicolon(p);
    }
}

static void block(struct parser *p)
{
    expect(p, '{');
    if (p->depth++ > NESTING_MAX)
        fail(p, "nested too deeply");
    p->scope = names_open(&p->module->pool, p->scope);
    while (!is_punctuation(p, '}')) {
        if (p->token.kind == TOKEN_END)
            fail(p, "'}' missing");
        if (is_punctuation(p, '{'))
            block(p);
        else if (accept(p, '@'))
            guarded_instruction(p);
        else if (accept(p, ';'))
            continue;
        else if (p->token.kind == TOKEN_WORD && p->token.text[0] == '.')
            directive_statement(p);
        else
            word_statement(p);
    }
    p->scope = p->scope->parent;
    p->depth--;
    expect(p, '}');
}

/* ---- functions ------------------------------------------------------------------------------- */

static void parameters(struct parser *p, struct ptx_variable ***list, uint32_t *count)
{
    struct ptx_variable *found[PARTS_MAX];
    *count = 0;
    expect(p, '(');
    while (!is_punctuation(p, ')')) {
        if (*count == PARTS_MAX)
            fail(p, "too many parameters");
        if (!accept_word(p, ".param") && !accept_word(p, ".reg"))
            fail(p, ".param expected");
        struct ptx_variable *v = variable(p, SPACE_PARAM, false);
        declare(p, v->name, NAME_VARIABLE, 0, v);
        found[(*count)++] = v;
        if (!accept(p, ','))
            break;
    }
    expect(p, ')');
    *list = pool_take(&p->module->pool, *count * sizeof **list + 1);
    memcpy(*list, found, *count * sizeof **list);
}

static uint32_t product_of_up_to_three(struct parser *p)
{
    uint64_t product = take_integer(p);
    for (int i = 0; i < 2 && accept(p, ','); i++)
        product *= take_integer(p);
    return (uint32_t)product;
}

static void function_directives(struct parser *p, struct ptx_function *f)
{
    while (p->token.kind == TOKEN_WORD && p->token.text[0] == '.') {
        if (accept_word(p, ".maxntid") || accept_word(p, ".reqntid")) {
            f->max_threads = product_of_up_to_three(p);
        } else if (accept_word(p, ".minnctapersm")) {
            f->min_blocks = (uint32_t)take_integer(p);
        } else if (accept_word(p, ".pragma")) {
            skip_to_semicolon(p);
        } else {
            advance(p);
            while (p->token.kind == TOKEN_INTEGER || is_punctuation(p, ','))
                advance(p);
            if (is_punctuation(p, '('))
                while (p->token.kind != TOKEN_END && !accept(p, ')'))
                    advance(p);
        }
    }
}

static struct ptx_function *function_named(struct parser *p, const char *name)
{
    struct name *known = names_here(p->module->names, name, strlen(name));
    if (known != NULL && known->kind == NAME_FUNCTION)
        return known->object;
    struct ptx_function *f = pool_take(&p->module->pool, sizeof *f);
    f->name = name;
    f->module = p->module;
    f->index = p->module->function_count;
    GROW(p->module->functions, p->module->function_count, p->module->function_capacity);
    p->module->functions[p->module->function_count++] = f;
    declare(p, name, NAME_FUNCTION, 0, f);
    return f;
}

static void function(struct parser *p, bool is_entry)
{
    struct ptx_names *outside = p->scope, *inside = names_open(&p->module->pool, outside);
    struct ptx_variable **results = NULL, **params = NULL;
    uint32_t result_count = 0, param_count = 0;
    while (accept_word(p, ".attribute")) {
        while (p->token.kind != TOKEN_END && !accept(p, ')'))
            advance(p);
    }
    p->scope = inside;
    if (is_punctuation(p, '('))
        parameters(p, &results, &result_count);
    p->scope = outside;
    struct ptx_function *f = function_named(p, take_name(p));
    p->scope = inside;
    if (is_punctuation(p, '('))
        parameters(p, &params, &param_count);
    f->is_entry = is_entry;
    function_directives(p, f);
    if (accept(p, ';')) {
        if (!f->is_defined) {
            f->params = params;
            f->param_count = param_count;
            f->results = results;
            f->result_count = result_count;
        }
    } else {
        if (f->is_defined)
            fail(p, "%s is defined twice", f->name);
        f->params = params;
        f->param_count = param_count;
        f->results = results;
        f->result_count = result_count;
        f->is_defined = true;
        p->function = f;
        p->position = 0;
        for (uint32_t i = 0; i < param_count; i++)
            params[i]->owner = f;
        for (uint32_t i = 0; i < result_count; i++)
            results[i]->owner = f;
        block(p);
        resolve_labels(p);
        p->function = NULL;
    }
    p->scope = outside;
}

/* ---- source positions ------------------------------------------------------------------------ */

/* Headers of the toolkit: a student wants the line of their own file that called into them. A
 * candidate is none, wherever it lies and whatever it is called. */
bool ptx_is_toolkit_file(const char *path)
{
    static const char *const marks[] = {"/targets/", "/usr/include/", "/usr/lib/", "/include/crt/",
        "/include/cooperative_groups", "/cub/", "/thrust/", "/libcudacxx/", "/cccl/",
        "/cuda/include/", "/include/cuda", "/include/sm_", "/nvcc/"};
    const size_t length = strlen(path);
    if (length >= 3 && strcmp(path + length - 3, ".cu") == 0)
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strstr(path, marks[i]) != NULL)
            return true;
    return false;
}

static struct source_position student_position(const struct parser *p, uint32_t index)
{
    struct source_position inner = p->positions[index];
    for (int steps = 0; index != 0 && steps < 256; steps++) {
        struct source_position at = p->positions[index];
        const char *path = at.file < p->module->file_count ? p->module->files[at.file] : NULL;
        if (path != NULL && !ptx_is_toolkit_file(path))
            return at;
        index = at.inlined_into;
    }
    return inner;
}

static void resolve_positions(struct parser *p)
{
    for (uint32_t i = 0; i < p->module->function_count; i++) {
        struct ptx_function *f = p->module->functions[i];
        struct source_position start = student_position(p, f->file);
        f->file = start.file;
        f->line = start.line;
        for (uint32_t k = 0; k < f->code_count; k++) {
            uint32_t inner = p->positions[f->code[k].file].file;
            const char *path = inner < p->module->file_count ? p->module->files[inner] : NULL;
            f->code[k].in_toolkit = path != NULL && ptx_is_toolkit_file(path);
            struct source_position at = student_position(p, f->code[k].file);
            f->code[k].file = at.file;
            f->code[k].line = at.line;
        }
    }
}

/* ---- the module ------------------------------------------------------------------------------ */

static void module_statement(struct parser *p)
{
    bool is_extern = false;
    while (is_word(p, ".visible") || is_word(p, ".extern") || is_word(p, ".weak") ||
           is_word(p, ".common")) {
        is_extern |= is_word(p, ".extern");
        advance(p);
    }
    enum ptx_space space;
    if (accept_word(p, ".entry")) {
        function(p, true);
    } else if (accept_word(p, ".func")) {
        function(p, false);
    } else if (is_space_word(p, &space)) {
        advance(p);
        variables(p, space, is_extern);
    } else if (accept_word(p, ".file")) {
        file_directive(p);
    } else if (accept_word(p, ".loc")) {
        location(p);
    } else if (accept_word(p, ".section")) {
        if (p->token.kind == TOKEN_WORD)
            advance(p);
        skip_braces(p);
    } else if (accept_word(p, ".version") || accept_word(p, ".address_size")) {
        advance(p);
    } else if (accept_word(p, ".target")) {
        do {
            const char *word = take_name(p);
            if (strncmp(word, "sm_", 3) == 0)
                p->module->target = (uint32_t)atoi(word + 3);
        } while (accept(p, ','));
    } else if (is_word(p, ".alias") || is_word(p, ".pragma")) {
        skip_to_semicolon(p);
    } else if (!accept(p, ';')) {
        fail(p, "\"%.*s\" not understood", (int)(p->token.length < 40 ? p->token.length : 40),
            p->token.text);
    }
}

struct ptx_module *ptx_parse(const char *text, char *error, size_t error_size)
{
    struct ptx_module *module = must_realloc(NULL, sizeof *module);
    memset(module, 0, sizeof *module);
    module->names = names_open(&module->pool, NULL);
    struct parser *p = must_realloc(NULL, sizeof *p);
    memset(p, 0, sizeof *p);
    p->lexer = (struct lexer){text, 1};
    p->module = module;
    p->scope = module->names;
    p->error = error;
    p->error_size = error_size;
    add_position(p, (struct source_position){0});
    bool ok = setjmp(p->failed) == 0;
    if (ok) {
        advance(p);
        while (p->token.kind != TOKEN_END)
            module_statement(p);
        resolve_positions(p);
    } else {
        ptx_free(module);
        module = NULL;
    }
    free(p->positions);
    free(p->label_uses);
    free(p);
    return module;
}

void ptx_free(struct ptx_module *module)
{
    if (module == NULL)
        return;
    for (uint32_t i = 0; i < module->function_count; i++) {
        free(module->functions[i]->registers);
        free(module->functions[i]->variables);
        free(module->functions[i]->code);
    }
    free(module->functions);
    free(module->variables);
    free(module->files);
    pool_drop(&module->pool);
    free(module);
}

struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name)
{
    struct name *found = names_here(module->names, name, strlen(name));
    return found != NULL && found->kind == NAME_FUNCTION ? found->object : NULL;
}

struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name)
{
    struct name *found = names_here(module->names, name, strlen(name));
    return found != NULL && found->kind == NAME_VARIABLE ? found->object : NULL;
}
