/* The shared object under judgement: opened inside the test, never linked to the grader. */
#ifndef GRADER_CANDIDATE_H
#define GRADER_CANDIDATE_H

#include <stddef.h>

/* The function of that name, or NULL with a sentence in `text`. Opens the object on first use. */
void *candidate_function(const char *path, const char *name, char *text, size_t text_bytes);

#endif
