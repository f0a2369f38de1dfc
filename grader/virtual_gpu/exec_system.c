/* Functions that the device runtime provides: printf, assert, malloc, free. */
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>

#include "findings.h"

/* ---- arguments and memory -------------------------------------------------------------------- */

static uint64_t argument(
    const struct warp *w, const struct call_site *site, uint32_t number, uint32_t lane)
{
    uint64_t value = 0;
    if (number >= site->argument_count)
        return 0;
    size_t bytes = site->argument_bytes[number] < 8 ? site->argument_bytes[number] : 8;
    memcpy(&value,
        w->frame + site->argument_cells[number] + (size_t)lane * site->argument_strides[number],
        bytes);
    return value;
}

static void put_result(struct warp *w, const struct call_site *site, uint32_t lane, uint64_t value)
{
    if (site->result_count == 0)
        return;
    size_t bytes = site->result_bytes[0] < 8 ? site->result_bytes[0] : 8;
    memcpy(
        w->frame + site->result_cells[0] + (size_t)lane * site->result_strides[0], &value, bytes);
}

/* Where a generic address lies, and how many bytes may be read there; NULL when nowhere. */
static const uint8_t *readable(const struct warp *w, uint32_t lane, uint64_t address, size_t *room)
{
    uint64_t offset = address & ~WINDOW_MASK;
    const struct launch *launch = w->launch;
    if ((address & WINDOW_MASK) == LOCAL_WINDOW && offset < launch->local_limit_bytes) {
        *room = launch->local_limit_bytes - offset;
        return w->local + (size_t)lane * launch->local_limit_bytes + offset;
    }
    if ((address & WINDOW_MASK) == SHARED_WINDOW && offset < w->block->shared_bytes) {
        *room = w->block->shared_bytes - offset;
        return w->block->shared + offset;
    }
    const struct allocation *a = memory_find(address);
    if (a == NULL)
        return NULL;
    *room = a->size - (address - a->address);
    return memory_bytes(address);
}

static void copy_text(
    const struct warp *w, uint32_t lane, uint64_t address, char *text, size_t size)
{
    size_t room = 0, length = 0;
    const uint8_t *from = readable(w, lane, address, &room);
    if (from == NULL) {
        snprintf(text, size, "%s", address == 0 ? "(null)" : "(bad pointer)");
        return;
    }
    while (length < room && length + 1 < size && from[length] != '\0')
        length++;
    memcpy(text, from, length);
    text[length] = '\0';
}

/* ---- printf ---------------------------------------------------------------------------------- */

struct print_buffer {
    char text[4096];
    size_t length;
};

static void put_text(struct print_buffer *out, const char *text, size_t length)
{
    if (length > sizeof out->text - 1 - out->length)
        length = sizeof out->text - 1 - out->length;
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

/* The arguments of one lane's printf, each at its natural alignment. */
struct print_arguments {
    const uint8_t *bytes;
    size_t room, at;
};

static uint64_t next_argument(struct print_arguments *a, size_t bytes)
{
    uint64_t value = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (a->bytes != NULL && a->at + bytes <= a->room)
        memcpy(&value, a->bytes + a->at, bytes);
    a->at += bytes;
    return value;
}

/* One conversion, from '%' on; returns the character behind it. */
static const char *put_conversion(const struct warp *w, uint32_t lane, const char *at,
    struct print_arguments *arguments, struct print_buffer *out)
{
    char form[64], text[1200];
    size_t length = 0;
    bool is_long = false;
    form[length++] = *at++;
    for (; *at != '\0' && strchr("-+ #0123456789.*hlLqjzt", *at) != NULL; at++) {
        if (*at == '*')
            length += (size_t)snprintf(form + length, 12, "%d", (int)next_argument(arguments, 4));
        else if (strchr("lLqjzt", *at) != NULL)
            is_long = true;
        else if (*at != 'h')
            form[length++] = *at;
        if (length > sizeof form - 16)
            break;
    }
    char kind = *at == '\0' ? '%' : *at++;
    if (kind == '%') {
        put_text(out, "%", 1);
        return at;
    }
    if (strchr("diuoxX", kind) != NULL) {
        snprintf(form + length, sizeof form - length, "ll%c", kind);
        uint64_t bits = next_argument(arguments, is_long ? 8 : 4);
        if (!is_long && (kind == 'd' || kind == 'i'))
            bits = (uint64_t)(int64_t)(int32_t)bits;
        snprintf(text, sizeof text, form, bits);
    } else if (strchr("eEfFgGaA", kind) != NULL) {
        snprintf(form + length, sizeof form - length, "%c", kind);
        snprintf(text, sizeof text, form, double_of(next_argument(arguments, 8)));
    } else if (kind == 'c') {
        snprintf(text, sizeof text, "%c", (char)next_argument(arguments, 4));
    } else if (kind == 'p') {
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)next_argument(arguments, 8));
    } else if (kind == 's') {
        char string[1024];
        copy_text(w, lane, next_argument(arguments, 8), string, sizeof string);
        snprintf(form + length, sizeof form - length, "s");
        snprintf(text, sizeof text, form, string);
    } else {
        snprintf(text, sizeof text, "%%%c", kind);
    }
    put_text(out, text, strlen(text));
    return at;
}

