/* The list of findings, and their words.  See findings.h and engine.h. */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pretty.h"

/* ---- the list -------------------------------------------------------------------------------- */

static struct engine_finding *list;
static size_t list_count, list_capacity;

size_t engine_finding_count(void)
{
    return list_count;
}

const struct engine_finding *engine_finding(size_t index)
{
    return index < list_count ? &list[index] : NULL;
}

void engine_clear_findings(void)
{
    list_count = 0;
}

static bool is_race(const struct engine_finding *f)
{
    return f->kind == FINDING_SHARED_RACE || f->kind == FINDING_GLOBAL_RACE;
}

/* A race is the same from either side, and so are two barriers. */
static bool is_same_place(const struct engine_finding *a, const struct engine_finding *b)
{
    bool same = a->line == b->line && a->other_line == b->other_line &&
                strcmp(a->file, b->file) == 0 && strcmp(a->other_file, b->other_file) == 0;
    bool swapped = a->other_line != 0 && a->line == b->other_line && a->other_line == b->line &&
                   strcmp(a->file, b->other_file) == 0 && strcmp(a->other_file, b->file) == 0;
    return a->kind == b->kind && (same || swapped) && strcmp(a->kernel, b->kernel) == 0 &&
           (a->kind != FINDING_HOST || strcmp(a->message, b->message) == 0);
}

size_t engine_add_finding(const struct engine_finding *finding)
{
    for (size_t i = 0; i < list_count; i++)
        if (is_same_place(&list[i], finding)) {
            list[i].count += finding->count == 0 ? 1 : finding->count;
            return i;
        }
    GROW(list, list_count, list_capacity);
    list[list_count] = *finding;
    if (list[list_count].count == 0)
        list[list_count].count = 1;
    size_t index = list_count++;
    if (engine_hooks.found != NULL)
        engine_hooks.found(index);
    return index;
}

static const char *const words[] = {
    [FINDING_OUT_OF_BOUNDS] = "out-of-bounds",
    [FINDING_MISALIGNED] = "misaligned",
    [FINDING_USE_AFTER_FREE] = "use-after-free",
    [FINDING_HOST_POINTER] = "host-pointer",
    [FINDING_NULL_POINTER] = "null-pointer",
    [FINDING_READ_ONLY] = "read-only",
    [FINDING_UNINITIALISED] = "uninitialised",
    [FINDING_SHARED_RACE] = "shared-race",
    [FINDING_GLOBAL_RACE] = "global-race",
    [FINDING_BARRIER] = "barrier",
    [FINDING_WARP_SYNC] = "warp-sync",
    [FINDING_DEADLOCK] = "deadlock",
    [FINDING_HANG] = "hang",
    [FINDING_ASSERT] = "assert",
    [FINDING_TRAP] = "trap",
    [FINDING_HEAP] = "heap",
    [FINDING_ATOMIC_SCOPE] = "atomic-scope",
    [FINDING_UNSUPPORTED] = "needs-gpu",
    [FINDING_HOST] = "host",
};

const char *engine_finding_word(enum finding_kind kind)
{
    return words[kind];
}

/* ---- what the current launch has reported already -------------------------------------------- */

/* Key → index in the list, so that the ten-thousandth repetition costs a look-up and no text. */
struct launch_findings {
    uint64_t *keys; /* 0 is empty */
    size_t *indices;
    size_t count, capacity;
    /* Reads of what nobody wrote wait for the end of the launch: a race at the same place says
     * more. */
    struct engine_finding *held;
    size_t held_count, held_capacity;
    size_t first; /* of the launch's findings in the list */
};

void findings_launch_begin(struct launch *launch)
{
    launch->findings = must_realloc(NULL, sizeof *launch->findings);
    memset(launch->findings, 0, sizeof *launch->findings);
    launch->findings->first = list_count;
}

static bool is_explained(const struct launch_findings *f, const struct engine_finding *held)
{
    for (size_t i = f->first; i < list_count; i++)
        if (is_race(&list[i]) && strcmp(list[i].kernel, held->kernel) == 0 &&
            ((list[i].line == held->line && strcmp(list[i].file, held->file) == 0) ||
                (list[i].other_line == held->line && strcmp(list[i].other_file, held->file) == 0)))
            return true;
    return false;
}

