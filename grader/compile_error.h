/* A candidate that did not compile: nvcc's own words, and which task they concern. */
#ifndef GRADER_COMPILE_ERROR_H
#define GRADER_COMPILE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Copies the first error of nvcc's log into `text`, and the id of the task in whose region of the
 * source (TODO or SOLVED … END) it lies into `task`; empty if in none.  False: the log has none. */
bool first_compile_error(const char *log_path, const char *source_path, char *text,
    size_t text_bytes, char *task, size_t task_bytes);

/* Whether that error is compile.sh's own word: a limit ended the compiler. */
bool compiler_was_stopped(const char *error);

#endif
