/* Comparing an output, or printing it for `make try`. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"
#include "trial.h"
#include "trial_state.h"

enum { COLUMNS = 80, LABEL_WIDTH = 10, CELLS_MAX = 32, SHOWN_MAX = 256, VALUE_BYTES = 40 };

/* Where no inputs are named, those of the case: to recognise a copy. */
static void add_inputs(const struct trial *trial, struct expectation *expectation)
{
    size_t known = 0;

    if (expectation->inputs[0] || expectation->inputs[1] || expectation->inputs[2])
        return;
    for (size_t i = 0; i < trial->array_count && known < LENGTH(expectation->inputs); i++)
        if (!trial->arrays[i].is_output && !trial->arrays[i].is_scratch)
            expectation->inputs[known++] = &trial->arrays[i];
}

static bool has_nan_input(const struct trial *trial)
{
    for (size_t k = 0; k < trial->array_count; k++) {
        const struct array *array = &trial->arrays[k];
        const bool is_input = !array->is_output && !array->is_scratch;
        for (size_t i = 0; is_input && i < array->count; i++)
            if (isnan(array_value(array, i)))
                return true;
    }
    return false;
}

/* Values that follow no pattern: what was seen of memory in the same case says more, and so does
 * a NaN. */
static void explain_without_pattern(const struct trial *trial)
{
    struct outcome *outcome = trial->outcome;
    const bool unexplained = strcmp(outcome->diagnosis, "unknown-pattern") == 0 ||
                             strcmp(outcome->diagnosis, "wrong-value") == 0;

    if (unexplained && outcome->safety == MEMORY_ERROR &&
        strcmp(outcome->case_id, outcome->safety_case_id) == 0)
        memcpy(outcome->cause, outcome->safety_cause, sizeof outcome->cause);
    else if (unexplained && strstr(outcome->where, "NaN") && !has_nan_input(trial))
        snprintf(outcome->cause, sizeof outcome->cause, "%s",
            diagnosis_cause_at(outcome->diagnosis, "nan", trial->task->diagnoses));
}

void trial_print(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    trial->outcome->shown = true;
}

void trial_expect(struct trial *trial, const struct expectation *expectation)
{
    struct expectation complete = *expectation;

    if (!trial_healthy(trial))
        return;
    if (trial->try_size > 0) {
        print_try(trial, expectation);
        trial->outcome->shown = true;
        return;
    }
    add_inputs(trial, &complete);
    const struct mismatch mismatch = compare(&complete);
    const char *diagnosis = trial->stream ? "other-stream" : mismatch.diagnosis;
    if (mismatch.wrong == 0 || !trial_judge(trial, WRONG_ANSWER, diagnosis))
        return;
    struct outcome *outcome = trial->outcome;
    describe_element(&complete, mismatch.first, outcome->first, sizeof outcome->first);
    snprintf(outcome->where, sizeof outcome->where, "%s", mismatch.where);
    snprintf(outcome->right, sizeof outcome->right, "%s",
        trial->stream ? "the same call with the default stream" : mismatch.right);
    explain_without_pattern(trial);
}

/* ---- make try ------------------------------------------------------------------------------- */

/* What one line of the table shows: an array of the case, or the expected values. */
struct shown {
    const char *name;
    const struct array *array;
    const double *want;              /* NULL: the array's own values */
    const struct expectation *marks; /* NULL, or: an element that is wrong gets a '*' */
};

static void show_cell(const struct shown *shown, size_t i, char *text)
{
    const struct expectation *marks = shown->marks;

    if (shown->want && shown->array->element == FLOAT32)
        snprintf(text, VALUE_BYTES, "%.6g", shown->want[i]);
    else if (shown->want)
        snprintf(text, VALUE_BYTES, "%.0f", shown->want[i]);
    else
        describe_value(shown->array, i, 6, text, VALUE_BYTES - 1);
    if (marks &&
        !agrees(array_value(shown->array, i), marks->want[i], marks->bound ? marks->bound[i] : 0))
        strcat(text, "*");
}

static size_t shown_count(const struct array *array)
{
    return array->count < SHOWN_MAX ? array->count : SHOWN_MAX;
}

static size_t widest_cell(const struct shown *shown)
{
    char text[VALUE_BYTES];
    size_t widest = 0;

    for (size_t i = 0; i < shown_count(shown->array); i++) {
        show_cell(shown, i, text);
        if (strlen(text) > widest)
            widest = strlen(text);
    }
    return widest;
}

/* A matrix has a line a row, wrapped where it is too long. */
static void print_shown(const struct shown *shown, size_t columns, int width)
{
    const size_t fitting = (size_t)((COLUMNS - LABEL_WIDTH) / (width + 1));
    const size_t cells = fitting < CELLS_MAX ? fitting : CELLS_MAX;
    char text[VALUE_BYTES];

    printf("%-*.*s", LABEL_WIDTH, LABEL_WIDTH - 1, shown->name);
    for (size_t i = 0, in_line = 0; i < shown_count(shown->array); i++, in_line++) {
        if (in_line == cells || (columns > 0 && i > 0 && i % columns == 0)) {
            printf("\n%*s", LABEL_WIDTH, "");
            in_line = 0;
        }
        show_cell(shown, i, text);
        printf(" %*s", width, text);
    }
    if (shown->array->count > SHOWN_MAX)
        printf("\n%*s … %zu more", LABEL_WIDTH, "", shown->array->count - SHOWN_MAX);
    printf("%s\n", shown->array->count == 0 ? " (no elements)" : "");
}

void print_try(struct trial *trial, const struct expectation *expectation)
{
    const struct array *output = expectation->output;
    struct shown shown[TRIAL_ARRAYS_MAX + 2];
    size_t count = 0, width = 1;

    for (size_t i = 0; i < trial->array_count && !trial->inputs_printed; i++)
        if (!trial->arrays[i].is_output && !trial->arrays[i].is_scratch)
            shown[count++] = (struct shown){trial->arrays[i].name, &trial->arrays[i], NULL, NULL};
    const size_t inputs = count;
    trial->inputs_printed = true;
    shown[count++] = (struct shown){output->name, output, NULL, expectation};
    shown[count++] = (struct shown){"expected", output, expectation->want, NULL};
    for (size_t i = 0; i < count; i++)
        width = widest_cell(&shown[i]) > width ? widest_cell(&shown[i]) : width;
    for (size_t i = 0; i < count; i++)
        print_shown(
            &shown[i], i < inputs ? shown[i].array->columns : expectation->columns, (int)width);
    printf("\n");
}
