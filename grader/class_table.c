/* The table of a class: comma-separated values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "class.h"

/* Quoted where RFC 4180 wants it. A spreadsheet takes what begins like a formula for one, and a
 * file's name is its owner's choice: an apostrophe makes it a text. */
static void write_text(FILE *csv, const char *text)
{
    const char *formula = strchr("=+-@", *text) && *text ? "'" : "";

    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(csv, "%s%s", formula, text);
        return;
    }
    fprintf(csv, "\"%s", formula);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', csv);
        fputc(*text, csv);
    }
    fputc('"', csv);
}

static void write_header(FILE *csv)
{
    fputs("student,file,points,max_points,stars", csv);
    for (size_t i = 0; i < homework.task_count; i++) {
        const char *id = homework.tasks[i].id;
        fprintf(csv, ",%s verdict,%s points,%s diagnosis,%s speed share", id, id, id, id);
    }
    fputs(",seconds,seed,not graded because\n", csv);
}

static void write_sums(FILE *csv, const struct class_entry *entry)
{
    double points = 0, max_points = 0;
    int stars = 0;

    for (size_t i = 0; i < homework.task_count; i++) {
        points += entry->tasks[i].points;
        max_points += entry->tasks[i].max_points;
        stars += homework.tasks[i].star && entry->tasks[i].verdict == PASS;
    }
    if (*entry->reason)
        fputs(",,,", csv);
    else
        fprintf(csv, ",%.0f,%.0f,%d", points, max_points, stars);
}

static void write_task(FILE *csv, const struct class_task *task)
{
    if (task->verdict == VERDICT_NONE) {
        fputs(",,,,", csv);
        return;
    }
    fprintf(csv, ",%s,%.0f,", verdict_name(task->verdict), task->points);
    write_text(csv, task->diagnosis);
    fputc(',', csv);
    if (isfinite(task->share))
        fprintf(csv, "%.3f", task->share);
}

bool class_write_table(const char *path, const struct class *class)
{
    FILE *csv = path ? fopen(path, "w") : NULL;

    if (!csv)
        return false;
    write_header(csv);
    for (size_t i = 0; i < class->count; i++) {
        const struct class_entry *entry = &class->entries[i];
        write_text(csv, entry->student);
        fputc(',', csv);
        write_text(csv, entry->file);
        write_sums(csv, entry);
        for (size_t t = 0; t < homework.task_count; t++)
            write_task(csv, &entry->tasks[t]);
        fprintf(csv, ",%s,%s,", entry->seconds, entry->seed);
        write_text(csv, entry->reason);
        fputc('\n', csv);
    }
    const bool written = !ferror(csv);
    return fclose(csv) == 0 && written;
}
