/* Reading ncu's CSV. */
#include "profile_ncu.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Why warps wait, and what for. A warp that could go on while another is chosen waits for nothing. */
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
enum { NAME_BYTES = 96, FIELDS_MOST = 64, RECORD_BYTES = 8192 };

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

/* ---- numbers -------------------------------------------------------------------------------- */

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

static size_t count_of(const char *text, char what)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == what;
    return count;
}

/* "1,234,567.8", and what other languages make of it: the separator that comes last is the decimal
 * point if it occurs once and is not followed by a group of three, or if it is the dot. */
static char decimal_point(const char *text)
{
    const char *comma = strrchr(text, ','), *dot = strrchr(text, '.');

    if (comma && dot)
        return comma > dot ? ',' : '.';
    if (comma)
        return count_of(text, ',') == 1 && strlen(comma + 1) != 3 ? ',' : '\0';
    return dot && count_of(text, '.') == 1 ? '.' : '\0';
}

/* False for "n/a", "nan", "" and the like. */
static bool read_number(const char *text, double *number)
{
    const char point = decimal_point(text);
    char plain[64], *end;
    size_t length = 0;

    for (; *text && length + 1 < sizeof plain; text++) {
        if (point && *text == point)
            plain[length++] = '.';
        else if (*text != ',' && *text != '.' && *text != ' ' && *text != '\'')
            plain[length++] = *text;
    }
    plain[length] = '\0';
    *number = strtod(plain, &end);
    return length > 0 && *end == '\0' && isfinite(*number);
}

/* ---- records -------------------------------------------------------------------------------- */

/* One line of CSV, cut into its fields. */
struct record {
    char text[RECORD_BYTES];
    char *fields[FIELDS_MOST];
    size_t count;
};

/* Cuts in place: a field may be quoted, and a quote in it is doubled. */
static void cut_fields(struct record *record)
{
    char *from = record->text;

    record->count = 0;
    while (record->count < FIELDS_MOST) {
        const bool quoted = *from == '"';
        char *to = from + quoted, *at = to;
        record->fields[record->count++] = to;
        for (; *at && (quoted || *at != ','); at++) {
            if (quoted && *at == '"' && *++at != '"')
                break;
            *to++ = *at;
        }
        const bool last = *at != ',';
        *to = '\0';
        if (last)
            return;
        from = at + 1;
    }
}

static bool next_record(FILE *from, struct record *record)
{
    while (fgets(record->text, sizeof record->text, from)) {
        record->text[strcspn(record->text, "\r\n")] = '\0';
        if (record->text[0] != '"')
            continue; /* "==PROF== Connected to process …" */
        cut_fields(record);
        return true;
    }
    return false;
}

/* Where the header puts what is read. */
struct columns {
    size_t id, kernel, block, grid, name, unit, value;
    bool found;
};

enum { NO_COLUMN = FIELDS_MOST };

static size_t column(const struct record *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++)
        if (strcmp(header->fields[i], name) == 0)
            return i;
    return NO_COLUMN;
}

static struct columns find_columns(const struct record *header)
{
    struct columns columns = {
        .id = column(header, "ID"),
        .kernel = column(header, "Kernel Name"),
        .block = column(header, "Block Size"),
        .grid = column(header, "Grid Size"),
        .name = column(header, "Metric Name"),
        .unit = column(header, "Metric Unit"),
        .value = column(header, "Metric Value"),
    };
    columns.found = columns.id < NO_COLUMN && columns.kernel < NO_COLUMN &&
                    columns.name < NO_COLUMN && columns.value < NO_COLUMN;
    return columns;
}

static const char *field(const struct record *record, size_t index)
{
    return index < record->count ? record->fields[index] : "";
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
    const struct record *record, const struct columns *columns, struct measured_kernel *launch)
{
    const char *name = field(record, columns->name);
    char text[NAME_BYTES];
    double number;

    if (!read_number(field(record, columns->value), &number))
        return;
    for (size_t m = 0; m < METRICS; m++)
        if (strcmp(metric_name(m, text), name) == 0) {
            launch->values[m] = number * unit_factor(field(record, columns->unit));
            launch->known[m] = true;
        }
}

static void write_row(
    FILE *csv, const char *task, const struct record *record, const struct columns *columns)
{
    const size_t written[] = {columns->id, columns->kernel, columns->grid, columns->block,
        columns->name, columns->unit, columns->value};

    fputs(task, csv);
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        fputc(',', csv);
        write_csv_text(csv, field(record, written[i]));
    }
    fputc('\n', csv);
}

/* Without the parameters, which a student did not write there: "sum_kernel(const float *, …)". */
static void name_kernel(const char *from, char *to, size_t bytes)
{
    snprintf(to, bytes, "%s", from);
    char *parameters = strstr(to, "(anonymous namespace)") == to ? NULL : strchr(to, '(');
    if (parameters && parameters > to)
        *parameters = '\0';
}

size_t read_ncu(
    FILE *from, const char *task, struct measured_kernel *kernels, size_t most, FILE *csv)
{
    static struct record record;
    struct columns columns = {.found = false};
    struct measured_kernel launch = {.launches = 0};
    char id[32] = "";
    size_t count = 0;

    while (next_record(from, &record)) {
        if (!columns.found || strcmp(field(&record, columns.id), "ID") == 0) {
            columns = find_columns(&record);
            id[0] = '\0'; /* another process counts from 0 again */
            continue;
        }
        if (strcmp(id, field(&record, columns.id)) != 0) {
            add_launch(&launch, kernels, &count, most);
            launch = (struct measured_kernel){.launches = 1};
            snprintf(id, sizeof id, "%s", field(&record, columns.id));
            name_kernel(field(&record, columns.kernel), launch.kernel, sizeof launch.kernel);
            snprintf(launch.block, sizeof launch.block, "%s", field(&record, columns.block));
            snprintf(launch.grid, sizeof launch.grid, "%s", field(&record, columns.grid));
        }
        take_metric(&record, &columns, &launch);
        write_row(csv, task, &record, &columns);
    }
    add_launch(&launch, kernels, &count, most);
    return count;
}
