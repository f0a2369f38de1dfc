/* Findings: the runtime's own, their words, and how they are printed. */
#include "rt_report.h"

#include "rt_hazard.h"
#include "rt_memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 32 };

static char (*words)[WORD_BYTES]; /* of the runtime's own findings, by index; "" for the engine's */
static size_t words_room;
static size_t reported;

enum rt_report rt_report_wanted(void)
{
    static const struct {
        const char *name;
        enum rt_report report;
    } names[] = {{"text", REPORT_TEXT}, {"json", REPORT_JSON}, {"none", REPORT_NONE}};
    const char *value = getenv("VGPU_REPORT");
    for (size_t i = 0; value != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(value, names[i].name) == 0)
            return names[i].report;
    return REPORT_FINDINGS;
}

/* ---- recording ------------------------------------------------------------------------------- */

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

void rt_add_finding(const char *word, const struct engine_finding *finding)
{
    remember_word(engine_add_finding(finding), word);
}

void rt_finding(const char *word, enum finding_severity severity, const char *format, ...)
{
    struct engine_finding finding = {.kind = FINDING_HOST, .severity = severity, .count = 1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.message, sizeof finding.message, format, arguments);
    va_end(arguments);
    rt_add_finding(word, &finding);
}

const char *rt_finding_word(size_t index)
{
    if (index < words_room && words[index][0] != '\0')
        return words[index];
    return engine_finding_word(engine_finding(index)->kind);
}

void rt_forget_findings(void)
{
    engine_clear_findings();
    rt_hazard_forget_reported();
    if (words != NULL)
        memset(words, 0, words_room * sizeof *words);
    reported = 0;
}

/* Memory that a graph frees (rt_capture_add) exists to the end, and is none. */
static bool is_leak(const struct allocation *allocation)
{
    const struct rt_memory *memory = allocation->user;
    return allocation->site != NULL && allocation->kind != MEMORY_REGISTERED &&
           (memory == NULL || !memory->freed_later);
}

void rt_find_leaks(void)
{
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at))
        if (is_leak(at))
            rt_finding(
                "leak", SEVERITY_ERROR, "%s, %zu bytes, was never freed", at->name, at->size);
}

/* ---- printing -------------------------------------------------------------------------------- */

void rt_print_json_text(FILE *to, const char *text)
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

static void print_json(size_t index)
{
    const struct engine_finding *finding = engine_finding(index);
    fputs("{\"finding\":", stderr);
    rt_print_json_text(stderr, rt_finding_word(index));
    fprintf(stderr, ",\"severity\":\"%s\",\"kernel\":",
        finding->severity == SEVERITY_ERROR ? "error" : "warning");
    rt_print_json_text(stderr, finding->kernel);
    fputs(",\"file\":", stderr);
    rt_print_json_text(stderr, finding->file);
    fprintf(stderr, ",\"line\":%u,\"other_file\":", finding->line);
    rt_print_json_text(stderr, finding->other_file);
    fprintf(stderr, ",\"other_line\":%u,\"count\":%llu,\"message\":", finding->other_line,
        (unsigned long long)finding->count);
    rt_print_json_text(stderr, finding->message);
    fputs("}\n", stderr);
}

static void print_text(size_t index)
{
    char text[2048];
    const struct engine_finding *finding = engine_finding(index);
    if (finding->kind == FINDING_HOST) {
        const char *name = strrchr(finding->file, '/');
        if (finding->line != 0)
            fprintf(stderr, "%s:%u: ", name == NULL ? finding->file : name + 1, finding->line);
        else
            fputs("virtual GPU: ", stderr);
        fprintf(stderr, "%s: %s\n", finding->severity == SEVERITY_ERROR ? "error" : "note",
            finding->message);
        return;
    }
    engine_format_finding(finding, text, sizeof text);
    fputs(text, stderr);
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] != '\n')
        fputc('\n', stderr);
}

static void report_new(enum rt_report report)
{
    const size_t count = engine_finding_count();
    if (reported >= count)
        return;
    fflush(stdout);
    for (; reported < count; reported++) {
        if (report == REPORT_JSON)
            print_json(reported);
        else if (report != REPORT_NONE)
            print_text(reported);
    }
}

void rt_report_new_findings(void)
{
    report_new(rt_report_wanted());
}

void rt_report_last_findings(void)
{
    const enum rt_report report = rt_report_wanted();
    if (report == REPORT_NONE && engine_finding_count() > 0)
        reported = engine_finding_count() - 1; /* only the one that ends it */
    report_new(report == REPORT_NONE ? REPORT_FINDINGS : report);
}

__attribute__((destructor)) static void report_at_exit(void)
{
    const enum rt_report report = rt_report_wanted();
    if (!rt_state.started || report == REPORT_NONE)
        return;
    rt_lock(); /* for good: nothing else may run from here on */
    for (const struct rt_event *event = rt_first_event(); event != NULL; event = event->next)
        rt_event_check(event);
    if (rt_state.lost == cudaSuccess)
        rt_find_leaks();
    rt_report_new_findings();
    rt_print_counters(report);
}
