/* Grades one candidate: every chosen task in its own test process, on each device it needs. */
#ifndef GRADER_SUPERVISOR_H
#define GRADER_SUPERVISOR_H

#include <stdbool.h>

#include "verdict.h"

/* Whether nvcc made a shared object of the file; else prints its first error and the task, and says
 * under which id it is recorded. */
bool has_compiled(const char *file, const char **diagnosis);

/* Whether TASK= names a task of this homework; else lists them. */
bool task_exists(void);

/* Prints what the student reads, writes the result record, returns the exit code. */
enum exit_code supervise(void);

#endif
