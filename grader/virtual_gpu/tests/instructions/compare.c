/* Compares two tables of instruction results:
 *     compare RECORDED MEASURED BOUNDS
 * and prints one line a mnemonic, in RECORDED's order:
 *     same<TAB>mnemonic<TAB>rows          equal to the bit, or within the mnemonic's bound
 *     differs<TAB>mnemonic<TAB>what, how often and the first row where
 *
 * A table's lines are mnemonic, operands and results, separated by tabs; lines that begin with "#"
 * are comments.  BOUNDS has lines
 *     mnemonic<TAB>format<TAB>units<TAB>absolute
 * for approximate instructions: results may lie `units` units in the last place apart, or differ by
 * at most `absolute`.  What was met is printed too: the largest distance in units where the
 * absolute bound does not hold, and the largest absolute one where the bound in units does not. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    char *name, *operands, *results;
    size_t line;
};

struct table {
    struct row *rows;
    size_t count, capacity;
};

struct bound {
    char name[64], format[8];
    double units, absolute;
};

static struct bound bounds[128];
static size_t bound_count;

static _Noreturn void give_up(const char *path, const char *why)
{
    fprintf(stderr, "compare: %s: %s\n", path, why);
    exit(2);
}

static FILE *opened(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        give_up(path, "cannot be read");
    return file;
}

/* Cuts the line at its tabs; false when it is a comment. */
static bool cut(char *line, struct row *row, const char *path)
{
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0')
        return false;
    row->name = line;
    row->operands = strchr(line, '\t');
    row->results = row->operands == NULL ? NULL : strchr(row->operands + 1, '\t');
    if (row->results == NULL)
        give_up(path, "a line has fewer than three columns");
    *row->operands++ = '\0';
    *row->results++ = '\0';
    return true;
}

static struct table read_table(const char *path)
{
    struct table table = {0};
    FILE *file = opened(path);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        struct row row = {.line = table.count};
        char *kept = strdup(line);
        if (kept == NULL)
            give_up(path, "out of memory");
        if (!cut(kept, &row, path)) {
            free(kept);
            continue;
        }
        if (table.count == table.capacity) {
            table.capacity = table.capacity == 0 ? 1024 : table.capacity * 2;
            table.rows = realloc(table.rows, table.capacity * sizeof *table.rows);
            if (table.rows == NULL)
                give_up(path, "out of memory");
        }
        table.rows[table.count++] = row;
    }
    free(line);
    fclose(file);
    if (table.count == 0)
        give_up(path, "no rows");
    return table;
}

static void read_bounds(const char *path)
{
    FILE *file = opened(path);
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        struct bound *b = &bounds[bound_count];
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (bound_count == sizeof bounds / sizeof bounds[0] ||
            sscanf(line, "%63s %7s %lf %lf", b->name, b->format, &b->units, &b->absolute) != 4)
            give_up(path, "a line is not: mnemonic, format, units, absolute");
        bound_count++;
    }
    fclose(file);
}

static const struct bound *bound_of(const char *name)
{
    for (size_t i = 0; i < bound_count; i++)
        if (strcmp(bounds[i].name, name) == 0)
            return &bounds[i];
    return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int bits, fraction_bits, parts;
} formats[] = {{"f32", 32, 23, 1}, {"f64", 64, 52, 1}, {"f16", 16, 10, 1}, {"f16x2", 16, 10, 2}};

/* How many numbers apart two are in the order of all numbers, ±0 in the middle. */
static double units_apart(uint64_t a, uint64_t b, int width)
{
    uint64_t sign = (uint64_t)1 << (width - 1), size_a = a & (sign - 1), size_b = b & (sign - 1);
    if ((a ^ b) & sign)
        return (double)size_a + (double)size_b;
    return (double)(size_a > size_b ? size_a - size_b : size_b - size_a);
}

static double value_of(uint64_t bits, int width, int fraction_bits)
{
    uint64_t sign = (uint64_t)1 << (width - 1), hidden = (uint64_t)1 << fraction_bits;
    int bias = (1 << (width - fraction_bits - 2)) - 1;
    int exponent = (int)((bits & (sign - 1)) >> fraction_bits);
    double fraction = (double)(bits & (hidden - 1));
    double size = exponent == 0 ? ldexp(fraction, 1 - bias - fraction_bits)
                                : ldexp(fraction + (double)hidden, exponent - bias - fraction_bits);
    return bits & sign ? -size : size;
}

struct distance {
    double units, absolute;
};