void findings_launch_end(struct launch *launch)
{
    const struct launch_findings *f = launch->findings;
    for (size_t i = 0; i < f->held_count; i++)
        if (!is_explained(f, &f->held[i]))
            engine_add_finding(&f->held[i]);
    free(launch->findings->held);
    free(launch->findings->keys);
    free(launch->findings->indices);
    free(launch->findings);
    launch->findings = NULL;
}

static size_t slot_of(const struct launch_findings *f, uint64_t key)
{
    size_t at = (key * 0x9E3779B97F4A7C15u >> 20) & (f->capacity - 1);
    while (f->keys[at] != 0 && f->keys[at] != key)
        at = (at + 1) & (f->capacity - 1);
    return at;
}

static void remember(struct launch_findings *f, uint64_t key, size_t index)
{
    if (f->count * 2 >= f->capacity) {
        struct launch_findings old = *f;
        f->capacity = old.capacity == 0 ? 64 : old.capacity * 2;
        f->keys = calloc(f->capacity, sizeof *f->keys);
        f->indices = calloc(f->capacity, sizeof *f->indices);
        if (f->keys == NULL || f->indices == NULL)
            abort();
        for (size_t i = 0; i < old.capacity; i++)
            if (old.keys[i] != 0) {
                size_t at = slot_of(f, old.keys[i]);
                f->keys[at] = old.keys[i];
                f->indices[at] = old.indices[i];
            }
        free(old.keys);
        free(old.indices);
    }
    size_t at = slot_of(f, key);
    f->count += f->keys[at] == 0;
    f->keys[at] = key;
    f->indices[at] = index;
}

/* Indices from here on are those of findings that are held back. */
static const size_t HELD = SIZE_MAX / 2;

static bool repeats(struct launch *launch, uint64_t key)
{
    struct launch_findings *f = launch->findings;
    if (f->capacity == 0)
        return false;
    size_t at = slot_of(f, key);
    if (f->keys[at] == 0)
        return false;
    size_t index = f->indices[at];
    if (index >= HELD)
        f->held[index - HELD].count++;
    else
        list[index].count++;
    return true;
}

static uint64_t key_of(const struct insn *insn, enum finding_kind kind, uint32_t other)
{
    return 1 + ((uint64_t)insn->index << 40 | (uint64_t)other << 8 | (uint64_t)kind);
}

bool finding_repeats(struct warp *w, const struct insn *insn, enum finding_kind kind)
{
    return repeats(w->launch, key_of(insn, kind, 0));
}

/* ---- places ---------------------------------------------------------------------------------- */

static const char *file_name(const struct launch *launch, uint32_t file)
{
    const struct ptx_module *ptx = launch->kernel->ptx;
    return file < ptx->file_count && ptx->files[file] != NULL ? ptx->files[file] : "";
}

static const char *triple(uint64_t linear, const uint32_t size[3])
{
    static char texts[8][48];
    static int turn;
    char *text = texts[turn++ % 8];
    snprintf(text, sizeof texts[0], "(%u, %u, %u)", (unsigned)(linear % size[0]),
        (unsigned)(linear / size[0] % size[1]), (unsigned)(linear / size[0] / size[1]));
    return text;
}

const char *finding_thread_text(const struct launch *launch, uint32_t thread)
{
    return triple(thread, launch->spec->block);
}

const char *finding_block_text(const struct launch *launch, uint64_t block)
{
    return triple(block, launch->spec->grid);
}

static bool is_in_program(const struct program *p, const struct insn *insn)
{
    return insn >= p->code && insn < p->code + p->code_count;
}

/* An instruction of a header's function, when that is called and not inlined, stands for the call
 * in the student's file. */
static const struct insn *students_place(const struct warp *w, const struct insn *insn)
{
    const struct launch *launch = w->launch;
    const struct activation *a = NULL;
    if (insn->line != 0 && !ptx_is_toolkit_file(file_name(launch, insn->file)))
        return insn;
    for (const struct group *g = w->groups; g != NULL; g = g->next)
        if (is_in_program(g->activation->program, insn))
            a = g->activation;
    for (; a != NULL && a->call != NULL; a = a->caller)
        if (a->call->line != 0 && !ptx_is_toolkit_file(file_name(launch, a->call->file)))
            return a->call;
    return insn;
}

