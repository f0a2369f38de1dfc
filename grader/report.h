/* What the student reads. */
#ifndef GRADER_REPORT_H
#define GRADER_REPORT_H

#include <stdbool.h>

#include "compile_error.h"
#include "record.h"

/* Who is graded, on what, and whether the virtual GPU judges safety beside a real one. */
void report_banner(const struct run_facts *facts, const char *mode, bool virtual_pass);

/* On a terminal: what is being done, until report_task() replaces it. */
void report_progress(const char *doing, const char *id);

void report_task(const struct record *record, const struct run_facts *facts);

/* The table of tasks, the total, and what to do next; of an exit code that Make takes for an error,
 * what it means. */
void report_summary(
    const struct record *records, size_t count, const struct run_facts *facts, enum exit_code code);

/* nvcc's first error (NULL: it gave none): its words, its line, its task and its meaning. */
void report_compile_error(const char *file, const struct compile_error *error);

/* Why nothing could be graded. */
void report_cannot_grade(const char *problem);

#endif
