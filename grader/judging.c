/* From the end of a test process to a verdict. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_choice.h"
#include "diagnosis.h"
#include "grading.h"
#include "report.h"
#include "settings.h"
#include "side_by_side.h"

void set_verdict(struct outcome *outcome, enum verdict verdict, const char *diagnosis)
{
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = verdict;
    snprintf(outcome->diagnosis, sizeof outcome->diagnosis, "%s", diagnosis);
    snprintf(outcome->cause, sizeof outcome->cause, "%s", diagnosis_cause(diagnosis, NULL));
}

/* True if the supervisor ended the test because it took too much of the machine. */
static bool ended_by_watch(
    const struct test_run *run, struct outcome *outcome, char *what, size_t what_bytes)
{
    if (run->exceeded == OVER_MEMORY) {
        set_verdict(outcome, CRASHED, "memory-limit");
        snprintf(what, what_bytes,
            "it used more of the host's memory than the %.1f GiB that are allowed here",
            (double)memory_limit_bytes() / 1073741824.0);
    } else if (run->exceeded == OVER_PROCESSES) {
        set_verdict(outcome, EXITED, "too-many-processes");
        snprintf(what, what_bytes, "it ran as %zu processes at the same time; %d are allowed",
            run->use.processes, PROCESSES_MOST);
    } else if (run->exceeded == OVER_THREADS) {
        set_verdict(outcome, EXITED, "too-many-threads");
        snprintf(what, what_bytes,
            "it had %zu threads on the host at the same time; %d are allowed", run->use.threads,
            THREADS_MOST);
    }
    return run->exceeded != WITHIN_LIMITS;
}

/* The signals by which the kernel enforces a limit (confine.c). */
static bool ended_by_limit(
    int signal_number, struct outcome *outcome, char *what, size_t what_bytes)
{
    if (signal_number == SIGSYS) {
        set_verdict(outcome, EXITED, "signals-the-grader");
        snprintf(what, what_bytes, "it sent a signal to the grader, or to everything");
    } else if (signal_number == SIGXFSZ) {
        set_verdict(outcome, CRASHED, "file-too-large");
        snprintf(what, what_bytes, "it wrote a file of more than %d MiB", FILE_MIB_MOST);
    }
    return signal_number == SIGSYS || signal_number == SIGXFSZ;
}

/* True for a test that did not reach its end, or that left processes behind. */
static bool ended_badly(const struct test_run *run, int limit_s, struct outcome *outcome)
{
    const struct audit *audit = &run->audit;
    char what[sizeof outcome->first] = "";

    if (ended_by_watch(run, outcome, what, sizeof what)) {
        /* said */;
    } else if (!run->started) {
        set_verdict(outcome, GRADER_FAULT, "cannot-start");
        snprintf(what, sizeof what, "the process of the test ended before it came to the code");
    } else if (run->overran || (run->audited && audit->timed_out)) {
        set_verdict(outcome, TIMED_OUT, "time-limit");
        snprintf(what, sizeof what, "it ran for more than %d s", limit_s);
    } else if (!run->audited) {
        set_verdict(outcome, EXITED, "killed-the-grader");
        snprintf(what, sizeof what, "the process that runs the tests is gone");
    } else if (ended_by_limit(audit->signal, outcome, what, sizeof what)) {
        /* said */;
    } else if (audit->crashed || audit->signal) {
        set_verdict(outcome, CRASHED, audit->signal == SIGFPE ? "division-by-zero" : "signal");
        snprintf(what, sizeof what, "the program ended by signal %d (%s)", audit->signal,
            strsignal(audit->signal));
    } else if (!run->finished) {
        set_verdict(outcome, EXITED, "exit");
        snprintf(what, sizeof what, "the program ended with exit code %d before the test did",
            audit->exit_code);
    } else if (run->leftovers > 0) {
        set_verdict(outcome, EXITED, "process-left-behind");
        snprintf(what, sizeof what, "processes that outlived the test: %zu", run->leftovers);
    } else {
        return false;
    }
    snprintf(outcome->first, sizeof outcome->first, "%s", what);
    snprintf(outcome->case_id, sizeof outcome->case_id, "%s", run->last_case);
    return true;
}

/* What the virtual GPU said last: which memory the host had no business in. Cut out of what the
 * test printed, since nobody could ask the process any more. */
static void take_last_words(struct test_run *run, struct outcome *outcome)
{
    static const char mark[] = "virtual GPU: error: ";
    char *line = outcome->verdict == CRASHED ? strstr(run->output, mark) : NULL;

    if (!line)
        return;
    char *words = line + strlen(mark), *end = words + strcspn(words, "\n");
    snprintf(outcome->where, sizeof outcome->where, "%.*s", (int)(end - words), words);
    end += *end == '\n';
    run->output_bytes -= (size_t)(end - line);
    memmove(line, end, strlen(end) + 1);
}

