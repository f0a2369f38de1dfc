/* From what went wrong to its likely cause: a table of sentences, one a stable id. */
#ifndef GRADER_DIAGNOSIS_H
#define GRADER_DIAGNOSIS_H

struct diagnosis {
    const char *id;    /* stable: recorded, and named in the first line of every wrong answer */
    const char *cause; /* what the student most likely did; one or two sentences, no line breaks */
};

/* The cause for an id: from the lesson's own table if it has one (may be NULL), else from the
 * common table, else a sentence that admits that the pattern is not a known one. Never NULL. */
const char *diagnosis_cause(const char *id, const struct diagnosis *lesson);

/* The same where a place says more, an array or a task: an entry "id/place" goes before "id" in
 * either table. */
const char *diagnosis_cause_at(const char *id, const char *place, const struct diagnosis *lesson);

/* Which place a finding about memory is at: "shared", "local", "before" (the first
 * element) or "". */
const char *diagnosis_place(const char *finding);

/* The table of causes that are common to all homeworks; ends with id NULL. */
extern const struct diagnosis common_diagnoses[];

#endif
