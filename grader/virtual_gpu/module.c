/* Loading: PTX from a fat binary, variables placed and initialised, kernels described. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>

#include "fatbin.h"
#include "pretty.h"

/* ---- variables ------------------------------------------------------------------------------- */

static enum engine_variable_kind kind_of(const struct ptx_variable *v)
{
    return v->is_managed                ? VARIABLE_MANAGED
           : v->space == SPACE_SHARED   ? VARIABLE_SHARED
           : v->space == SPACE_CONSTANT ? VARIABLE_CONSTANT
                                        : VARIABLE_GLOBAL;
}

/* String literals and the like: kernels only read them, and no student knows their name. */
static bool is_literal(const struct ptx_variable *v)
{
    return v->name[0] == '$';
}

/* All devices share a managed variable; of any other each has its own. */
static bool is_borrowed(const struct engine_module *m, const struct ptx_variable *v)
{
    return m->original != NULL && v->is_managed;
}

static bool place_variable(struct engine_module *m, const struct ptx_variable *v, size_t index)
{
    struct engine_variable *known = &m->variables[index];
    *known = (struct engine_variable){.name = v->name, .kind = kind_of(v), .size = v->size};
    if (v->space == SPACE_SHARED || v->size == 0)
        return true;
    if (is_borrowed(m, v)) {
        known->address = m->addresses[index] = m->original->addresses[index];
        return true;
    }
    enum memory_kind kind = v->is_managed                                 ? MEMORY_MANAGED
                            : v->space == SPACE_CONSTANT || is_literal(v) ? MEMORY_CONSTANT
                                                                          : MEMORY_VARIABLE;
    char name[80];
    pretty_variable(v->name, name, sizeof name);
    struct allocation *a = memory_allocate(v->size, v->align, kind, m->device, name);
    if (a == NULL)
        return false;
    known->address = m->addresses[index] = a->address;
    void *bytes = memory_bytes(a->address);
    if (v->data != NULL)
        memcpy(bytes, v->data, v->size);
    else
        memset(bytes, 0, v->size); /* C++ says that they start as zeros */
    memory_wrote(a->address, v->size, WRITTEN_BY_HOST);
    return true;
}

/* Initial values that are addresses of other variables. */
static void apply_fixups(struct engine_module *m, const struct ptx_variable *v, size_t index)
{
    if (m->addresses[index] == 0 || is_borrowed(m, v))
        return;
    for (const struct ptx_fixup *f = v->fixups; f != NULL; f = f->next) {
        const struct ptx_variable *target = ptx_find_variable(m->program->ptx, f->symbol);
        const struct ptx_function *function = ptx_find_function(m->program->ptx, f->symbol);
        if ((target == NULL && function == NULL) || f->offset + 8 > v->size)
            continue;
        uint64_t address = function != NULL ? function_pointer(function)
                                            : m->addresses[target->index] + (uint64_t)f->addend;
        memcpy((uint8_t *)memory_bytes(m->addresses[index]) + f->offset, &address, sizeof address);
    }
}

static bool place_variables(struct engine_module *m)
{
    const struct ptx_module *ptx = m->program->ptx;
    m->variable_count = ptx->variable_count;
    m->variables = calloc(m->variable_count + 1, sizeof *m->variables);
    m->addresses = calloc(m->variable_count + 1, sizeof *m->addresses);
    for (size_t i = 0; i < m->variable_count; i++)
        if (!place_variable(m, ptx->variables[i], i))
            return false;
    for (size_t i = 0; i < m->variable_count; i++)
        apply_fixups(m, ptx->variables[i], i);
    return true;
}

const struct engine_variable *engine_find_variable(
    const struct engine_module *module, const char *name)
{
    for (size_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i].name, name) == 0)
            return &module->variables[i];
    return NULL;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void describe_params(struct engine_kernel *k)
{
    const struct ptx_function *f = k->function;
    uint32_t offset = 0;
    k->params = calloc(f->param_count + 1, sizeof *k->params);
    for (uint32_t i = 0; i < f->param_count; i++) {
        uint32_t align = f->params[i]->align;
        offset = (offset + align - 1) / align * align;
        k->params[i] = (struct engine_param){offset, (uint32_t)f->params[i]->size};
        offset += (uint32_t)f->params[i]->size;
    }
    k->info.param_count = f->param_count;
    k->info.params = k->params;
    k->info.param_bytes = offset;
}

static uint32_t local_bytes(const struct ptx_function *f)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < f->variable_count; i++)
        if (f->variables[i]->space == SPACE_LOCAL)
            bytes += (uint32_t)f->variables[i]->size;
    return bytes;
}

static bool reads_special(const struct ptx_function *f, const char *name)
{
    for (uint32_t pc = 0; pc < f->code_count; pc++)
        for (int k = 0; k < f->code[pc].operand_count; k++) {
            const struct ptx_operand *o = &f->code[pc].operands[k];
            if (o->kind == OPERAND_SPECIAL && strcmp(o->name, name) == 0)
                return true;
        }
    return false;
}

