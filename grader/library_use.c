/* Reading the list of headers that nvcc wrote: candidate.so has candidate.headers. */
#include "library_use.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

/* The first name is the source. Whatever its folder is called, what lies in it is no library. */
static size_t folder_length(const char *source)
{
    const char *slash = strrchr(source, '/');
    return slash ? (size_t)(slash - source) + 1 : 0;
}

static bool is_beside(const char *word, const char *source)
{
    const size_t length = folder_length(source);
    return length > 0 ? strncmp(word, source, length) == 0 : word[0] != '/';
}

bool uses_banned_library(
    const char *object, const char *const *banned, char *header, size_t header_bytes)
{
    char path[PATH_BYTES], source[PATH_BYTES] = "", word[PATH_BYTES];
    bool found = false;

    snprintf(path, sizeof path, "%.*s.headers", (int)(strlen(object) - strlen(".so")), object);
    FILE *list = banned ? fopen(path, "r") : NULL;
    /* "candidate.so : source.cu \", the object's name with its colon or apart from it */
    while (list && !*source && fscanf(list, "%4095s", word) == 1)
        if (word[strlen(word) - 1] != ':' && strcmp(word, object) != 0)
            snprintf(source, sizeof source, "%s", word);
    while (list && !found && fscanf(list, "%4095s", word) == 1)
        for (const char *const *part = banned; *part && !found; part++)
            found = strstr(word, *part) != NULL && !is_beside(word, source);
    if (found)
        snprintf(header, header_bytes, "%s", word);
    if (list)
        fclose(list);
    return found;
}
