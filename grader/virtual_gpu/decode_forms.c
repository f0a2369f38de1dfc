/* Instructions whose operands depend on their modifiers: memory, atomics, conversions, calls,
 * barriers, collectives.  One function an opcode; the table is at the end. */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- modifiers ------------------------------------------------------------------------------- */

static const char *modifier(const struct decoder *d, int index)
{
    return index < d->source->modifier_count ? d->source->modifiers[index] : "";
}

/* The last (or the one before the last) type among the modifiers. */
static bool type_modifier(const struct decoder *d, int from_last, struct ptx_type *type)
{
    for (int i = d->source->modifier_count; i-- > 0;)
        if (ptx_type_of(d->source->modifiers[i], type) && from_last-- == 0)
            return true;
    return false;
}

static enum ptx_space space_modifier(const struct decoder *d)
{
    static const struct {
        const char *word;
        enum ptx_space space;
    } words[] = {{"global", SPACE_GLOBAL}, {"shared", SPACE_SHARED}, {"shared::cta", SPACE_SHARED},
        {"local", SPACE_LOCAL}, {"const", SPACE_CONSTANT}, {"param", SPACE_PARAM},
        {"param::entry", SPACE_PARAM}, {"param::func", SPACE_PARAM}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (decode_has(d, words[i].word))
            return words[i].space;
    return SPACE_GENERIC;
}

static uint8_t order_modifiers(const struct decoder *d)
{
    static const struct {
        const char *word;
        uint8_t order;
    } words[] = {{"volatile", ORDER_STRONG | ORDER_ACQUIRE}, {"relaxed", ORDER_STRONG},
        {"mmio", ORDER_STRONG}, {"acquire", ORDER_STRONG | ORDER_ACQUIRE},
        {"release", ORDER_STRONG | ORDER_RELEASE},
        {"acq_rel", ORDER_STRONG | ORDER_ACQUIRE | ORDER_RELEASE}, {"cta", ORDER_BLOCK},
        {"nc", ORDER_READ_ONLY}, {"sys", ORDER_SYSTEM}};
    uint8_t order = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (decode_has(d, words[i].word))
            order |= words[i].order;
    return order;
}

/* Modifiers that name what an instruction does not do on this device. */
static bool has_foreign_modifier(struct decoder *d)
{
    static const char *const words[] = {
        "cluster", "shared::cluster", "multimem", "async", "b128", "cache_hint", "L2::cache_hint"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (decode_has(d, words[i])) {
            snprintf(d->problem, sizeof d->problem, ".%s is not supported", words[i]);
            return true;
        }
    return false;
}

/* ---- loads and stores ------------------------------------------------------------------------ */

/* The register or registers that an access reads or writes. */
static bool vector_cells(struct decoder *d, const struct ptx_operand *o, char kind)
{
    struct insn *i = d->insn;
    const struct ptx_operand *parts = o->kind == OPERAND_VECTOR ? o->parts : o;
    i->count = o->kind == OPERAND_VECTOR ? (uint8_t)o->part_count : 1;
    if (o->kind == OPERAND_VECTOR && (o->part_count == 0 || o->part_count > VECTOR_MAX))
        return false;
    i->wide = kind == 'l';
    for (uint32_t k = 0; k < i->count; k++) {
        if (parts[k].kind == OPERAND_REGISTER)
            i->wide = decode_is_wide(d, &parts[k]);
        i->parts[k] = decode_operand(d, &parts[k], i->wide ? 'l' : 'r');
        if (i->parts[k] == NO_CELL)
            return false;
    }
    return true;
}

static const struct ptx_variable *frame_param(struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind != OPERAND_VARIABLE || o->variable->space != SPACE_PARAM)
        return NULL;
    const struct ptx_variable *v = o->variable;
    bool is_kernel_param = d->function->is_entry;
    for (uint32_t i = 0; is_kernel_param && i < d->function->variable_count; i++)
        if (d->function->variables[i] == v)
            is_kernel_param = false;
    return is_kernel_param ? NULL : v;
}

static bool find_param(
    struct decoder *d, const struct ptx_variable *v, uint32_t *cell, uint32_t *stride)
{
    struct program *p = d->program;
    struct ptx_function *f = d->function;
    struct {
        struct ptx_variable **list;
        uint32_t count, *cells, *strides;
    } places[] = {{f->variables, f->variable_count, d->param_cells, d->param_strides},
        {f->params, f->param_count, p->param_cells, p->param_strides},
        {f->results, f->result_count, p->result_cells, p->result_strides}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++)
        for (uint32_t i = 0; i < places[k].count; i++)
            if (places[k].list[i] == v && places[k].cells != NULL) {
                *cell = places[k].cells[i];
                *stride = places[k].strides[i];
                return true;
            }
    return false;
}

/* ld.param and st.param of a device function's or a call's parameters. */
static bool decode_frame_param(
    struct decoder *d, const struct ptx_operand *address, insn_handler *handler)
{
    struct insn *i = d->insn;
    const struct ptx_variable *v = frame_param(d, address);
    i->offset = address->offset;
    if (i->offset < 0 || (uint64_t)i->offset + (uint64_t)i->bytes * i->count > v->size) {
        snprintf(d->problem, sizeof d->problem, "access outside parameter %s", v->name);
        return false;
    }
    i->handler = handler;
    i->class = CLASS_MEMORY;
    return find_param(d, v, &i->o[1], &i->stride);
}

static bool decode_access(struct decoder *d, bool is_store)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    struct ptx_type type;
    if (has_foreign_modifier(d) || s->operand_count != 2 || !type_modifier(d, 0, &type) ||
        type.bytes == 0 || type.bytes > 8)
        return false;
    const struct ptx_operand *address = &s->operands[is_store ? 0 : 1];
    const struct ptx_operand *data = &s->operands[is_store ? 1 : 0];
    i->bytes = type.bytes;
    i->is_signed = type.class == TYPE_SIGNED;
    i->order = order_modifiers(d);
    if (!vector_cells(d, data, type.bytes == 8 ? 'l' : 'r'))
        return false;
    enum ptx_space space = space_modifier(d);
    if (frame_param(d, address) != NULL)
        return decode_frame_param(
            d, address, is_store ? exec_store_frame_param : exec_load_frame_param);
    if (!decode_address(d, address, &space))
        return false;
    i->space = space;
    i->class = CLASS_MEMORY;
    i->access = is_store ? ACCESS_STORE : ACCESS_LOAD;
    i->variant = address->kind == OPERAND_VARIABLE; /* ld.param: the same for all lanes */
    i->handler = is_store ? exec_store : space == SPACE_PARAM ? exec_load_param : exec_load;
    return !(is_store && space == SPACE_PARAM);
}

