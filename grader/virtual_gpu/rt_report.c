/* What a run leaves behind: findings, counters, and their reports.
 *
 * VGPU_REPORT says what is printed on stderr:
 *   (unset)  findings, as they occur
 *   text     findings, and at the end the counters of every kernel and source line
 *   json     one JSON object a line: findings as they occur, counters at the end
 *   none     nothing; a grader reads vgpu_findings and vgpu_counters
 */
#include "rt.h"

#include "rt_managed.h"
#include "vgpu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum report { REPORT_FINDINGS, REPORT_TEXT, REPORT_JSON, REPORT_NONE };

static enum report wanted(void)
{
    static const struct {
        const char *name;
        enum report report;
    } names[] = {{"text", REPORT_TEXT}, {"json", REPORT_JSON}, {"none", REPORT_NONE}};
    const char *value = getenv("VGPU_REPORT");
    for (size_t i = 0; value != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(value, names[i].name) == 0)
            return names[i].report;
    return REPORT_FINDINGS;
}

/* ---- findings -------------------------------------------------------------------------------- */

enum { WORD_BYTES = 32 };

static char (*words)[WORD_BYTES]; /* of the runtime's own findings, by index; "" for the engine's */
static size_t words_room;
static size_t reported;

static void remember_word(size_t index, const char *word)
{
    if (index >= words_room) {
        const size_t room = 2 * index + 16;
        char(*grown)[WORD_BYTES] = realloc(words, room * sizeof *grown);
        if (grown == NULL)
            return;
        memset(grown + words_room, 0, (room - words_room) * sizeof *grown);
        words = grown;
        words_room = room;
    }
    snprintf(words[index], WORD_BYTES, "%s", word);
}

void rt_finding(const char *word, enum finding_severity severity, const char *format, ...)
{
    struct engine_finding finding = {.kind = FINDING_HOST, .severity = severity, .count = 1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.message, sizeof finding.message, format, arguments);
    va_end(arguments);
    remember_word(engine_add_finding(&finding), word);
}

const char *rt_finding_word(size_t index)
{
    if (index < words_room && words[index][0] != '\0')
        return words[index];
    return engine_finding_word(engine_finding(index)->kind);
}

/* Text for JSON: quotes, backslashes and control characters are escaped. */
static void print_json_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(to, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(to, "\\u%04x", *at);
        else
            fputc(*at, to);
    }
    fputc('"', to);
}

static void print_json_finding(size_t index)
{
    const struct engine_finding *finding = engine_finding(index);
    fputs("{\"finding\":", stderr);
    print_json_text(stderr, rt_finding_word(index));
    fprintf(stderr, ",\"severity\":\"%s\",\"kernel\":",
        finding->severity == SEVERITY_ERROR ? "error" : "warning");
    print_json_text(stderr, finding->kernel);
    fputs(",\"file\":", stderr);
    print_json_text(stderr, finding->file);
    fprintf(stderr, ",\"line\":%u,\"other_file\":", finding->line);
    print_json_text(stderr, finding->other_file);
    fprintf(stderr, ",\"other_line\":%u,\"count\":%llu,\"message\":", finding->other_line,
        (unsigned long long)finding->count);
    print_json_text(stderr, finding->message);
    fputs("}\n", stderr);
}

static void print_finding(size_t index)
{
    char text[2048];
    const struct engine_finding *finding = engine_finding(index);
    if (finding->kind == FINDING_HOST) {
        fprintf(stderr, "virtual GPU: %s: %s\n",
            finding->severity == SEVERITY_ERROR ? "error" : "note", finding->message);
        return;
    }
    engine_format_finding(finding, text, sizeof text);
    fputs(text, stderr);
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] != '\n')
        fputc('\n', stderr);
}

void rt_report_new_findings(void)
{
    const size_t count = engine_finding_count();
    if (reported >= count)
        return;
    const enum report report = wanted();
    fflush(stdout);
    for (; reported < count; reported++) {
        if (report == REPORT_JSON)
            print_json_finding(reported);
        else if (report != REPORT_NONE)
            print_finding(reported);
    }
}

void rt_find_leaks(void)
{
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at))
        if (at->site != NULL && at->kind != MEMORY_REGISTERED)
            rt_finding(
                "leak", SEVERITY_ERROR, "%s, %zu bytes, was never freed", at->name, at->size);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* One source line of one kernel, over all its launches; line 0 is the whole kernel. */
struct row {
    char kernel[96];
    char file[256];
    uint32_t line;
    uint64_t launches;
    uint64_t modelled_ns;
    struct engine_counters counters;
};

static struct row *rows;
static size_t row_count, row_room;
static struct engine_counters total;
static uint64_t total_launches;

