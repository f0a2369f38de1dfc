/* What a function does with the values it loads and shuffles. See decode.h.
 *
 * A value that nobody has set does no harm while it is only moved about: a copied structure has
 * holes, and a reduction may throw away what it got from a lane that does not exist.
 */
#include <stdlib.h>

#include "decode.h"

static bool is_opcode(const struct ptx_instruction *i, const char *opcode)
{
    return strcmp(i->opcode, opcode) == 0;
}

static bool has_modifier(const struct ptx_instruction *i, const char *modifier)
{
    for (int m = 0; m < i->modifier_count; m++)
        if (strcmp(i->modifiers[m], modifier) == 0)
            return true;
    return false;
}

static bool mentions(const struct ptx_operand *o, uint32_t reg)
{
    if (o->kind == OPERAND_REGISTER && o->index == reg)
        return true;
    for (uint32_t p = 0; p < o->part_count; p++)
        if (mentions(&o->parts[p], reg))
            return true;
    return false;
}

/* How many of an instruction's first operands are results. */
static int result_count(const struct ptx_instruction *i)
{
    static const char *const without[] = {"st", "red", "bra", "bar", "barrier", "call", "ret"};
    for (size_t k = 0; k < sizeof without / sizeof without[0]; k++)
        if (is_opcode(i, without[k]))
            return 0;
    return 1;
}

static bool reads(const struct ptx_instruction *i, uint32_t reg)
{
    for (int k = 0; k < i->operand_count; k++)
        if (mentions(&i->operands[k], reg) && (k >= result_count(i) || i->operands[k].is_address))
            return true;
    return i->has_guard && i->guard == reg;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Marks the registers of an operand; true when one of them is new. */
static bool mark(const struct ptx_operand *o, bool *marks)
{
    bool is_new = false;
    if (o->kind == OPERAND_REGISTER && !marks[o->index])
        is_new = marks[o->index] = true;
    for (uint32_t p = 0; p < o->part_count; p++)
        is_new |= mark(&o->parts[p], marks);
    return is_new;
}

static bool any_marked(const struct ptx_operand *o, const bool *marks)
{
    if (o->kind == OPERAND_REGISTER && marks[o->index])
        return true;
    for (uint32_t p = 0; p < o->part_count; p++)
        if (any_marked(&o->parts[p], marks))
            return true;
    return false;
}

static void count_operand(const struct ptx_operand *o, uint32_t *readers)
{
    if (o->kind == OPERAND_REGISTER)
        readers[o->index]++;
    for (uint32_t p = 0; p < o->part_count; p++)
        count_operand(&o->parts[p], readers);
}

static bool mark_sources(const struct ptx_instruction *i, bool *used)
{
    bool is_new = false, stores = is_opcode(i, "st");
    bool moves = is_opcode(i, "mov") && !any_marked(&i->operands[0], used);
    for (int k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *o = &i->operands[k];
        bool is_result = k < result_count(i) && !o->is_address;
        bool is_copied = (stores && k == 1) || moves;
        if (!is_result && !is_copied)
            is_new |= mark(o, used);
    }
    return is_new;
}

static void count_readers(const struct ptx_instruction *i, uint32_t *readers)
{
    for (int k = 0; k < i->operand_count; k++)
        if (k >= result_count(i) || i->operands[k].is_address)
            count_operand(&i->operands[k], readers);
    if (i->has_guard)
        readers[i->guard]++;
}

void uses_find(const struct ptx_function *f, struct uses *uses)
{
    uses->matters = calloc(f->register_count + 1, sizeof *uses->matters);
    uses->readers = calloc(f->register_count + 1, sizeof *uses->readers);
    if (uses->matters == NULL || uses->readers == NULL)
        abort();
    for (uint32_t pc = 0; pc < f->code_count; pc++)
        count_readers(&f->code[pc], uses->readers);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t pc = f->code_count; pc-- > 0;)
            again |= mark_sources(&f->code[pc], uses->matters);
    }
}

