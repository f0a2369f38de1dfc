/* Points, verdict and the JSON line of a task. */
#include "record.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "diagnosis.h"
#include "text.h"

int points_sum(struct points points)
{
    return points.correct + points.speed + points.safe;
}

/* A safety finding may end a measurement before it has told anything of the speed. */
static bool ended_unmeasured(const struct speed_result *speed)
{
    return speed->verdict != PASS && speed->pairs == 0 &&
           verdict_keeps((enum verdict)speed->verdict).speed;
}

/* By time, or by a counter gate where the task has no other. */
static bool speed_was_judged(const struct record *record)
{
    if (record->outcome.verdict != PASS)
        return !record->times_nothing || !record->task->speed;
    if (record->task->speed)
        return !record->times_nothing && record->speed.verdict != VERDICT_NONE &&
               record->speed.verdict != CANNOT_GRADE && !ended_unmeasured(&record->speed);
    return record->outcome.costs[0].what[0] != '\0' || record->outcome.efficiency == INEFFICIENT;
}

/* What could not be judged costs nothing: it leaves the total. */
static struct points possible_points(const struct record *record)
{
    struct points possible = record->task->points;
    const enum verdict correctness = record->outcome.verdict;

    if (correctness == CANNOT_GRADE || correctness == GRADER_FAULT)
        return (struct points){0, 0, 0};
    if (!speed_was_judged(record))
        possible.speed = 0;
    return possible;
}

/* Threads of one block that meet wrongly: values then say less than what was seen. */
static bool seen_within_a_block(const struct outcome *outcome)
{
    return outcome->safety == BARRIER || strcmp(outcome->safety_diagnosis, "shared-race") == 0 ||
           (outcome->safety == UNINITIALISED && strstr(outcome->safety_text, "shared memory"));
}

/* Values that are wrong, and a race, a barrier or unwritten memory that was seen: which to name? What
 * was seen, unless the lesson knows the mistake by the values. They cost their points all the same. */
static bool is_explained(const struct task *task, const struct outcome *outcome)
{
    if (outcome->verdict != WRONG_ANSWER ||
        (outcome->safety != RACE && outcome->safety != BARRIER && outcome->safety != UNINITIALISED))
        return false;
    if (strcmp(outcome->diagnosis, outcome->safety_diagnosis) == 0 || seen_within_a_block(outcome))
        return true;
    for (const struct diagnosis *known = task->diagnoses; known && known->id; known++)
        if (strcmp(known->id, outcome->diagnosis) == 0)
            return false;
    return true;
}

void record_judge(struct record *record)
{
    const struct outcome *outcome = &record->outcome;
    const bool timed =
        record->speed.verdict != VERDICT_NONE && record->speed.verdict != CANNOT_GRADE;
    const enum verdict speed = timed ? (enum verdict)record->speed.verdict : PASS;
    const struct kept_points correctness_keeps = verdict_keeps(outcome->verdict);
    const struct kept_points safety_keeps = verdict_keeps(outcome->safety);
    const struct kept_points speed_keeps = verdict_keeps(speed);

    record->possible = possible_points(record);
    record->earned = (struct points){
        .correct = correctness_keeps.correct && speed_keeps.correct ? record->possible.correct : 0,
        .speed = correctness_keeps.speed && speed_keeps.speed && outcome->efficiency != INEFFICIENT
                     ? record->possible.speed
                     : 0,
        .safe = correctness_keeps.safe && safety_keeps.safe && speed_keeps.safe
                    ? record->possible.safe
                    : 0,
    };
    const char *diagnosis = timed ? record->speed.diagnosis : "";
    record->verdict = speed;
    const bool explained = is_explained(record->task, outcome);
    if (outcome->verdict != PASS && !explained) {
        record->verdict = outcome->verdict;
        diagnosis = outcome->diagnosis;
    } else if (outcome->safety != PASS) {
        record->verdict = outcome->safety;
        diagnosis = outcome->safety_diagnosis;
    } else if (outcome->efficiency == INEFFICIENT && speed_keeps.correct) {
        /* Where it is too slow as well, the count says why. */
        record->verdict = speed == TOO_SLOW ? TOO_SLOW : INEFFICIENT;
        diagnosis = outcome->efficiency_diagnosis;
    }
    snprintf(record->diagnosis, sizeof record->diagnosis, "%s", diagnosis);
}

void json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        size_t length = text_utf8_length((const char *)c);
        if (length == 0)
            fprintf(file, "\\ufffd");
        else if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7f)
            fprintf(file, "\\u%04x", *c);
        else
            fwrite(c, 1, length, file);
        c += length ? length : 1;
    }
    fputc('"', file);
}

