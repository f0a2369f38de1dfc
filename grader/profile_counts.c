/* Rows for what a kernel did, each with its reading. */
#include "profile_counts.h"

#include <stdlib.h>
#include <string.h>

#include "profile_limiter.h"
#include "profile_lines.h"
#include "profile_occupancy.h"
#include "profile_sums.h"
#include "text.h"

enum { KERNELS_SHOWN = 8, INDENT = 2 };

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, (size_t)(n))
#define BYTES(n) text_bytes((char[NUMBER_TEXT_BYTES]){0}, (double)(n))
#define NEARLY 1.05

/* Texts of one row. */
struct row {
    char value[120], reading[400];
};

#define VALUE(...) snprintf(row.value, sizeof row.value, __VA_ARGS__)
#define READING(...) snprintf(row.reading, sizeof row.reading, __VA_ARGS__)

/* ---- the launch ----------------------------------------------------------------------------- */

/* "(16, 4)", or "16" where y and z are 1. */
static void print_shape(const unsigned shape[3], char *text, size_t bytes)
{
    if (shape[2] > 1)
        snprintf(text, bytes, "(%u, %u, %u)", shape[0], shape[1], shape[2]);
    else if (shape[1] > 1)
        snprintf(text, bytes, "(%u, %u)", shape[0], shape[1]);
    else
        snprintf(text, bytes, "%u", shape[0]);
}

/* "64 for each of the 8 SMs", or how many SMs get none. */
static void describe_share(const struct vgpu_launch *launch, int sm_count, char *text, size_t bytes)
{
    const double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    const double each = launched_warps(launch) / sm_count;

    if (blocks < sm_count)
        snprintf(text, bytes, "only %.0f of the %d SMs get a block", blocks, sm_count);
    else if (each < 100)
        snprintf(text, bytes, "%.3g for each of the %d SMs", each, sm_count);
    else
        snprintf(text, bytes, "%s for each of the %d SMs", COUNT(each), sm_count);
}

static void print_launch(const struct page *page, const struct vgpu_launch *launch, int sm_count)
{
    struct row row;
    char grid[40], block[40], shared[24] = "", share[120];
    const double warps = launched_warps(launch);
    const size_t launches = launch->counters.launches;

    print_shape(launch->grid, grid, sizeof grid);
    print_shape(launch->block, block, sizeof block);
    describe_share(launch, sm_count, share, sizeof share);
    if (launch->dynamic_shared_bytes > 0)
        snprintf(shared, sizeof shared, ", %u", launch->dynamic_shared_bytes);
    VALUE("<<<%s, %s%s>>>", grid, block, shared);
    READING("%s launch%s of %s warp%s%s: %s", COUNT(launches), launches == 1 ? "" : "es",
        COUNT(warps), warps == 1 ? "" : "s", launches == 1 ? "" : " each", share);
    page_row(page, "launch", row.value, row.reading);
}

static void print_resources(const struct page *page, const struct vgpu_launch *launch)
{
    const struct occupancy occupancy = occupancy_of(launch);
    const unsigned shared = launch->static_shared_bytes + launch->dynamic_shared_bytes;
    struct row row;

    if (launch->registers > 0)
        VALUE("%u registers", launch->registers);
    else
        VALUE("registers unknown");
    READING("of a thread; shared memory of a block: %s bytes", COUNT(shared));
    page_row(page, "needs", row.value, row.reading);
    VALUE("%.0f %% at most", 100.0 * occupancy.warps / occupancy.warps_most);
    READING("%u of %u warps: %u block%s fit%s on an SM, limited by %s", occupancy.warps,
        occupancy.warps_most, occupancy.blocks, occupancy.blocks == 1 ? "" : "s",
        occupancy.blocks == 1 ? "s" : "", occupancy.limiter);
    page_row(page, "occupancy", row.value, row.reading);
}

/* ---- global memory -------------------------------------------------------------------------- */

static void print_requests(const struct page *page, const char *name, uint64_t requests,
    uint64_t sectors, uint64_t sectors_ideal)
{
    const double moved = ratio(sectors, requests), enough = ratio(sectors_ideal, requests);
    struct row row;

    if (requests == 0)
        return;
    VALUE("%.1f sectors a request", moved);
    if (moved <= NEARLY * enough && enough < 1.5)
        READING("one sector of 32 bytes, the least there is");
    else if (moved <= NEARLY * enough)
        READING("as few as the bytes allow: neighbours touch neighbours");
    else if (moved >= 31)
        READING("the 32 threads of a warp touch 32 different sectors; %.1f would do", enough);
    else
        READING("%.1f would do: %.1f times as many", enough, moved / enough);
    page_row(page, name, row.value, row.reading);
}

