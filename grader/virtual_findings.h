/* What the virtual GPU saw a candidate do, as findings of the task. */
#ifndef GRADER_VIRTUAL_FINDINGS_H
#define GRADER_VIRTUAL_FINDINGS_H

#include <stddef.h>

#include "trial.h"

/* Of one call; what it does wrong after these is not looked at. */
enum { FINDINGS_MAX = 16 };

/* Forgets what was seen so far. Does nothing on a real GPU. */
void virtual_findings_clear(void);

/* Takes over what was seen since: the first finding of each call becomes a safety finding of the
 * trial, except what the grader judges by other means (errors that a call returned, leaks). */
void virtual_findings_take(struct trial *trial);

/* Writes "file.cu:44  what it says" of the first finding with that word; leaves the text as it is if
 * there is none. */
void virtual_finding_text(const char *word, char *text, size_t bytes);

#endif