static void describe_kernel(
    struct engine_module *m, struct ptx_function *f, struct engine_kernel *k, const void *fatbin)
{
    const struct ptx_module *ptx = m->program->ptx;
    k->module = m;
    k->function = f;
    pretty_function(f->name, k->pretty_name, sizeof k->pretty_name);
    const char *file = f->file < ptx->file_count ? ptx->files[f->file] : NULL;
    uint32_t constant_bytes = 0;
    for (uint32_t i = 0; i < ptx->variable_count; i++)
        if (ptx->variables[i]->space == SPACE_CONSTANT)
            constant_bytes += (uint32_t)ptx->variables[i]->size;
    k->info = (struct engine_kernel_info){.name = f->name,
        .pretty_name = k->pretty_name,
        .file = file != NULL ? file : "",
        .static_shared_bytes = decode_static_shared(f),
        .local_bytes = local_bytes(f),
        .constant_bytes = constant_bytes,
        .registers = fatbin != NULL ? fatbin_registers(fatbin, f->name) : 0,
        .max_threads = f->max_threads != 0 && f->max_threads < 1024 ? f->max_threads : 1024,
        .min_blocks_per_sm = f->min_blocks,
        .ptx_target = ptx->target,
        .uses_grid_sync = reads_special(f, "%envreg2")};
    describe_params(k);
}

static void describe_kernels(struct engine_module *m, const void *fatbin)
{
    const struct ptx_module *ptx = m->program->ptx;
    m->kernels = calloc(ptx->function_count + 1, sizeof *m->kernels);
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (ptx->functions[i]->is_entry && ptx->functions[i]->is_defined)
            describe_kernel(m, ptx->functions[i], &m->kernels[m->kernel_count++], fatbin);
}

struct engine_kernel *engine_find_kernel(const struct engine_module *module, const char *name)
{
    for (size_t i = 0; i < module->kernel_count; i++)
        if (strcmp(module->kernels[i].info.name, name) == 0)
            return &module->kernels[i];
    return NULL;
}

const struct engine_kernel_info *engine_kernel_info(const struct engine_kernel *kernel)
{
    return &kernel->info;
}

void engine_pack_params(const struct engine_kernel *kernel, void *const *args, void *block)
{
    for (size_t i = 0; i < kernel->info.param_count; i++)
        memcpy((uint8_t *)block + kernel->params[i].offset, args[i], kernel->params[i].size);
}

/* ---- modules --------------------------------------------------------------------------------- */

static struct engine_module *make_module(struct shared_program *program, int device,
    const void *fatbin, const struct engine_module *original)
{
    struct engine_module *m = calloc(1, sizeof *m);
    program->users++;
    m->program = program;
    m->device = device;
    m->original = original;
    if (!place_variables(m)) {
        engine_unload(m);
        return NULL;
    }
    describe_kernels(m, fatbin);
    return m;
}

static struct engine_module *load(
    const char *text, const void *fatbin, int device, char *error, size_t error_size)
{
    struct ptx_module *ptx = ptx_parse(text, error, error_size);
    if (ptx == NULL)
        return NULL;
    struct shared_program *program = calloc(1, sizeof *program);
    program->ptx = ptx;
    program->users = 1;
    struct engine_module *m = make_module(program, device, fatbin, NULL);
    if (m == NULL)
        snprintf(error, error_size, "out of device memory for the module's variables");
    if (--program->users == 0) {
        ptx_free(program->ptx);
        free(program);
    }
    return m;
}

struct engine_module *engine_load_fatbin(
    const void *data, int device, char *error, size_t error_size)
{
    char *text = fatbin_ptx(data, error, error_size);
    if (text == NULL)
        return NULL;
    struct engine_module *m = load(text, data, device, error, error_size);
    free(text);
    return m;
}

struct engine_module *engine_clone_module(const struct engine_module *module, int device)
{
    struct engine_module *m = make_module(module->program, device, NULL, module);
    for (size_t i = 0; m != NULL && i < m->kernel_count; i++)
        m->kernels[i].info.registers = module->kernels[i].info.registers;
    return m;
}

void engine_unload(struct engine_module *m)
{
    if (m == NULL)
        return;
    launch_forget(m);
    for (size_t i = 0; i < m->kernel_count; i++) {
        decode_free(m->kernels[i].code);
        free(m->kernels[i].params);
    }
    for (size_t i = 0; i < m->variable_count; i++)
        if (m->addresses[i] != 0 && !is_borrowed(m, m->program->ptx->variables[i]))
            memory_free(m->addresses[i]);
    free(m->kernels);
    free(m->variables);
    free(m->addresses);
    if (--m->program->users == 0) {
        ptx_free(m->program->ptx);
        free(m->program);
    }
    free(m);
}
