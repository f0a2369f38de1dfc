/* PTX instructions → insn: cells for operands, handlers from the tables.  See decode.h. */
#include "decode.h"
#include "insn_cost.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- cells ----------------------------------------------------------------------------------- */

uint32_t decode_scratch(struct decoder *d, uint32_t bytes)
{
    uint32_t at = (d->program->frame_bytes + 63) / 64 * 64;
    d->program->frame_bytes = at + bytes;
    return at;
}

static bool is_wide_type(struct ptx_type type)
{
    return type.bytes == 8;
}

static void place_registers(struct decoder *d)
{
    struct ptx_function *f = d->function;
    d->register_cells = pool_take(&d->kernel->pool, (f->register_count + 1) * sizeof(uint32_t));
    for (uint32_t r = 0; r < f->register_count; r++) {
        struct ptx_type type = f->registers[r].type;
        if (type.class != TYPE_PREDICATE)
            d->register_cells[r] = decode_scratch(d, type.bytes > 4 ? type.bytes * 32u : 128);
    }
    uint32_t predicates = decode_scratch(d, 4 * f->register_count + 4);
    for (uint32_t r = 0; r < f->register_count; r++)
        if (f->registers[r].type.class == TYPE_PREDICATE) {
            d->register_cells[r] = predicates;
            predicates += 4;
        }
}

uint32_t decode_constant(struct decoder *d, uint64_t bits, bool wide)
{
    struct program *p = d->program;
    for (uint32_t i = 0; i < p->constant_count; i++)
        if (p->constants[i].bits == bits && p->constants[i].wide == wide)
            return p->constants[i].cell;
    uint32_t at = decode_scratch(d, wide ? 256 : 128);
    GROW(p->constants, p->constant_count, p->constant_capacity);
    p->constants[p->constant_count++] = (struct frame_constant){at, wide, bits};
    return at;
}

uint32_t decode_special(struct decoder *d, enum special which, bool wide)
{
    struct program *p = d->program;
    for (uint32_t i = 0; i < p->special_count; i++)
        if (p->specials[i].which == which && p->specials[i].wide == wide)
            return p->specials[i].cell;
    if (which == SPECIAL_RESERVED_SHARED)
        d->kernel->uses_reserved_shared = true;
    uint32_t at = decode_scratch(d, wide ? 256 : 128);
    GROW(p->specials, p->special_count, p->special_capacity);
    p->specials[p->special_count++] = (struct frame_special){at, (uint8_t)which, wide};
    return at;
}

static const struct {
    const char *name;
    enum special which;
} special_names[] = {
    {"%tid.x", SPECIAL_TID_X},
    {"%tid.y", SPECIAL_TID_Y},
    {"%tid.z", SPECIAL_TID_Z},
    {"%ntid.x", SPECIAL_NTID_X},
    {"%ntid.y", SPECIAL_NTID_Y},
    {"%ntid.z", SPECIAL_NTID_Z},
    {"%ctaid.x", SPECIAL_CTAID_X},
    {"%ctaid.y", SPECIAL_CTAID_Y},
    {"%ctaid.z", SPECIAL_CTAID_Z},
    {"%nctaid.x", SPECIAL_NCTAID_X},
    {"%nctaid.y", SPECIAL_NCTAID_Y},
    {"%nctaid.z", SPECIAL_NCTAID_Z},
    {"%laneid", SPECIAL_LANEID},
    {"%warpid", SPECIAL_WARPID},
    {"%nwarpid", SPECIAL_NWARPID},
    {"%smid", SPECIAL_SMID},
    {"%nsmid", SPECIAL_NSMID},
    {"%gridid", SPECIAL_GRIDID},
    {"%lanemask_eq", SPECIAL_LANEMASK_EQ},
    {"%lanemask_le", SPECIAL_LANEMASK_LE},
    {"%lanemask_lt", SPECIAL_LANEMASK_LT},
    {"%lanemask_ge", SPECIAL_LANEMASK_GE},
    {"%lanemask_gt", SPECIAL_LANEMASK_GT},
    {"%envreg1", SPECIAL_ENVREG1},
    {"%envreg2", SPECIAL_ENVREG2},
    {"%dynamic_smem_size", SPECIAL_DYNAMIC_SHARED},
    {"%total_smem_size", SPECIAL_TOTAL_SHARED},
    {"%aggr_smem_size", SPECIAL_TOTAL_SHARED},
    {"%reserved_smem_offset_begin", SPECIAL_RESERVED_SHARED},
    {"%reserved_smem_offset_1", SPECIAL_RESERVED_SHARED},
    {"%reserved_smem_offset_0", SPECIAL_RESERVED_SHARED},
    {"%is_explicit_cluster", SPECIAL_ZERO},
    {"%cluster_ctarank", SPECIAL_ZERO},
    {"%cluster_nctarank", SPECIAL_ONE},
};