static bool decode_ld(struct decoder *d)
{
    return decode_access(d, false);
}

static bool decode_st(struct decoder *d)
{
    return decode_access(d, true);
}

static bool decode_nothing(struct decoder *d)
{
    d->insn->handler = exec_nothing;
    return true;
}

/* ---- atomics --------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum atomic_operation operation;
} atomic_words[] = {{"add", ATOMIC_ADD}, {"min", ATOMIC_MIN}, {"max", ATOMIC_MAX},
    {"inc", ATOMIC_INC}, {"dec", ATOMIC_DEC}, {"and", ATOMIC_AND}, {"or", ATOMIC_OR},
    {"xor", ATOMIC_XOR}, {"exch", ATOMIC_EXCHANGE}, {"cas", ATOMIC_CAS}};

static bool decode_atomic(struct decoder *d, bool has_result)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    struct ptx_type type;
    if (has_foreign_modifier(d) || !type_modifier(d, 0, &type) || type.bytes < 2 || type.bytes > 8)
        return false;
    bool known = false;
    for (size_t k = 0; k < sizeof atomic_words / sizeof atomic_words[0]; k++)
        if (decode_has(d, atomic_words[k].word)) {
            i->variant = (uint8_t)atomic_words[k].operation;
            known = true;
        }
    int first = has_result ? 1 : 0;
    if (!known || s->operand_count < first + 2 ||
        s->operand_count != first + (i->variant == ATOMIC_CAS ? 3 : 2))
        return false;
    i->bytes = type.bytes;
    i->count = 1;
    i->stride = type.lanes;
    i->wide = type.bytes == 8;
    i->is_signed = type.class == TYPE_SIGNED;
    i->order = order_modifiers(d) | ORDER_STRONG | ORDER_ATOMIC;
    i->type = type.class;
    if (!(i->order & ORDER_ACQUIRE) && !decode_has(d, "release"))
        i->order |= ORDER_ACQUIRE; /* what is read is taken as known; see race.c */
    enum ptx_space space = space_modifier(d);
    if (!decode_address(d, &s->operands[first], &space))
        return false;
    i->space = space;
    char kind = type.bytes == 8 ? 'l' : 'r';
    if (has_result && s->operands[0].kind != OPERAND_SINK)
        i->o[0] = decode_operand(d, &s->operands[0], kind);
    i->o[2] = decode_operand(d, &s->operands[first + 1], kind);
    if (i->variant == ATOMIC_CAS)
        i->o[3] = decode_operand(d, &s->operands[first + 2], kind);
    i->class = CLASS_MEMORY;
    i->access = ACCESS_ATOMIC;
    i->handler = exec_atomic;
    return true;
}