static void fill_place(struct engine_finding *f, struct warp *w, const struct insn *insn,
    uint32_t lane, enum finding_kind kind, uint64_t address)
{
    const struct launch *launch = w->launch;
    uint32_t thread = thread_of(w, lane), x = launch->spec->block[0], y = launch->spec->block[1];
    memset(f, 0, sizeof *f);
    f->kind = kind;
    f->severity = SEVERITY_ERROR;
    snprintf(f->kernel, sizeof f->kernel, "%s", launch->kernel_info->pretty_name);
    const struct insn *place = students_place(w, insn);
    snprintf(f->file, sizeof f->file, "%s", file_name(launch, place->file));
    f->line = place->line;
    memcpy(f->block, w->block->id, sizeof f->block);
    f->thread[0] = thread % x;
    f->thread[1] = thread / x % y;
    f->thread[2] = thread / x / y;
    f->address = address;
    f->count = 1;
}

static void add_finding(struct warp *w, uint64_t key, const struct engine_finding *f)
{
    struct launch_findings *launch_findings = w->launch->findings;
    if (f->kind != FINDING_UNINITIALISED) {
        remember(launch_findings, key, engine_add_finding(f));
        return;
    }
    GROW(launch_findings->held, launch_findings->held_count, launch_findings->held_capacity);
    launch_findings->held[launch_findings->held_count] = *f;
    remember(launch_findings, key, HELD + launch_findings->held_count++);
}

void finding_at(struct warp *w, const struct insn *insn, uint32_t lane, enum finding_kind kind,
    uint64_t address, const char *format, ...)
{
    uint64_t key = key_of(insn, kind, 0);
    if (repeats(w->launch, key))
        return;
    struct engine_finding f;
    fill_place(&f, w, insn, lane, kind, address);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f.message, sizeof f.message, format, arguments);
    va_end(arguments);
    add_finding(w, key, &f);
}

void finding_between(struct warp *w, const struct insn *insn, const struct insn *other,
    uint32_t lane, enum finding_kind kind, const char *format, ...)
{
    uint64_t key = key_of(insn, kind, other->index + 1);
    if (repeats(w->launch, key))
        return;
    struct engine_finding f;
    fill_place(&f, w, insn, lane, kind, 0);
    snprintf(f.other_file, sizeof f.other_file, "%s", file_name(w->launch, other->file));
    f.other_line = other->line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f.message, sizeof f.message, format, arguments);
    va_end(arguments);
    add_finding(w, key, &f);
}

void launch_stop(struct launch *launch, cudaError_t error, const char *format, ...)
{
    if (launch->stop)
        return;
    launch->stop = true;
    launch->result->error = error;
    launch->result->sticky = error != cudaErrorNotSupported;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(launch->result->message, sizeof launch->result->message, format, arguments);
    va_end(arguments);
}

/* ---- memory ---------------------------------------------------------------------------------- */

const char *shared_name(const struct launch *launch, uint64_t offset, char *text, size_t size)
{
    const struct kernel_code *kernel = launch->kernel;
    for (uint32_t i = 0; i < kernel->shared_count; i++) {
        const struct shared_slot *slot = &kernel->shared[i];
        if (offset - slot->offset < slot->variable->size) {
            pretty_variable(slot->variable->name, text, size);
            return text;
        }
    }
    snprintf(text, size, "%s", offset >= kernel->dynamic_shared_offset ? "dynamic" : "padding");
    return text;
}

/* "4 bytes after the end of allocation #3 (4096 bytes)" */
static void describe_address(uint64_t address, uint32_t bytes, char *text, size_t size)
{
    int64_t distance;
    const struct allocation *near = memory_nearest(address, &distance);
    if (near == NULL) {
        snprintf(text, size, "far from every allocation");
        return;
    }
    const char *what = near->live ? "" : ", which was freed";
    if (distance == 1)
        snprintf(
            text, size, "right after the end of %s (%zu bytes%s)", near->name, near->size, what);
    else if (distance > 0)
        snprintf(text, size, "%lld bytes after the end of %s (%zu bytes%s)",
            (long long)distance - 1, near->name, near->size, what);
    else if (distance < 0)
        snprintf(text, size, "%lld bytes before the start of %s (%zu bytes%s)",
            (long long)-distance, near->name, near->size, what);
    else
        snprintf(text, size, "at byte %llu of %s (%zu bytes%s%s)",
            (unsigned long long)(address - near->address), near->name, near->size, what,
            near->live && address + bytes > near->address + near->size ? "; it reaches past the end"
                                                                       : "");
}