static void member_text(FILE *file, const char *name, const char *value)
{
    fprintf(file, "\"%s\":", name);
    json_string(file, value ? value : "");
    fputc(',', file);
}

/* JSON has no NaN and no infinity: what is not a number is null. */
static void member_number(FILE *file, const char *name, double value)
{
    if (isfinite(value))
        fprintf(file, "\"%s\":%.6g,", name, value);
    else
        fprintf(file, "\"%s\":null,", name);
}

static void member_version(FILE *file, const char *name, int version)
{
    fprintf(file, "\"%s\":\"%d.%d\",", name, version / 1000, version % 1000 / 10);
}

static const char *kind_of_limit(const struct speed_test *test)
{
    if (limit_is_bandwidth(test->limit))
        return "bandwidth";
    if (test->limit == LIMIT_BASELINE)
        return "baseline";
    return test->overlap ? "overlap" : "lesson";
}

/* What a share is a share of, and what a speed-up is over. */
static void member_yardstick(FILE *file, const struct speed_test *test)
{
    member_text(file, "limit_kind", kind_of_limit(test));
    member_text(file, "limit_name", speed_limit_name(test));
    member_text(file, "baseline_name", test->baseline_name);
}

static void member_speed(
    FILE *file, const struct speed_result *speed, const struct speed_test *test)
{
    if (speed->verdict == VERDICT_NONE || speed->verdict == CANNOT_GRADE) {
        fputs("\"speed\":null,", file);
        return;
    }
    fputs("\"speed\":{", file);
    member_number(file, "gate", speed->gate);
    member_number(file, "share", speed->share);
    member_number(file, "share_low", speed->share_low);
    member_number(file, "share_high", speed->share_high);
    member_number(file, "speed_up", speed->speedup);
    member_number(file, "speed_up_needed", speed->speedup_needed);
    member_number(file, "baseline_ns", speed->baseline_ns);
    member_number(file, "candidate_ns", speed->candidate_ns);
    member_number(file, "limit_ns", speed->limit_ns);
    member_number(file, "limit", speed->limit_gb_s);
    member_number(file, "expected_ns", speed->expected_ns);
    member_number(file, "idle_ns", speed->idle_ns);
    member_number(file, "bytes", speed->bytes);
    member_number(file, "pairs", speed->pairs);
    if (test)
        member_yardstick(file, test);
    fprintf(
        file, "\"unit\":\"GB/s\",\"source\":\"%s\"},", speed->modelled ? "modelled" : "measured");
}

/* What the virtual pass counted against the gates of the task. */
static void member_costs(FILE *file, const struct outcome *outcome)
{
    if (!outcome->costs[0].what[0]) {
        fputs("\"counters\":null,", file);
        return;
    }
    fputs("\"counters\":[", file);
    for (size_t i = 0; i < COSTS_KEPT && outcome->costs[i].what[0]; i++) {
        fputs(i > 0 ? ",{" : "{", file);
        member_text(file, "what", outcome->costs[i].what);
        member_number(file, "value", outcome->costs[i].value);
        fprintf(file, "\"most\":%.6g}", outcome->costs[i].most);
    }
    fputs("],", file);
}

void record_write(FILE *file, const struct record *record, const struct run_facts *facts)
{
    const struct outcome *outcome = &record->outcome;
    const char *case_id = outcome->verdict != PASS ? outcome->case_id : outcome->safety_case_id;
    char when[32];
    time_t now = time(NULL);

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    fprintf(file, "{\"schema\":%d,", RECORD_SCHEMA);
    member_text(file, "time", when);
    member_text(file, "student", facts->student);
    member_text(file, "file", facts->file);
    member_text(file, "sha256", facts->sha256);
    member_text(file, "homework", homework.name);
    member_text(file, "task", record->task->id);
    fprintf(file, "\"star\":%s,", record->task->star ? "true" : "false");
    member_text(file, "verdict", verdict_name(record->verdict));
    member_text(file, "diagnosis", record->diagnosis);
    member_number(file, "points", points_sum(record->earned));
    member_number(file, "max_points", points_sum(record->possible));
    member_text(file, "case", case_id);
    member_text(file, "seed", facts->seed);
    member_text(file, "device", facts->device.name);
    member_text(file, "device_kind", facts->device.is_virtual ? "virtual" : "gpu");
    member_version(file, "toolkit", facts->device.toolkit);
    member_version(file, "driver", facts->device.driver);
    member_number(file, "seconds", record->seconds);
    member_speed(file, &record->speed, record->task->speed);
    member_costs(file, outcome);
    fprintf(file, "\"hint_level_used\":%d}\n", record->hint_level);
}