static bool decode_atom(struct decoder *d)
{
    return decode_atomic(d, true);
}

static bool decode_red(struct decoder *d)
{
    return decode_atomic(d, false);
}

/* ---- moves and conversions ------------------------------------------------------------------- */

static bool decode_mov(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    struct ptx_type type;
    if (s->operand_count != 2 || !type_modifier(d, 0, &type))
        return false;
    const struct ptx_operand *to = &s->operands[0], *from = &s->operands[1];
    i->class = CLASS_INTEGER;
    if (to->kind == OPERAND_VECTOR || from->kind == OPERAND_VECTOR) {
        bool packs = from->kind == OPERAND_VECTOR;
        const struct ptx_operand *many = packs ? from : to, *one = packs ? to : from;
        if (type.bytes > 8 || many->part_count == 0 || type.bytes % many->part_count != 0)
            return false;
        i->bytes = (uint8_t)(type.bytes / many->part_count);
        if (!vector_cells(d, many, i->bytes == 8 ? 'l' : 'r'))
            return false;
        i->wide_source = i->wide; /* of the parts */
        i->wide = type.bytes == 8;
        i->o[0] = decode_operand(d, one, i->wide ? 'l' : 'r');
        i->handler = packs ? exec_pack : exec_unpack;
        return true;
    }
    if (from->kind == OPERAND_SPECIAL && strncmp(from->name, "%clock", 6) == 0) {
        i->handler = exec_clock;
        i->wide = decode_is_wide(d, to);
        i->variant = strcmp(from->name, "%clock_hi") == 0 ? 32 : 0;
        i->o[0] = decode_operand(d, to, i->wide ? 'l' : 'r');
        return true;
    }
    if (from->kind == OPERAND_SPECIAL && strncmp(from->name, "%globaltimer", 12) == 0) {
        i->handler = exec_globaltimer;
        i->wide = decode_is_wide(d, to);
        i->variant = strcmp(from->name, "%globaltimer_hi") == 0 ? 32 : 0;
        i->o[0] = decode_operand(d, to, i->wide ? 'l' : 'r');
        return true;
    }
    if (from->kind == OPERAND_VARIABLE && from->variable->space == SPACE_LOCAL) {
        enum ptx_space space = SPACE_LOCAL;
        i->wide = decode_is_wide(d, to);
        i->o[0] = decode_operand(d, to, i->wide ? 'l' : 'r');
        i->handler = exec_local_address;
        return decode_address(d, from, &space);
    }
    return false; /* the table knows the rest */
}

static bool decode_cvt(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct ptx_type to, from;
    if (s->operand_count == 2 && type_modifier(d, 1, &to) && type_modifier(d, 0, &from) &&
        to.bytes <= 8 && from.bytes <= 8 && to.lanes == 1 && from.lanes == 1)
        return convert_decode(d, to, from);
    return false;
}

