/* A profile from its tasks to the page and the files that are kept. */
#include "profile.h"

#include <cuda_runtime_api.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_csv.h"
#include "profile_note.h"
#include "profile_report.h"
#include "profile_run.h"
#include "settings.h"

enum { KERNELS_MOST = 64, PATH_BYTES = 4096 };

static void path_of(char *path, const char *task, const char *ending)
{
    snprintf(path, PATH_BYTES, "%s%s%s%s", setting("PROFILE"), *task ? "." : "", task, ending);
}

static FILE *open_or_say(const char *path, const char *how)
{
    FILE *file = fopen(path, how);

    if (!file)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return file;
}

/* ---- what is kept --------------------------------------------------------------------------- */

static bool keep_text(struct report *report, char *path)
{
    path_of(path, "", ".txt");
    FILE *file = open_or_say(path, "w");
    if (!file)
        return false;
    const struct page page = page_of_file(file);
    print_report(&page, report);
    return fclose(file) == 0;
}

static bool keep_counts(const struct report *report)
{
    char path[PATH_BYTES];

    path_of(path, "", ".csv");
    FILE *csv = open_or_say(path, "w");
    if (!csv)
        return false;
    write_counts_header(csv);
    for (size_t i = 0; i < report->count; i++)
        write_counts(csv, &report->entries[i].profile);
    return fclose(csv) == 0;
}

/* 0: something was printed, and nothing failed to run. */
static enum exit_code exit_code_of_report(const struct report *report)
{
    bool printed = false, failed = false;

    for (size_t i = 0; i < report->count; i++) {
        const struct entry *entry = &report->entries[i];
        printed = printed || has_kernels(entry);
        failed = failed || (wrong_values(&entry->profile) && !has_kernels(entry));
        failed =
            failed || (wrong_values(&entry->profile) && entry->profile.verdict != WRONG_ANSWER);
    }
    return printed && !failed ? EXIT_PASS : EXIT_POINTS_MISSING;
}

static enum exit_code print_and_keep(struct report *report)
{
    const struct page page = page_of_stdout();
    char path[PATH_BYTES], text[2 * PATH_BYTES];
    bool kept = true;

    print_report(&page, report);
    if (!report->measured)
        kept = keep_counts(report);
    kept = keep_text(report, path) && kept;
    if (!kept)
        return EXIT_FAULT;
    page_gap(&page);
    snprintf(text, sizeof text, "kept in %s (and .csv)", path);
    page_text(&page, 0, text);
    return exit_code_of_report(report);
}

/* ---- the parts ------------------------------------------------------------------------------ */

static bool part_is(const char *name)
{
    return setting("PART") && strcmp(setting("PART"), name) == 0;
}

bool profile_needs_no_device(void)
{
    if (part_is("timeline"))
        return !homework.timeline;
    return setting("PROFILE") && (part_is("list") || part_is("metrics") || part_is("read"));
}

static void list_tasks(void)
{
    for (size_t i = 0; i < homework.task_count; i++)
        if (task_chosen(&homework.tasks[i]))
            printf("%s\n", task_number(&homework.tasks[i]));
}

static bool read_task(struct report *report, const struct task *task, FILE *csv)
{
    struct entry *entry = &report->entries[report->count++];
    char path[PATH_BYTES];

    entry->profile = (struct profile){.task = task};
    path_of(path, task_number(task), ".run");
    if (!read_profile_note(path, &entry->profile, report->device, sizeof report->device)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    path_of(path, task_number(task), ".ncu");
    FILE *from = fopen(path, "r");
    entry->kernels = calloc(KERNELS_MOST, sizeof *entry->kernels);
    if (from && entry->kernels)
        entry->kernel_count = read_ncu(from, task->id, entry->kernels, KERNELS_MOST, csv);
    if (from)
        fclose(from);
    return true;
}

static enum exit_code read_tasks(void)
{
    static struct report report;
    char path[PATH_BYTES];

    report.measured = true;
    path_of(path, "", ".csv");
    FILE *csv = open_or_say(path, "w");
    if (!csv)
        return EXIT_FAULT;
    fputs("task,id,kernel,grid,block,metric,unit,value\n", csv);
    bool complete = true;
    for (size_t i = 0; i < homework.task_count && report.count < TASKS_MAX && complete; i++)
        if (task_chosen(&homework.tasks[i]))
            complete = read_task(&report, &homework.tasks[i], csv);
    if (fclose(csv) != 0 || !complete)
        return EXIT_FAULT;
    return print_and_keep(&report);
}

int profile_without_device(void)
{
    if (part_is("read"))
        return read_tasks();
    if (part_is("list"))
        list_tasks();
    else if (part_is("metrics"))
        print_metric_names(stdout);
    return EXIT_PASS;
}

/* Under ncu: one task. */
static enum exit_code run_task_for_ncu(const struct device_facts *device)
{
    char path[PATH_BYTES];
    struct profile profile;

    for (size_t i = 0; i < homework.task_count; i++) {
        const struct task *task = &homework.tasks[i];
        if (!task_chosen(task))
            continue;
        profile_run(task, device->is_virtual, &profile);
        path_of(path, task_number(task), ".run");
        if (!write_profile_note(path, &profile, device->name)) {
            fprintf(stderr, "%s: %s\n", path, strerror(errno));
            return EXIT_FAULT;
        }
        profile_free(&profile);
    }
    return EXIT_PASS;
}

/* "hw6.1", title, case, begin and end, with tabs between. What ran is in the record that the virtual
 * GPU has made meanwhile (VGPU_TIMELINE). */
static enum exit_code print_timeline_parts(void)
{
    for (size_t i = 0; i < homework.task_count; i++) {
        const struct task *task = &homework.tasks[i];
        struct profile profile;
        if (!task_chosen(task))
            continue;
        profile_run(task, true, &profile);
        const char *which = *profile.case_name       ? profile.case_name
                            : profile.shows_baseline ? "the baseline, timed"
                                                     : "the timed problem";
        if (profile.launch_count > 0)
            printf("%s\t%s\t%s%s\t%llu\t%llu\n", task->id, task->title, which,
                wrong_values(&profile) ? ": THE VALUES ARE WRONG" : "",
                (unsigned long long)profile.began_ns, (unsigned long long)profile.ended_ns);
        profile_free(&profile);
        if (cudaDeviceSynchronize() != cudaSuccess)
            cudaDeviceReset();
    }
    return EXIT_PASS;
}

int profile_on_device(const struct device_facts *device)
{
    static struct report report;

    if (part_is("device"))
        return EXIT_PASS;
    if (part_is("run"))
        return run_task_for_ncu(device);
    if (!device->is_virtual) {
        fprintf(stderr, "a GPU is profiled under ncu: make profile, or DEVICE=virtual\n");
        return EXIT_FAULT;
    }
    if (part_is("timeline"))
        return print_timeline_parts();
    snprintf(report.device, sizeof report.device, "%s", device->name);
    for (size_t i = 0; i < homework.task_count && report.count < TASKS_MAX; i++) {
        if (!task_chosen(&homework.tasks[i]))
            continue;
        profile_run(&homework.tasks[i], true, &report.entries[report.count++].profile);
        if (cudaDeviceSynchronize() != cudaSuccess)
            cudaDeviceReset(); /* what one task broke, the next one need not suffer */
    }
    return print_and_keep(&report);
}
