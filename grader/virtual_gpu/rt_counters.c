/* Counters: sums over all launches, by kernel and by source line. */
#include "rt_report.h"

#include <stdlib.h>
#include <string.h>

static struct rt_counted_line *lines;
static size_t line_count, line_room;
static struct engine_counters total;
static uint64_t total_launches;
static bool lines_wanted;

/* All members of struct engine_counters are 64-bit sums, but for one that is a maximum. */
void rt_add_counters(struct engine_counters *sum, const struct engine_counters *added)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)added;
    uint64_t worst = sum->global_atomic_worst_address;
    if (added->global_atomic_worst_address > worst)
        worst = added->global_atomic_worst_address;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
    sum->global_atomic_worst_address = worst;
}

static struct rt_counted_line *line_of(const char *kernel, const char *file, uint32_t number)
{
    for (size_t i = 0; i < line_count; i++)
        if (lines[i].line == number && strcmp(lines[i].kernel, kernel) == 0 &&
            strcmp(lines[i].file, file) == 0)
            return &lines[i];
    if (line_count == line_room) {
        const size_t room = line_room == 0 ? 64 : 2 * line_room;
        struct rt_counted_line *grown = realloc(lines, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        lines = grown;
        line_room = room;
    }
    struct rt_counted_line *line = &lines[line_count++];
    memset(line, 0, sizeof *line);
    snprintf(line->kernel, sizeof line->kernel, "%s", kernel);
    snprintf(line->file, sizeof line->file, "%s", file);
    line->line = number;
    return line;
}

static struct rt_counted_line *add_to_line(
    const char *kernel, const char *file, uint32_t number, const struct engine_counters *counters)
{
    struct rt_counted_line *line = line_of(kernel, file, number);
    if (line == NULL)
        return NULL;
    line->launches++;
    rt_add_counters(&line->counters, counters);
    return line;
}

/* All members of struct kernel_bounds are doubles. */
static void add_times(struct rt_counted_line *line, const struct engine_result *result)
{
    double *to = (double *)&line->bounds;
    const double *from = (const double *)&result->bounds;
    line->kernel_ns += result->kernel_ns;
    for (size_t i = 0; i < sizeof line->bounds / sizeof *to; i++)
        to[i] += from[i];
}

static void add_lines(const char *kernel)
{
    enum { LINES_MAX = 4096 };
    static struct engine_line_counters counted[LINES_MAX];
    const size_t count = engine_line_counters(counted, LINES_MAX);
    for (size_t i = 0; i < count && i < LINES_MAX; i++)
        add_to_line(kernel, counted[i].file, counted[i].line, &counted[i].counters);
}

void rt_count_launch(const struct engine_launch *launch, const struct engine_result *result)
{
    const struct engine_kernel_info *info = engine_kernel_info(launch->kernel);
    const enum rt_report report = rt_report_wanted();
    rt_add_counters(&total, &result->counters);
    total_launches++;
    if (!lines_wanted && report != REPORT_TEXT && report != REPORT_JSON)
        return;
    struct rt_counted_line *whole = add_to_line(info->pretty_name, "", 0, &result->counters);
    if (whole != NULL)
        add_times(whole, result);
    add_lines(info->pretty_name);
    rt_note_launch(launch, result);
}

void rt_count_lines(bool on)
{
    lines_wanted = on;
}

static int by_kernel_and_line(const void *a, const void *b)
{
    const struct rt_counted_line *left = a, *right = b;
    int order = strcmp(left->kernel, right->kernel);
    if (order == 0)
        order = strcmp(left->file, right->file);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

const struct rt_counted_line *rt_counted_lines(size_t *count)
{
    if (line_count > 0)
        qsort(lines, line_count, sizeof lines[0], by_kernel_and_line);
    *count = line_count;
    return lines;
}

const struct engine_counters *rt_counted_total(uint64_t *launches)
{
    *launches = total_launches;
    return &total;
}

void rt_forget_counters(void)
{
    memset(&total, 0, sizeof total);
    total_launches = 0;
    line_count = 0;
    rt_forget_launches();
}

/* ---- printing -------------------------------------------------------------------------------- */

#define COUNTER(member)                                   \
    {                                                     \
#member, offsetof(struct engine_counters, member) \
    }

static const struct {
    const char *name;
    size_t offset;
} names[] = {
    COUNTER(warp_instructions),
    COUNTER(thread_instructions),
    COUNTER(global_load_requests),
    COUNTER(global_load_sectors),
    COUNTER(global_load_sectors_ideal),
    COUNTER(global_store_requests),
    COUNTER(global_store_sectors),
    COUNTER(global_store_sectors_ideal),
    COUNTER(global_copy_requests),
    COUNTER(global_copy_sectors),
    COUNTER(global_copy_sectors_ideal),
    COUNTER(global_atomic_requests),
    COUNTER(global_atomic_lanes),
    COUNTER(global_atomic_worst_address),
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

enum { NAMES = sizeof names / sizeof names[0] };

static unsigned long long value_of(const struct rt_counted_line *line, size_t name)
{
    return *(const uint64_t *)((const char *)&line->counters + names[name].offset);
}

#define BOUND(member)                                   \
    {                                                   \
#member, offsetof(struct kernel_bounds, member) \
    }

static const struct {
    const char *name;
    size_t offset;
} bounds[] = {
    BOUND(latency),
    BOUND(issue),
    BOUND(pipes),
    BOUND(l1),
    BOUND(shared),
    BOUND(l2),
    BOUND(dram),
    BOUND(atomics),
};

enum { BOUNDS = sizeof bounds / sizeof bounds[0] };

static double bound_of(const struct rt_counted_line *line, size_t bound)
{
    return *(const double *)((const char *)&line->bounds + bounds[bound].offset);
}

/* Modelled times, in nanoseconds: the whole, and what each bound would take alone. */
static void print_json_times(const struct rt_counted_line *line)
{
    if (line->kernel_ns <= 0.0)
        return;
    fprintf(stderr, ",\"modelled_ns\":%.0f", line->kernel_ns);
    for (size_t i = 0; i < BOUNDS; i++)
        fprintf(stderr, ",\"bound_%s_ns\":%.0f", bounds[i].name, bound_of(line, i));
}

static void print_text_times(const struct rt_counted_line *line)
{
    enum { NS_PER_US = 1000 };
    if (line->kernel_ns <= 0.0)
        return;
    fprintf(stderr, "    modelled: %.1f us; each bound alone:", line->kernel_ns / NS_PER_US);
    for (size_t i = 0; i < BOUNDS; i++)
        if (bound_of(line, i) >= 0.05 * line->kernel_ns)
            fprintf(stderr, " %s %.1f", bounds[i].name, bound_of(line, i) / NS_PER_US);
    fputc('\n', stderr);
}

static void print_json(const struct rt_counted_line *line)
{
    fputs("{\"kernel\":", stderr);
    rt_print_json_text(stderr, line->kernel);
    fputs(",\"file\":", stderr);
    rt_print_json_text(stderr, line->file);
    fprintf(
        stderr, ",\"line\":%u,\"launches\":%llu", line->line, (unsigned long long)line->launches);
    for (size_t i = 0; i < NAMES; i++)
        fprintf(stderr, ",\"%s\":%llu", names[i].name, value_of(line, i));
    print_json_times(line);
    fputs("}\n", stderr);
}

static void print_text(const struct rt_counted_line *line)
{
    if (line->line == 0)
        fprintf(stderr, "\n%s, %llu launches\n", line->kernel, (unsigned long long)line->launches);
    else
        fprintf(stderr, "  %s:%u\n", line->file, line->line);
    print_text_times(line);
    for (size_t i = 0; i < NAMES; i++)
        if (value_of(line, i) > 0)
            fprintf(stderr, "    %-28s %14llu\n", names[i].name, value_of(line, i));
}

void rt_print_counters(enum rt_report report)
{
    size_t count = 0;
    const struct rt_counted_line *counted = rt_counted_lines(&count);
    for (size_t i = 0; i < count; i++) {
        if (report == REPORT_JSON)
            print_json(&counted[i]);
        else if (report == REPORT_TEXT)
            print_text(&counted[i]);
    }
}