static bool decode_cvta(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    struct ptx_type type;
    if (s->operand_count != 2 || !type_modifier(d, 0, &type))
        return false;
    enum ptx_space space = space_modifier(d);
    uint64_t window = space == SPACE_SHARED  ? SHARED_WINDOW
                      : space == SPACE_LOCAL ? LOCAL_WINDOW
                      : space == SPACE_PARAM ? PARAM_WINDOW
                                             : 0;
    const struct ptx_operand *from = &s->operands[1];
    if (from->kind == OPERAND_VARIABLE && from->variable->space == SPACE_LOCAL)
        return false;
    i->o[0] = decode_operand(d, &s->operands[0], 'l');
    i->o[1] = decode_operand(d, from, 'l');
    i->offset = decode_has(d, "to") ? -(int64_t)window : (int64_t)window;
    i->handler = exec_convert_address;
    i->class = CLASS_INTEGER;
    return true;
}

static bool decode_isspacep(struct decoder *d)
{
    struct insn *i = d->insn;
    if (d->source->operand_count != 2)
        return false;
    i->space = space_modifier(d);
    i->o[0] = decode_operand(d, &d->source->operands[0], 'p');
    i->o[1] = decode_operand(d, &d->source->operands[1], 'l');
    i->handler = exec_is_space;
    return true;
}

/* ---- flow ------------------------------------------------------------------------------------ */

static bool decode_bra(struct decoder *d)
{
    const struct ptx_operand *o = &d->source->operands[0];
    if (d->source->operand_count != 1 || o->kind != OPERAND_LABEL) {
        snprintf(d->problem, sizeof d->problem, "the label %s does not exist",
            o->name != NULL ? o->name : "");
        return false;
    }
    d->insn->flow = flow_branch;
    d->insn->target = o->target;
    d->insn->class = CLASS_CONTROL;
    return true;
}

static bool decode_ret(struct decoder *d)
{
    d->insn->flow = d->function->is_entry ? flow_exit : flow_return;
    return true;
}

static bool decode_exit(struct decoder *d)
{
    d->insn->flow = flow_exit;
    return true;
}

static bool decode_trap(struct decoder *d)
{
    d->insn->flow = flow_trap;
    return true;
}

static bool argument_places(struct decoder *d, const struct ptx_operand *list, uint32_t *count,
    uint32_t **cells, uint32_t **strides, uint32_t **bytes)
{
    *count = list->part_count;
    *cells = pool_take(&d->kernel->pool, (*count + 1) * sizeof **cells);
    *strides = pool_take(&d->kernel->pool, (*count + 1) * sizeof **strides);
    *bytes = pool_take(&d->kernel->pool, (*count + 1) * sizeof **bytes);
    for (uint32_t k = 0; k < *count; k++) {
        const struct ptx_operand *o = &list->parts[k];
        if (o->kind != OPERAND_VARIABLE ||
            !find_param(d, o->variable, &(*cells)[k], &(*strides)[k])) {
            snprintf(d->problem, sizeof d->problem, "an argument is not a .param variable");
            return false;
        }
        (*bytes)[k] = (uint32_t)o->variable->size;
    }
    return true;
}

/* call (results), function, (arguments), prototype; results and arguments may be absent. */
static bool decode_call(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct call_site *site = pool_take(&d->kernel->pool, sizeof *site);
    int at = 0;
    site->pointer = NO_CELL;
    if (at < s->operand_count && s->operands[at].kind == OPERAND_LIST &&
        !argument_places(d, &s->operands[at++], &site->result_count, &site->result_cells,
            &site->result_strides, &site->result_bytes))
        return false;
    if (at == s->operand_count)
        return false;
    const struct ptx_operand *callee = &s->operands[at++];
    site->name = callee->name;
    if (callee->kind == OPERAND_FUNCTION)
        site->callee = decode_function(d->kernel, callee->function);
    else if (callee->kind == OPERAND_REGISTER)
        site->pointer = decode_operand(d, callee, 'l');
    else
        return false;
    d->kernel->uses_pointers |= site->pointer != NO_CELL;
    if (at < s->operand_count && s->operands[at].kind == OPERAND_LIST &&
        !argument_places(d, &s->operands[at++], &site->argument_count, &site->argument_cells,
            &site->argument_strides, &site->argument_bytes))
        return false;
    d->kernel->uses_calls = true;
    d->insn->extra = site;
    d->insn->flow = flow_call;
    if (site->callee == NULL && site->pointer == NO_CELL) {
        d->insn->flow = NULL;
        d->insn->handler = system_function(site->name);
        if (d->insn->handler == NULL) {
            snprintf(d->problem, sizeof d->problem, "the function %s is not there", site->name);
            return false;
        }
    }
    return true;
}

