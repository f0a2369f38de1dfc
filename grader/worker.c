/* The bodies of the Criterion tests: what happens inside a test process. */
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "candidate.h"
#include "channel.h"
#include "confine.h"
#include "device.h"
#include "measure.h"
#include "settings.h"
#include "trial.h"
#include "virtual_calls.h"

static size_t index_of(const struct task *task)
{
    return (size_t)(task - homework.tasks);
}

/* What the candidate's constructors allocate on the device is freed: they come before any call. */
void *open_candidate(const struct task *task, char *problem, size_t problem_bytes)
{
    ledger_open();
    void *function =
        candidate_function(setting("CANDIDATE"), task->function, problem, problem_bytes);
    ledger_close();
    channel_guard();
    return function;
}

void judge_task(const struct task *task, struct outcome *outcome)
{
    char problem[sizeof outcome->first] = "";
    void *function = open_candidate(task, problem, sizeof problem);

    if (function) {
        trial_run(task, function, outcome);
        return;
    }
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = DOES_NOT_COMPILE;
    snprintf(outcome->diagnosis, sizeof outcome->diagnosis, "function-missing");
    snprintf(outcome->first, sizeof outcome->first, "%s", problem);
    snprintf(outcome->cause, sizeof outcome->cause, "%s",
        diagnosis_cause("function-missing", task->diagnoses));
}

/* Everything that the candidate must not be able to influence is fixed before it is opened. */
static void prepare(void)
{
    freeze_settings();
    channel_connect();
    virtual_calls();
    device_wake();
    confine();
}

void grade_task(const char *id)
{
    const struct task *task = task_find(id);
    struct outcome outcome;

    prepare();
    cr_assert_not_null(task);
    judge_task(task, &outcome);
    channel_send(MESSAGE_OUTCOME, index_of(task), &outcome, sizeof outcome);
    cr_expect(outcome.verdict == PASS && outcome.safety == PASS, "%s: %s", id,
        verdict_name(outcome.verdict));
    channel_send(MESSAGE_FINISHED, index_of(task), NULL, 0);
}

static bool listed(const char *list, const char *id)
{
    const size_t length = strlen(id);

    for (const char *at = list; (at = strstr(at, id)); at += length)
        if (at[length] == '\0' || at[length] == ',')
            return true;
    return false;
}

/* Opened before the candidate, which could change the folder that a relative path starts from. NULL
 * where that failed. */
static void open_baselines(void **baselines, char *problem, size_t bytes)
{
    for (size_t i = 0; i < homework.task_count; i++)
        if (homework.tasks[i].speed)
            baselines[i] =
                candidate_function(setting("BASELINE"), homework.tasks[i].function, problem, bytes);
}

static struct speed_result not_measured(const char *problem)
{
    struct speed_result result = {.verdict = INCONCLUSIVE, .diagnosis = "not-opened"};

    snprintf(result.text, sizeof result.text, "grade it again: %.130s", problem);
    return result;
}

/* `problem`: why there is no baseline, if there is none. The candidate has been opened before, for its
 * values: if that fails now, something else is at work on these files. */
static void time_task(const struct task *task, void *baseline, char *problem, size_t bytes)
{
    channel_send(MESSAGE_CASE, index_of(task), task->id, strlen(task->id) + 1);
    void *candidate = baseline ? open_candidate(task, problem, bytes) : NULL;
    const struct speed_result result =
        candidate ? measure(task->speed, candidate, baseline) : not_measured(problem);
    channel_send(MESSAGE_SPEED, index_of(task), &result, sizeof result);
    cr_expect(result.verdict == PASS, "%s: %s", task->id, result.text);
}

void grade_speed(void)
{
    void *baselines[TASKS_MAX] = {NULL};
    char problem[160] = "";

    prepare();
    /* The test of each task has looked for races; a timing judges the clock alone. */
    if (virtual_calls()->look_for_races)
        virtual_calls()->look_for_races(0);
    open_baselines(baselines, problem, sizeof problem);
    for (size_t i = 0; i < homework.task_count; i++)
        if (homework.tasks[i].speed && setting("TIMED") &&
            listed(setting("TIMED"), homework.tasks[i].id))
            time_task(&homework.tasks[i], baselines[i], problem, sizeof problem);
    channel_send(MESSAGE_FINISHED, 0, NULL, 0);
}
