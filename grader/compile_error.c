/* Reading nvcc's log and finding the task that a line of the source belongs to. */
#include "compile_error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_LINES = 8 };

/* "file.cu(12): error: …" by nvcc, "file.cu:12:5: error: …" by the host compiler. */
static int line_number(const char *message)
{
    const char *error = strstr(message, "error");

    for (const char *c = message; c < error; c++)
        if ((*c == '(' || *c == ':') && isdigit((unsigned char)c[1]))
            return atoi(c + 1);
    return 0;
}

/* The task of the last marker at or above the line; an END closes it. */
static void task_of_line(const char *source_path, int wanted, char *task, size_t task_bytes)
{
    FILE *source = fopen(source_path, "r");
    char line[1024];

    task[0] = '\0';
    for (int number = 1; source && number <= wanted && fgets(line, sizeof line, source);) {
        const char *opening = strstr(line, "TODO(");
        const char *begin = opening ? opening + 5 : strstr(line, "SOLVED(");
        if (begin && !opening)
            begin += 7;
        if (begin)
            snprintf(task, task_bytes, "%.*s", (int)strcspn(begin, ")"), begin);
        else if (strstr(line, "END(") && number < wanted)
            task[0] = '\0';
        number += strchr(line, '\n') != NULL;
    }
    if (source)
        fclose(source);
}

bool first_compile_error(const char *log_path, const char *source_path, char *text,
    size_t text_bytes, char *task, size_t task_bytes)
{
    FILE *log = log_path ? fopen(log_path, "r") : NULL;
    char line[1024];
    bool found = false;

    text[0] = task[0] = '\0';
    while (log && !found && fgets(line, sizeof line, log))
        found = strstr(line, "error") != NULL;
    if (found)
        task_of_line(source_path, line_number(line), task, task_bytes);
    /* The error, with the lines that show where. */
    for (int lines = 0; found && lines < ERROR_LINES; lines++) {
        strncat(text, line, text_bytes - strlen(text) - 1);
        if (!fgets(line, sizeof line, log) || line[0] == '\n' || strstr(line, "error"))
            break;
    }
    if (log)
        fclose(log);
    return found;
}

bool compiler_was_stopped(const char *error)
{
    static const char word[] = "error: the compiler was stopped";
    return strncmp(error, word, sizeof word - 1) == 0;
}