static bool special_of(const char *name, enum special *which)
{
    for (size_t i = 0; i < sizeof special_names / sizeof special_names[0]; i++)
        if (strcmp(name, special_names[i].name) == 0) {
            *which = special_names[i].which;
            return true;
        }
    return false;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Offset of a shared variable in this kernel's static shared memory. */
static uint64_t shared_offset(struct kernel_code *kernel, const struct ptx_variable *variable)
{
    if (variable->size == 0) /* extern: dynamic shared memory */
        return kernel->dynamic_shared_offset;
    for (uint32_t i = 0; i < kernel->shared_count; i++)
        if (kernel->shared[i].variable == variable)
            return kernel->shared[i].offset;
    return 0;
}

/* Where a variable lies in its own space (not generic). */
static uint64_t variable_address(struct decoder *d, const struct ptx_variable *variable)
{
    switch (variable->space) {
    case SPACE_SHARED:
        return shared_offset(d->kernel, variable);
    case SPACE_LOCAL:
        return variable->owner == d->function ? d->variable_offsets[variable->index] : 0;
    case SPACE_PARAM: {
        uint32_t offset = 0;
        for (uint32_t i = 0; i < d->function->param_count; i++) {
            const struct ptx_variable *param = d->function->params[i];
            offset = (offset + param->align - 1) / param->align * param->align;
            if (param == variable)
                return offset;
            offset += (uint32_t)param->size;
        }
        return 0;
    }
    default:
        return d->kernel->addresses[variable->index];
    }
}

static bool is_constant_operand(struct decoder *d, const struct ptx_operand *o, uint64_t *bits)
{
    switch (o->kind) {
    case OPERAND_INTEGER:
    case OPERAND_FLOAT32:
    case OPERAND_FLOAT64:
        *bits = o->bits;
        return true;
    case OPERAND_VARIABLE:
        if (o->variable->space == SPACE_LOCAL)
            return false;
        *bits = variable_address(d, o->variable) + (uint64_t)o->offset;
        return true;
    default:
        return false;
    }
}

/* ---- operands -------------------------------------------------------------------------------- */

bool decode_is_wide(const struct decoder *d, const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_REGISTER &&
           is_wide_type(d->function->registers[operand->index].type);
}

bool decode_has(const struct decoder *d, const char *modifier)
{
    for (int i = 0; i < d->source->modifier_count; i++)
        if (strcmp(d->source->modifiers[i], modifier) == 0)
            return true;
    return false;
}

static uint64_t literal_for(const struct ptx_operand *o, char kind, uint64_t bits)
{
    if (kind == 'f' && o->kind == OPERAND_FLOAT64)
        return bits_of((float)double_of(bits));
    if (kind == 'd' && o->kind == OPERAND_FLOAT32)
        return bits_of_double(float_of((uint32_t)bits));
    return bits;
}

static uint32_t register_operand(struct decoder *d, const struct ptx_operand *o, char kind)
{
    if (o->index >= d->function->register_count) {
        snprintf(d->problem, sizeof d->problem, "an operand is missing");
        return NO_CELL;
    }
    struct ptx_type type = d->function->registers[o->index].type;
    bool fits = kind == 'p'                  ? type.class == TYPE_PREDICATE
                : kind == 'l' || kind == 'd' ? type.bytes == 8
                                             : type.class != TYPE_PREDICATE && type.bytes <= 4;
    if (!fits) {
        snprintf(d->problem, sizeof d->problem, "register %s has the wrong size", o->name);
        return NO_CELL;
    }
    return d->register_cells[o->index];
}

uint32_t decode_operand(struct decoder *d, const struct ptx_operand *o, char kind)
{
    bool wide = kind == 'l' || kind == 'd';
    uint64_t bits;
    enum special which;
    if (o->kind == OPERAND_REGISTER)
        return register_operand(d, o, kind);
    if (is_constant_operand(d, o, &bits)) {
        if (kind == 'p') {
            uint32_t at = decode_constant(d, bits != 0 ? FULL_MASK : 0, false);
            return at;
        }
        bits = literal_for(o, kind, bits);
        return decode_constant(d, wide ? bits : (uint32_t)bits, wide);
    }
    if (o->kind == OPERAND_SPECIAL && special_of(o->name, &which))
        return decode_special(d, which, wide);
    if (o->kind == OPERAND_FUNCTION) {
        decode_function(d->kernel, o->function);
        return decode_constant(d, function_pointer(o->function), wide);
    }
    if (o->kind == OPERAND_SINK)
        return decode_scratch(d, 256);
    snprintf(d->problem, sizeof d->problem, "operand %s is not supported",
        o->name != NULL ? o->name : "list");
    return NO_CELL;
}

bool decode_address(struct decoder *d, const struct ptx_operand *o, enum ptx_space *space)
{
    struct insn *i = d->insn;
    i->offset = o->offset;
    if (o->kind == OPERAND_REGISTER) {
        i->wide_source = decode_is_wide(d, o);
        i->o[1] = d->register_cells[o->index];
        return true;
    }
    if (o->kind == OPERAND_VARIABLE) {
        const struct ptx_variable *v = o->variable;
        if (*space == SPACE_GENERIC)
            *space = v->space;
        i->offset += (int64_t)variable_address(d, v);
        if (v->space == SPACE_LOCAL) {
            i->o[1] = decode_special(d, SPECIAL_LOCAL_BASE, false);
            return true;
        }
        i->wide_source = true;
        i->o[1] = decode_constant(d, 0, true);
        return true;
    }
    if (o->kind == OPERAND_INTEGER) {
        i->wide_source = true;
        i->o[1] = decode_constant(d, o->bits, true);
        return true;
    }
    snprintf(d->problem, sizeof d->problem, "this form of address is not supported");
    return false;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Instruction names with their modifiers in one order: those that are not types sorted, then types
 * as they stand.  PTX versions differ in the order they write. */
enum { NAME_BYTES = 96 };

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void canonical_name(
    const char *opcode, const char *const *modifiers, int count, char name[NAME_BYTES])
{
    const char *words[PTX_MODIFIERS_MAX], *types[PTX_MODIFIERS_MAX];
    int word_count = 0, type_count = 0;
    struct ptx_type type;
    for (int i = 0; i < count; i++)
        if (ptx_type_of(modifiers[i], &type))
            types[type_count++] = modifiers[i];
        else
            words[word_count++] = modifiers[i];
    qsort(words, (size_t)word_count, sizeof *words, by_text);
    size_t at = (size_t)snprintf(name, NAME_BYTES, "%s", opcode);
    for (int i = 0; i < word_count && at < NAME_BYTES; i++)
        at += (size_t)snprintf(name + at, NAME_BYTES - at, ".%s", words[i]);
    for (int i = 0; i < type_count && at < NAME_BYTES; i++)
        at += (size_t)snprintf(name + at, NAME_BYTES - at, ".%s", types[i]);
}

struct index_entry {
    char name[NAME_BYTES];
    const struct exec_row *row;
};
static struct index_entry *row_index; /* open addressing */
static size_t row_index_size;

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    while (*text != '\0')
        hash = (hash ^ (unsigned char)*text++) * 1099511628211u;
    return hash ^ hash >> 31;
}

static struct index_entry *index_slot(const char *name)
{
    size_t at = hash_of(name) & (row_index_size - 1);
    while (row_index[at].row != NULL && strcmp(row_index[at].name, name) != 0)
        at = (at + 1) & (row_index_size - 1);
    return &row_index[at];
}

static void index_row(const struct exec_row *row)
{
    char text[NAME_BYTES], name[NAME_BYTES];
    snprintf(text, sizeof text, "%s", row->name);
    char *modifiers[PTX_MODIFIERS_MAX];
    int count = 0;
    for (char *dot = strchr(text, '.'); dot != NULL && count < PTX_MODIFIERS_MAX;
         dot = strchr(dot + 1, '.')) {
        *dot = '\0';
        modifiers[count++] = dot + 1;
    }
    canonical_name(text, (const char *const *)modifiers, count, name);
    struct index_entry *slot = index_slot(name);
    if (slot->row == NULL) {
        memcpy(slot->name, name, sizeof name);
        slot->row = row;
    }
}

static void build_index(void)
{
    static const struct exec_row *const tables[] = {
        exec_integer_rows, exec_float_rows, exec_half_rows, exec_move_rows};
    size_t rows = 0;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const struct exec_row *row = tables[t]; row->name != NULL; row++)
            rows++;
    for (row_index_size = 64; row_index_size < 2 * rows;)
        row_index_size *= 2;
    row_index = must_realloc(NULL, row_index_size * sizeof *row_index);
    memset(row_index, 0, row_index_size * sizeof *row_index);
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const struct exec_row *row = tables[t]; row->name != NULL; row++)
            index_row(row);
}