/* All members of struct engine_counters are 64-bit sums. */
static void add_counters(struct engine_counters *sum, const struct engine_counters *added)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)added;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

static struct row *row_of(const char *kernel, const char *file, uint32_t line)
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].line == line && strcmp(rows[i].kernel, kernel) == 0 &&
            strcmp(rows[i].file, file) == 0)
            return &rows[i];
    if (row_count == row_room) {
        const size_t room = row_room == 0 ? 64 : 2 * row_room;
        struct row *grown = realloc(rows, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        rows = grown;
        row_room = room;
    }
    struct row *row = &rows[row_count++];
    memset(row, 0, sizeof *row);
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel);
    snprintf(row->file, sizeof row->file, "%s", file);
    row->line = line;
    return row;
}

static void add_to_row(const char *kernel, const char *file, uint32_t line, uint64_t modelled_ns,
    const struct engine_counters *counters)
{
    struct row *row = row_of(kernel, file, line);
    if (row == NULL)
        return;
    row->launches++;
    row->modelled_ns += modelled_ns;
    add_counters(&row->counters, counters);
}

static void add_lines(const char *kernel)
{
    enum { LINES_MAX = 4096 };
    static struct engine_line_counters lines[LINES_MAX];
    const size_t count = engine_line_counters(lines, LINES_MAX);
    for (size_t i = 0; i < count && i < LINES_MAX; i++)
        add_to_row(kernel, lines[i].file, lines[i].line, 0, &lines[i].counters);
}

void rt_report_launch(
    const struct engine_launch *launch, const struct engine_result *result, uint64_t modelled_ns)
{
    const struct engine_kernel_info *info = engine_kernel_info(launch->kernel);
    const enum report report = wanted();
    add_counters(&total, &result->counters);
    total_launches++;
    if (report != REPORT_TEXT && report != REPORT_JSON)
        return;
    add_to_row(info->pretty_name, "", 0, modelled_ns, &result->counters);
    add_lines(info->pretty_name);
}

#define COUNTER(member)                                   \
    {                                                     \
#member, offsetof(struct engine_counters, member) \
    }

static const struct {
    const char *name;
    size_t offset;
} counter_names[] = {
    COUNTER(warp_instructions),
    COUNTER(thread_instructions),
    COUNTER(global_load_requests),
    COUNTER(global_load_sectors),
    COUNTER(global_load_sectors_ideal),
    COUNTER(global_store_requests),
    COUNTER(global_store_sectors),
    COUNTER(global_store_sectors_ideal),
    COUNTER(global_atomic_requests),
    COUNTER(global_atomic_lanes),
    COUNTER(shared_load_requests),
    COUNTER(shared_load_wavefronts),
    COUNTER(shared_load_conflicts),
    COUNTER(shared_store_requests),
    COUNTER(shared_store_wavefronts),
    COUNTER(shared_store_conflicts),
    COUNTER(shared_atomic_requests),
    COUNTER(shared_atomic_lanes),
    COUNTER(local_load_requests),
    COUNTER(local_store_requests),
    COUNTER(branches),
    COUNTER(divergent_branches),
    COUNTER(barriers),
    COUNTER(warp_collectives),
};

enum { COUNTER_NAMES = sizeof counter_names / sizeof counter_names[0] };

static uint64_t counter_of(const struct row *row, size_t name)
{
    return *(const uint64_t *)((const char *)&row->counters + counter_names[name].offset);
}

static void print_json_row(const struct row *row)
{
    fputs("{\"kernel\":", stderr);
    print_json_text(stderr, row->kernel);
    fputs(",\"file\":", stderr);
    print_json_text(stderr, row->file);
    fprintf(stderr, ",\"line\":%u,\"launches\":%llu", row->line, (unsigned long long)row->launches);
    for (size_t i = 0; i < COUNTER_NAMES; i++)
        fprintf(
            stderr, ",\"%s\":%llu", counter_names[i].name, (unsigned long long)counter_of(row, i));
    fputs("}\n", stderr);
}

static void print_text_row(const struct row *row)
{
    if (row->line == 0)
        fprintf(stderr, "\n%s, %llu launches\n", row->kernel, (unsigned long long)row->launches);
    else
        fprintf(stderr, "  %s:%u\n", row->file, row->line);
    for (size_t i = 0; i < COUNTER_NAMES; i++)
        if (counter_of(row, i) > 0)
            fprintf(stderr, "    %-28s %14llu\n", counter_names[i].name,
                (unsigned long long)counter_of(row, i));
}

