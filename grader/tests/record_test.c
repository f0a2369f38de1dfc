/* Points of a task, and its line in the result file. */
#include "../record.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct speed_test timed = {.gate = 0.5};
static const struct task tasks[] = {
    {.id = "hw9.1", .title = "timed", .points = {20, 10, 5}, .speed = &timed},
    {.id = "hw9.2", .title = "not timed", .points = {30, 0, 5}},
    {.id = "hw9.3", .title = "star", .star = true},
    {.id = "hw9.4", .title = "counted", .points = {20, 4, 2}},
};
const struct homework homework = {
    .name = "hw9", .folder = "hw9_test", .file = "test.cu", .tasks = tasks, .task_count = 4};

static struct record judged(
    const struct task *task, enum verdict values, enum verdict safety, enum verdict speed)
{
    struct record record = {.task = task};

    record.outcome.verdict = values;
    record.outcome.safety = safety;
    record.speed.verdict = speed;
    strcpy(record.outcome.diagnosis, "values");
    strcpy(record.outcome.safety_diagnosis, "safety");
    record_judge(&record);
    return record;
}

static void expect_points(const struct record *record, int earned, int possible)
{
    cr_expect_eq(points_sum(record->earned), earned, "earned %d", points_sum(record->earned));
    cr_expect_eq(points_sum(record->possible), possible, "of %d", points_sum(record->possible));
}

Test(record, full_points_for_a_pass)
{
    const struct record record = judged(&tasks[0], PASS, PASS, PASS);
    expect_points(&record, 35, 35);
    cr_expect_eq(record.verdict, PASS);
}

Test(record, a_wrong_value_earns_nothing)
{
    const struct record record = judged(&tasks[0], WRONG_ANSWER, PASS, VERDICT_NONE);
    expect_points(&record, 0, 35);
    cr_expect_eq(record.verdict, WRONG_ANSWER);
    cr_expect_str_eq(record.diagnosis, "values");
}

Test(record, a_leak_costs_the_safety_points_and_is_the_verdict)
{
    const struct record record = judged(&tasks[0], PASS, LEAK, PASS);
    expect_points(&record, 30, 35);
    cr_expect_eq(record.verdict, LEAK);
    cr_expect_str_eq(record.diagnosis, "safety");
}

Test(record, a_leak_in_slow_code_costs_both)
{
    const struct record record = judged(&tasks[0], PASS, LEAK, TOO_SLOW);
    expect_points(&record, 20, 35);
}

Test(record, a_wrong_value_in_a_timed_call_earns_nothing)
{
    const struct record record = judged(&tasks[0], PASS, PASS, WRONG_ANSWER);
    expect_points(&record, 0, 35);
    cr_expect_eq(record.verdict, WRONG_ANSWER);
}

Test(record, a_finding_before_the_first_pair_says_nothing_of_the_speed)
{
    struct record record = judged(&tasks[0], PASS, MEMORY_ERROR, MEMORY_ERROR);
    expect_points(&record, 20, 25);
    record.speed.pairs = 7;
    record_judge(&record);
    expect_points(&record, 30, 35);
}

Test(record, speed_that_was_not_measured_leaves_the_total)
{
    const struct record record = judged(&tasks[0], PASS, PASS, VERDICT_NONE);
    expect_points(&record, 25, 25);
}

Test(record, speed_that_no_model_knows_leaves_the_total)
{
    const struct record record = judged(&tasks[0], PASS, PASS, CANNOT_GRADE);
    expect_points(&record, 25, 25);
    cr_expect_eq(record.verdict, PASS);
    cr_expect_str_eq(record.diagnosis, "");
}

static struct record counted(const struct task *task, enum verdict efficiency, enum verdict speed)
{
    struct record record = {.task = task};

    record.outcome.verdict = record.outcome.safety = PASS;
    record.outcome.efficiency = efficiency;
    record.speed.verdict = speed;
    strcpy(record.speed.diagnosis, "speed");
    strcpy(record.outcome.efficiency_diagnosis, "counter");
    strcpy(record.outcome.costs[0].what, "sectors a load request");
    record.outcome.costs[0].value = 18;
    record.outcome.costs[0].most = 4;
    record_judge(&record);
    return record;
}

Test(record, a_counter_gate_alone_earns_the_points_for_speed)
{
    const struct record held = counted(&tasks[3], PASS, VERDICT_NONE);
    const struct record missed = counted(&tasks[3], INEFFICIENT, VERDICT_NONE);
    const struct record not_counted = judged(&tasks[3], PASS, PASS, VERDICT_NONE);
    expect_points(&held, 26, 26);
    expect_points(&missed, 22, 26);
    expect_points(&not_counted, 22, 22);
    cr_expect_eq(missed.verdict, INEFFICIENT);
    cr_expect_str_eq(missed.diagnosis, "counter");
}

