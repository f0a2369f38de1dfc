/* The functions of vgpu.h. */
#define _GNU_SOURCE
#include "vgpu.h"

#include "rt.h"
#include "rt_managed.h"
#include "rt_queue.h"
#include "rt_report.h"
#include "rt_timeline.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

/* What is kept is for the program that judges. A shared object that it opened, the code under
 * judgement, can find these functions, too, and must not make anything forgotten. */
static bool from_the_program(const void *return_address)
{
    Dl_info caller, program;
    return dladdr(return_address, &caller) != 0 &&
           dladdr((const void *)getauxval(AT_PHDR), &program) != 0 &&
           caller.dli_fbase == program.dli_fbase;
}

#define CALLED_BY_THE_PROGRAM from_the_program(__builtin_return_address(0))

VGPU_EXPORT uint64_t vgpu_now_ns(void)
{
    rt_lock();
    const uint64_t now = clock_now();
    rt_unlock();
    return now;
}

VGPU_EXPORT int vgpu_times_kernels(void)
{
    return engine_settings.time && engine_settings.count;
}

VGPU_EXPORT int vgpu_time_unknown(char *why, size_t size)
{
    rt_lock();
    const char *unknown = rt_time_unknown();
    if (size > 0)
        snprintf(why, size, "%s", unknown == NULL ? "" : unknown);
    rt_unlock();
    return unknown != NULL;
}

VGPU_EXPORT void vgpu_set_order(uint64_t seed)
{
    if (!CALLED_BY_THE_PROGRAM)
        return;
    rt_lock();
    rt_use_order(seed);
    rt_unlock();
}

VGPU_EXPORT void vgpu_look_for_races(int on)
{
    if (!CALLED_BY_THE_PROGRAM)
        return;
    rt_lock();
    engine_settings.check_races = on != 0;
    rt_unlock();
}

/* ---- findings -------------------------------------------------------------------------------- */

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
    rt_timeline_mark();
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

/* ---- counters -------------------------------------------------------------------------------- */

#define SAME(member)                                                                     \
    {                                                                                    \
        offsetof(struct vgpu_counters, member), offsetof(struct engine_counters, member) \
    }

/* Where the two structures keep the same counter. */
static const struct {
    size_t to, from;
} pairs[] = {
    SAME(warp_instructions),
    SAME(thread_instructions),
    SAME(global_load_requests),
    SAME(global_load_sectors),
    SAME(global_load_sectors_ideal),
    SAME(global_store_requests),
    SAME(global_store_sectors),
    SAME(global_store_sectors_ideal),
    SAME(global_load_bytes),
    SAME(global_store_bytes),
    SAME(global_copy_requests),
    SAME(global_copy_sectors),
    SAME(global_copy_sectors_ideal),
    SAME(global_copy_bytes),
    SAME(global_atomic_requests),
    SAME(global_atomic_lanes),
    SAME(global_atomic_worst_address),
    SAME(unique_load_sectors),
    SAME(unique_store_sectors),
    SAME(shared_load_requests),
    SAME(shared_load_wavefronts),
    SAME(shared_load_conflicts),
    SAME(shared_store_requests),
    SAME(shared_store_wavefronts),
    SAME(shared_store_conflicts),
    SAME(shared_atomic_requests),
    SAME(shared_atomic_lanes),
    SAME(local_load_requests),
    SAME(local_store_requests),
    SAME(constant_load_requests),
    SAME(branches),
    SAME(divergent_branches),
    SAME(barriers),
    SAME(warp_collectives),
};

static void fill_counters(struct vgpu_counters *to, const struct engine_counters *from)
{
    memset(to, 0, sizeof *to);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        memcpy((char *)to + pairs[i].to, (const char *)from + pairs[i].from, sizeof(uint64_t));
}

VGPU_EXPORT void vgpu_counters(struct vgpu_counters *counters)
{
    uint64_t launches = 0;
    rt_lock();
    fill_counters(counters, rt_counted_total(&launches));
    counters->launches = launches;
    counters->device_page_faults = rt_managed_faults();
    counters->migrated_bytes = rt_managed_moved_bytes();
    counters->copied_to_host_bytes = rt_copied_to_host_bytes();
    rt_unlock();
}

VGPU_EXPORT void vgpu_count_lines(int on)
{
    if (!CALLED_BY_THE_PROGRAM)
        return;
    rt_lock();
    rt_count_lines(on != 0);
    rt_unlock();
}

VGPU_EXPORT size_t vgpu_lines(struct vgpu_line *lines, size_t max)
{
    size_t count = 0;
    rt_lock();
    const struct rt_counted_line *counted = rt_counted_lines(&count);
    for (size_t i = 0; i < count && i < max; i++) {
        fill_counters(&lines[i].counters, &counted[i].counters);
        COPY_TEXT(lines[i].kernel, counted[i].kernel);
        COPY_TEXT(lines[i].file, counted[i].file);
        lines[i].line = counted[i].line;
        lines[i].counters.launches = counted[i].launches;
    }
    rt_unlock();
    return count;
}

static void fill_launch(struct vgpu_launch *to, const struct rt_counted_launch *from)
{
    const struct engine_kernel_info *info = engine_kernel_info(from->kernel);
    memset(to, 0, sizeof *to);
    COPY_TEXT(to->kernel, info->pretty_name);
    memcpy(to->grid, from->grid, sizeof to->grid);
    memcpy(to->block, from->block, sizeof to->block);
    to->registers = info->registers;
    to->local_bytes = info->local_bytes;
    to->static_shared_bytes = info->static_shared_bytes;
    to->dynamic_shared_bytes = from->dynamic_shared_bytes;
    to->resident_blocks = rt_resident_blocks(from);
    to->modelled_ns = from->kernel_ns;
    to->bounds_ns = (struct vgpu_bounds){from->bounds.latency, from->bounds.issue,
        from->bounds.pipes, from->bounds.l1, from->bounds.shared, from->bounds.l2,
        from->bounds.dram, from->bounds.atomics};
    fill_counters(&to->counters, &from->counters);
    to->counters.launches = from->launches;
}

VGPU_EXPORT size_t vgpu_launches(struct vgpu_launch *launches, size_t max)
{
    size_t count = 0;
    rt_lock();
    const struct rt_counted_launch *counted = rt_counted_launches(&count);
    for (size_t i = 0; i < count && i < max; i++)
        fill_launch(&launches[i], &counted[i]);
    rt_unlock();
    return count;
}

VGPU_EXPORT void vgpu_clear(void)
{
    if (!CALLED_BY_THE_PROGRAM)
        return;
    rt_lock();
    rt_forget_findings();
    rt_forget_counters();
    rt_managed_clear_counters();
    rt_forget_copies();
    rt_time_forget_unknown();
    rt_timeline_mark();
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

VGPU_EXPORT void vgpu_name(const void *pointer, const char *name)
{
    rt_lock();
    struct allocation *allocation = memory_find((uintptr_t)pointer);
    if (allocation != NULL && allocation->address == (uintptr_t)pointer)
        snprintf(allocation->name, sizeof allocation->name, "%s", name);
    rt_unlock();
}