/* How far two numbers are apart; infinitely, when just one is a NaN or infinite, or NaNs differ. */
static struct distance distance(uint64_t a, uint64_t b, int width, int fraction_bits)
{
    uint64_t infinity = (((uint64_t)1 << (width - 1 - fraction_bits)) - 1) << fraction_bits;
    uint64_t size_mask = ((uint64_t)1 << (width - 1)) - 1;
    if (a == b)
        return (struct distance){0, 0};
    if ((a & size_mask) >= infinity || (b & size_mask) >= infinity)
        return (struct distance){INFINITY, INFINITY};
    return (struct distance){units_apart(a, b, width),
        fabs(value_of(a, width, fraction_bits) - value_of(b, width, fraction_bits))};
}

/* The largest distances met that only one of the two bounds allows. */
static struct distance observed;

static bool is_within(const char *recorded, const char *measured, const struct bound *bound)
{
    uint64_t a = strtoull(recorded, NULL, 16), b = strtoull(measured, NULL, 16);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        if (strcmp(formats[f].name, bound->format) != 0)
            continue;
        bool good = true;
        uint64_t mask = formats[f].bits == 64 ? UINT64_MAX : ((uint64_t)1 << formats[f].bits) - 1;
        for (int part = 0; part < formats[f].parts; part++) {
            int shift = part * formats[f].bits;
            struct distance d = distance(
                a >> shift & mask, b >> shift & mask, formats[f].bits, formats[f].fraction_bits);
            if (d.absolute > bound->absolute)
                observed.units = fmax(observed.units, d.units);
            if (d.units > bound->units)
                observed.absolute = fmax(observed.absolute, d.absolute);
            good = good && (d.units <= bound->units || d.absolute <= bound->absolute);
        }
        return good;
    }
    give_up(bound->name, "unknown format");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int by_name(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int names = strcmp(a->name, b->name);
    return names != 0 ? names : (a->line > b->line) - (a->line < b->line);
}

static int by_key(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int names = strcmp(a->name, b->name);
    return names != 0 ? names : strcmp(a->operands, b->operands);
}

static int by_first_line(const void *left, const void *right)
{
    const struct row *const *a = left, *const *b = right;
    return ((*a)->line > (*b)->line) - ((*a)->line < (*b)->line);
}

/* Compares the rows of one mnemonic, which are neighbours. */
static void compare_rows(const struct row *rows, size_t count, const struct table *measured)
{
    const struct bound *bound = bound_of(rows[0].name);
    size_t wrong = 0, missing = 0;
    const struct row *first = NULL, *first_found = NULL;
    observed = (struct distance){0, 0};
    for (size_t i = 0; i < count; i++) {
        const struct row *found =
            bsearch(&rows[i], measured->rows, measured->count, sizeof *measured->rows, by_key);
        bool good = found != NULL &&
                    (strcmp(rows[i].results, found->results) == 0 ||
                        (bound != NULL && is_within(rows[i].results, found->results, bound)));
        if (good)
            continue;
        wrong += found != NULL;
        missing += found == NULL;
        if (first == NULL || (first_found == NULL && found != NULL)) {
            first = &rows[i];
            first_found = found;
        }
    }
    if (first == NULL)
        printf("same\t%s\t%zu rows", rows[0].name, count);
    else
        printf("differs\t%s\t%zu of %zu rows differ, %zu are missing; (%s) gives %s on the GPU, "
               "%s here",
            rows[0].name, wrong, count, missing, first->operands, first->results,
            first_found == NULL ? "nothing" : first_found->results);
    if (bound != NULL)
        printf(", at most %g units or %.3g apart", observed.units, observed.absolute);
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc != 4)
        give_up("usage", "compare RECORDED MEASURED BOUNDS");
    struct table recorded = read_table(argv[1]), measured = read_table(argv[2]);
    read_bounds(argv[3]);
    qsort(recorded.rows, recorded.count, sizeof *recorded.rows, by_name);
    qsort(measured.rows, measured.count, sizeof *measured.rows, by_key);

    /* Mnemonics in the order of the recorded table. */
    const struct row **starts = malloc(recorded.count * sizeof *starts);
    size_t start_count = 0;
    if (starts == NULL)
        give_up(argv[1], "out of memory");
    for (size_t i = 0; i < recorded.count; i++)
        if (i == 0 || strcmp(recorded.rows[i - 1].name, recorded.rows[i].name) != 0)
            starts[start_count++] = &recorded.rows[i];
    qsort(starts, start_count, sizeof(struct row *), by_first_line);
    for (size_t i = 0; i < start_count; i++) {
        size_t count = 1;
        const struct row *end = recorded.rows + recorded.count;
        while (starts[i] + count < end && strcmp(starts[i]->name, starts[i][count].name) == 0)
            count++;
        compare_rows(starts[i], count, &measured);
    }
    printf("%s\tthe number of rows\t%zu on the GPU, %zu here\n",
        recorded.count == measured.count ? "same" : "differs", recorded.count, measured.count);
    return 0;
}