/* setp and set may combine with a third predicate and have a second result. */
static void comparison_extras(struct decoder *d, char *modifiers_left[], int *count)
{
    static const char *const combiners[] = {"and", "or", "xor"};
    struct insn *i = d->insn;
    int kept = 0;
    for (int m = 0; m < *count; m++) {
        bool is_combiner = false;
        for (int c = 0; c < 3; c++)
            if (strcmp(modifiers_left[m], combiners[c]) == 0) {
                i->variant = (uint8_t)(c + 1);
                is_combiner = true;
            }
        if (!is_combiner)
            modifiers_left[kept++] = modifiers_left[m];
    }
    *count = kept;
}

static bool decode_comparison(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    char *modifiers[PTX_MODIFIERS_MAX];
    int count = s->modifier_count;
    memcpy(modifiers, s->modifiers, sizeof modifiers);
    bool is_set = strcmp(s->opcode, "set") == 0;
    comparison_extras(d, modifiers, &count);
    uint8_t result_form = 0;
    if (is_set) { /* set.cmp.result.source: only the source type picks the handler */
        for (int m = 0; m + 1 < count; m++) {
            struct ptx_type type;
            if (ptx_type_of(modifiers[m], &type)) {
                result_form = type.class == TYPE_BFLOAT      ? 3
                              : type.class != TYPE_FLOAT     ? 0
                              : type.bytes == 2 * type.lanes ? 2
                                                             : 1;
                memmove(
                    modifiers + m, modifiers + m + 1, (size_t)(count - m - 1) * sizeof *modifiers);
                count--;
                break;
            }
        }
    }
    char name[NAME_BYTES];
    canonical_name(s->opcode, (const char *const *)modifiers, count, name);
    const struct exec_row *row = index_slot(name)->row;
    if (row == NULL || s->operand_count != (i->variant == 0 ? 3 : 4))
        return false;
    i->handler = row->handler;
    i->class = row->class;
    if (is_set)
        i->type = result_form;
    for (int k = 0; k < 3; k++)
        i->o[k] = decode_operand(d, &s->operands[k], row->operands[k]);
    if (s->operand_count > 3) {
        i->o[3] = decode_operand(d, &s->operands[3], 'p');
        i->target = s->operands[3].is_negated ? FULL_MASK : 0;
    }
    if (s->operands[0].also != NULL)
        i->o[4] = decode_operand(d, s->operands[0].also, 'p');
    return d->problem[0] == '\0';
}