/* Memory comes in pages of 2 MiB: hardware only notices an access outside all of them. */
static bool hardware_notices(uint64_t address)
{
    int64_t distance;
    const uint64_t page = 2u << 20;
    const struct allocation *near = memory_nearest(address, &distance);
    if (near == NULL || !memory_in_arena(address))
        return true;
    uint64_t last = near->address + near->size - 1;
    return address / page != near->address / page && address / page != last / page;
}

void finding_bad_access(struct warp *w, const struct insn *insn, uint32_t lane, uint64_t address,
    uint32_t bytes, bool is_store)
{
    int64_t distance;
    const struct allocation *near = memory_nearest(address, &distance);
    const char *verb = is_store ? "write" : "read";
    enum finding_kind kind = FINDING_OUT_OF_BOUNDS;
    char where[200], what[300];
    if (hardware_notices(address))
        launch_stop(w->launch, cudaErrorIllegalAddress,
            "an illegal memory access was encountered: %s at address 0x%llx", verb,
            (unsigned long long)address);
    describe_address(address, bytes, where, sizeof where);
    if (address < 65536) {
        kind = FINDING_NULL_POINTER;
        snprintf(what, sizeof what, "Null pointer: a %s of %u bytes at address 0x%llx.", verb,
            bytes, (unsigned long long)address);
    } else if (near != NULL && distance == 0 && !near->live) {
        kind = FINDING_USE_AFTER_FREE;
        snprintf(what, sizeof what, "Use after free: a %s of %u bytes %s.", verb, bytes, where);
    } else if (near != NULL && distance == 0 && near->kind == MEMORY_CONSTANT && is_store) {
        kind = FINDING_READ_ONLY;
        snprintf(what, sizeof what, "Writes to %s, which kernels can only read.", near->name);
    } else if (near != NULL && distance == 0 && address + bytes <= near->address + near->size) {
        snprintf(what, sizeof what,
            "%s belongs to device %d, and this device may not access it: peer access is not "
            "enabled.",
            near->name, near->device);
    } else if (near == NULL && !memory_in_arena(address)) {
        kind = FINDING_HOST_POINTER;
        snprintf(what, sizeof what,
            "A %s of %u bytes at 0x%llx, which is not device memory: a pointer to host memory, or "
            "one that was never set?",
            verb, bytes, (unsigned long long)address);
    } else {
        snprintf(what, sizeof what, "Out of bounds: a %s of %u bytes, %s.", verb, bytes, where);
    }
    finding_at(w, insn, lane, kind, address, "%s", what);
}

/* ---- races ----------------------------------------------------------------------------------- */

static void describe_target(const struct race_meeting *m, char *text, size_t size)
{
    char name[96];
    if (m->is_shared) {
        snprintf(text, size, "byte %llu of shared memory (%s)", (unsigned long long)m->address,
            shared_name(m->warp->launch, m->address, name, sizeof name));
        return;
    }
    const struct allocation *a = memory_find(m->address);
    snprintf(text, size, "byte %llu of %s",
        (unsigned long long)(a == NULL ? m->address : m->address - a->address),
        a == NULL ? "memory" : a->name);
}

static const char *race_advice(const struct race_meeting *m, bool same_block, bool same_warp)
{
    if (race_is_too_narrow(m))
        return "One of them is atomic for the threads of its own block only (its name ends in "
               "_block, its scope is the block): where blocks meet, both need the scope of the "
               "device.";
    if ((m->stamp | m->other) & RACE_STRONG)
        return m->is_shared ? "One of them is atomic or volatile, the other is neither: both must "
                              "be, or a barrier must separate them."
                            : "One of them is atomic or volatile, the other is neither: both must "
                              "be, or a new launch must separate them.";
    if (!m->is_shared && same_block)
        return "An atomic operation or a new launch has to order them.";
    if (same_warp)
        return "Put __syncthreads() between them: not even the lanes of a warp run in lockstep. "
               "(__syncwarp() does where all that is shared stays within one warp.)";
    if (same_block)
        return "Put __syncthreads() between them.";
    return "Threads of different blocks need an atomic operation, a __threadfence() with a flag, "
           "or a new launch between them.";
}

