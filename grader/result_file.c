/* Rewriting a few lines of JSON. */
#define _GNU_SOURCE
#include "result_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_graded_now(const char *line, const struct grading *grading)
{
    char member[64];

    for (size_t i = 0; i < grading->count; i++) {
        snprintf(member, sizeof member, "\"task\":\"%s\"", grading->records[i].task->id);
        if (strstr(line, member))
            return true;
    }
    return false;
}

void result_file_clear(const char *path, const struct grading *grading)
{
    struct stat status;
    char *kept = NULL, *line = NULL;
    size_t kept_bytes = 0, room = 0;

    if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    FILE *old = fopen(path, "r"), *others = open_memstream(&kept, &kept_bytes);
    while (old && others && getline(&line, &room, old) > 0)
        if (!is_graded_now(line, grading))
            fputs(line, others);
    free(line);
    if (old)
        fclose(old);
    if (others)
        fclose(others);
    FILE *new = fopen(path, "w");
    if (new &&kept_bytes > 0)
        fwrite(kept, 1, kept_bytes, new);
    if (new)
        fclose(new);
    free(kept);
}

bool result_file_append(const char *path, const struct grading *grading)
{
    FILE *file = fopen(path, "a");

    if (!file)
        return false;
    for (size_t i = 0; i < grading->count; i++)
        record_write(file, &grading->records[i], &grading->facts);
    const bool written = !ferror(file);
    return fclose(file) == 0 && written;
}