/* The lesson may know better why a test ends like this. */
static void explain(struct record *record)
{
    struct outcome *outcome = &record->outcome;
    snprintf(outcome->cause, sizeof outcome->cause, "%s",
        diagnosis_cause(outcome->diagnosis, record->task->diagnoses));
}

/* PASS needs all three: the outcome says so, the test reached its end, Criterion counted it. */
static void confirm(const struct test_run *run, struct outcome *outcome)
{
    const struct audit *audit = &run->audit;
    const bool counted = audit->tests_run == 1 && audit->name_matches;
    const bool right = outcome->verdict == PASS && outcome->safety == PASS;

    if (!counted || outcome->verdict == VERDICT_NONE ||
        (outcome->verdict == PASS && outcome->cases_passed == 0))
        set_verdict(outcome, GRADER_FAULT, "audit");
    else if (right && !audit->passed) /* somebody else spoke to Criterion */
        set_verdict(outcome, EXITED, "forged-assertion");
}

static void take_outcome(void *context, const struct message *message)
{
    struct record *record = context;

    if (message->kind == MESSAGE_OUTCOME && message->bytes == sizeof record->outcome &&
        record->outcome.verdict == VERDICT_NONE) /* the first word stands */
        memcpy(&record->outcome, message->payload, sizeof record->outcome);
}

/* Runs one task's test on the device that is turned to: "hw4.2" is Criterion's hw4/t2. */
static struct test_run run_task(struct record *record, int limit_s)
{
    struct test_run run;
    char name[16];

    snprintf(name, sizeof name, "t%s", task_number(record->task));
    run_test(homework.name, name, limit_s, take_outcome, record, &run);
    if (ended_badly(&run, limit_s, &record->outcome)) {
        take_last_words(&run, &record->outcome);
        explain(record);
    } else {
        confirm(&run, &record->outcome);
    }
    record->seconds += run.seconds;
    return run;
}

static bool is_no_such_case(const struct outcome *outcome)
{
    return outcome->verdict == CANNOT_GRADE && strcmp(outcome->diagnosis, "no-such-case") == 0;
}

/* On the virtual GPU, once with each number of devices that the task asks for: the first outcome that
 * is no pass stands. A case that is asked for exists with one of the numbers only. */
static struct test_run run_task_on_virtual(struct record *record, int limit_s)
{
    const unsigned most = record->task->virtual_devices;
    struct outcome kept = {.verdict = VERDICT_NONE};
    struct test_run run;

    if (most == 0)
        return run_task(record, limit_s);
    for (unsigned devices = 1; devices <= most; devices++) {
        record->outcome = (struct outcome){.verdict = VERDICT_NONE};
        use_virtual_devices(devices);
        run = run_task(record, limit_s);
        if (kept.verdict == VERDICT_NONE || !is_no_such_case(&record->outcome))
            kept = record->outcome;
        if (!is_no_such_case(&kept) && (kept.verdict != PASS || kept.safety != PASS))
            break;
    }
    use_virtual_devices(0);
    record->outcome = kept;
    return run;
}

static int limit_s(bool is_virtual)
{
    if (setting("LIMIT"))
        return atoi(setting("LIMIT"));
    return is_virtual ? VIRTUAL_TIMEOUT_S : TASK_TIMEOUT_S;
}

static void judge_correctness(struct grading *grading, size_t index)
{
    struct record *record = &grading->records[index];

    report_progress("judging", record->task->id);
    const bool is_virtual = grading->facts.device.is_virtual;
    const struct test_run run =
        (is_virtual ? run_task_on_virtual : run_task)(record, limit_s(is_virtual));
    record->output_bytes = run.output_bytes;
    record->output = memcpy(grading->outputs[index], run.output, sizeof run.output);
}

/* What a second look on the virtual GPU adds. A fault that luck hides on silicon is found there:
 * it counts like one that was seen. What the virtual GPU cannot run, it says nothing about. */
static void merge(struct outcome *outcome, const struct outcome *virtual_outcome)
{
    if (virtual_outcome->verdict == CANNOT_GRADE || virtual_outcome->verdict == TIMED_OUT)
        return;
    memcpy(outcome->costs, virtual_outcome->costs, sizeof outcome->costs);
    if (virtual_outcome->verdict != PASS || virtual_outcome->efficiency != PASS ||
        (outcome->safety == PASS && virtual_outcome->safety != PASS))
        *outcome = *virtual_outcome;
}

/* Wrong values of which the grader can say no more than that: the virtual GPU may see why. */
static bool is_unexplained(const struct outcome *outcome)
{
    return outcome->verdict == WRONG_ANSWER &&
           (strcmp(outcome->diagnosis, "unknown-pattern") == 0 ||
               strcmp(outcome->diagnosis, "wrong-value") == 0);
}

/* Or: it names the line of what was queued elsewhere. And of a race that came out wrong in a stream
 * by chance it sees what it is. */