static int by_kernel_and_line(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    int order = strcmp(left->kernel, right->kernel);
    if (order == 0)
        order = strcmp(left->file, right->file);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

__attribute__((destructor)) static void report_at_exit(void)
{
    const enum report report = wanted();
    if (!rt_state.started || report == REPORT_NONE)
        return;
    rt_lock(); /* for good: nothing else may run from here on */
    if (rt_state.lost == cudaSuccess)
        rt_find_leaks();
    rt_report_new_findings();
    if (row_count > 0)
        qsort(rows, row_count, sizeof rows[0], by_kernel_and_line);
    for (size_t i = 0; i < row_count; i++) {
        if (report == REPORT_JSON)
            print_json_row(&rows[i]);
        else
            print_text_row(&rows[i]);
    }
}

/* ---- vgpu.h ---------------------------------------------------------------------------------- */

VGPU_EXPORT uint64_t vgpu_now_ns(void)
{
    rt_lock();
    const uint64_t now = clock_now();
    rt_unlock();
    return now;
}

VGPU_EXPORT int vgpu_times_kernels(void)
{
    return clock_kernels_modelled();
}

VGPU_EXPORT void vgpu_set_order(uint64_t seed)
{
    rt_lock();
    engine_settings.order = seed;
    rt_unlock();
}

#define COPY_TEXT(to, from) snprintf(to, sizeof(to), "%s", from)

static void fill_finding(struct vgpu_finding *to, size_t index)
{
    const struct engine_finding *from = engine_finding(index);
    memset(to, 0, sizeof *to);
    COPY_TEXT(to->word, rt_finding_word(index));
    COPY_TEXT(to->kernel, from->kernel);
    COPY_TEXT(to->file, from->file);
    COPY_TEXT(to->other_file, from->other_file);
    COPY_TEXT(to->message, from->message);
    to->severity = from->severity == SEVERITY_ERROR ? VGPU_ERROR : VGPU_WARNING;
    to->line = from->line;
    to->other_line = from->other_line;
    to->count = from->count;
    memcpy(to->block, from->block, sizeof to->block);
    memcpy(to->thread, from->thread, sizeof to->thread);
}

VGPU_EXPORT size_t vgpu_findings(struct vgpu_finding *findings, size_t max)
{
    rt_lock();
    const size_t count = engine_finding_count();
    for (size_t i = 0; i < count && i < max; i++)
        fill_finding(&findings[i], i);
    rt_unlock();
    return count;
}

VGPU_EXPORT size_t vgpu_find_leaks(void)
{
    rt_lock();
    const size_t before = engine_finding_count();
    rt_find_leaks();
    const size_t leaks = engine_finding_count() - before;
    rt_unlock();
    return leaks;
}

VGPU_EXPORT void vgpu_counters(struct vgpu_counters *counters)
{
    rt_lock();
    memset(counters, 0, sizeof *counters);
    counters->launches = total_launches;
#define TAKE(member) counters->member = total.member
    TAKE(warp_instructions), TAKE(thread_instructions);
    TAKE(global_load_requests), TAKE(global_load_sectors), TAKE(global_load_sectors_ideal);
    TAKE(global_store_requests), TAKE(global_store_sectors), TAKE(global_store_sectors_ideal);
    TAKE(global_load_bytes), TAKE(global_store_bytes);
    TAKE(global_atomic_requests), TAKE(global_atomic_lanes);
    TAKE(shared_load_requests), TAKE(shared_load_wavefronts), TAKE(shared_load_conflicts);
    TAKE(shared_store_requests), TAKE(shared_store_wavefronts), TAKE(shared_store_conflicts);
    TAKE(shared_atomic_requests), TAKE(shared_atomic_lanes);
    TAKE(local_load_requests), TAKE(local_store_requests);
    TAKE(branches), TAKE(divergent_branches);
    TAKE(barriers), TAKE(warp_collectives);
    counters->device_page_faults = rt_managed_faults();
    counters->migrated_bytes = rt_managed_moved_bytes();
    rt_unlock();
}

VGPU_EXPORT void vgpu_clear(void)
{
    rt_lock();
    engine_clear_findings();
    if (words != NULL)
        memset(words, 0, words_room * sizeof *words);
    reported = 0;
    memset(&total, 0, sizeof total);
    total_launches = 0;
    row_count = 0;
    rt_managed_clear_counters();
    rt_unlock();
}

VGPU_EXPORT int vgpu_written_by(const void *pointer, size_t bytes)
{
    rt_lock();
    const bool inside = bytes > 0 && memory_contains((uintptr_t)pointer, bytes);
    const int writers = inside ? memory_written_by((uintptr_t)pointer, bytes) : 0;
    rt_unlock();
    return writers;
}
