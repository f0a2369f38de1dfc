/* One element in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "pattern.h"

enum { FIELD_COLUMNS = 69 }; /* of a line of the report, beside its label */

/* A float that is a whole number is written out up to here: 1994050, not 1.99405e+06. */
#define READ_AT_A_GLANCE 1e9

/* NaN and infinity alike on every C library: no "-nan". */
static void describe_number(
    double value, enum element element, int digits, char *text, size_t bytes)
{
    if (isnan(value))
        snprintf(text, bytes, "NaN");
    else if (isinf(value))
        snprintf(text, bytes, "%sinfinity", value < 0 ? "-" : "");
    else if (element == FLOAT32 && (value != floor(value) || fabs(value) >= READ_AT_A_GLANCE))
        snprintf(text, bytes, "%.*g", digits, value);
    else
        snprintf(text, bytes, "%.0f", value);
}

void describe_value(const struct array *array, size_t i, int digits, char *text, size_t bytes)
{
    if (array->is_output && array_unwritten(array, i))
        snprintf(text, bytes, "junk");
    else
        describe_number(array_value(array, i), array->element, digits, text, bytes);
}

const char *row_name(const struct expectation *expectation)
{
    return expectation->row ? expectation->row : "row";
}

static void describe_place(
    const struct expectation *expectation, size_t i, char *text, size_t bytes)
{
    const size_t columns = expectation->columns, threads = expectation->threads_per_block;

    if (expectation->output->count == 1)
        snprintf(
            text, bytes, "`%.40s`", expectation->output->name ? expectation->output->name : "");
    else if (columns > 0)
        snprintf(text, bytes, "%s %s, column %s", row_name(expectation), COUNT(i / columns),
            COUNT(i % columns));
    else if (threads > 0)
        snprintf(text, bytes, "index %s = block %s, thread %zu", COUNT(i), COUNT(i / threads),
            i % threads);
    else
        snprintf(text, bytes, "index %s", COUNT(i));
}

/* Got and expected with as few digits as tell them apart. */
static void describe_both(
    const struct expectation *expectation, size_t i, char *got, char *want, size_t bytes)
{
    const struct array *output = expectation->output;
    static const int digits[] = {6, 9, 17};

    for (size_t k = 0; k < sizeof digits / sizeof digits[0]; k++) {
        describe_value(output, i, digits[k], got, bytes);
        describe_number(expectation->want[i], output->element, digits[k], want, bytes);
        if (strcmp(got, want) != 0)
            break;
    }
    if (array_unwritten(output, i))
        snprintf(got, bytes, "junk (never written)");
    if (expectation->bound && expectation->bound[i] > 0) {
        const size_t length = strlen(want);
        snprintf(want + length, bytes - length, " ± %.2g", expectation->bound[i]);
    }
}

/* The elements on both sides: "before it 90 (right), after it 71 (wrong)". */
static void describe_neighbours(
    const struct expectation *expectation, size_t i, char *text, size_t bytes)
{
    const struct array *output = expectation->output;
    const struct evidence evidence = {.expectation = expectation, .output = output};
    size_t length = 0;
    char value[40];

    *text = '\0';
    if (output->count < 3)
        return;
    for (size_t side = 0; side < 2; side++) {
        if (side == 0 ? i == 0 : i + 1 == output->count)
            continue;
        const size_t neighbour = side == 0 ? i - 1 : i + 1;
        describe_value(output, neighbour, 6, value, sizeof value);
        length += (size_t)snprintf(text + length, bytes - length, "%s%s it %s (%s)",
            length == 0 ? "\n" : ", ", side == 0 ? "before" : "after", value,
            evidence_wrong(&evidence, neighbour) ? "wrong" : "right");
    }
}

void describe_element(const struct expectation *expectation, size_t i, char *text, size_t bytes)
{
    char place[100], got[40], want[60], neighbours[120];

    describe_place(expectation, i, place, sizeof place);
    describe_both(expectation, i, got, want, sizeof got);
    describe_neighbours(expectation, i, neighbours, sizeof neighbours);
    const size_t in_one_line = strlen(place) + strlen(got) + strlen(want) + 24;
    snprintf(text, bytes, "%s%sgot %s    expected %s%s", place,
        in_one_line > FIELD_COLUMNS ? "\n" : "      ", got, want, neighbours);
}
