/* A few lines on the call that ncu measured. */
#include "profile_note.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value is one line. */
static void write_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, "%s=", key);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    fputc('\n', file);
}

bool write_profile_note(const char *path, const struct profile *profile, const char *device)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return false;
    write_text(file, "device", device);
    write_text(file, "verdict", verdict_name(profile->verdict));
    write_text(file, "what", profile->what);
    write_text(file, "elsewhere", profile->elsewhere);
    write_text(file, "case", profile->case_name);
    fprintf(file, "n=%zu\nneeded=%.0f\nstated=%d\nbaseline=%d\nlaunches=%zu\n", profile->n,
        profile->needed_bytes, profile->needed_is_stated, profile->shows_baseline,
        profile->launch_calls);
    return fclose(file) == 0;
}

#define TAKE(field) snprintf(field, sizeof(field), "%.*s", (int)sizeof(field) - 1, value)

static void take(struct profile *profile, const char *key, const char *value)
{
    if (strcmp(key, "verdict") == 0)
        profile->verdict = verdict_named(value);
    else if (strcmp(key, "what") == 0)
        TAKE(profile->what);
    else if (strcmp(key, "elsewhere") == 0)
        TAKE(profile->elsewhere);
    else if (strcmp(key, "case") == 0)
        TAKE(profile->case_name);
    else if (strcmp(key, "n") == 0)
        profile->n = strtoull(value, NULL, 10);
    else if (strcmp(key, "needed") == 0)
        profile->needed_bytes = strtod(value, NULL);
    else if (strcmp(key, "stated") == 0)
        profile->needed_is_stated = *value == '1';
    else if (strcmp(key, "baseline") == 0)
        profile->shows_baseline = *value == '1';
    else if (strcmp(key, "launches") == 0)
        profile->launch_calls = strtoull(value, NULL, 10);
}

bool read_profile_note(const char *path, struct profile *profile, char *device, size_t bytes)
{
    FILE *file = fopen(path, "r");
    char line[600];

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        char *value = strchr(line, '=');
        line[strcspn(line, "\n")] = '\0';
        if (!value)
            continue;
        *value++ = '\0';
        if (strcmp(line, "device") == 0)
            snprintf(device, bytes, "%s", value);
        else
            take(profile, line, value);
    }
    fclose(file);
    return true;
}
