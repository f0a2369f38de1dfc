/* The options of a grader program. */
#include "settings.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *help;
} options[] = {
    {"CANDIDATE", "the shared object to grade, built from --file"},
    {"FILE", "the .cu file that the candidate was built from"},
    {"BASELINE", "the shared object of the version to beat"},
    {"LOG", "what nvcc said of the candidate"},
    {"DEVICE", "auto (default), gpu or virtual"},
    {"VIRTUAL", "the folder that holds the virtual GPU"},
    {"TASK", "only this task: 2, 4.2 or hw4.2"},
    {"CASE", "only this case, as printed with a failure"},
    {"GIVEN", "FILE= as it was typed, for the line to paste"},
    {"SHA256", "of --file"},
    {"HINTS", "the notes that make hint left"},
    {"SEED", "the seed of the inputs, hexadecimal"},
    {"STUDENT", "a name for the result record"},
    {"RESULTS", "the file that gets one JSON object a task"},
    {"SUMMARY", "a file to which one line about the homework is appended"},
    {"MODE",
        "grade (default), solution, replay; direct: without Criterion, for tools; class: tables"},
    {"LIMIT", "seconds that a task may take, instead of the usual limit"},
    {"CLASS", "of mode class: the list of what was graded"},
    {"CSV", "of mode class: the table to write"},
    {"MISTAKES", "of mode class: the page about frequent mistakes to write"},
    {"MEMORY", "MiB of host memory that a candidate may use, instead of the usual limit"},
    {"FILTER", "no: without the filter of system calls, for tracing tools and tests"},
    {"TRY", "a size: print inputs, outputs and expected values instead of grading"},
    {"PROFILE", "profile instead of judging: the files to write, without their endings"},
    {"PART", "of a profile: list, metrics, device, timeline, run, read; none: count and print"},
    {"NOTE", "a sentence for the head of the profile"},
    {"TIMED", "for the grader itself: the tasks that are to be timed"},
};

enum { OPTIONS = sizeof options / sizeof options[0] };

static bool frozen;
static char *frozen_values[OPTIONS];

static void variable_name(char *variable, size_t bytes, const char *name)
{
    snprintf(variable, bytes, "GRADER_%s", name);
}

static const char *current(const char *name)
{
    char variable[64];

    variable_name(variable, sizeof variable, name);
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

const char *setting(const char *name)
{
    if (!frozen)
        return current(name);
    for (size_t k = 0; k < OPTIONS; k++)
        if (strcmp(options[k].name, name) == 0)
            return frozen_values[k];
    return NULL;
}

void freeze_settings(void)
{
    for (size_t k = 0; k < OPTIONS; k++) {
        const char *value = current(options[k].name);
        frozen_values[k] = value ? strdup(value) : NULL;
    }
    frozen = true;
}

void set_setting(const char *name, const char *value)
{
    char variable[64];

    variable_name(variable, sizeof variable, name);
    setenv(variable, value, 1);
}

const char *seed_text(void)
{
    const char *seed = setting("SEED");
    return seed ? seed : DEFAULT_SEED_TEXT;
}

uint64_t seed_number(void)
{
    return strtoull(seed_text(), NULL, 16);
}

const char *read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        char name[32] = "";

        if (strncmp(argv[i], "--", 2) != 0 || !equals)
            return argv[i];
        for (size_t k = 0; &argv[i][k + 2] < equals && k + 1 < sizeof name; k++)
            name[k] = (char)toupper((unsigned char)argv[i][k + 2]);

        bool known = false;
        for (size_t k = 0; k < OPTIONS; k++)
            known = known || strcmp(options[k].name, name) == 0;
        if (!known)
            return argv[i];
        set_setting(name, equals + 1);
    }
    return NULL;
}

void print_options(void)
{
    for (size_t k = 0; k < OPTIONS; k++) {
        char lower[32] = "";
        for (size_t c = 0; options[k].name[c]; c++)
            lower[c] = (char)tolower((unsigned char)options[k].name[c]);
        printf("  --%s=…  %s\n", lower, options[k].help);
    }
}
