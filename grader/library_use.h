/* Homeworks that ban a library: the lesson is to write what it would do. */
#ifndef GRADER_LIBRARY_USE_H
#define GRADER_LIBRARY_USE_H

#include <stdbool.h>
#include <stddef.h>

/* True if the candidate was compiled with a header whose path holds one of `banned` (ends with
 * NULL; may be NULL); `header` receives it. The list of headers lies beside the shared object. */
bool uses_banned_library(
    const char *object, const char *const *banned, char *header, size_t header_bytes);

#endif
