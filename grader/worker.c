/* The bodies of the Criterion tests: what happens inside a test process. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "candidate.h"
#include "channel.h"
#include "measure.h"
#include "outcome.h"
#include "settings.h"
#include "task.h"
#include "trial.h"
#include "worker.h"

static size_t index_of(const struct task *task)
{
    return (size_t)(task - homework.tasks);
}

void judge_task(const struct task *task, struct outcome *outcome)
{
    char problem[sizeof outcome->first] = "";
    void *function =
        candidate_function(setting("CANDIDATE"), task->function, problem, sizeof problem);

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

void grade_task(const char *id)
{
    const struct task *task = task_find(id);
    struct outcome outcome;

    channel_connect();
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

/* TIMED lists the ids of the tasks whose values were right. */
void grade_speed(void)
{
    const char *timed = setting("TIMED");
    char problem[200];

    channel_connect();
    cr_assert_not_null(timed);
    for (size_t i = 0; i < homework.task_count; i++) {
        const struct task *task = &homework.tasks[i];
        if (!task->speed || !listed(timed, task->id))
            continue;
        channel_send(MESSAGE_CASE, i, task->id, strlen(task->id) + 1);
        void *candidate =
            candidate_function(setting("CANDIDATE"), task->function, problem, sizeof problem);
        void *baseline =
            candidate_function(setting("BASELINE"), task->function, problem, sizeof problem);
        cr_assert(candidate && baseline, "%s", problem);
        struct speed_result result = measure(task->speed, candidate, baseline);
        channel_send(MESSAGE_SPEED, i, &result, sizeof result);
        cr_expect(result.verdict == PASS, "%s: %s", task->id, result.text);
    }
    channel_send(MESSAGE_FINISHED, 0, NULL, 0);
}
