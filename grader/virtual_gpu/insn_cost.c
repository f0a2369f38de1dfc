/* See insn_cost.h. */
#include "insn_cost.h"

#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "flow.h"
#include "pool.h"

/* Cycles of an SM's quarter for a warp, and cycles until a dependent instruction may start; PTX that
 * becomes several machine instructions has their sum. The first row whose words occur in the
 * instruction counts. Measured on an NVIDIA H200 (driver 580.159.04, CUDA 13.0, 2026-11-30), with loops
 * of 16 independent and dependent instructions: add, mul, fma and mad of f32, f64 and s32, integer
 * logic, ex2, div and sqrt of f32, div of s32, shared loads. The other rows are estimates. */
static const struct cost_row {
    const char *opcode, *modifier; /* NULL: any */
    uint8_t pipe;
    float issue, cycles, latency;
} cost_rows[] = {
    {"mov", NULL, PIPE_NONE, 0, 0, 0}, /* registers are renamed, constants are operands */
    {"cvta", NULL, PIPE_NONE, 0, 0, 0},
    {"isspacep", NULL, PIPE_INTEGER, 1, 2, 5},
    {"div", "full", PIPE_SPECIAL, 4, 8, 40},
    {"div", "approx", PIPE_SPECIAL, 3, 8, 40},
    {"div", "f32", PIPE_SPECIAL, 15, 8, 45},
    {"div", "f64", PIPE_DOUBLE, 30, 40, 250},
    {"div", "s64", PIPE_INTEGER, 60, 100, 300},
    {"div", "u64", PIPE_INTEGER, 60, 100, 300},
    {"div", NULL, PIPE_INTEGER, 20, 29.5f, 100},
    {"rem", "s64", PIPE_INTEGER, 60, 100, 300},
    {"rem", "u64", PIPE_INTEGER, 60, 100, 300},
    {"rem", NULL, PIPE_INTEGER, 20, 29.5f, 100},
    {"sqrt", "f64", PIPE_DOUBLE, 25, 35, 200},
    {"rcp", "f64", PIPE_DOUBLE, 15, 20, 120},
    {"sqrt", "rn", PIPE_SPECIAL, 8, 8, 43},
    {"rcp", "rn", PIPE_SPECIAL, 8, 8, 43},
    {"sqrt", NULL, PIPE_SPECIAL, 2, 8, 40},
    {"rcp", NULL, PIPE_SPECIAL, 1, 8, 40},
    {"rsqrt", NULL, PIPE_SPECIAL, 1, 8, 40},
    {"ex2", NULL, PIPE_SPECIAL, 1, 7.5f, 40},
    {"lg2", NULL, PIPE_SPECIAL, 1, 8, 40},
    {"sin", NULL, PIPE_SPECIAL, 1, 8, 40},
    {"cos", NULL, PIPE_SPECIAL, 1, 8, 40},
    {"tanh", NULL, PIPE_SPECIAL, 1, 8, 40},
    {"popc", NULL, PIPE_SPECIAL, 1, 4, 12},
    {"brev", NULL, PIPE_SPECIAL, 1, 4, 12},
    {"clz", NULL, PIPE_SPECIAL, 1, 4, 12},
    {"bfind", NULL, PIPE_SPECIAL, 1, 4, 12},
    {"fns", NULL, PIPE_INTEGER, 40, 40, 100},
    {"vote", NULL, PIPE_INTEGER, 1, 2, 12},
    {"match", NULL, PIPE_INTEGER, 16, 16, 200},
    {"redux", NULL, PIPE_INTEGER, 2, 8, 30},
    {"activemask", NULL, PIPE_INTEGER, 1, 2, 12},
    {"cvt", "f64", PIPE_DOUBLE, 1, 4, 14},
    {"cvt", "f32", PIPE_SPECIAL, 1, 2, 10},
    {"cvt", "u64", PIPE_NONE, 0, 0, 0}, /* part of the address arithmetic that follows */
    {"cvt", NULL, PIPE_INTEGER, 1, 2, 5},
    {"mul", "f32", PIPE_FMA, 1, 1, 4},
    {"mul", "f64", PIPE_DOUBLE, 1, 2, 8},
    {"mul", "f16", PIPE_FMA, 1, 1, 5},
    {"mul", "f16x2", PIPE_FMA, 1, 1, 5},
    {"mul", "wide", PIPE_FMA, 1, 2, 5},
    {"mul", "s64", PIPE_FMA, 3, 6, 12},
    {"mul", "u64", PIPE_FMA, 3, 6, 12},
    {"mul", NULL, PIPE_FMA, 1, 2, 4},
    {"mad", "s64", PIPE_FMA, 3, 6, 12},
    {"mad", NULL, PIPE_FMA, 1, 2, 4},
    {"fma", "f64", PIPE_DOUBLE, 1, 2, 8},
    {"fma", NULL, PIPE_FMA, 1, 1, 4},
    {"add", "f32", PIPE_FMA, 1, 1, 4},
    {"add", "f64", PIPE_DOUBLE, 1, 2, 8},
    {"add", "f16", PIPE_FMA, 1, 1, 5},
    {"add", "f16x2", PIPE_FMA, 1, 1, 5},
    {"sub", "f32", PIPE_FMA, 1, 1, 4},
    {"sub", "f64", PIPE_DOUBLE, 1, 2, 8},
    {"add", "s64", PIPE_INTEGER, 1, 2, 5}, /* often folded into an address */
    {"add", "u64", PIPE_INTEGER, 1, 2, 5},
    {"shl", "b64", PIPE_INTEGER, 1, 2, 5},
    {"setp", "f64", PIPE_DOUBLE, 1, 2, 8},
    {"selp", NULL, PIPE_INTEGER, 1, 2, 5},
    {"membar", "cta", PIPE_NONE, 1, 0, 20},
    {"fence", "cta", PIPE_NONE, 1, 0, 20},
    {"membar", NULL, PIPE_NONE, 1, 0, 600},
    {"fence", NULL, PIPE_NONE, 1, 0, 600},
    {"nanosleep", NULL, PIPE_NONE, 1, 0, 100},
    {"call", NULL, PIPE_NONE, 8, 0, 0},
    {"ret", NULL, PIPE_NONE, 1, 0, 0},
    {"exit", NULL, PIPE_NONE, 1, 0, 0},
    {"bra", NULL, PIPE_NONE, 1, 0, 0},
    {"bar", NULL, PIPE_NONE, 1, 0, 0},
    {"barrier", NULL, PIPE_NONE, 1, 0, 0},
    {"st", NULL, PIPE_NONE, 1, 0, 0},
    {"ld", "param", PIPE_NONE, 0, 0, 0},
    {"ld", "const", PIPE_NONE, 0, 0, 0}, /* an operand, where the index is known */
    {"ld", NULL, PIPE_NONE, 1, 0, 30},
    {"ldu", NULL, PIPE_NONE, 1, 0, 30},
    {"shfl", NULL, PIPE_NONE, 1, 0, 24},
    {"atom", "shared", PIPE_NONE, 1, 0, 60},
    {"atom", NULL, PIPE_NONE, 1, 0, 540},
    {"red", NULL, PIPE_NONE, 1, 0, 0},
    {"cp", NULL, PIPE_NONE, 1, 0, 0},
    {NULL, NULL, PIPE_INTEGER, 1, 2, 5},
};

