/* A row for everything that was counted. */
#include "profile_csv.h"

#include <stddef.h>
#include <string.h>

#define COUNTER(member)                                 \
    {                                                   \
#member, offsetof(struct vgpu_counters, member) \
    }

static const struct {
    const char *name;
    size_t offset;
} counters[] = {
    COUNTER(launches),
    COUNTER(warp_instructions),
    COUNTER(thread_instructions),
    COUNTER(global_load_requests),
    COUNTER(global_load_sectors),
    COUNTER(global_load_sectors_ideal),
    COUNTER(global_load_bytes),
    COUNTER(global_copy_requests),
    COUNTER(global_copy_sectors),
    COUNTER(global_copy_sectors_ideal),
    COUNTER(global_copy_bytes),
    COUNTER(unique_load_sectors),
    COUNTER(global_store_requests),
    COUNTER(global_store_sectors),
    COUNTER(global_store_sectors_ideal),
    COUNTER(global_store_bytes),
    COUNTER(unique_store_sectors),
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
    COUNTER(constant_load_requests),
    COUNTER(branches),
    COUNTER(divergent_branches),
    COUNTER(barriers),
    COUNTER(warp_collectives),
};

enum { COUNTERS = sizeof counters / sizeof counters[0] };

void write_csv_text(FILE *csv, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, csv);
        return;
    }
    fputc('"', csv);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', csv);
        fputc(*text, csv);
    }
    fputc('"', csv);
}

void write_counts_header(FILE *csv)
{
    fputs("task,kernel,file,line,grid,block,registers,shared_bytes,resident_blocks", csv);
    for (size_t i = 0; i < COUNTERS; i++)
        fprintf(csv, ",%s", counters[i].name);
    fputc('\n', csv);
}

static void write_counters(FILE *csv, const struct vgpu_counters *made)
{
    for (size_t i = 0; i < COUNTERS; i++)
        fprintf(csv, ",%llu",
            (unsigned long long)*(const uint64_t *)((const char *)made + counters[i].offset));
    fputc('\n', csv);
}

static void write_names(FILE *csv, const struct profile *profile, const char *kernel)
{
    fprintf(csv, "%s,", profile->task->id);
    write_csv_text(csv, kernel);
    fputc(',', csv);
}

void write_counts(FILE *csv, const struct profile *profile)
{
    for (size_t i = 0; i < profile->launch_count; i++) {
        const struct vgpu_launch *launch = &profile->launches[i];
        write_names(csv, profile, launch->kernel);
        fprintf(csv, ",,%ux%ux%u,%ux%ux%u,%u,%u,%u", launch->grid[0], launch->grid[1],
            launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
            launch->registers, launch->static_shared_bytes + launch->dynamic_shared_bytes,
            launch->resident_blocks);
        write_counters(csv, &launch->counters);
    }
    for (size_t i = 0; i < profile->line_count; i++) {
        const struct vgpu_line *line = &profile->lines[i];
        if (line->line == 0)
            continue; /* the whole kernel, which stands above */
        write_names(csv, profile, line->kernel);
        write_csv_text(csv, line->file);
        fprintf(csv, ",%u,,,,,", line->line);
        write_counters(csv, &line->counters);
    }
}
