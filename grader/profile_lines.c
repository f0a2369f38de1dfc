/* Ordering and reading lines. */
#include "profile_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t line_excess(const struct vgpu_counters *made)
{
    return made->global_load_sectors - made->global_load_sectors_ideal +
           made->global_store_sectors - made->global_store_sectors_ideal +
           made->shared_load_conflicts + made->shared_store_conflicts;
}

static uint64_t traffic(const struct vgpu_counters *made)
{
    return made->global_load_sectors + made->global_store_sectors + made->shared_load_wavefronts +
           made->shared_store_wavefronts;
}

static uint64_t other_accesses(const struct vgpu_counters *made)
{
    return made->global_atomic_lanes + made->shared_atomic_lanes + made->local_load_requests +
           made->local_store_requests;
}

static int descending(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int worst_first(const void *a, const void *b)
{
    const struct vgpu_line *left = a, *right = b;
    const struct vgpu_counters *x = &left->counters, *y = &right->counters;
    int order = descending(line_excess(x), line_excess(y));

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

size_t sort_lines(struct vgpu_line *lines, size_t count)
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

void line_text(const struct vgpu_line *line, char *text, size_t bytes)
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

void line_place(const struct vgpu_line *line, char *text, size_t bytes)
{
    const char *slash = strrchr(line->file, '/');

    snprintf(text, bytes, "%s:%u", slash ? slash + 1 : line->file, line->line);
}
