/* Grades one candidate: every chosen task in its own test process, on each device it needs. */
#ifndef GRADER_SUPERVISOR_H
#define GRADER_SUPERVISOR_H

#include "verdict.h"

/* Prints what the student reads, writes the result record, returns the exit code. */
enum exit_code supervise(void);

#endif
