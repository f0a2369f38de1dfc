/* Patterns of places in a row-major matrix: whole rows or whole columns at an edge. */
#include <stdint.h>
#include <stdio.h>

#include "pattern.h"

static enum prediction in_columns(const struct place *place, size_t i)
{
    const size_t column = i % place->columns;
    return column >= place->begin && column < place->end ? WRONG : RIGHT;
}

/* The smallest range of columns that holds every wrong element. */
static struct place wrong_columns(const struct evidence *evidence)
{
    struct place place = {.begin = SIZE_MAX, .columns = evidence->expectation->columns};

    for (size_t i = evidence->first; i <= evidence->last; i++) {
        const size_t column = i % place.columns;
        if (!evidence_wrong(evidence, i))
            continue;
        if (column < place.begin)
            place.begin = column;
        if (column >= place.end)
            place.end = column + 1;
    }
    return place;
}

static size_t rows_of(const struct evidence *evidence)
{
    const size_t columns = evidence->expectation->columns;
    return columns >= 2 && evidence->count % columns == 0 ? evidence->count / columns : 0;
}

/* "the first row", "the last 3 columns". */
static void describe_edge(
    char *text, size_t bytes, const char *edge, size_t lines, const char *line)
{
    if (lines == 1)
        snprintf(text, bytes, "the %s %s", edge, line);
    else
        snprintf(text, bytes, "the %s %s %ss", edge, COUNT(lines), line);
}

/* Fills both sentences for the rows or columns from begin to end - 1 of `total`. */
static void describe_lines(const struct evidence *evidence, struct mismatch *mismatch,
    const char *line, size_t begin, size_t end, size_t total)
{
    const size_t lines = end - begin;
    char edge[60];

    describe_edge(edge, sizeof edge, begin == 0 ? "first" : "last", lines, line);
    snprintf(mismatch->where, sizeof mismatch->where, "%s of %s (%s)", edge, COUNT(total),
        wrong_state(evidence));
    describe_edge(mismatch->right, sizeof mismatch->right, begin == 0 ? "last" : "first",
        total - lines, line);
}

static bool rows_wrong(
    const struct evidence *evidence, size_t begin, size_t end, struct mismatch *mismatch)
{
    const size_t columns = evidence->expectation->columns, rows = rows_of(evidence);

    if (rows < 2 || end - begin >= rows ||
        !range_is_wrong(evidence, begin * columns, end * columns))
        return false;
    describe_lines(evidence, mismatch, row_name(evidence->expectation), begin, end, rows);
    return true;
}

static bool columns_wrong(
    const struct evidence *evidence, const struct place *place, struct mismatch *mismatch)
{
    if (rows_of(evidence) < 2 || place->end - place->begin >= place->columns ||
        !explains(evidence, in_columns, place))
        return false;
    describe_lines(evidence, mismatch, "column", place->begin, place->end, place->columns);
    return true;
}

static bool first_row_only(const struct evidence *evidence, struct mismatch *mismatch)
{
    return rows_of(evidence) >= 3 && rows_wrong(evidence, 1, rows_of(evidence), mismatch);
}

static bool first_column_only(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t columns = evidence->expectation->columns;
    const struct place place = {.begin = 1, .end = columns, .columns = columns};
    return columns >= 3 && columns_wrong(evidence, &place, mismatch);
}

static bool first_rows(const struct evidence *evidence, struct mismatch *mismatch)
{
    return rows_of(evidence) > 0 &&
           rows_wrong(evidence, 0, evidence->last / evidence->expectation->columns + 1, mismatch);
}

static bool last_rows(const struct evidence *evidence, struct mismatch *mismatch)
{
    return rows_of(evidence) > 0 &&
           rows_wrong(evidence, evidence->first / evidence->expectation->columns, rows_of(evidence),
               mismatch);
}

static bool first_columns(const struct evidence *evidence, struct mismatch *mismatch)
{
    if (rows_of(evidence) == 0)
        return false;
    const struct place place = wrong_columns(evidence);
    return place.begin == 0 && columns_wrong(evidence, &place, mismatch);
}

static bool last_columns(const struct evidence *evidence, struct mismatch *mismatch)
{
    if (rows_of(evidence) == 0)
        return false;
    const struct place place = wrong_columns(evidence);
    return place.end == place.columns && columns_wrong(evidence, &place, mismatch);
}

const struct pattern matrix_patterns[] = {
    {"first-row-only", first_row_only},
    {"first-column-only", first_column_only},
    {"first-rows", first_rows},
    {"last-rows", last_rows},
    {"first-columns", first_columns},
    {"last-columns", last_columns},
    {NULL, NULL},
};