Test(record, a_counter_gate_decides_where_the_time_is_good)
{
    const struct record hidden = counted(&tasks[0], INEFFICIENT, PASS);
    const struct record slow = counted(&tasks[0], INEFFICIENT, TOO_SLOW);
    const struct record wrong = counted(&tasks[0], INEFFICIENT, WRONG_ANSWER);
    expect_points(&hidden, 25, 35);
    cr_expect_eq(hidden.verdict, INEFFICIENT);
    expect_points(&slow, 25, 35);
    cr_expect_eq(slow.verdict, TOO_SLOW);
    cr_expect_str_eq(slow.diagnosis, "counter");
    expect_points(&wrong, 0, 35);
    cr_expect_eq(wrong.verdict, WRONG_ANSWER);
}

Test(record, what_could_not_be_graded_costs_nothing)
{
    const struct record no_device = judged(&tasks[1], CANNOT_GRADE, VERDICT_NONE, VERDICT_NONE);
    const struct record fault = judged(&tasks[1], GRADER_FAULT, VERDICT_NONE, VERDICT_NONE);
    expect_points(&no_device, 0, 0);
    expect_points(&fault, 0, 0);
}

static void expect_json(const char *text, const char *json)
{
    char *got = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&got, &bytes);

    json_string(file, text);
    fclose(file);
    cr_expect_str_eq(got, json);
    free(got);
}

Test(json, escapes_what_json_does_not_allow)
{
    expect_json("plain", "\"plain\"");
    expect_json("a \"quote\" and a \\", "\"a \\\"quote\\\" and a \\\\\"");
    expect_json("line\nbreak\ttab\x01\x7f", "\"line\\u000abreak\\u0009tab\\u0001\\u007f\"");
    expect_json("µs → ★", "\"µs → ★\"");
    expect_json("", "\"\"");
}

Test(json, replaces_bytes_that_are_not_utf8)
{
    expect_json("\xff", "\"\\ufffd\"");
    expect_json("\xc0\xaf", "\"\\ufffd\\ufffd\"");            /* longer than needed */
    expect_json("\xe2\x86", "\"\\ufffd\\ufffd\"");            /* cut short */
    expect_json("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
}

static char *written(const struct record *record)
{
    const struct run_facts facts = {.student = "Ada \"L\"",
        .file = "a b.cu",
        .sha256 = "00",
        .seed = "7f3a",
        .device = {.name = "GPU", .toolkit = 13000, .driver = 12040}};
    char *line = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&line, &bytes);

    record_write(file, record, &facts);
    fclose(file);
    return line;
}

Test(record, the_line_has_every_member_of_the_schema)
{
    static const char *members[] = {"schema", "time", "student", "file", "sha256", "homework",
        "task", "star", "verdict", "diagnosis", "points", "max_points", "case", "seed", "device",
        "device_kind", "toolkit", "driver", "seconds", "speed", "counters", "hint_level_used"};
    const struct record record = judged(&tasks[0], PASS, PASS, PASS);
    char *line = written(&record), key[40];

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        snprintf(key, sizeof key, "\"%s\":", members[i]);
        cr_expect_not_null(strstr(line, key), "%s", key);
    }
    cr_expect_not_null(strstr(line, "\"student\":\"Ada \\\"L\\\"\""));
    cr_expect_not_null(strstr(line, "\"toolkit\":\"13.0\",\"driver\":\"12.4\""));
    cr_expect_eq(strchr(line, '\n'), line + strlen(line) - 1, "one line");
    free(line);
}

Test(record, numbers_that_are_none_are_null)
{
    struct record record = judged(&tasks[0], PASS, PASS, PASS);
    record.speed.share = NAN;
    record.speed.limit_ns = INFINITY;
    char *line = written(&record);

    cr_expect_not_null(strstr(line, "\"share\":null"));
    cr_expect_not_null(strstr(line, "\"limit_ns\":null"));
    free(line);
}

Test(record, no_speed_is_null)
{
    const struct record record = judged(&tasks[1], PASS, PASS, VERDICT_NONE);
    char *line = written(&record);

    cr_expect_not_null(strstr(line, "\"speed\":null"));
    free(line);
}

Test(record, a_speed_says_what_it_is_measured_against)
{
    static const struct speed_test hidden = {
        .limit = LIMIT_LESSON, .overlap = true, .limit_label = "hidden", .baseline_name = "serial"};
    struct record record = judged(&tasks[0], PASS, PASS, TOO_SLOW);
    record.speed.expected_ns = 4.71e8;
    record.speed.idle_ns = 9600;
    record.task = &(struct task){.id = "hw9.1", .speed = &hidden};
    char *line = written(&record);

    cr_expect_not_null(strstr(line, "\"limit_kind\":\"overlap\",\"limit_name\":\"hidden\","
                                    "\"baseline_name\":\"serial\","));
    cr_expect_not_null(strstr(line, "\"expected_ns\":4.71e+08,"));
    cr_expect_not_null(strstr(line, "\"idle_ns\":9600,"));
    free(line);
}