void finding_race(const struct race_meeting *m, bool same_block, bool same_thread)
{
    struct warp *w = m->warp;
    struct launch *launch = w->launch;
    enum finding_kind kind = m->is_shared ? FINDING_SHARED_RACE : FINDING_GLOBAL_RACE;
    uint32_t other_index = (uint32_t)(m->other >> RACE_INSN_SHIFT & 65535);
    uint64_t key = key_of(m->insn, kind, other_index + 1);
    if (repeats(launch, key))
        return;
    const struct insn *other =
        other_index < launch->kernel->index_count ? launch->kernel->by_index[other_index] : NULL;
    struct engine_finding f;
    char target[160];
    uint32_t thread = thread_of(w, m->lane);
    uint32_t other_thread = (uint32_t)(m->other >> RACE_THREAD_SHIFT & 1023);
    fill_place(&f, w, m->insn, m->lane, kind, m->address);
    if (other != NULL) {
        snprintf(f.other_file, sizeof f.other_file, "%s", file_name(launch, other->file));
        f.other_line = other->line;
    }
    describe_target(m, target, sizeof target);
    bool same_warp = same_block && thread / WARP_LANES == other_thread / WARP_LANES;
    const char *now = m->is_write ? "writes" : "reads";
    const char *before = m->other_is_write ? "writes" : "reads";
    char whom[96];
    if (same_thread)
        snprintf(whom, sizeof whom, "%s",
            same_block ? "another thread of the block" : "a thread of another block");
    else
        snprintf(whom, sizeof whom, "thread %s of %s", finding_thread_text(launch, other_thread),
            same_block ? "the same block" : "another block");
    snprintf(f.message, sizeof f.message,
        "Race: thread %s of block %s %s %s, which %s %s at line %u, and nothing orders the two. "
        "%s",
        finding_thread_text(launch, thread), finding_block_text(launch, w->block->linear), now,
        target, whom, before, f.other_line, race_advice(m, same_block, same_warp));
    remember(launch->findings, key, engine_add_finding(&f));
}

void finding_read_only(
    struct warp *w, const struct insn *insn, uint32_t lane, uint64_t address, uint64_t writer)
{
    const struct kernel_code *kernel = w->launch->kernel;
    const uint32_t index = (uint32_t)(writer >> RACE_INSN_SHIFT & 65535);
    if (index >= kernel->index_count)
        return;
    char target[160];
    const struct race_meeting where = {.warp = w, .address = address};
    describe_target(&where, target, sizeof target);
    finding_between(w, insn, kernel->by_index[index], lane, FINDING_GLOBAL_RACE,
        "Race: reads %s through the cache for read-only data (__ldg, or const with __restrict__), "
        "but the same launch writes it, at line %u. That cache may still hold the old value, "
        "whatever lies between: read it without __ldg and __restrict__.",
        target, kernel->by_index[index]->line);
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

size_t engine_format_finding(const struct engine_finding *f, char *text, size_t size)
{
    char place[320] = "", who[160] = "", often[48] = "";
    if (f->file[0] != '\0')
        snprintf(place, sizeof place, "%s:%u: ", base_name(f->file), f->line);
    if (f->kernel[0] != '\0')
        snprintf(who, sizeof who, "    in %s, first by thread (%u, %u, %u) of block (%u, %u, %u)\n",
            f->kernel, f->thread[0], f->thread[1], f->thread[2], f->block[0], f->block[1],
            f->block[2]);
    if (f->count > 1)
        snprintf(often, sizeof often, "    %llu times\n", (unsigned long long)f->count);
    int length = snprintf(text, size, "%s%s [%s]\n    %s\n%s%s", place,
        f->severity == SEVERITY_ERROR ? "error" : "warning", engine_finding_word(f->kind),
        f->message, who, often);
    return length < 0 ? 0 : (size_t)length;
}
