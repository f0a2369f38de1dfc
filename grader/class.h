/* The results of many files, as grader/tools/class.sh collects them: one grading a file. */
#ifndef GRADER_CLASS_H
#define GRADER_CLASS_H

#include <stdbool.h>
#include <stddef.h>

#include "task.h"
#include "verdict.h"

/* What the record of a file says of one task. */
struct class_task {
    enum verdict verdict; /* VERDICT_NONE: nothing, it was not graded */
    char diagnosis[48];
    double points, max_points;
    double share; /* of the limit of speed; NaN where none was measured */
};

struct class_entry {
    char *student, *file;
    char *text;    /* path of what the student would have read */
    char *seconds; /* as it is written into the table */
    char seed[20]; /* of its inputs; "" if it was not graded */
    char *reason;  /* why it could not be graded; "" if it was */
    struct class_task tasks[TASKS_MAX];
};

struct class
{
    struct class_entry *entries;
    size_t count;
};

/* Reads the list: a line a file, with student, file, paths of its record and its text, seconds and
 * reason between tabs; and the records. False if it cannot be read. */
bool class_read(const char *path, struct class *class);

/* One row a file, the quoting of RFC 4180. False if the file cannot be written. */
bool class_write_table(const char *path, const struct class *class);

/* The diagnoses by the number of students, each with its sentence and an example. */
bool class_write_mistakes(const char *path, const struct class *class);

/* The grader program as the writer of both: --mode=class. Prints two lines about the class. */
enum exit_code class_main(void);

#endif
