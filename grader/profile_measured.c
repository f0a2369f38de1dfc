/* Rows for what ncu measured, each with its reading. */
#include "profile_measured.h"

#include <math.h>
#include <string.h>

#include "text.h"

enum { INDENT = 2 };

#define ENOUGH_PERCENT 60.0 /* of a peak: then it is the limiter */
#define NEARLY 1.05

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, (size_t)(n))
#define BYTES(n) text_bytes((char[NUMBER_TEXT_BYTES]){0}, n)

struct row {
    char value[120], reading[400];
};

#define VALUE(...) snprintf(row.value, sizeof row.value, __VA_ARGS__)
#define READING(...) snprintf(row.reading, sizeof row.reading, __VA_ARGS__)

static double per(const struct measured_kernel *kernel, enum metric sum, enum metric of)
{
    return kernel->known[sum] && kernel->known[of] && kernel->values[of] > 0
               ? kernel->values[sum] / kernel->values[of]
               : 0.0;
}

/* "(256, 1, 1)" -> "256", "(17, 9, 1)" -> "(17, 9)" */
static void shorten_shape(const char *shape, char *text, size_t bytes)
{
    unsigned x = 0, y = 0, z = 0;

    if (sscanf(shape, "(%u, %u, %u)", &x, &y, &z) != 3)
        snprintf(text, bytes, "%s", shape);
    else if (z > 1)
        snprintf(text, bytes, "(%u, %u, %u)", x, y, z);
    else if (y > 1)
        snprintf(text, bytes, "(%u, %u)", x, y);
    else
        snprintf(text, bytes, "%u", x);
}

static void print_launch(const struct page *page, const struct measured_kernel *kernel)
{
    struct row row;
    char block[48], grid[48];

    shorten_shape(kernel->block, block, sizeof block);
    shorten_shape(kernel->grid, grid, sizeof grid);
    VALUE("<<<%s, %s>>>", *grid ? grid : "?", *block ? block : "?");
    READING("%s launch%s", COUNT(kernel->launches), kernel->launches == 1 ? "" : "es");
    page_row(page, "launch", row.value, row.reading);
    if (!kernel->known[TIME_NS])
        return;
    page_row(page, "time", text_duration((char[NUMBER_TEXT_BYTES]){0}, kernel->values[TIME_NS]),
        kernel->launches == 1
            ? "by ncu, which empties the caches before"
            : "of all launches together, by ncu, which empties the caches before each");
}

static void print_throughput(const struct page *page, const struct measured_kernel *kernel)
{
    struct row row;

    if (kernel->known[DRAM_PERCENT]) {
        VALUE("%.1f %% of peak", kernel->values[DRAM_PERCENT]);
        if (kernel->known[DRAM_READ_BYTES] && kernel->known[DRAM_WRITTEN_BYTES])
            READING("of the DRAM's bandwidth, over the elapsed time: %s read, %s written",
                BYTES(kernel->values[DRAM_READ_BYTES]), BYTES(kernel->values[DRAM_WRITTEN_BYTES]));
        else
            READING("of the DRAM's bandwidth, over the elapsed time");
        page_row(page, "memory", row.value, row.reading);
    }
    if (kernel->known[SM_PERCENT]) {
        VALUE("%.1f %% of peak", kernel->values[SM_PERCENT]);
        page_row(
            page, "compute", row.value, "of the busiest unit of the SMs, over the elapsed time");
    }
}

static void print_requests(const struct page *page, const char *name,
    const struct measured_kernel *kernel, enum metric sectors, enum metric requests)
{
    const double moved = per(kernel, sectors, requests);
    struct row row;

    if (moved == 0)
        return;
    VALUE("%.1f sectors a request", moved);
    if (moved >= 31)
        READING("the 32 threads of a warp touch 32 different sectors; 4 would do for 4 bytes each");
    else
        READING("4 are enough where each of 32 threads touches 4 bytes, 16 where it touches 16");
    page_row(page, name, row.value, row.reading);
}

static void print_conflicts(const struct page *page, const struct measured_kernel *kernel)
{
    const double conflicts =
        kernel->values[SHARED_LOAD_CONFLICTS] + kernel->values[SHARED_STORE_CONFLICTS];
    const double wavefronts =
        kernel->values[SHARED_LOAD_WAVEFRONTS] + kernel->values[SHARED_STORE_WAVEFRONTS];
    struct row row;

    if (!kernel->known[SHARED_LOAD_CONFLICTS] || !kernel->known[SHARED_STORE_CONFLICTS] ||
        conflicts + wavefronts == 0)
        return;
    VALUE("%s bank conflicts", COUNT(conflicts));
    READING("of %s wavefronts of shared memory", COUNT(wavefronts));
    page_row(page, "shared", row.value, row.reading);
}

static void print_local_memory(const struct page *page, const struct measured_kernel *kernel)
{
    const double requests = kernel->values[LOCAL_LOADS] + kernel->values[LOCAL_STORES];
    struct row row;

    if (requests == 0)
        return;
    VALUE("%s requests", COUNT(requests));
    page_row(page, "local", row.value,
        "local memory lies in device memory: an array indexed at run time, or spilled registers");
}