static void print_bytes(const struct page *page, const struct vgpu_counters *made)
{
    const uint64_t moved = sectors_moved(made);
    const uint64_t asked = sectors_asked(made);
    const uint64_t distinct = sectors_distinct(made);
    struct row row;

    if (moved == 0)
        return;
    VALUE("%s moved", BYTES(moved * SECTOR_BYTES));
    if (made->launches > 1)
        READING("%s would do for what is asked for; %s are distinct, launch by launch",
            BYTES(asked * SECTOR_BYTES), BYTES(distinct * SECTOR_BYTES));
    else
        READING("%s would do for what is asked for; %s are distinct", BYTES(asked * SECTOR_BYTES),
            BYTES(distinct * SECTOR_BYTES));
    page_row(page, "bytes", row.value, row.reading);
}

static void print_atomics(const struct page *page, const struct vgpu_counters *made)
{
    struct row row;

    if (made->global_atomic_requests > 0) {
        VALUE("%s on one address", COUNT(made->global_atomic_worst_address));
        READING("the one that gets most, of %s by threads in all: they wait for each other (an "
                "integer sum of a warp counts once)",
            COUNT(made->global_atomic_lanes));
        page_row(page, "atomics", row.value, row.reading);
    }
    if (made->shared_atomic_requests > 0) {
        VALUE("%s requests", COUNT(made->shared_atomic_requests));
        READING("atomics in shared memory, by %s threads", COUNT(made->shared_atomic_lanes));
        page_row(page, "", row.value, row.reading);
    }
}

/* ---- the SM --------------------------------------------------------------------------------- */

static void print_shared_memory(const struct page *page, const struct vgpu_counters *made)
{
    const uint64_t requests = shared_requests(made);
    const uint64_t wavefronts = shared_wavefronts(made);
    const uint64_t conflicts = shared_conflicts(made);
    struct row row;

    if (requests == 0)
        return;
    if (conflicts == 0)
        VALUE("no bank conflicts");
    else
        VALUE("%s bank conflicts", COUNT(conflicts));
    READING("%s wavefronts for %s requests%s", COUNT(wavefronts), COUNT(requests),
        conflicts > 0 ? ": threads of a warp meet in a bank, and wait" : "");
    page_row(page, "shared", row.value, row.reading);
}

static void print_branches(const struct page *page, const struct vgpu_counters *made)
{
    struct row row;

    if (made->branches == 0)
        return;
    const double percent = 100.0 * ratio(made->divergent_branches, made->branches);
    if (made->divergent_branches == 0)
        VALUE("none diverges");
    else if (percent < 0.05)
        VALUE("hardly any diverges");
    else
        VALUE("%.1f %% diverge", percent);
    READING("of %s branches of warps%s", COUNT(made->branches),
        made->divergent_branches > 0 ? ": the ways are taken one after the other" : "");
    page_row(page, "branches", row.value, row.reading);
}

static void print_local_memory(const struct page *page, const struct vgpu_launch *launch)
{
    const uint64_t requests = local_requests(&launch->counters);
    struct row row;

    if (requests == 0)
        return;
    VALUE("%s requests", COUNT(requests));
    READING("%u bytes a thread in local memory, which lies in device memory: an array that is "
            "indexed at run time, most likely",
        launch->local_bytes);
    page_row(page, "local", row.value, row.reading);
}

static void print_unused(const struct page *page, const struct vgpu_counters *made)
{
    const struct {
        const char *name;
        uint64_t uses;
    } parts[] = {
        {"loads", read_requests(made)},
        {"stores", made->global_store_requests},
        {"shared memory", shared_requests(made) + made->shared_atomic_requests},
        {"atomics", made->global_atomic_requests + made->shared_atomic_requests},
        {"local memory", local_requests(made)},
    };
    char text[120] = "";

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].uses == 0) {
            strcat(text, *text ? ", " : "");
            strcat(text, parts[i].name);
        }
    page_row(page, "unused", NULL, text);
}