static bool decode_by_table(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    char name[NAME_BYTES];
    canonical_name(s->opcode, s->modifiers, s->modifier_count, name);
    const struct exec_row *row = index_slot(name)->row;
    if (row == NULL)
        return false;
    if (strlen(row->operands) != s->operand_count) {
        snprintf(d->problem, sizeof d->problem, "wrong number of operands");
        return false;
    }
    d->insn->handler = row->handler;
    d->insn->class = row->class;
    d->insn->variant = row->variant;
    for (int k = 0; k < s->operand_count; k++) {
        d->insn->o[k] = decode_operand(d, &s->operands[k], row->operands[k]);
        if (s->operands[k].is_negated)
            snprintf(d->problem, sizeof d->problem, "a negated operand is not supported here");
    }
    return d->problem[0] == '\0';
}

/* ---- instructions ---------------------------------------------------------------------------- */

static const char *full_name(struct decoder *d)
{
    char text[128];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", d->source->opcode);
    for (int i = 0; i < d->source->modifier_count && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, ".%s", d->source->modifiers[i]);
    return pool_text(&d->kernel->pool, text, strlen(text));
}

static bool decode_by_form(struct decoder *d)
{
    for (const struct decode_form_row *row = decode_forms; row->opcode != NULL; row++)
        if (strcmp(row->opcode, d->source->opcode) == 0 && row->decode(d))
            return d->problem[0] == '\0';
    return false;
}

