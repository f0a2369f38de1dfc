/* What went wrong in a class, how often, and what it looks like. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "diagnosis.h"

enum { EXCERPT_LINES = 14 };

struct mistake {
    const char *id;
    enum verdict verdict;
    size_t in_task[TASKS_MAX]; /* how many students made it there */
    size_t students, times;
    const struct class_entry *example; /* the first who did */
    size_t example_task;
};

struct mistakes {
    struct mistake *list;
    size_t count;
};

/* Nobody's mistake: it says nothing of the code, or there is no code yet. */
static bool is_no_mistake(enum verdict verdict)
{
    return verdict == VERDICT_NONE || verdict == PASS || verdict == NOT_ATTEMPTED ||
           verdict == INCONCLUSIVE || verdict == CANNOT_GRADE || verdict == GRADER_FAULT;
}

static struct mistake *find_mistake(struct mistakes *mistakes, const struct class_task *task)
{
    const char *id = *task->diagnosis ? task->diagnosis : verdict_name(task->verdict);

    for (size_t i = 0; i < mistakes->count; i++)
        if (strcmp(mistakes->list[i].id, id) == 0)
            return &mistakes->list[i];
    struct mistake *grown = realloc(mistakes->list, (mistakes->count + 1) * sizeof *mistakes->list);
    if (!grown)
        return NULL;
    mistakes->list = grown;
    grown += mistakes->count++;
    *grown = (struct mistake){.id = id, .verdict = task->verdict};
    return grown;
}

/* A student counts once, in however many tasks. */
static void add_entry(struct mistakes *mistakes, const struct class_entry *entry)
{
    for (size_t i = 0; i < homework.task_count; i++) {
        if (is_no_mistake(entry->tasks[i].verdict))
            continue;
        struct mistake *mistake = find_mistake(mistakes, &entry->tasks[i]);
        if (!mistake)
            return;
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first = is_first && (is_no_mistake(entry->tasks[k].verdict) ||
                                       find_mistake(mistakes, &entry->tasks[k]) != mistake);
        if (!mistake->example) {
            mistake->example = entry;
            mistake->example_task = i;
        }
        mistake->in_task[i]++;
        mistake->times++;
        mistake->students += is_first;
    }
}

static int by_students(const void *left, const void *right)
{
    const struct mistake *a = left, *b = right;

    if (a->students != b->students)
        return a->students < b->students ? 1 : -1;
    if (a->times != b->times)
        return a->times < b->times ? 1 : -1;
    return strcmp(a->id, b->id);
}

/* A file's name as code: between more backticks than it holds in a row. */
static void write_code(FILE *page, const char *text)
{
    const char *fence = strstr(text, "``") ? "```" : strchr(text, '`') ? "``" : "`";

    fprintf(page, "%s%s%s%s%s", fence, fence[1] ? " " : "", text, fence[1] ? " " : "", fence);
}

/* The paragraph of the student's text that is about the task; of a file that does not compile, the
 * error. Indented, so that nothing in it is taken for Markdown. */
static void write_excerpt(FILE *page, const char *path, const char *task_id)
{
    FILE *text = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int lines = 0, blanks_allowed = 0;

    while (text && getline(&line, &room, text) > 0 && lines < EXCERPT_LINES) {
        const bool is_blank = line[0] == '\n';
        if (lines == 0) {
            const bool is_error = strncmp(line, "DOES NOT COMPILE", 16) == 0;
            const bool is_task = strlen(line) > 6 + strlen(task_id) &&
                                 strncmp(line + 6, task_id, strlen(task_id)) == 0;
            blanks_allowed = is_error; /* one stands between the file's name and the error */
            if (!is_error && !is_task)
                continue;
        }
        if (is_blank && blanks_allowed-- <= 0)
            break;
        fprintf(page, is_blank ? "%s" : "    %s", line);
        lines++;
    }
    free(line);
    if (text)
        fclose(text);
}

static void write_mistake(FILE *page, const struct mistake *mistake)
{
    const struct task *task = &homework.tasks[mistake->example_task];
    const char *separator = "";

    fprintf(page, "\n## %s: %zu %s\n\n%s in ", mistake->id, mistake->students,
        mistake->students == 1 ? "student" : "students", verdict_name(mistake->verdict));
    for (size_t i = 0; i < homework.task_count; i++)
        if (mistake->in_task[i] > 0) {
            fprintf(page, "%s%s (%zu)", separator, homework.tasks[i].id, mistake->in_task[i]);
            separator = ", ";
        }
    fprintf(
        page, ". %s\n\nFor example ", diagnosis_cause_at(mistake->id, task->id, task->diagnoses));
    write_code(page, mistake->example->file);
    fprintf(page, ":\n\n");
    write_excerpt(page, mistake->example->text, task->id);
}

/* "hw4.4: 7, hw4.7: 10", if anybody has that verdict. */
static void write_count_of(
    FILE *page, const struct class *class, enum verdict verdict, const char *title)
{
    const char *separator = "";

    for (size_t t = 0; t < homework.task_count; t++) {
        size_t count = 0;
        for (size_t i = 0; i < class->count; i++)
            count += class->entries[i].tasks[t].verdict == verdict;
        if (count > 0) {
            fprintf(page, "%s%s%s%s: %zu", *separator ? "" : "\n## ", *separator ? "" : title,
                *separator ? separator : "\n\n", homework.tasks[t].id, count);
            separator = ", ";
        }
    }
    if (*separator)
        fputs(".\n", page);
}

static void write_not_graded(FILE *page, const struct class *class)
{
    bool any = false;

    for (size_t i = 0; i < class->count; i++) {
        if (!*class->entries[i].reason)
            continue;
        fputs(any ? "" : "\n## Not graded\n\n", page);
        fputs("- ", page);
        write_code(page, class->entries[i].file);
        fprintf(page, ": %s\n", class->entries[i].reason);
        any = true;
    }
}

bool class_write_mistakes(const char *path, const struct class *class)
{
    FILE *page = path ? fopen(path, "w") : NULL;
    struct mistakes mistakes = {NULL, 0};
    size_t graded = 0;

    if (!page)
        return false;
    for (size_t i = 0; i < class->count; i++) {
        add_entry(&mistakes, &class->entries[i]);
        graded += !*class->entries[i].reason;
    }
    if (mistakes.count > 0)
        qsort(mistakes.list, mistakes.count, sizeof *mistakes.list, by_students);
    fprintf(page,
        "# %s: what went wrong, most frequent first\n\n%zu of %zu files were graded. A "
        "student counts once for each diagnosis.\n",
        homework.folder, graded, class->count);
    for (size_t i = 0; i < mistakes.count; i++)
        write_mistake(page, &mistakes.list[i]);
    write_count_of(page, class, NOT_ATTEMPTED, "Not attempted");
    write_count_of(page, class, INCONCLUSIVE, "Too noisy to judge: grade again");
    write_not_graded(page, class);
    free(mistakes.list);
    const bool written = !ferror(page);
    return fclose(page) == 0 && written;
}