/* ---- the limiter ----------------------------------------------------------------------------- */

static void print_limiter(const struct page *page, const struct limiter_reading *reading)
{
    double longest = 0;
    char text[700];
    size_t length = 0;

    snprintf(text, sizeof text, "%s%s. %s", reading->limiter == LIMITER_UNKNOWN ? "" : "probably ",
        reading->what, reading->numbers);
    page_row(page, "limiter", NULL, text);
    page_row(page, "also", NULL, reading->also);
    for (enum resource r = 0; r < RESOURCES; r++)
        longest = reading->busy_ns[r] > longest ? reading->busy_ns[r] : longest;
    for (enum resource r = 0; r < RESOURCES && longest > 0; r++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %.0f",
            length ? ", " : "longest is 100: ", resource_name(r),
            100 * reading->busy_ns[r] / longest);
    if (length > 0)
        page_row(page, "busy", NULL, text);
    page_row(page, "next", NULL, reading->next);
}

static void print_time(const struct page *page, const struct vgpu_launch *launch)
{
    struct row row;

    if (launch->modelled_ns <= 0)
        return;
    VALUE("%s, modelled", text_duration((char[NUMBER_TEXT_BYTES]){0}, launch->modelled_ns));
    READING("by a model that is fitted to an H200, on the 8 SMs; nothing was measured%s",
        launch->counters.launches > 1 ? "; all launches together" : "");
    page_row(page, "time", row.value, row.reading);
}

static void print_kernel(const struct page *page, const struct vgpu_launch *launch,
    const struct profiled_device *device, const struct limiter_reading *reading)
{
    const struct vgpu_counters *made = &launch->counters;

    page_gap(page);
    page_heading(page, INDENT, launch->kernel);
    print_launch(page, launch, device->sm_count);
    print_resources(page, launch);
    print_time(page, launch);
    print_requests(page, "loads", made->global_load_requests, made->global_load_sectors,
        made->global_load_sectors_ideal);
    print_requests(page, "cp.async", made->global_copy_requests, made->global_copy_sectors,
        made->global_copy_sectors_ideal);
    print_requests(page, "stores", made->global_store_requests, made->global_store_sectors,
        made->global_store_sectors_ideal);
    print_bytes(page, made);
    print_shared_memory(page, made);
    print_atomics(page, made);
    print_local_memory(page, launch);
    print_branches(page, made);
    print_unused(page, made);
    print_limiter(page, reading);
}

/* Of several kernels, the one to look at first. */
static void print_heaviest(const struct page *page, const struct profile *profile)
{
    double sum = 0;
    size_t heaviest = 0;
    char text[300];

    for (size_t i = 0; i < profile->launch_count; i++) {
        sum += profile->launches[i].modelled_ns;
        if (profile->launches[i].modelled_ns > profile->launches[heaviest].modelled_ns)
            heaviest = i;
    }
    if (profile->launch_count < 2 || sum <= 0)
        return;
    page_gap(page);
    snprintf(text, sizeof text,
        "%s takes longest, about %.0f %% of the modelled time: begin there, one kernel at a time. "
        "Then look again: the limiter moves.",
        profile->launches[heaviest].kernel, 100 * profile->launches[heaviest].modelled_ns / sum);
    page_text(page, INDENT, text);
}

static void print_more(const struct page *page, size_t count)
{
    char text[120];

    snprintf(text, sizeof text, "and %s more kernels and launch shapes: they are in the .csv",
        COUNT(count));
    page_gap(page);
    page_text(page, INDENT, text);
}

void print_counts(const struct page *page, struct profile *profile)
{
    const struct profiled_device device = {
        .sm_count = device_sm_count(),
        .warps_per_sm =
            profile->launch_count > 0 ? (int)occupancy_of(profile->launches).warps_most : 0,
        .needed_bytes = profile->needed_bytes,
    };

    for (size_t i = 0; i < profile->launch_count && i < KERNELS_SHOWN; i++) {
        const struct limiter_reading reading = find_limiter(&profile->launches[i], &device);
        print_kernel(page, &profile->launches[i], &device, &reading);
    }
    if (profile->launch_count > KERNELS_SHOWN)
        print_more(page, profile->launch_count - KERNELS_SHOWN);
    print_lines(page, profile->lines, profile->line_count);
    print_heaviest(page, profile);
}
