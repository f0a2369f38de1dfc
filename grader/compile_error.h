/* A candidate that did not compile: nvcc's first error, where it is, and what it means. */
#ifndef GRADER_COMPILE_ERROR_H
#define GRADER_COMPILE_ERROR_H

#include <stdbool.h>

struct compile_error {
    char message[400];  /* nvcc's own words, without the place */
    char file[300];     /* as nvcc names it; "" where it names none */
    unsigned line;      /* in that file; 0: not known */
    bool in_source;     /* that file is the student's, and the two below may be filled */
    char text[200];     /* that line of it, without the blanks at its beginning */
    char task[32];      /* in whose region (TODO or SOLVED … END) it lies; "": in none */
    const char *likely; /* what it means in plain words; NULL: the message must do */
};

/* Reads nvcc's log and the source. Warnings are none. False: the log has no error. */
bool first_compile_error(
    const char *log_path, const char *source_path, struct compile_error *error);

/* Whether that error is compile.sh's own word: a limit ended the compiler. */
bool compiler_was_stopped(const struct compile_error *error);

#endif