static void clear_insn(struct insn *i)
{
    memset(i, 0, sizeof *i);
    i->guard = NO_CELL;
    i->target = NO_PC;
    i->meet = NO_PC;
    for (int k = 0; k < 5; k++)
        i->o[k] = NO_CELL;
}

static void decode_one(struct decoder *d, const struct ptx_instruction *source, struct insn *insn)
{
    d->source = source;
    d->insn = insn;
    d->problem[0] = '\0';
    clear_insn(insn);
    bool ok = strcmp(source->opcode, "setp") == 0 || strcmp(source->opcode, "set") == 0
                  ? decode_comparison(d)
                  : decode_by_form(d) || (d->problem[0] == '\0' && decode_by_table(d));
    if (!ok) {
        clear_insn(insn);
        insn->flow = flow_unsupported;
        insn->extra = d->problem[0] != '\0'
                          ? pool_text(&d->kernel->pool, d->problem, strlen(d->problem))
                          : NULL;
    }
    insn->text = full_name(d);
    insn->source = source;
    insn->file = (uint16_t)source->file;
    insn->line = source->line;
    insn->in_toolkit = source->in_toolkit;
    insn->ptx_line = source->ptx_line;
    insn->is_counted = true;
    if (source->has_guard) {
        insn->guard = d->register_cells[source->guard];
        insn->guard_flip = source->guard_negated ? FULL_MASK : 0;
    }
}

static void number_instructions(struct kernel_code *kernel, struct program *program)
{
    for (uint32_t pc = 0; pc < program->code_count; pc++) {
        GROW(kernel->by_index, kernel->index_count, kernel->index_capacity);
        program->code[pc].index = kernel->index_count;
        kernel->by_index[kernel->index_count++] = &program->code[pc];
    }
}