/* ---- barriers and collectives ---------------------------------------------------------------- */

/* bar and barrier: .sync, .arrive, .red, .warp.sync */
static bool decode_barrier(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    i->class = CLASS_COLLECTIVE;
    if (decode_has(d, "warp")) {
        if (s->operand_count != 1)
            return false;
        i->o[1] = decode_operand(d, &s->operands[0], 'r');
        i->flow = flow_collective;
        i->handler = exec_warp_sync;
        i->o[4] = i->o[1];
        return true;
    }
    if (decode_has(d, "cluster"))
        return false;
    bool is_red = decode_has(d, "red");
    int at = is_red ? 1 : 0, last = s->operand_count;
    if (last < (is_red ? 3 : 1)) /* a result, the barrier and a predicate; or the barrier */
        return false;
    bool aligned = strcmp(s->opcode, "bar") == 0 || decode_has(d, "aligned");
    i->variant = aligned ? BARRIER_ALIGNED : 0;
    if (is_red) {
        last--;
        bool counts = decode_has(d, "popc");
        i->variant |= counts ? BARRIER_COUNT : decode_has(d, "and") ? BARRIER_AND : BARRIER_OR;
        i->o[0] = decode_operand(d, &s->operands[0], counts ? 'r' : 'p');
        i->o[3] = decode_operand(d, &s->operands[last], 'p');
        i->target = s->operands[last].is_negated ? FULL_MASK : 0;
    }
    if (last - at < 1 || last - at > 2)
        return false;
    i->o[1] = decode_operand(d, &s->operands[at], 'r');
    if (last - at == 2)
        i->o[2] = decode_operand(d, &s->operands[at + 1], 'r');
    i->is_barrier = true;
    i->flow = decode_has(d, "arrive") ? flow_barrier_arrive : flow_barrier;
    return true;
}

static bool is_predicate(const struct decoder *d, const struct ptx_operand *o)
{
    return o->kind == OPERAND_REGISTER &&
           d->function->registers[o->index].type.class == TYPE_PREDICATE;
}

/* cp.async.{ca,cg}.shared.global [target], [source], bytes {, source bytes or ignore}; groups. */
static bool decode_cp(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    if (!decode_has(d, "async") || decode_has(d, "bulk") || decode_has(d, "tensor"))
        return false;
    i->class = CLASS_MEMORY;
    if (decode_has(d, "commit_group")) {
        i->handler = exec_async_commit;
        return true;
    }
    if (decode_has(d, "wait_group") || decode_has(d, "wait_all")) {
        if (decode_has(d, "wait_group") && s->operand_count == 1)
            i->o[1] = decode_operand(d, &s->operands[0], 'r');
        i->handler = exec_async_wait;
        return true;
    }
    enum ptx_space space = SPACE_SHARED;
    if (decode_has(d, "mbarrier")) {
        i->variant = MBARRIER_COPY_ARRIVE;
        i->is_signed = decode_has(d, "noinc");
        i->bytes = 8;
        i->count = 1;
        i->access = ACCESS_ATOMIC;
        i->order = ORDER_STRONG | ORDER_RELEASE | ORDER_BLOCK;
        i->space = space_modifier(d);
        i->handler = exec_mbarrier;
        return s->operand_count == 1 && decode_address(d, &s->operands[0], &space);
    }
    if (s->operand_count < 3 || s->operands[2].kind != OPERAND_INTEGER ||
        s->operands[2].bits > 16 || !decode_address(d, &s->operands[0], &space))
        return false;
    i->bytes = (uint8_t)s->operands[2].bits;
    i->count = 1;
    struct ptx_operand source = s->operands[1];
    if (source.kind != OPERAND_REGISTER)
        return false;
    i->target = (uint32_t)(int32_t)source.offset;
    i->o[2] = decode_operand(d, &source, 'l');
    if (s->operand_count > 3 && is_predicate(d, &s->operands[3]))
        i->o[4] = decode_operand(d, &s->operands[3], 'p'); /* then nothing is read */
    else if (s->operand_count > 3)
        i->o[3] = decode_operand(d, &s->operands[3], 'r');
    i->handler = exec_async_copy;
    return true;
}

