/* Reading ncu's CSV. */
#include "profile_ncu.h"

#include <stdlib.h>
#include <string.h>

#include "csv_reader.h"
#include "profile_csv.h"

/* How the launches of a kernel are put together. */
enum together { SUM, MEAN, SAME };

static const struct {
    const char *name;
    enum together together;
} metrics[FIRST_STALL] = {
    [TIME_NS] = {"gpu__time_duration.sum", SUM},
    [DRAM_PERCENT] = {"dram__throughput.avg.pct_of_peak_sustained_elapsed", MEAN},
    [SM_PERCENT] = {"sm__throughput.avg.pct_of_peak_sustained_elapsed", MEAN},
    [DRAM_READ_BYTES] = {"dram__bytes_read.sum", SUM},
    [DRAM_WRITTEN_BYTES] = {"dram__bytes_write.sum", SUM},
    [LOAD_SECTORS] = {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", SUM},
    [LOAD_REQUESTS] = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", SUM},
    [STORE_SECTORS] = {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", SUM},
    [STORE_REQUESTS] = {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", SUM},
    [SHARED_LOAD_WAVEFRONTS] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", SUM},
    [SHARED_STORE_WAVEFRONTS] = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", SUM},
    [SHARED_LOAD_CONFLICTS] = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", SUM},
    [SHARED_STORE_CONFLICTS] = {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", SUM},
    [LOCAL_LOADS] = {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", SUM},
    [LOCAL_STORES] = {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", SUM},
    [WARPS_ACTIVE_PERCENT] = {"sm__warps_active.avg.pct_of_peak_sustained_active", MEAN},
    [WARPS_MOST_PERCENT] = {"sm__maximum_warps_per_active_cycle_pct", SAME},
    [L1_HIT_PERCENT] = {"l1tex__t_sector_hit_rate.pct", MEAN},
    [L2_HIT_PERCENT] = {"lts__t_sector_hit_rate.pct", MEAN},
    [ISSUE_PERCENT] = {"smsp__issue_active.avg.pct_of_peak_sustained_active", MEAN},
    [REGISTERS] = {"launch__registers_per_thread", SAME},
    [LIMIT_WARPS] = {"launch__occupancy_limit_warps", SAME},
    [LIMIT_REGISTERS] = {"launch__occupancy_limit_registers", SAME},
    [LIMIT_SHARED] = {"launch__occupancy_limit_shared_mem", SAME},
    [LIMIT_BLOCKS] = {"launch__occupancy_limit_blocks", SAME},
};

/* Why warps wait, and what for. One that could go on while another is chosen waits for nothing. */
static const struct {
    const char *name, *meaning;
} stalls[STALLS] = {
    {"long_scoreboard", "for a load from global or local memory"},
    {"short_scoreboard", "for shared memory, or for a special function"},
    {"barrier", "at __syncthreads() for the rest of the block"},
    {"membar", "for a memory fence"},
    {"wait", "the fixed few cycles between dependent instructions"},
    {"math_pipe_throttle", "for an arithmetic unit that is taken"},
    {"lg_throttle",
        "because too many accesses to global memory are queued: fewer, wider ones help"},
    {"mio_throttle", "because too many accesses to shared memory, shuffles or the like are queued"},
    {"tex_throttle", "because the texture unit's queue is full"},
    {"drain", "at the end of the kernel, for its stores to leave"},
    {"imc_miss", "for the constant cache"},
    {"no_instruction", "for instructions: after a jump, or the code is too long for its cache"},
    {"branch_resolving", "for the target of a branch"},
    {"dispatch_stall", "because the dispatcher holds instructions back"},
    {"sleeping", "in __nanosleep()"},
    {"misc", "for something rare"},
};

/* The longest metric's name is of 70 characters. */
enum { NAME_BYTES = 96, NO_COLUMN = CSV_FIELDS_MOST };

static const char *metric_name(size_t metric, char *text)
{
    if (metric < FIRST_STALL)
        return metrics[metric].name;
    snprintf(text, NAME_BYTES, "smsp__average_warps_issue_stalled_%s_per_issue_active.ratio",
        stalls[metric - FIRST_STALL].name);
    return text;
}

static enum together together(size_t metric)
{
    return metric < FIRST_STALL ? metrics[metric].together : MEAN;
}

void print_metric_names(FILE *to)
{
    char text[NAME_BYTES];

    for (size_t m = 0; m < METRICS; m++)
        fprintf(to, "%s%s", m ? "," : "", metric_name(m, text));
    fputc('\n', to);
}

int top_stall(const struct measured_kernel *kernel)
{
    int top = -1;

    for (int m = FIRST_STALL; m < METRICS; m++)
        if (kernel->known[m] && (top < 0 || kernel->values[m] > kernel->values[top]))
            top = m;
    return top;
}

const char *stall_name(int stall)
{
    return stalls[stall - FIRST_STALL].name;
}

const char *stall_meaning(int stall)
{
    return stalls[stall - FIRST_STALL].meaning;
}

/* ---- units ----------------------------------------------------------------------------------- */

/* To nanoseconds and bytes; everything else stays what it is. */
static double unit_factor(const char *unit)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {
        {"nsecond", 1},
        {"ns", 1},
        {"usecond", 1e3},
        {"us", 1e3},
        {"msecond", 1e6},
        {"ms", 1e6},
        {"second", 1e9},
        {"s", 1e9},
        {"byte", 1},
        {"Kbyte", 1e3},
        {"Mbyte", 1e6},
        {"Gbyte", 1e9},
        {"Tbyte", 1e12},
        {"KB", 1e3},
        {"MB", 1e6},
        {"GB", 1e9},
    };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return units[i].factor;
    return 1;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Where the header puts what is read. */
struct columns {
    size_t id, kernel, block, grid, name, unit, value;
    bool found;
};

static size_t column_named(const struct csv_record *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++)
        if (strcmp(header->fields[i], name) == 0)
            return i;
    return NO_COLUMN;
}

static struct columns find_columns(const struct csv_record *header)
{
    struct columns columns = {
        .id = column_named(header, "ID"),
        .kernel = column_named(header, "Kernel Name"),
        .block = column_named(header, "Block Size"),
        .grid = column_named(header, "Grid Size"),
        .name = column_named(header, "Metric Name"),
        .unit = column_named(header, "Metric Unit"),
        .value = column_named(header, "Metric Value"),
    };
    columns.found = columns.id < NO_COLUMN && columns.kernel < NO_COLUMN &&
                    columns.name < NO_COLUMN && columns.value < NO_COLUMN;
    return columns;
}

/* ---- launches ------------------------------------------------------------------------------- */

static struct measured_kernel *kernel_like(const struct measured_kernel *launch,
    struct measured_kernel *kernels, size_t *count, size_t most)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(kernels[i].kernel, launch->kernel) == 0 &&
            strcmp(kernels[i].block, launch->block) == 0 &&
            strcmp(kernels[i].grid, launch->grid) == 0)
            return &kernels[i];
    if (*count == most)
        return NULL;
    kernels[*count] = *launch;
    kernels[*count].launches = 0;
    return &kernels[(*count)++];
}

/* Puts a launch together with the earlier ones of its kernel. */
static void add_launch(const struct measured_kernel *launch, struct measured_kernel *kernels,
    size_t *count, size_t most)
{
    if (launch->launches == 0)
        return;
    struct measured_kernel *kernel = kernel_like(launch, kernels, count, most);
    if (!kernel || kernel->launches++ == 0) /* it is the copy */
        return;
    const double before = kernel->values[TIME_NS], now = launch->values[TIME_NS];
    const double share = before + now > 0 ? now / (before + now) : 0.5;
    for (size_t m = 0; m < METRICS; m++) {
        kernel->known[m] = kernel->known[m] && launch->known[m];
        if (together(m) == SUM)
            kernel->values[m] += launch->values[m];
        else if (together(m) == MEAN)
            kernel->values[m] += share * (launch->values[m] - kernel->values[m]);
    }
}

static void take_metric(
    const struct csv_record *record, const struct columns *columns, struct measured_kernel *launch)
{
    const char *name = csv_field(record, columns->name);
    char text[NAME_BYTES];
    double number;

    if (!read_csv_number(csv_field(record, columns->value), &number))
        return;
    for (size_t m = 0; m < METRICS; m++)
        if (strcmp(metric_name(m, text), name) == 0) {
            launch->values[m] = number * unit_factor(csv_field(record, columns->unit));
            launch->known[m] = true;
        }
}

static void write_row(
    FILE *csv, const char *task, const struct csv_record *record, const struct columns *columns)
{
    const size_t written[] = {columns->id, columns->kernel, columns->grid, columns->block,
        columns->name, columns->unit, columns->value};

    fputs(task, csv);
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        fputc(',', csv);
        write_csv_text(csv, csv_field(record, written[i]));
    }
    fputc('\n', csv);
}

/* "void sum_kernel<4>(const float *, …)" -> "sum_kernel<4>" */
static void name_kernel(const char *from, char *to, size_t bytes)
{
    static const char nothing[] = "void ";

    from += strncmp(from, nothing, sizeof nothing - 1) == 0 ? sizeof nothing - 1 : 0;
    snprintf(to, bytes, "%s", from);
    char *parameters = strstr(to, "(anonymous namespace)") == to ? NULL : strchr(to, '(');
    if (parameters && parameters > to)
        *parameters = '\0';
}

size_t read_ncu(
    FILE *from, const char *task, struct measured_kernel *kernels, size_t most, FILE *csv)
{
    static struct csv_record record;
    struct columns columns = {.found = false};
    struct measured_kernel launch = {.launches = 0};
    char id[32] = "";
    size_t count = 0;

    while (next_csv_record(from, &record)) {
        if (!columns.found || strcmp(csv_field(&record, columns.id), "ID") == 0) {
            columns = find_columns(&record);
            id[0] = '\0'; /* another process counts from 0 again */
            continue;
        }
        if (strcmp(id, csv_field(&record, columns.id)) != 0) {
            add_launch(&launch, kernels, &count, most);
            launch = (struct measured_kernel){.launches = 1};
            snprintf(id, sizeof id, "%s", csv_field(&record, columns.id));
            name_kernel(csv_field(&record, columns.kernel), launch.kernel, sizeof launch.kernel);
            snprintf(launch.block, sizeof launch.block, "%s", csv_field(&record, columns.block));
            snprintf(launch.grid, sizeof launch.grid, "%s", csv_field(&record, columns.grid));
        }
        take_metric(&record, &columns, &launch);
        write_row(csv, task, &record, &columns);
    }
    add_launch(&launch, kernels, &count, most);
    return count;
}