static bool has_modifier(const struct ptx_instruction *i, const char *word)
{
    for (int m = 0; m < i->modifier_count; m++)
        if (strcmp(i->modifiers[m], word) == 0)
            return true;
    return false;
}

static const struct cost_row *row_of(const struct ptx_instruction *i)
{
    const struct cost_row *row = cost_rows;
    while (row->opcode != NULL && (strcmp(row->opcode, i->opcode) != 0 ||
                                      (row->modifier != NULL && !has_modifier(i, row->modifier))))
        row++;
    return row;
}

/* ---- registers ------------------------------------------------------------------------------- */

static void add_register(struct steps *s, uint32_t number)
{
    GROW(s->registers, s->used, s->capacity);
    s->registers[s->used++] = number;
}

/* Registers of an operand, those of an address, a vector or a list too. Returns how many. */
static uint16_t add_operand(struct steps *s, const struct ptx_operand *o, uint32_t base)
{
    uint32_t before = s->used;
    if (o->kind == OPERAND_REGISTER)
        add_register(s, base + o->index);
    if (o->also != NULL)
        add_operand(s, o->also, base);
    for (uint32_t p = 0; p < o->part_count; p++)
        add_operand(s, &o->parts[p], base);
    return (uint16_t)(s->used - before);
}

static bool has_result(const struct ptx_instruction *i)
{
    static const char *const without[] = {
        "st", "red", "bra", "bar", "barrier", "call", "ret", "cp", "exit", "membar", "fence"};
    for (size_t k = 0; k < sizeof without / sizeof without[0]; k++)
        if (strcmp(i->opcode, without[k]) == 0)
            return false;
    return true;
}

