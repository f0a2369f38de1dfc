/* From the head of a report to the tables of its kernels. */
#include "profile_report.h"

#include <stdio.h>
#include <string.h>

#include "profile_counts.h"
#include "profile_sums.h"
#include "settings.h"
#include "text.h"

enum { INDENT = 2 };

bool wrong_values(const struct profile *profile)
{
    return profile->verdict != PASS && profile->verdict != NOT_ATTEMPTED &&
           profile->verdict != TOO_SLOW;
}

bool has_kernels(const struct entry *entry)
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
    "what takes a GPU and ncu: measured time, cache hits, stalls, achieved occupancy.";
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
    double bytes = 0;

    for (size_t i = 0; i < entry->profile.launch_count; i++) {
        const struct vgpu_counters *made = &entry->profile.launches[i].counters;
        bytes += (double)sectors_moved(made) * SECTOR_BYTES;
    }
    for (size_t i = 0; i < entry->kernel_count; i++)
        bytes += entry->kernels[i].values[DRAM_READ_BYTES] +
                 entry->kernels[i].values[DRAM_WRITTEN_BYTES];
    return bytes;
}

/* The timeline has the time of them, the kernels' own figures have not. */
static void print_page_faults(const struct page *page, uint64_t faults)
{
    char text[300];

    if (faults == 0)
        return;
    snprintf(text, sizeof text,
        "for %s pages of managed memory, which were elsewhere when a kernel touched them. The "
        "timeline shows that time, too; the time of a kernel below is what it takes without.",
        COUNT(faults));
    page_row(page, "waits", NULL, text);
}

static void print_case(const struct page *page, const struct entry *entry)
{
    const struct profile *profile = &entry->profile;
    const double moved = moved_bytes(entry), needed = profile->needed_bytes;
    char text[700];

    if (*profile->case_name)
        snprintf(text, sizeof text, "%s", profile->case_name);
    else if (profile->n > 1)
        snprintf(
            text, sizeof text, "n = %s, the size that is timed on this device", COUNT(profile->n));
    else /* the lesson has one size, whatever fits */
        snprintf(text, sizeof text, "the size that is timed on this device");
    page_row(page, "case", NULL, text);
    if (profile->shows_baseline)
        snprintf(text, sizeof text,
            "not attempted yet: what follows is the baseline, the version to beat");
    else if (wrong_values(profile))
        snprintf(text, sizeof text, "%s: %s", verdict_name(profile->verdict), profile->what);
    else
        snprintf(text, sizeof text, "right in this case; make grade tries them all");
    page_row(page, "values", NULL, text);
    page_row(page, "elsewhere", NULL, profile->elsewhere);
    if (profile->findings > 0)
        page_row(page, "faults", NULL,
            "the virtual GPU saw accesses or synchronisation that are wrong: make sanitize names "
            "them");
    print_page_faults(page, profile->page_faults);
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

void print_report(const struct page *page, struct report *report)
{
    print_head(page, report);
    for (size_t i = 0; i < report->count; i++)
        print_entry(page, &report->entries[i]);
}
