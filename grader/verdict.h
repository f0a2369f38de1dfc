/* What the grader can say of a task, and what each verdict costs. */
#ifndef GRADER_VERDICT_H
#define GRADER_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

enum verdict {
    VERDICT_NONE, /* not judged yet */
    PASS,
    NOT_ATTEMPTED,
    WRONG_ANSWER,
    CUDA_ERROR,
    MEMORY_ERROR,
    RACE,
    BARRIER,
    UNINITIALISED,
    LEAK,
    INEFFICIENT,
    CRASHED,
    TIMED_OUT,
    EXITED,
    TOO_SLOW,
    DOES_NOT_COMPILE,
    INCONCLUSIVE,
    CANNOT_GRADE,
    GRADER_FAULT,
    VERDICT_COUNT
};

enum exit_code {
    EXIT_PASS = 0,
    EXIT_POINTS_MISSING = 1,
    EXIT_FAULT = 2,
    EXIT_NOISE = 75,
    EXIT_NO_DEVICE = 77
};

/* "WRONG ANSWER": as printed, recorded, and written in the first line of a wrong answer. */
const char *verdict_name(enum verdict verdict);

/* The verdict with that name, or VERDICT_NONE. */
enum verdict verdict_named(const char *name);

/* Which of a task's three kinds of points survive this verdict. */
struct kept_points {
    bool correct, speed, safe;
};
struct kept_points verdict_keeps(enum verdict verdict);

/* The exit code of a run with these verdicts: the first that applies of 2, 77 (nothing at all
 * could be graded), 1, 75, 0.  An empty run is a fault: silence never counts as a pass. */
enum exit_code exit_code_of(const enum verdict *verdicts, size_t count);

#endif
