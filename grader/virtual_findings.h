/* What the virtual GPU saw a candidate do, as findings of the task. */
#ifndef GRADER_VIRTUAL_FINDINGS_H
#define GRADER_VIRTUAL_FINDINGS_H

#include "trial.h"

/* Forgets what was seen so far. Does nothing on a real GPU. */
void virtual_findings_clear(void);

/* Takes over what was seen since: the first finding of each call becomes a safety finding of the
 * trial, except what the grader judges by other means (errors that a call returned, leaks). */
void virtual_findings_take(struct trial *trial);

#endif