void uses_free(struct uses *uses)
{
    free(uses->matters);
    free(uses->readers);
}

bool uses_only_copies(const struct ptx_instruction *load, const struct uses *uses)
{
    return is_opcode(load, "ld") && !any_marked(&load->operands[0], uses->matters);
}

/* ---- bit fields ------------------------------------------------------------------------------ */

enum { BIT_FIELD_STEPS = 24 };

static bool is_same_address(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->kind == b->kind && a->index == b->index && a->offset == b->offset &&
           a->variable == b->variable && (a->kind != OPERAND_SPECIAL || a->name == b->name);
}

/* Follows the loaded value through masks to a store at the same address. */
bool uses_set_bits(const struct ptx_function *f, uint32_t pc, const struct uses *uses)
{
    static const char *const masks[] = {"and", "or", "bfi", "cvt"};
    const struct ptx_instruction *load = &f->code[pc];
    if (!is_opcode(load, "ld") || load->operands[0].kind != OPERAND_REGISTER)
        return false;
    uint32_t value = load->operands[0].index;
    bool is_masked = false;
    for (uint32_t at = pc + 1; at < f->code_count && at <= pc + BIT_FIELD_STEPS; at++) {
        const struct ptx_instruction *i = &f->code[at];
        if (is_opcode(i, "bra") || uses->readers[value] != 1)
            return false;
        if (!reads(i, value))
            continue;
        if (is_opcode(i, "st"))
            return is_masked && is_same_address(&i->operands[0], &load->operands[1]);
        bool is_mask = false;
        for (size_t k = 0; k < sizeof masks / sizeof masks[0]; k++)
            is_mask = is_mask || is_opcode(i, masks[k]);
        if (!is_mask || i->operands[0].kind != OPERAND_REGISTER)
            return false;
        bool is_literal = is_opcode(i, "and") && (i->operands[1].kind == OPERAND_INTEGER ||
                                                     i->operands[2].kind == OPERAND_INTEGER);
        is_masked = is_masked || is_literal || is_opcode(i, "bfi");
        value = i->operands[0].index;
    }
    return false;
}

/* ---- results --------------------------------------------------------------------------------- */

enum { MOVES_MAX = 4 };

/* A store to a variable or an argument: what becomes of it is not known. Unoptimised code stores
 * every value first. */
static bool keeps(const struct ptx_instruction *i)
{
    return is_opcode(i, "st") && !has_modifier(i, "global") && !has_modifier(i, "shared");
}

/* Is the register's value used for certain in what follows `pc` without a branch?  Selections and
 * guarded instructions may throw it away. */
static bool is_used_soon(const struct ptx_function *f, uint32_t pc, uint32_t reg, int moves)
{
    for (uint32_t at = pc + 1; at < f->code_count; at++) {
        const struct ptx_instruction *i = &f->code[at];
        if (is_opcode(i, "bra") || is_opcode(i, "ret") || is_opcode(i, "call"))
            return false;
        bool is_read = reads(i, reg);
        bool is_sure = !i->has_guard && !is_opcode(i, "selp") && !keeps(i);
        if (is_read && is_sure && !is_opcode(i, "mov"))
            return true;
        if (is_read && is_sure && moves > 0 && i->operands[0].kind == OPERAND_REGISTER &&
            is_used_soon(f, at, i->operands[0].index, moves - 1))
            return true;
        if (result_count(i) > 0 && mentions(&i->operands[0], reg) && !i->operands[0].is_address)
            return false; /* set anew */
    }
    return false;
}

static bool any_used_soon(const struct ptx_function *f, uint32_t pc, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_REGISTER)
        return is_used_soon(f, pc, o->index, MOVES_MAX);
    for (uint32_t p = 0; p < o->part_count; p++)
        if (any_used_soon(f, pc, &o->parts[p]))
            return true;
    return false;
}

bool uses_result_soon(const struct ptx_function *f, uint32_t pc)
{
    return any_used_soon(f, pc, &f->code[pc].operands[0]);
}