/* Which of the four limits of an SM is lowest. */
static const char *occupancy_limiter(const struct measured_kernel *kernel)
{
    static const struct {
        enum metric metric;
        const char *name;
    } limits[] = {{LIMIT_WARPS, "its threads"}, {LIMIT_REGISTERS, "its registers"},
        {LIMIT_SHARED, "its shared memory"}, {LIMIT_BLOCKS, "the number of its blocks"}};
    const char *name = NULL;
    double lowest = INFINITY;

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (kernel->known[limits[i].metric] && kernel->values[limits[i].metric] < lowest) {
            lowest = kernel->values[limits[i].metric];
            name = limits[i].name;
        }
    return name;
}

static void print_occupancy(const struct page *page, const struct measured_kernel *kernel)
{
    const char *limiter = occupancy_limiter(kernel);
    char most[120] = "", registers[40] = "";
    struct row row;

    if (!kernel->known[WARPS_ACTIVE_PERCENT])
        return;
    if (kernel->known[REGISTERS])
        snprintf(
            registers, sizeof registers, "; %.0f registers a thread", kernel->values[REGISTERS]);
    if (kernel->known[WARPS_MOST_PERCENT])
        snprintf(most, sizeof most, "; at most %.0f %%%s%s", kernel->values[WARPS_MOST_PERCENT],
            limiter ? ", an SM is full by " : "", limiter ? limiter : "");
    VALUE("%.1f %% achieved", kernel->values[WARPS_ACTIVE_PERCENT]);
    READING("of the warps an SM can hold, while it is active%s%s", most, registers);
    page_row(page, "occupancy", row.value, row.reading);
}

static void print_percent(const struct page *page, const char *name,
    const struct measured_kernel *kernel, enum metric metric, const char *reading)
{
    struct row row;

    if (!kernel->known[metric])
        return;
    VALUE("%.1f %%", kernel->values[metric]);
    page_row(page, name, row.value, reading);
}

static void print_stall(const struct page *page, const struct measured_kernel *kernel)
{
    const int stall = top_stall(kernel);
    struct row row;

    if (stall < 0)
        return;
    VALUE("%s", stall_name(stall));
    READING("warps wait most often %s: %.1f of them for each instruction that is issued",
        stall_meaning(stall), kernel->values[stall]);
    page_row(page, "stall", row.value, row.reading);
}

static void print_limiter(const struct page *page, const struct measured_kernel *kernel)
{
    const double dram = kernel->values[DRAM_PERCENT], sm = kernel->values[SM_PERCENT];
    const int stall = top_stall(kernel);
    const char *value = "latency bound", *next;
    struct row row;

    if (!kernel->known[DRAM_PERCENT] || !kernel->known[SM_PERCENT]) {
        page_row(page, "limiter", "unknown", "ncu did not give the throughputs of memory and SMs");
        return;
    }
    if (fmax(dram, sm) >= ENOUGH_PERCENT) {
        value = dram >= sm ? "memory bound" : "compute bound";
        READING("memory %.1f %%, compute %.1f %% of peak: the larger is at least %.0f %%", dram, sm,
            ENOUGH_PERCENT);
    } else {
        READING("memory %.1f %%, compute %.1f %% of peak: neither reaches %.0f %%%s%s", dram, sm,
            ENOUGH_PERCENT, stall >= 0 ? "; warps wait " : "",
            stall >= 0 ? stall_meaning(stall) : "");
    }
    next = fmax(dram, sm) < ENOUGH_PERCENT
               ? "More warps, or more independent work a thread; look at sectors and stalls."
           : dram >= sm ? "Fewer bytes: are they all asked for, and is any moved twice?"
                        : "Fewer or cheaper instructions for each result.";
    page_row(page, "limiter", value, row.reading);
    page_row(page, "next", NULL, next);
}

static void print_kernel(const struct page *page, const struct measured_kernel *kernel)
{
    page_gap(page);
    page_heading(page, INDENT, kernel->kernel);
    print_launch(page, kernel);
    print_throughput(page, kernel);
    print_requests(page, "loads", kernel, LOAD_SECTORS, LOAD_REQUESTS);
    print_requests(page, "stores", kernel, STORE_SECTORS, STORE_REQUESTS);
    print_conflicts(page, kernel);
    print_local_memory(page, kernel);
    print_percent(page, "L1 hits", kernel, L1_HIT_PERCENT, "of the sectors that the SMs ask for");
    print_percent(page, "L2 hits", kernel, L2_HIT_PERCENT, "of the sectors that reach the L2");
    print_occupancy(page, kernel);
    print_percent(page, "issue", kernel, ISSUE_PERCENT,
        "of the active cycles a scheduler issues an instruction");
    print_stall(page, kernel);
    print_limiter(page, kernel);
}

void print_measured(const struct page *page, const struct measured_kernel *kernels, size_t count)
{
    double sum = 0;
    size_t longest = 0;
    char text[400];

    for (size_t i = 0; i < count; i++) {
        print_kernel(page, &kernels[i]);
        sum += kernels[i].values[TIME_NS];
        if (kernels[i].values[TIME_NS] > kernels[longest].values[TIME_NS])
            longest = i;
    }
    if (count < 2 || sum <= 0)
        return;
    page_gap(page);
    snprintf(text, sizeof text,
        "%s takes %.0f %% of the time: begin there, one kernel at a time. Then look again: the "
        "limiter moves.",
        kernels[longest].kernel, 100 * kernels[longest].values[TIME_NS] / sum);
    page_text(page, INDENT, text);
}
