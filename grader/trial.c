/* The cases of a task: their names, seeds and arrays, and the outcome. */
#include "trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "guarded.h"
#include "settings.h"
#include "trial_state.h"
#include "trial_stream.h"
#include "virtual_calls.h"

static const char seed_mark[] = "-seed", stream_mark[] = "-stream";

/* ---- the outcome ---------------------------------------------------------------------------- */

void trial_case_id(const struct trial *trial, char *text, size_t bytes)
{
    *text = '\0';
    if (trial->in_case)
        snprintf(text, bytes, "%s%s%s%llx", trial->name, trial->in_stream ? stream_mark : "",
            seed_mark, (unsigned long long)trial->run_seed);
}

bool trial_healthy(const struct trial *trial)
{
    return trial->outcome->verdict == VERDICT_NONE;
}

bool trial_judge(struct trial *trial, enum verdict verdict, const char *diagnosis)
{
    struct outcome *outcome = trial->outcome;

    if (!trial_healthy(trial))
        return false;
    outcome->verdict = verdict;
    snprintf(outcome->diagnosis, sizeof outcome->diagnosis, "%s", diagnosis);
    snprintf(outcome->cause, sizeof outcome->cause, "%s",
        diagnosis_cause(diagnosis, trial->task->diagnoses));
    trial_case_id(trial, outcome->case_id, sizeof outcome->case_id);
    return true;
}

void trial_fail(
    struct trial *trial, enum verdict verdict, const char *diagnosis, const char *first, ...)
{
    va_list arguments;

    if (!trial_judge(trial, verdict, diagnosis))
        return;
    va_start(arguments, first);
    vsnprintf(trial->outcome->first, sizeof trial->outcome->first, first, arguments);
    va_end(arguments);
}

void trial_finding(
    struct trial *trial, enum verdict verdict, const char *diagnosis, const char *text, ...)
{
    struct outcome *outcome = trial->outcome;
    va_list arguments;