static bool decode_mbarrier(struct decoder *d)
{
    static const struct {
        const char *word;
        enum mbarrier_operation operation;
        bool has_result;
    } words[] = {{"init", MBARRIER_INIT, false}, {"inval", MBARRIER_INVALIDATE, false},
        {"arrive", MBARRIER_ARRIVE, true}, {"arrive_drop", MBARRIER_DROP, true},
        {"test_wait", MBARRIER_TEST, true}, {"try_wait", MBARRIER_TEST, true}};
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    if (has_foreign_modifier(d) || decode_has(d, "expect_tx"))
        return false;
    i->class = CLASS_COLLECTIVE;
    if (decode_has(d, "pending_count") && s->operand_count == 2) {
        i->o[0] = decode_operand(d, &s->operands[0], 'r');
        i->o[1] = decode_operand(d, &s->operands[1], 'l');
        i->handler = exec_pending_count;
        return true;
    }
    int at = -1;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (decode_has(d, words[k].word)) {
            i->variant = (uint8_t)words[k].operation;
            at = words[k].has_result ? 1 : 0;
        }
    if (at < 0 || s->operand_count <= at)
        return false;
    bool tests = i->variant == MBARRIER_TEST;
    if (tests && decode_has(d, "parity"))
        i->variant = MBARRIER_TEST_PARITY;
    if (at == 1 && s->operands[0].kind != OPERAND_SINK)
        i->o[0] = decode_operand(d, &s->operands[0], tests ? 'p' : 'l');
    i->bytes = 8;
    i->count = 1;
    i->access = ACCESS_ATOMIC;
    /* Who sets one up must be alone with it; all else works side by side. */
    if (i->variant != MBARRIER_INIT)
        i->order = ORDER_STRONG | ORDER_RELEASE | ORDER_BLOCK;
    enum ptx_space space = space_modifier(d);
    if (!decode_address(d, &s->operands[at], &space))
        return false;
    i->space = space;
    i->wide = i->variant == MBARRIER_TEST;
    if (s->operand_count > at + 1)
        i->o[2] = decode_operand(d, &s->operands[at + 1], i->wide ? 'l' : 'r');
    i->handler = exec_mbarrier;
    return true;
}

static bool decode_fence(struct decoder *d)
{
    bool is_block = decode_has(d, "cta");
    if (decode_has(d, "proxy") || decode_has(d, "mbarrier_init"))
        return decode_nothing(d);
    d->insn->handler = exec_fence;
    d->insn->order = is_block ? ORDER_BLOCK : 0;
    return true;
}

/* Operand 4 of a collective is its lane mask. */
static bool decode_shfl(struct decoder *d)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    if (s->operand_count != 5 || !decode_has(d, "sync"))
        return false;
    for (uint8_t m = 0; m < 4; m++)
        if (decode_has(d, modes[m]))
            i->variant = m;
    i->o[0] = decode_operand(d, &s->operands[0], 'r');
    for (int k = 1; k < 4; k++)
        i->o[k] = decode_operand(d, &s->operands[k], 'r');
    i->o[4] = decode_operand(d, &s->operands[4], 'r');
    i->parts[0] =
        s->operands[0].also == NULL ? NO_CELL : decode_operand(d, s->operands[0].also, 'p');
    i->flow = flow_collective;
    i->handler = exec_shuffle;
    i->class = CLASS_COLLECTIVE;
    return true;
}