static void flush_print(const struct print_buffer *out)
{
    if (engine_hooks.printf_output != NULL)
        engine_hooks.printf_output(out->text, out->length);
    else
        fwrite(out->text, 1, out->length, stdout);
}

static void print_lane(struct warp *w, const struct call_site *site, uint32_t lane)
{
    char format[2048];
    struct print_buffer out = {.length = 0};
    struct print_arguments arguments = {.at = 0};
    copy_text(w, lane, argument(w, site, 0, lane), format, sizeof format);
    arguments.bytes = readable(w, lane, argument(w, site, 1, lane), &arguments.room);
    for (const char *at = format; *at != '\0';) {
        if (*at == '%') {
            at = put_conversion(w, lane, at, &arguments, &out);
            continue;
        }
        size_t plain = strcspn(at, "%");
        put_text(&out, at, plain);
        at += plain;
    }
    flush_print(&out);
    put_result(w, site, lane, out.length);
}

static void system_printf(struct warp *w, const struct insn *i, uint32_t mask)
{
    w->launch->time_unknown = "a kernel printed";
    while (mask != 0)
        print_lane(w, i->extra, next_lane(&mask));
}

/* ---- assert ---------------------------------------------------------------------------------- */

static void system_assert(struct warp *w, const struct insn *i, uint32_t mask)
{
    const struct call_site *site = i->extra;
    char expression[256], file[256], function[256];
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        copy_text(w, lane, argument(w, site, 0, lane), expression, sizeof expression);
        copy_text(w, lane, argument(w, site, 1, lane), file, sizeof file);
        copy_text(w, lane, argument(w, site, 3, lane), function, sizeof function);
        fprintf(stderr, "%s:%u: %s: block: %s, thread: %s Assertion `%s` failed.\n", file,
            (uint32_t)argument(w, site, 2, lane), function,
            finding_block_text(w->launch, w->block->linear),
            finding_thread_text(w->launch, thread_of(w, lane)), expression);
        finding_at(w, i, lane, FINDING_ASSERT, 0, "The assertion `%s` is false.", expression);
    }
    launch_stop(w->launch, cudaErrorAssert, "device-side assert triggered: %s", expression);
}

/* ---- the heap -------------------------------------------------------------------------------- */

enum { HEAP_DEFAULT_BYTES = 8 << 20 };
static size_t heap_used;

static uint64_t heap_take(struct launch *launch, uint64_t size)
{
    size_t limit = launch->spec->heap_bytes != 0 ? launch->spec->heap_bytes : HEAP_DEFAULT_BYTES;
    if (size == 0 || size > limit || heap_used > limit - size)
        return 0;
    struct allocation *a = memory_allocate(size, 0, MEMORY_HEAP, launch->spec->device, NULL);
    if (a == NULL)
        return 0;
    snprintf(a->name, sizeof a->name, "kernel malloc #%llu", (unsigned long long)a->id);
    heap_used += size;
    return a->address;
}

static void system_malloc(struct warp *w, const struct insn *i, uint32_t mask)
{
    w->launch->time_unknown = "a kernel allocated memory";
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        uint64_t size = argument(w, i->extra, 0, lane);
        put_result(w, i->extra, lane, heap_take(w->launch, size));
    }
    w->changed = true;
}

static void heap_free(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address)
{
    struct allocation *a = memory_find(address);
    if (address == 0)
        return;
    if (a == NULL || a->address != address || a->kind != MEMORY_HEAP) {
        finding_at(w, i, lane, FINDING_HEAP, address,
            "free() of 0x%llx, which malloc() in a kernel has not returned, or which was freed "
            "before.",
            (unsigned long long)address);
        return;
    }
    heap_used -= a->size;
    memory_free(address);
    /* No instruction may go on using it. */
    struct launch *launch = w->launch;
    memset(launch->windows, 0, (launch->kernel->index_count + 1) * sizeof *launch->windows);
}

static void system_free(struct warp *w, const struct insn *i, uint32_t mask)
{
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        heap_free(w, i, lane, argument(w, i->extra, 0, lane));
    }
    w->changed = true;
}

/* ---- the table ------------------------------------------------------------------------------- */

insn_handler *system_function(const char *name)
{
    static const struct {
        const char *name;
        insn_handler *handler;
    } functions[] = {{"vprintf", system_printf}, {"__assertfail", system_assert},
        {"malloc", system_malloc}, {"free", system_free}};
    for (size_t k = 0; name != NULL && k < sizeof functions / sizeof functions[0]; k++)
        if (strcmp(functions[k].name, name) == 0)
            return functions[k].handler;
    return NULL;
}