/* Emits the function's instructions, with a meeting point before each one where lanes meet. */
static void decode_code(struct decoder *d)
{
    struct ptx_function *f = d->function;
    uint32_t n = f->code_count;
    uint32_t *meets = malloc((n + 1) * sizeof *meets), *place = malloc((n + 1) * sizeof *place);
    bool *is_meeting = calloc(n + 1, sizeof *is_meeting);
    cfg_meeting_points(f, meets);
    struct uses uses;
    uses_find(f, &uses);
    for (uint32_t pc = 0; pc < n; pc++)
        if (meets[pc] != NO_PC)
            is_meeting[meets[pc]] = true;
    uint32_t count = 0;
    for (uint32_t pc = 0; pc < n; pc++) {
        place[pc] = count;
        count += is_meeting[pc] ? 2 : 1;
    }
    place[n] = count;
    struct insn *code = pool_take(&d->kernel->pool, (count + 1) * sizeof *code);
    for (uint32_t pc = 0; pc < n; pc++) {
        struct insn *at = &code[place[pc]];
        if (is_meeting[pc]) {
            clear_insn(at);
            at->flow = flow_meet;
            at->text = "(meeting point)";
            at->file = (uint16_t)f->code[pc].file;
            at->line = f->code[pc].line;
            at++;
        }
        decode_one(d, &f->code[pc], at);
        at->is_unsure = at->handler == exec_load && !uses_result_soon(f, pc);
        at->is_harmless = at->handler == exec_shuffle ? !uses_result_soon(f, pc)
                                                      : uses_only_copies(&f->code[pc], &uses);
        at->sets_bits = uses_set_bits(f, pc, &uses);
        if (at->flow == flow_branch) {
            at->target = place[at->target <= n ? at->target : n];
            at->meet = meets[pc] == NO_PC ? NO_PC : place[meets[pc]];
        }
    }
    clear_insn(&code[count]); /* falling off the end returns */
    code[count].flow = flow_return;
    code[count].text = "(end)";
    d->program->code = code;
    d->program->code_count = count + 1;
    free(meets);
    free(place);
    free(is_meeting);
    uses_free(&uses);
}

/* ---- functions ------------------------------------------------------------------------------- */

static uint32_t lane_stride(const struct ptx_variable *v)
{
    return (uint32_t)((v->size + 15) / 16 * 16);
}

/* Cells for .param bytes: lane-major, so that any element can be reached. */
static void place_params(struct decoder *d, struct ptx_variable **list, uint32_t count,
    uint32_t **cells, uint32_t **strides)
{
    *cells = pool_take(&d->kernel->pool, (count + 1) * sizeof **cells);
    *strides = pool_take(&d->kernel->pool, (count + 1) * sizeof **strides);
    for (uint32_t i = 0; i < count; i++) {
        if (list[i]->space != SPACE_PARAM)
            continue;
        (*strides)[i] = lane_stride(list[i]);
        (*cells)[i] = decode_scratch(d, (*strides)[i] * WARP_LANES + 16);
    }
}