static bool decode_vote(struct decoder *d)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot"};
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    if (s->operand_count != 3 || !decode_has(d, "sync"))
        return false;
    for (uint8_t m = 0; m < 4; m++)
        if (decode_has(d, modes[m]))
            i->variant = m;
    i->o[0] = decode_operand(d, &s->operands[0], i->variant == 3 ? 'r' : 'p');
    i->o[1] = decode_operand(d, &s->operands[1], 'p');
    i->target = s->operands[1].is_negated ? FULL_MASK : 0;
    i->o[4] = decode_operand(d, &s->operands[2], 'r');
    i->flow = flow_collective;
    i->handler = exec_vote;
    i->class = CLASS_COLLECTIVE;
    return true;
}

static bool decode_match(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    struct ptx_type type;
    if (s->operand_count != 3 || !type_modifier(d, 0, &type))
        return false;
    i->variant = decode_has(d, "all");
    i->wide = type.bytes == 8;
    i->o[0] = decode_operand(d, &s->operands[0], 'r');
    i->o[1] = decode_operand(d, &s->operands[1], i->wide ? 'l' : 'r');
    i->o[4] = decode_operand(d, &s->operands[2], 'r');
    i->parts[0] =
        s->operands[0].also == NULL ? NO_CELL : decode_operand(d, s->operands[0].also, 'p');
    i->flow = flow_collective;
    i->handler = exec_match;
    i->class = CLASS_COLLECTIVE;
    return true;
}

static bool decode_redux(struct decoder *d)
{
    const struct ptx_instruction *s = d->source;
    struct insn *i = d->insn;
    struct ptx_type type;
    bool known = false;
    if (s->operand_count != 3 || !type_modifier(d, 0, &type) || type.bytes != 4 ||
        type.class == TYPE_FLOAT)
        return false;
    for (size_t k = 0; k < sizeof atomic_words / sizeof atomic_words[0]; k++)
        if (strcmp(modifier(d, 1), atomic_words[k].word) == 0) {
            i->variant = (uint8_t)atomic_words[k].operation;
            known = true;
        }
    i->is_signed = type.class == TYPE_SIGNED;
    i->o[0] = decode_operand(d, &s->operands[0], 'r');
    i->o[1] = decode_operand(d, &s->operands[1], 'r');
    i->o[4] = decode_operand(d, &s->operands[2], 'r');
    i->flow = flow_collective;
    i->handler = exec_redux;
    i->class = CLASS_COLLECTIVE;
    return known;
}

static bool decode_activemask(struct decoder *d)
{
    d->insn->o[0] = decode_operand(d, &d->source->operands[0], 'r');
    d->insn->handler = exec_activemask;
    return d->source->operand_count == 1;
}

const struct decode_form_row decode_forms[] = {
    {"ld", decode_ld},
    {"ldu", decode_ld},
    {"st", decode_st},
    {"atom", decode_atom},
    {"red", decode_red},
    {"mov", decode_mov},
    {"cvt", decode_cvt},
    {"cvta", decode_cvta},
    {"isspacep", decode_isspacep},
    {"bra", decode_bra},
    {"ret", decode_ret},
    {"exit", decode_exit},
    {"trap", decode_trap},
    {"call", decode_call},
    {"bar", decode_barrier},
    {"barrier", decode_barrier},
    {"cp", decode_cp},
    {"mbarrier", decode_mbarrier},
    {"membar", decode_fence},
    {"fence", decode_fence},
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"match", decode_match},
    {"redux", decode_redux},
    {"activemask", decode_activemask},
    {"nanosleep", decode_nothing},
    {"prefetch", decode_nothing},
    {"prefetchu", decode_nothing},
    {"applypriority", decode_nothing},
    {"discard", decode_nothing},
    {"pmevent", decode_nothing},
    {"brkpt", decode_nothing},
    {NULL, NULL},
};
