/* The file of results: one JSON object a task and line. */
#ifndef GRADER_RESULT_FILE_H
#define GRADER_RESULT_FILE_H

#include <stdbool.h>

#include "grading.h"

/* Takes the tasks of this run out of the file, so that no old line survives a run that is stopped;
 * those of other tasks, from a run with another TASK=, stay. */
void result_file_clear(const char *path, const struct grading *grading);

/* Appends this run's lines. False if they could not be written. */
bool result_file_append(const char *path, const struct grading *grading);

#endif
