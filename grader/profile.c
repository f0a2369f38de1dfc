/* A profile from its tasks to the page and the files that are kept. */
#include "profile.h"

#include <cuda_runtime_api.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_counts.h"
#include "profile_csv.h"
#include "profile_measured.h"
#include "profile_note.h"
#include "profile_run.h"
#include "settings.h"
#include "text.h"

enum { KERNELS_MOST = 64, INDENT = 2, PATH_BYTES = 4096 };

/* One call, counted or measured. */
struct entry {
    struct profile profile;
    struct measured_kernel *kernels; /* by ncu; NULL: counted */
    size_t kernel_count;
};

struct report {
    struct entry entries[TASKS_MAX];
    size_t count;
    bool measured;
    char device[128];
};

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

/* ---- the head ------------------------------------------------------------------------------- */

static bool wrong_values(const struct profile *profile)
{
    return profile->verdict != PASS && profile->verdict != NOT_ATTEMPTED &&
           profile->verdict != TOO_SLOW;
}

static bool has_kernels(const struct entry *entry)
{
    return entry->profile.verdict != NOT_ATTEMPTED &&
           (entry->profile.launch_count > 0 || entry->kernel_count > 0);
}

/* Before anything else: whose counters these are. */
static void print_warnings(const struct page *page, const struct report *report)
{
    char text[300];

    for (size_t i = 0; i < report->count; i++) {
        const struct entry *entry = &report->entries[i];
        const struct task *task = entry->profile.task;
        if (!wrong_values(&entry->profile) || !has_kernels(entry))
            continue;
        if (entry->profile.verdict == WRONG_ANSWER)
            snprintf(text, sizeof text,
                "%s: THE VALUES ARE WRONG. What follows are the counters of a wrong program.",
                task->id);
        else
            snprintf(text, sizeof text,
                "%s: IT FAILED (%s). What follows are the counters of what ran until then.",
                task->id, verdict_name(entry->profile.verdict));
        page_heading(page, 0, text);
    }
}

static const char counted_by[] =
    "the virtual GPU: exact, and the same on every run. Sectors, wavefronts and conflicts are what "
    "ncu counts wherever the machine code keeps the loads and stores of the PTX; instructions and "
    "branches are those of the PTX.";
static const char not_counted[] =
    "what takes a GPU and ncu: time, cache hits, stalls, achieved occupancy.";
static const char measured_by[] =
    "ncu, in the counters of the GPU. Percentages of a peak over the elapsed time and over the "
    "active time have different denominators: compare like with like.";
static const char not_measured[] =
    "which line of the source it was: DEVICE=virtual counts line by line.";

static void print_head(const struct page *page, const struct report *report)
{
    char text[600];

    print_warnings(page, report);
    snprintf(text, sizeof text, "%s  %s", homework.folder, setting("FILE"));
    page_heading(page, 0, text);
    page_row(page, "device", NULL, report->device);
    page_row(page, "source", NULL, report->measured ? measured_by : counted_by);
    page_row(page, "missing", NULL, report->measured ? not_measured : not_counted);
    if (setting("NOTE"))
        page_row(page, "because", NULL, setting("NOTE"));
}

/* ---- a task --------------------------------------------------------------------------------- */

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, (size_t)(n))
#define BYTES(n) text_bytes((char[NUMBER_TEXT_BYTES]){0}, n)

static double moved_bytes(const struct entry *entry)
{
    enum { SECTOR_BYTES = 32 };
    double bytes = 0;

    for (size_t i = 0; i < entry->profile.launch_count; i++) {
        const struct vgpu_counters *made = &entry->profile.launches[i].counters;
        bytes += (double)(made->global_load_sectors + made->global_store_sectors) * SECTOR_BYTES;
    }
    for (size_t i = 0; i < entry->kernel_count; i++)
        bytes += entry->kernels[i].values[DRAM_READ_BYTES] +
                 entry->kernels[i].values[DRAM_WRITTEN_BYTES];
    return bytes;
}

static void print_case(const struct page *page, const struct entry *entry)
{
    const struct profile *profile = &entry->profile;
    const double moved = moved_bytes(entry), needed = profile->needed_bytes;
    char text[700];

    if (*profile->case_name)
        snprintf(text, sizeof text, "%s", profile->case_name);
    else
        snprintf(
            text, sizeof text, "n = %s, the size that is timed on this device", COUNT(profile->n));
    page_row(page, "case", NULL, text);
    if (wrong_values(profile))
        snprintf(text, sizeof text, "%s: %s", verdict_name(profile->verdict), profile->what);
    else
        snprintf(text, sizeof text, "right in this case; make grade tries them all");
    page_row(page, "values", NULL, text);
    page_row(page, "elsewhere", NULL, profile->elsewhere);
    if (profile->findings > 0)
        page_row(page, "faults", NULL,
            "the virtual GPU saw accesses or synchronisation that are wrong: make sanitize names "
            "them");
    if (needed <= 0 || moved <= 0)
        return;
    snprintf(text, sizeof text, "%s %s, %.*f times the %s that %s", BYTES(moved),
        entry->kernels ? "between DRAM and L2" : "moved by all kernels",
        moved < 0.95 * needed ? 2 : 1, moved / needed, BYTES(needed),
        profile->needed_is_stated ? "any solution must move" : "its arrays hold");
    page_row(page, "bytes", NULL, text);
}

static void print_no_kernel(const struct page *page, const struct profile *profile)
{
    char text[700];

    if (profile->verdict == DOES_NOT_COMPILE)
        snprintf(text, sizeof text, "%s", profile->what);
    else if (wrong_values(profile))
        snprintf(text, sizeof text, "no kernel ran: %s, %s", verdict_name(profile->verdict),
            profile->what);
    else
        snprintf(text, sizeof text, "no kernel ran, so there is nothing to profile");
    page_text(page, INDENT, text);
}

static void print_entry(const struct page *page, struct entry *entry)
{
    const struct profile *profile = &entry->profile;
    char text[700];

    page_gap(page);
    snprintf(text, sizeof text, "%s  %s", profile->task->id, profile->task->title);
    page_heading(page, 0, text);
    if (profile->verdict == NOT_ATTEMPTED) {
        page_text(page, INDENT, "not attempted yet: it returns cudaErrorNotYetImplemented");
        return;
    }
    if (!has_kernels(entry)) {
        print_no_kernel(page, profile);
        return;
    }
    print_case(page, entry);
    if (entry->kernels)
        print_measured(page, entry->kernels, entry->kernel_count);
    else
        print_counts(page, &entry->profile);
}

static void print_report(const struct page *page, struct report *report)
{
    print_head(page, report);
    for (size_t i = 0; i < report->count; i++)
        print_entry(page, &report->entries[i]);
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
    else
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