    if (outcome->safety != PASS)
        return;
    outcome->safety = verdict;
    snprintf(outcome->safety_diagnosis, sizeof outcome->safety_diagnosis, "%s", diagnosis);
    trial_case_id(trial, outcome->safety_case_id, sizeof outcome->safety_case_id);
    va_start(arguments, text);
    vsnprintf(outcome->safety_text, sizeof outcome->safety_text, text, arguments);
    va_end(arguments);
    snprintf(outcome->safety_cause, sizeof outcome->safety_cause, "%s",
        diagnosis_cause_at(
            diagnosis, diagnosis_place(outcome->safety_text), trial->task->diagnoses));
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* A survey goes on after a wrong answer, and remembers the first. */
static void set_failure_aside(struct trial *trial)
{
    struct outcome *outcome = trial->outcome;

    if (!trial->largest || outcome->verdict != WRONG_ANSWER)
        return;
    if (trial->first_failure.verdict == VERDICT_NONE)
        trial->first_failure = *outcome;
    outcome->verdict = VERDICT_NONE;
}

static void survey_case(struct trial *trial)
{
    struct largest_case *largest = trial->largest;
    size_t elements = 0;

    for (size_t i = 0; i < trial->array_count; i++)
        if (!trial->arrays[i].is_scratch)
            elements += trial->arrays[i].count;
    if (*largest->name && elements <= largest->elements)
        return;
    largest->elements = elements;
    snprintf(largest->name, sizeof largest->name, "%s", trial->name);
}

static bool is_chosen(const struct trial *trial)
{
    const char *only = trial->in_stream ? trial->task->stream_case : trial->wanted;
    return !*only || strcmp(only, trial->name) == 0;
}

static void begin_in_stream(struct trial *trial)
{
    const cudaError_t status = stream_open(trial);

    if (status != cudaSuccess)
        trial_fail(trial, GRADER_FAULT, "grader-cuda", "%s, while the grader made a stream",
            cudaGetErrorName(status));
}

bool trial_begin(struct trial *trial, const char *name, ...)
{
    char case_id[sizeof trial->outcome->case_id];
    va_list arguments;

    trial_end(trial);
    set_failure_aside(trial);
    if (!trial_healthy(trial))
        return false;
    va_start(arguments, name);
    vsnprintf(trial->name, sizeof trial->name, name, arguments);
    va_end(arguments);
    if (!is_chosen(trial))
        return false;
    trial->in_case = true;
    trial->inputs_printed = false;
    trial->cases++;
    /* So that the supervisor knows which case was running if this process does not survive it. */
    trial_case_id(trial, case_id, sizeof case_id);
    channel_send(
        MESSAGE_CASE, (size_t)(trial->task - homework.tasks), case_id, strlen(case_id) + 1);
    if (trial->in_stream)
        begin_in_stream(trial);
    return true;
}

void trial_end(struct trial *trial)
{
    if (!trial->in_case)
        return;
    /* Asked last: values that are wrong say more than who made them. */
    if (trial_healthy(trial) && !trial->task->copies_back && trial->ledger.host_made_bytes > 0)
        trial_fail(trial, WRONG_ANSWER, "computed-on-host",
            "%zu bytes were copied from the device that no kernel had written",
            trial->ledger.host_made_bytes);
    if (trial->largest)
        survey_case(trial);
    for (size_t i = 0; i < trial->array_count; i++)
        guarded_close(&trial->arrays[i]);
    stream_close(trial);
    trial->array_count = 0;
    trial->outcome->cases_passed += trial_healthy(trial);
    trial->in_case = false;
}

uint64_t trial_seed(const struct trial *trial)
{
    return mix(trial->run_seed, seed_from_text(trial->name));
}

void *trial_function(const struct trial *trial)
{
    return trial->function;
}

size_t trial_try_size(const struct trial *trial)
{
    return trial->try_size;
}

const struct ledger *trial_ledger(const struct trial *trial)
{
    return &trial->ledger;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static void cannot_allocate(struct trial *trial, const struct array *array, cudaError_t status)
{
    const bool too_little = status == cudaErrorMemoryAllocation;

    trial_fail(trial, too_little ? CANNOT_GRADE : GRADER_FAULT,
        too_little ? "too-little-memory" : "grader-cuda", "%s: %zu elements: %s", array->name,
        array->count, cudaGetErrorName(status));
}

/* Never NULL: after a failure the case does not go on, but the lesson still fills what it asked for. */
static struct array *new_array(struct trial *trial, const struct array *description)
{
    if (trial->array_count == TRIAL_ARRAYS_MAX) {
        fprintf(stderr, "grader: a case has more than %d arrays\n", TRIAL_ARRAYS_MAX);
        abort();
    }
    struct array *array = &trial->arrays[trial->array_count++];
    *array = *description;
    const cudaError_t status = guarded_open(array);
    if (status != cudaSuccess)
        cannot_allocate(trial, array, status);
    if (!array->host)
        array->count = 0;
    return array;
}

struct array *trial_input(struct trial *trial, const char *name, enum element element, size_t count)
{
    return new_array(trial, &(struct array){.name = name, .element = element, .count = count});
}

struct array *trial_output(
    struct trial *trial, const char *name, enum element element, size_t count)
{
    return new_array(trial,
        &(struct array){.name = name, .element = element, .count = count, .is_output = true});
}

struct array *trial_host_input(
    struct trial *trial, const char *name, enum element element, size_t count)
{
    return new_array(
        trial, &(struct array){.name = name, .element = element, .count = count, .on_host = true});
}

struct array *trial_host_output(
    struct trial *trial, const char *name, enum element element, size_t count)
{
    return new_array(trial,
        &(struct array){
            .name = name, .element = element, .count = count, .is_output = true, .on_host = true});
}

struct array *trial_scratch(struct trial *trial, const char *name, size_t bytes)
{
    return new_array(trial, &(struct array){.name = name,
                                .element = UINT32,
                                .count = bytes / ELEMENT_BYTES + (bytes % ELEMENT_BYTES != 0),
                                .is_scratch = true});
}

/* ---- the run -------------------------------------------------------------------------------- */

/* CASE=name-stream: that case first as it is, then in the stream. */
static void read_stream_mark(struct trial *trial)
{
    const char *name = trial->task->stream_case;
    const size_t length = name ? strlen(name) : 0;

    trial->wanted_in_stream = name && strncmp(trial->wanted, name, length) == 0 &&
                              strcmp(trial->wanted + length, stream_mark) == 0;
    if (trial->wanted_in_stream)
        trial->wanted[length] = '\0';
}

/* CASE=name-seed7f3a asks for that case with that seed; SEED=7f3a gives the seed of all cases. */
static void read_settings(struct trial *trial)
{
    const char *wanted = setting("CASE"), *size = setting("TRY");

    trial->run_seed = seed_number();
    trial->try_size = size ? strtoull(size, NULL, 10) : 0;
    if (!wanted)
        return;
    snprintf(trial->wanted, sizeof trial->wanted, "%s", wanted);
    char *mark = NULL;
    for (char *next = trial->wanted; (next = strstr(next, seed_mark)); next++)
        mark = next;
    if (mark) {
        trial->run_seed = strtoull(mark + strlen(seed_mark), NULL, 16);
        *mark = '\0';
    }
    read_stream_mark(trial);
}

/* Once everything else has held, so that a mistake is seen in the case that shows it best. The same
 * inputs have been right in the default stream. */
static void run_in_stream(struct trial *trial)
{
    const struct task *task = trial->task;
    const size_t cases = trial->cases;

    if (!task->stream_case || trial->try_size > 0 || trial->largest || !trial_healthy(trial) ||
        (trial->wanted[0] && !trial->wanted_in_stream))
        return;
    trial->in_stream = true;
    task->check(trial);
    trial_end(trial);
    if (trial->cases == cases)
        trial_fail(trial, GRADER_FAULT, "no-cases", "no case is called %s", task->stream_case);
}

static void run_cases(struct trial *trial)
{
    const struct task *task = trial->task;
    struct outcome *outcome = trial->outcome;

    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = VERDICT_NONE;
    outcome->safety = outcome->efficiency = PASS;
    if (virtual_calls()->count_lines)
        virtual_calls()->count_lines(1);
    read_settings(trial);
    task->check(trial);
    trial_end(trial);
    run_in_stream(trial);
    set_failure_aside(trial);
    if (!trial_healthy(trial))
        return;
    /* Silence is no pass. */
    if (trial->cases > 0)
        outcome->verdict = PASS;
    else if (trial->wanted[0])
        trial_fail(trial, CANNOT_GRADE, "no-such-case", "CASE=%s", setting("CASE"));
    else
        trial_fail(trial, GRADER_FAULT, "no-cases", "no case ran");
}

void trial_run(const struct task *task, void *function, struct outcome *outcome)
{
    struct trial trial = {.task = task, .function = function, .outcome = outcome};

    run_cases(&trial);
}

void trial_survey(
    const struct task *task, void *function, struct outcome *outcome, struct largest_case *largest)
{
    struct trial trial = {
        .task = task, .function = function, .outcome = outcome, .largest = largest};

    *largest = (struct largest_case){.elements = 0};
    run_cases(&trial);
    if (trial.first_failure.verdict != VERDICT_NONE && outcome->verdict == PASS)
        *outcome = trial.first_failure;
}