static void find_registers(
    struct steps *s, struct step *step, const struct ptx_instruction *i, uint32_t base)
{
    step->first = s->used;
    const bool has = has_result(i) && i->operand_count > 0;
    if (has)
        step->result_count = add_operand(s, &i->operands[0], base);
    for (int k = has ? 1 : 0; k < i->operand_count; k++)
        step->source_count = (uint16_t)(step->source_count + add_operand(s, &i->operands[k], base));
    if (i->has_guard) {
        add_register(s, base + i->guard);
        step->source_count++;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static uint8_t kind_of(const struct insn *i)
{
    if (i->flow == flow_meet)
        return STEP_PLAIN;
    if (i->is_barrier)
        return STEP_BARRIER;
    if (i->handler == exec_shuffle)
        return STEP_SHUFFLE;
    if (i->access == ACCESS_ATOMIC)
        return STEP_ATOMIC;
    if (i->access == ACCESS_STORE)
        return STEP_STORE;
    if (i->access == ACCESS_LOAD)
        return STEP_LOAD;
    if (i->handler == exec_async_copy)
        return STEP_COPY;
    if (i->handler == exec_async_wait)
        return STEP_COPY_WAIT;
    return i->flow != NULL && i->flow != flow_collective ? STEP_FLOW : STEP_PLAIN;
}

static struct step step_of(struct steps *s, const struct insn *i, uint32_t base)
{
    struct step step = {.kind = kind_of(i)};
    const struct ptx_instruction *source = i->source;
    if (source == NULL)
        return step;
    const struct cost_row *row = row_of(source);
    step.pipe = row->pipe;
    step.issue = row->issue;
    step.cycles = row->cycles;
    step.latency = row->latency;
    step.bypasses_l1 =
        (i->order & ORDER_STRONG) != 0 || has_modifier(source, "cg") || has_modifier(source, "cv");
    step.may_pass_stores = has_modifier(source, "nc");
    step.is_shared = i->space == SPACE_SHARED;
    find_registers(s, &step, source, base);
    return step;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_result(const struct ptx_instruction *i, const struct ptx_operand *reg)
{
    return has_result(i) && i->operand_count > 0 && i->operands[0].kind == OPERAND_REGISTER &&
           i->operands[0].index == reg->index;
}

/* ptxas turns a short jump forward into predicates: it does not part the instructions. */
static bool is_predicated(const struct program *program, uint32_t branch)
{
    enum { SKIPPED_MAX = 8 };
    const struct insn *code = program->code, *at = &code[branch];
    uint32_t skipped = 0;
    if (at->flow != flow_branch || at->target <= branch || !at->source->has_guard)
        return false;
    for (uint32_t pc = branch + 1; pc < at->target && skipped <= SKIPPED_MAX; pc++) {
        const uint8_t kind = kind_of(&code[pc]);
        if (kind == STEP_FLOW || kind == STEP_BARRIER)
            return false;
        skipped += code[pc].source != NULL && row_of(code[pc].source)->issue > 0;
    }
    return skipped <= SKIPPED_MAX;
}

/* Is the register only stepped on by a constant in code[first … last]? */
static bool is_counter(
    const struct insn *code, uint32_t first, uint32_t last, const struct ptx_operand *reg)
{
    bool steps = false;
    for (uint32_t pc = first; pc <= last; pc++) {
        const struct ptx_instruction *i = code[pc].source;
        if (i == NULL || !is_result(i, reg))
            continue;
        if (strcmp(i->opcode, "add") != 0 || i->operands[2].kind != OPERAND_INTEGER)
            return false;
        steps = true;
    }
    return steps;
}

/* Loops of one stretch with few loads, whose counter goes up by a constant, are unrolled by ptxas:
 * loads of several rounds are then in flight at the same time. */
static bool is_unrolled_loop(const struct program *program, uint32_t branch)
{
    enum { BODY_MAX = 24, LOADS_MAX = 2 };
    const struct insn *code = program->code, *at = &code[branch];
    if (at->flow != flow_branch || at->target > branch || branch - at->target > BODY_MAX ||
        !at->source->has_guard)
        return false;
    uint32_t loads = 0;
    const struct ptx_instruction *test = NULL;
    for (uint32_t pc = at->target; pc < branch; pc++) {
        const uint8_t kind = kind_of(&code[pc]);
        const bool fills_tile = kind == STEP_STORE && code[pc].space == SPACE_SHARED;
        if (kind >= STEP_STORE && !fills_tile && !(kind == STEP_FLOW && is_predicated(program, pc)))
            return false;
        loads += kind == STEP_LOAD && code[pc].space != SPACE_PARAM;
        if (code[pc].source != NULL && strcmp(code[pc].source->opcode, "setp") == 0)
            test = code[pc].source;
    }
    if (test == NULL || loads == 0 || loads > LOADS_MAX)
        return false;
    for (int k = 1; k < test->operand_count; k++)
        if (test->operands[k].kind == OPERAND_REGISTER &&
            is_counter(code, at->target, branch, &test->operands[k]))
            return true;
    return false;
}

/* ---- all of a kernel ------------------------------------------------------------------------- */

struct steps *steps_make(const struct kernel_code *kernel)
{
    struct steps *s = must_realloc(NULL, sizeof *s);
    *s = (struct steps){.step = calloc(kernel->index_count + 1, sizeof *s->step)};
    if (s->step == NULL)
        abort();
    for (uint32_t p = 0; p < kernel->program_count; p++) {
        const struct program *program = kernel->programs[p];
        for (uint32_t pc = 0; pc < program->code_count; pc++) {
            const struct insn *i = &program->code[pc];
            s->step[i->index] = step_of(s, i, s->register_count);
            s->step[i->index].is_unrolled_loop = is_unrolled_loop(program, pc);
            if (is_predicated(program, pc))
                s->step[i->index].kind = STEP_PLAIN;
        }
        s->register_count += program->source->register_count;
    }
    return s;
}

void steps_free(struct steps *s)
{
    if (s == NULL)
        return;
    free(s->step);
    free(s->registers);
    free(s);
}
