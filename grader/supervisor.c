/* One candidate from the command line to the result record. */
#include "supervisor.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "compile_error.h"
#include "device_choice.h"
#include "grading.h"
#include "library_use.h"
#include "report.h"
#include "result_file.h"
#include "settings.h"
#include "trial.h"

/* `make hint` notes what it showed: one line "task level" each time. */
static int hint_level_used(const struct task *task)
{
    FILE *hints = setting("HINTS") ? fopen(setting("HINTS"), "r") : NULL;
    char id[32];
    int level, highest = 0;

    while (hints && fscanf(hints, "%31s %d", id, &level) == 2)
        if (task_find(id) == task && level > highest)
            highest = level;
    if (hints)
        fclose(hints);
    return highest;
}

bool task_exists(void)
{
    if (!setting("TASK") || task_find(setting("TASK")))
        return true;
    fprintf(stderr, "TASK=%s: %s has no such task. It has\n", setting("TASK"), homework.folder);
    for (size_t i = 0; i < homework.task_count; i++)
        fprintf(
            stderr, "  TASK=%s  %s\n", task_number(&homework.tasks[i]), homework.tasks[i].title);
    return false;
}

static void choose_tasks(struct grading *grading)
{
    for (size_t i = 0; i < homework.task_count && i < TASKS_MAX; i++)
        if (task_chosen(&homework.tasks[i]))
            grading->records[grading->count++] = (struct record){
                .task = &homework.tasks[i], .hint_level = hint_level_used(&homework.tasks[i])};
}

/* Without a shared object nvcc refused the file. The task in whose region the error lies is named. */
bool has_compiled(const char *file, const char **diagnosis)
{
    struct compile_error error;
    struct stat object;
    const char *candidate = setting("CANDIDATE");

    if (candidate && stat(candidate, &object) == 0)
        return true;
    const bool known = first_compile_error(setting("LOG"), file, &error);
    report_compile_error(file, known ? &error : NULL);
    *diagnosis = !known                         ? "no-candidate"
                 : compiler_was_stopped(&error) ? "compiler-stopped"
                                                : "compile-error";
    return false;
}

static bool judge_compilation(struct grading *grading)
{
    const char *diagnosis = "";

    if (has_compiled(grading->facts.file, &diagnosis))
        return true;
    for (size_t i = 0; i < grading->count; i++)
        set_verdict(&grading->records[i].outcome,
            strcmp(diagnosis, "no-candidate") == 0 ? GRADER_FAULT : DOES_NOT_COMPILE, diagnosis);
    return false;
}

/* Judged before anything runs: the same verdict on every device. */
static bool uses_own_work(struct grading *grading)
{
    char header[300];

    if (!uses_banned_library(setting("CANDIDATE"), homework.banned, header, sizeof header))
        return true;
    for (size_t i = 0; i < grading->count; i++) {
        struct outcome *outcome = &grading->records[i].outcome;
        set_verdict(outcome, WRONG_ANSWER, "library-used");
        snprintf(outcome->first, sizeof outcome->first, "it includes %.180s", header);
        record_judge(&grading->records[i]);
        report_task(&grading->records[i], &grading->facts);
    }
    return false;
}

static bool has_device(struct grading *grading)
{
    grading->facts.device = choose_device(setting("DEVICE"));
    if (grading->facts.device.usable) {
        grading->virtual_pass = !grading->facts.device.is_virtual && use_virtual_gpu(true);
        use_virtual_gpu(grading->facts.device.is_virtual);
        for (size_t i = 0; i < grading->count; i++)
            grading->records[i].times_nothing = !grading->facts.device.times_kernels;
        return true;
    }
    report_cannot_grade(grading->facts.device.problem);
    for (size_t i = 0; i < grading->count; i++)
        set_verdict(&grading->records[i].outcome, CANNOT_GRADE, "no-device");
    return false;
}

static void write_records(const struct grading *grading)
{
    const char *path = setting("RESULTS");

    if (path && !result_file_append(path, grading))
        printf("The result record %s could not be written: is the disk full, or the tree "
               "read-only? The verdicts above stand.\n",
            path);
}

/* One line for the table of a run over several homeworks. */
static void write_summary(const struct grading *grading, enum exit_code code)
{
    FILE *file = setting("SUMMARY") ? fopen(setting("SUMMARY"), "a") : NULL;
    int earned = 0, possible = 0, passed = 0;

    for (size_t i = 0; i < grading->count; i++) {
        earned += points_sum(grading->records[i].earned);
        possible += points_sum(grading->records[i].possible);
        passed += grading->records[i].verdict == PASS;
    }
    if (file) {
        fprintf(file, "%-24s %3d / %-3d  %d of %zu tasks pass%s\n",
            setting("GIVEN") ? setting("GIVEN") : homework.folder, earned, possible, passed,
            grading->count, code == EXIT_NO_DEVICE ? " (not judged)" : "");
        fclose(file);
    }
}

/* A star task that nobody attempted is no reason to fail, unless it was asked for. */
static enum exit_code exit_code_of_records(const struct grading *grading)
{
    enum verdict verdicts[TASKS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < grading->count; i++) {
        const struct record *record = &grading->records[i];
        if (!record->task->star || record->verdict != NOT_ATTEMPTED || setting("TASK"))
            verdicts[count++] = record->verdict;
    }
    return exit_code_of(verdicts, count);
}

enum exit_code supervise(void)
{
    static struct grading grading;
    const char *mode = setting("MODE");

    grading.facts = (struct run_facts){.student = setting("STUDENT"),
        .file = setting("FILE"),
        .sha256 = setting("SHA256"),
        .seed = seed_text()};
    if (!become_supervisor()) {
        fprintf(stderr, "The grader cannot open the socket that its tests report to.\n");
        return EXIT_FAULT;
    }
    if (!task_exists())
        return EXIT_FAULT;
    choose_tasks(&grading);
    result_file_clear(setting("RESULTS"), &grading);
    if (judge_compilation(&grading) && uses_own_work(&grading) && has_device(&grading)) {
        report_banner(&grading.facts, mode ? mode : "grade", grading.virtual_pass);
        judge_all(&grading);
        report_summary(
            grading.records, grading.count, &grading.facts, exit_code_of_records(&grading));
    }
    for (size_t i = 0; i < grading.count; i++)
        record_judge(&grading.records[i]);
    const enum exit_code code = exit_code_of_records(&grading);
    write_records(&grading);
    write_summary(&grading, code);
    return code;
}
