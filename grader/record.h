/* The result of one task, put together by the supervisor, and its line in the result file. */
#ifndef GRADER_RECORD_H
#define GRADER_RECORD_H

#include <stdio.h>

#include "device.h"
#include "measure.h"
#include "outcome.h"
#include "task.h"

/* One homework's run: what is the same for all its tasks. */
struct run_facts {
    const char *student, *file, *sha256;
    const char *seed;
    struct device_facts device;
};

struct record {
    const struct task *task;
    struct outcome outcome;         /* correctness and safety */
    struct speed_result speed;      /* verdict VERDICT_NONE: not measured */
    enum verdict verdict;           /* of the whole task: the gravest of the three */
    char diagnosis[48];             /* its stable id, "" for PASS */
    struct points earned, possible; /* possible: less what could not be judged here */
    double seconds;
    int hint_level;      /* the highest level that was read; 0: none */
    bool times_nothing;  /* on this device no speed is judged: those points are out */
    bool reported;       /* the student has read it */
    size_t output_bytes; /* what the candidate printed */
    const char *output;  /* its beginning */
};

enum { RECORD_SCHEMA = 1 };

/* Derives verdict, diagnosis and points from outcome and speed. */
void record_judge(struct record *record);

int points_sum(struct points points);

/* Writes one JSON object and a newline. */
void record_write(FILE *file, const struct record *record, const struct run_facts *facts);

/* A JSON string with its quotes: control characters, quotes, backslashes and bytes that are not
 * UTF-8 are escaped, so that any text makes valid JSON. */
void json_string(FILE *file, const char *text);

#endif