static bool is_worth_a_look(const struct outcome *outcome)
{
    return is_unexplained(outcome) || strcmp(outcome->diagnosis, "other-stream") == 0;
}

/* Did the virtual GPU find a mistake, and does it know which? */
static bool explains(const struct outcome *outcome)
{
    return outcome->verdict != PASS && outcome->verdict != CANNOT_GRADE &&
           outcome->verdict != GRADER_FAULT && outcome->verdict != TIMED_OUT &&
           (!is_unexplained(outcome) || outcome->safety == MEMORY_ERROR);
}

static void judge_safety(struct grading *grading, size_t index)
{
    struct record *record = &grading->records[index];
    struct record second = {.task = record->task};

    if (record->outcome.verdict != PASS && !is_worth_a_look(&record->outcome))
        return;
    report_progress("checking the safety of", record->task->id);
    use_virtual_gpu(true);
    run_task_on_virtual(&second, limit_s(true));
    use_virtual_gpu(false);
    if (record->outcome.verdict == PASS)
        merge(&record->outcome, &second.outcome);
    else if (explains(&second.outcome))
        record->outcome = second.outcome;
    record->seconds += second.seconds;
}

static void take_speed(void *context, const struct message *message)
{
    struct grading *grading = context;

    for (size_t i = 0; i < grading->count; i++)
        if (message->kind == MESSAGE_SPEED && message->bytes == sizeof grading->records[i].speed &&
            grading->records[i].task == &homework.tasks[message->task])
            memcpy(&grading->records[i].speed, message->payload, message->bytes);
}

static bool waits_for_timing(const struct record *record)
{
    return record->task->speed && record->outcome.verdict == PASS &&
           record->speed.verdict == VERDICT_NONE;
}

/* Leaves "hw4.1,hw4.2" in the settings; returns the first, or NULL if none is left to time. */
static struct record *list_timings(struct grading *grading)
{
    char timed[16 * TASKS_MAX] = "";
    struct record *first = NULL;

    for (size_t i = 0; i < grading->count; i++)
        if (waits_for_timing(&grading->records[i])) {
            first = first ? first : &grading->records[i];
            strcat(timed, *timed ? "," : "");
            strcat(timed, grading->records[i].task->id);
        }
    set_setting("TIMED", timed);
    return first;
}

/* All timings in one process. If it ends badly, that is the verdict of the task that was being
 * timed, whatever it reported before, and a fresh process times the rest. */
static void judge_speed(struct grading *grading)
{
    struct test_run run;
    struct record *first;
    char suite[32];

    snprintf(suite, sizeof suite, "%s_speed", homework.name);
    while ((first = list_timings(grading))) {
        report_progress("timing", setting("TIMED"));
        run_test(suite, "all", SPEED_TIMEOUT_S, take_speed, grading, &run);
        first->seconds += run.seconds;

        struct record *ended = first;
        for (size_t i = 0; i < grading->count; i++)
            if (strcmp(run.last_case, grading->records[i].task->id) == 0)
                ended = &grading->records[i];
        struct outcome bad;
        if (ended_badly(&run, SPEED_TIMEOUT_S, &bad)) {
            bad.case_id[0] = '\0'; /* a timing is no case that could be replayed */
            ended->outcome = bad;
            explain(ended);
            ended->speed = (struct speed_result){.verdict = VERDICT_NONE};
        } else if (waits_for_timing(first)) {
            set_verdict(&first->outcome, GRADER_FAULT, "audit"); /* it finished, and said nothing */
        }
    }
}

/* Reports what is decided, in the order of the tasks: one that waits holds back those after it. */
static void report_decided(struct grading *grading, bool timings)
{
    for (size_t i = 0; i < grading->count; i++) {
        struct record *record = &grading->records[i];
        if (record->outcome.verdict == VERDICT_NONE || (timings && waits_for_timing(record)))
            return;
        record_judge(record);
        if (!record->reported)
            report_task(record, &grading->facts);
        record->reported = true;
    }
}

static bool timings_wanted(const struct grading *grading)
{
    return grading->facts.device.times_kernels && !setting("CASE");
}

static void report_with_timings(struct grading *grading)
{
    report_decided(grading, timings_wanted(grading));
}

static void judge_on_virtual(struct grading *alone)
{
    judge_correctness(alone, 0);
    if (timings_wanted(alone))
        judge_speed(alone);
}

/* One after the other: the second would be in the first one's time. */
static void judge_on_gpu(struct grading *grading)
{
    for (size_t i = 0; i < grading->count; i++) {
        judge_correctness(grading, i);
        if (grading->virtual_pass)
            judge_safety(grading, i);
        report_with_timings(grading);
    }
    if (timings_wanted(grading))
        judge_speed(grading);
}

void judge_all(struct grading *grading)
{
    if (grading->facts.device.is_virtual)
        judge_side_by_side(grading, judge_on_virtual, report_with_timings);
    else
        judge_on_gpu(grading);
    report_with_timings(grading);
}
