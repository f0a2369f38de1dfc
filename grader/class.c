/* Reading the results of a class back, and what is said of it in two lines. */
#define _GNU_SOURCE
#include "class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

/* What follows "name": in a record that json_string() and its neighbours wrote; NULL if nothing.
 * Inside a string a quote has a backslash before it, so only a member's name looks like one. */
static const char *member(const char *record, const char *name)
{
    char quoted[40];

    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(record, quoted);
    return at ? at + strlen(quoted) : NULL;
}

static double member_number(const char *record, const char *name)
{
    const char *value = member(record, name);
    char *end;

    if (!value)
        return NAN;
    const double number = strtod(value, &end);
    return end == value ? NAN : number; /* null */
}

/* Only for ids and verdicts, which need no escapes. */
static void member_text(const char *record, const char *name, char *text, size_t text_bytes)
{
    const char *value = member(record, name);

    text[0] = '\0';
    if (value && *value == '"')
        snprintf(text, text_bytes, "%.*s", (int)strcspn(value + 1, "\"\\"), value + 1);
}

static void read_task(const char *record, struct class_entry *entry)
{
    char id[32], verdict[32];

    member_text(record, "task", id, sizeof id);
    member_text(record, "verdict", verdict, sizeof verdict);
    member_text(record, "seed", entry->seed, sizeof entry->seed);
    for (size_t i = 0; i < homework.task_count && i < TASKS_MAX; i++) {
        struct class_task *task = &entry->tasks[i];
        if (strcmp(homework.tasks[i].id, id) != 0)
            continue;
        task->verdict = verdict_named(verdict);
        member_text(record, "diagnosis", task->diagnosis, sizeof task->diagnosis);
        task->points = member_number(record, "points");
        task->max_points = member_number(record, "max_points");
        task->share = member_number(record, "share");
    }
}

static void read_record(const char *path, struct class_entry *entry)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    while (file && getline(&line, &room, file) > 0)
        read_task(line, entry);
    free(line);
    if (file)
        fclose(file);
}

/* The next field of a line whose fields are separated by tabs; "" if there is none. */
static char *next_field(char **rest)
{
    char *field = *rest ? strsep(rest, "\t\n") : NULL;
    return strdup(field ? field : "");
}

bool class_read(const char *path, struct class *class)
{
    FILE *list = path ? fopen(path, "r") : NULL;
    char *line = NULL;
    size_t room = 0;

    *class = (struct class){NULL, 0};
    while (list && getline(&line, &room, list) > 0) {
        char *rest = line;
        struct class_entry *grown =
            realloc(class->entries, (class->count + 1) * sizeof *class->entries);
        if (!grown)
            break;
        class->entries = grown;
        struct class_entry *entry = &class->entries[class->count++];
        memset(entry, 0, sizeof *entry);
        entry->student = next_field(&rest);
        entry->file = next_field(&rest);
        char *record = next_field(&rest);
        entry->text = next_field(&rest);
        entry->seconds = next_field(&rest);
        entry->reason = next_field(&rest);
        if (!*entry->reason)
            read_record(record, entry);
        free(record);
    }
    free(line);
    return list && fclose(list) == 0;
}

static int by_number(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* How many were graded; and how the points lie. */
static void print_sums(const struct class *class)
{
    double *sums = calloc(class->count + 1, sizeof *sums);
    size_t graded = 0;

    for (size_t i = 0; sums && i < class->count; i++) {
        if (*class->entries[i].reason)
            continue;
        for (size_t t = 0; t < TASKS_MAX; t++)
            sums[graded] += class->entries[i].tasks[t].points;
        graded++;
    }
    if (graded < class->count)
        printf("graded    %zu of %zu files\n", graded, class->count);
    else
        printf("graded    all %zu files\n", graded);
    if (graded > 0) {
        qsort(sums, graded, sizeof *sums, by_number);
        printf("points    %.0f to %.0f, the median is %.0f\n", sums[0], sums[graded - 1],
            sums[graded / 2]);
    }
    free(sums);
}

enum exit_code class_main(void)
{
    struct class class;

    if (!class_read(setting("CLASS"), &class)) {
        fprintf(stderr, "--class= names no list that can be read.\n");
        return EXIT_FAULT;
    }
    print_sums(&class);
    if (!class_write_table(setting("CSV"), &class) ||
        !class_write_mistakes(setting("MISTAKES"), &class)) {
        fprintf(stderr, "The table could not be written: is the disk full?\n");
        return EXIT_FAULT;
    }
    return EXIT_PASS;
}
