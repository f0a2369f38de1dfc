/* Ordering, reading and describing lines. */
#include "profile_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_sums.h"
#include "text.h"

enum { LINES_SHOWN = 5, INDENT = 2, CODE_INDENT = 6, TEXT_BYTES = 400 };

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, (size_t)(n))

static uint64_t excess(const struct vgpu_counters *made)
{
    return sectors_moved(made) - sectors_asked(made) + shared_conflicts(made);
}

static uint64_t traffic(const struct vgpu_counters *made)
{
    return sectors_moved(made) + shared_wavefronts(made);
}

static uint64_t other_accesses(const struct vgpu_counters *made)
{
    return atomic_lanes(made) + local_requests(made);
}

static int descending(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int worst_first(const void *a, const void *b)
{
    const struct vgpu_line *left = a, *right = b;
    const struct vgpu_counters *x = &left->counters, *y = &right->counters;
    int order = descending(excess(x), excess(y));

    if (order == 0)
        order = descending(traffic(x), traffic(y));
    if (order == 0)
        order = descending(other_accesses(x), other_accesses(y));
    if (order == 0)
        order = strcmp(left->file, right->file);
    if (order == 0)
        order = strcmp(left->kernel, right->kernel);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

/* The lines that stand for whole kernels and those that touch no memory come last; returns how many
 * are left. */
static size_t sort_lines(struct vgpu_line *lines, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const struct vgpu_line line = lines[i];
        if (line.line == 0 || traffic(&line.counters) + other_accesses(&line.counters) == 0)
            continue;
        lines[i] = lines[kept];
        lines[kept++] = line;
    }
    qsort(lines, kept, sizeof *lines, worst_first);
    return kept;
}

/* Without its end; "" if the file cannot be read. */
static void line_text(const struct vgpu_line *line, char *text, size_t bytes)
{
    FILE *file = fopen(line->file, "r");
    unsigned number = 1;
    size_t length = 0;

    for (int byte; file && number <= line->line && (byte = fgetc(file)) != EOF;) {
        if (byte == '\n')
            number++;
        else if (number == line->line && length + 1 < bytes)
            text[length++] = (char)byte;
    }
    text[length] = '\0';
    if (file)
        fclose(file);
}

/* "reduction.cu:61" */
static void line_place(const struct vgpu_line *line, char *text, size_t bytes)
{
    const char *slash = strrchr(line->file, '/');

    snprintf(text, bytes, "%s:%u", slash ? slash + 1 : line->file, line->line);
}

/* What there is to say of a line, in the order of what it costs. */
static void describe_line(const struct vgpu_counters *made, char *text, size_t bytes)
{
    const struct accesses accesses[] = ACCESSES_OF(made);
    const uint64_t conflicts = shared_conflicts(made);
    size_t length = 0;

    *text = '\0';
#define ADD(...) length += (size_t)snprintf(text + length, bytes - length, __VA_ARGS__)
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++)
        if (accesses[i].requests > 0) {
            const double moved = ratio(accesses[i].sectors, accesses[i].requests);
            const double enough = ratio(accesses[i].ideal, accesses[i].requests);
            const int digits = moved > enough && moved - enough < 0.1 ? 2 : 1;
            ADD("%s%.*f sectors a %s, %.*f would do", length ? "; " : "", digits, moved,
                accesses[i].name, digits, enough);
        }
    if (shared_wavefronts(made) > 0)
        ADD("%s%s wavefronts, %s of them conflicts", length ? "; " : "",
            COUNT(shared_wavefronts(made)), conflicts ? COUNT(conflicts) : "none");
    if (atomic_lanes(made) > 0)
        ADD("%s%s atomics by threads", length ? "; " : "", COUNT(atomic_lanes(made)));
    if (local_requests(made) > 0)
        ADD("%slocal memory", length ? "; " : "");
#undef ADD
}

void print_lines(const struct page *page, struct vgpu_line *lines, size_t line_count)
{
    const size_t count = sort_lines(lines, line_count);
    char place[300], what[300], row[700];

    if (count == 0)
        return;
    page_gap(page);
    page_heading(page, INDENT,
        excess(&lines[0].counters) > 0
            ? "lines, worst first: by sectors and wavefronts beyond what their bytes need"
            : "lines that touch memory: none moves a sector or makes a wavefront too many");
    for (size_t i = 0; i < count && i < LINES_SHOWN; i++) {
        const struct vgpu_line *line = &lines[i];
        const uint64_t too_many = excess(&line->counters);
        line_place(line, place, sizeof place);
        describe_line(&line->counters, what, sizeof what);
        if (too_many > 0)
            snprintf(row, sizeof row, "%s  %s too many: %s", place, COUNT(too_many), what);
        else
            snprintf(row, sizeof row, "%s  %s", place, what);
        page_item(page, INDENT, row);
        line_text(line, what, sizeof what);
        if (*what)
            page_code(page, CODE_INDENT, what);
    }
}