static void place_local(struct decoder *d)
{
    struct ptx_function *f = d->function;
    uint32_t at = 0;
    d->variable_offsets = pool_take(&d->kernel->pool, (f->variable_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < f->variable_count; i++) {
        const struct ptx_variable *v = f->variables[i];
        if (v->space != SPACE_LOCAL)
            continue;
        at = (at + v->align - 1) / v->align * v->align;
        d->variable_offsets[i] = at;
        at += (uint32_t)v->size;
    }
    d->program->local_bytes = (at + 15) / 16 * 16;
}

struct program *decode_function(struct kernel_code *kernel, struct ptx_function *function)
{
    for (uint32_t i = 0; i < kernel->program_count; i++)
        if (kernel->programs[i]->source == function)
            return kernel->programs[i];
    if (!function->is_defined)
        return NULL;
    struct program *program = pool_take(&kernel->pool, sizeof *program);
    program->source = function;
    program->kernel = kernel;
    GROW(kernel->programs, kernel->program_count, kernel->program_capacity);
    kernel->programs[kernel->program_count++] = program; /* before its body: it may recurse */

    struct decoder d = {.kernel = kernel, .program = program, .function = function};
    place_registers(&d);
    place_local(&d);
    if (!function->is_entry) {
        place_params(&d, function->params, function->param_count, &program->param_cells,
            &program->param_strides);
        place_params(&d, function->results, function->result_count, &program->result_cells,
            &program->result_strides);
    }
    place_params(
        &d, function->variables, function->variable_count, &d.param_cells, &d.param_strides);
    decode_code(&d);
    program->frame_bytes = (program->frame_bytes + 63) / 64 * 64;
    number_instructions(kernel, program);
    return program;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void add_shared(struct kernel_code *kernel, const struct ptx_variable *variable)
{
    for (uint32_t i = 0; i < kernel->shared_count; i++)
        if (kernel->shared[i].variable == variable)
            return;
    uint32_t align = variable->align;
    if (variable->size == 0) {
        if (align > kernel->dynamic_shared_offset)
            kernel->dynamic_shared_offset = align; /* for now: the strictest alignment */
        return;
    }
    uint32_t at = (kernel->static_shared_bytes + align - 1) / align * align;
    GROW(kernel->shared, kernel->shared_count, kernel->shared_capacity);
    kernel->shared[kernel->shared_count++] = (struct shared_slot){variable, at};
    kernel->static_shared_bytes = at + (uint32_t)variable->size;
}

static void add_shared_of_operand(struct kernel_code *kernel, const struct ptx_operand *o);

/* Shared variables that a function and those it calls refer to. `seen` ends with NULL. */
static void collect_shared(
    struct kernel_code *kernel, struct ptx_function *f, struct ptx_function ***seen, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if ((*seen)[i] == f)
            return;
    *seen = must_realloc(*seen, (*count + 1) * sizeof **seen);
    (*seen)[(*count)++] = f;
    for (uint32_t i = 0; i < f->variable_count; i++)
        if (f->variables[i]->space == SPACE_SHARED)
            add_shared(kernel, f->variables[i]);
    for (uint32_t pc = 0; pc < f->code_count; pc++)
        for (int k = 0; k < f->code[pc].operand_count; k++) {
            const struct ptx_operand *o = &f->code[pc].operands[k];
            if (o->kind == OPERAND_FUNCTION)
                collect_shared(kernel, o->function, seen, count);
            else
                add_shared_of_operand(kernel, o);
        }
}

static void add_shared_of_operand(struct kernel_code *kernel, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_VARIABLE && o->variable->space == SPACE_SHARED)
        add_shared(kernel, o->variable);
    for (uint32_t i = 0; i < o->part_count; i++)
        add_shared_of_operand(kernel, &o->parts[i]);
}

static void place_shared(struct kernel_code *kernel, struct ptx_function *entry)
{
    struct ptx_function **seen = NULL;
    size_t count = 0;
    collect_shared(kernel, entry, &seen, &count);
    free(seen);
    uint32_t align = kernel->dynamic_shared_offset > 16 ? kernel->dynamic_shared_offset : 16;
    kernel->dynamic_shared_offset = (kernel->static_shared_bytes + align - 1) / align * align;
}

uint32_t decode_static_shared(struct ptx_function *entry)
{
    struct kernel_code kernel = {0};
    place_shared(&kernel, entry);
    free(kernel.shared);
    return kernel.static_shared_bytes;
}

/* Functions whose addresses lie in variables: tables of functions, virtual functions. */
static void decode_pointed_to(struct kernel_code *kernel)
{
    for (uint32_t v = 0; v < kernel->ptx->variable_count; v++)
        for (const struct ptx_fixup *f = kernel->ptx->variables[v]->fixups; f != NULL;
             f = f->next) {
            struct ptx_function *function = ptx_find_function(kernel->ptx, f->symbol);
            if (function != NULL)
                decode_function(kernel, function);
        }
}

struct kernel_code *decode_kernel(
    struct ptx_module *ptx, struct ptx_function *entry, const uint64_t *addresses)
{
    if (row_index == NULL)
        build_index();
    struct kernel_code *kernel = must_realloc(NULL, sizeof *kernel);
    memset(kernel, 0, sizeof *kernel);
    kernel->ptx = ptx;
    kernel->addresses = addresses;
    place_shared(kernel, entry);
    decode_function(kernel, entry);
    if (kernel->uses_pointers)
        decode_pointed_to(kernel);
    return kernel;
}

void decode_free(struct kernel_code *kernel)
{
    if (kernel == NULL)
        return;
    for (uint32_t i = 0; i < kernel->program_count; i++) {
        free(kernel->programs[i]->constants);
        free(kernel->programs[i]->specials);
    }
    free(kernel->programs);
    free(kernel->by_index);
    free(kernel->shared);
    steps_free(kernel->steps);
    pool_drop(&kernel->pool);
    free(kernel);
}
