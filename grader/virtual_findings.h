/* What the virtual GPU saw a candidate do, as findings of the task. */
#ifndef GRADER_VIRTUAL_FINDINGS_H
#define GRADER_VIRTUAL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "trial.h"

/* Forgets what was seen so far. Does nothing on a real GPU. */
void virtual_findings_clear(void);

/* Takes over what was seen since: the first finding of each call becomes a safety finding of the
 * trial, except what the grader judges by other means (errors that a call returned, leaks). */
void virtual_findings_take(struct trial *trial);

/* Writes "file.cu:44  what it says" of the first finding with that word. False if there is none: the
 * text is left as it is. NULL and 0 only ask. */
bool virtual_finding_text(const char *word, char *text, size_t bytes);

#endif
