/* Reading the list of headers that nvcc wrote: candidate.so has candidate.headers. */
#include "library_use.h"

#include <stdio.h>
#include <string.h>

bool uses_banned_library(
    const char *object, const char *const *banned, char *header, size_t header_bytes)
{
    char path[4096], word[4096];
    bool found = false;

    snprintf(path, sizeof path, "%.*s.headers", (int)(strlen(object) - strlen(".so")), object);
    FILE *list = banned ? fopen(path, "r") : NULL;
    while (list && !found && fscanf(list, "%4095s", word) == 1)
        for (const char *const *part = banned; *part && !found; part++)
            found = strstr(word, *part) != NULL;
    if (found)
        snprintf(header, header_bytes, "%s", word);
    if (list)
        fclose(list);
    return found;
}
