/* What the student reads: at most about fifteen lines a task, eighty columns, no colour in a log. */
#include "report.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile_error.h"
#include "device_limits.h"
#include "diagnosis.h"
#include "settings.h"
#include "text.h"

#define STAR "★"

enum { RULE_COLUMNS = 78, TASK_COLUMNS = 78 /* of the line with which a task begins */ };

enum colour { GREEN = 32, RED = 31, YELLOW = 33, DIM = 2, NO_COLOUR = 0 };

/* How a verdict is shown at the start of its line. */
static const struct {
    const char *word;
    enum colour colour;
} marks[VERDICT_COUNT] = {
    [VERDICT_NONE] = {"----", DIM},
    [PASS] = {"PASS", GREEN},
    [NOT_ATTEMPTED] = {"TODO", YELLOW},
    [INCONCLUSIVE] = {"NOISE", YELLOW},
    [CANNOT_GRADE] = {"----", DIM},
    [GRADER_FAULT] = {"FAULT", RED},
};

static bool colourful(void)
{
    const char *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && (!no_color || !*no_color);
}

static void print_mark(enum verdict verdict)
{
    const char *word = marks[verdict].word ? marks[verdict].word : "FAIL";
    const enum colour colour = marks[verdict].word ? marks[verdict].colour : RED;

    if (colourful())
        printf("\033[%dm%-5s\033[0m ", colour, word);
    else
        printf("%-5s ", word);
}

static void print_points(const struct record *record)
{
    if (record->task->star)
        printf("%9s", record->verdict == PASS ? STAR "  " : "☆  ");
    else if (points_sum(record->possible) == 0)
        printf("%9s", "not judged");
    else
        printf("%3d / %-3d", points_sum(record->earned), points_sum(record->possible));
}

void report_banner(const struct run_facts *facts, const char *mode, bool virtual_pass)
{
    const struct device_facts *device = &facts->device;

    printf("%s  %s%s\n", homework.folder, facts->file,
        strcmp(mode, "solution") == 0 ? "  (the reference solution, not your work)" : "");
    printf("on        %s, ", device->name);
    if (!device->is_virtual)
        printf(
            "%d SMs, compute capability %d.%d, ", device->sm_count, device->major, device->minor);
    printf("CUDA %d.%d%s\n", device->toolkit / 1000, device->toolkit % 1000 / 10,
        device->is_virtual ? ": no GPU was used" : "");
    if (virtual_pass)
        printf(
            "safety    on the virtual GPU, which sees races and accesses that luck hides here\n");
    else if (!device->is_virtual)
        printf("safety    by guard zones, unmodified inputs and leaks\n");
    if (device->is_virtual)
        printf("speed     %s\n", device->times_kernels
                                     ? "modelled, not measured: an H200 cut to this device's SMs"
                                     : "is not judged here: its points are out of the total");
    printf("\n");
}

void report_progress(const char *doing, const char *id)
{
    if (isatty(STDOUT_FILENO)) {
        printf("\r\033[K%s %s …", doing, id);
        fflush(stdout);
    }
}

/* "make WORD HW=4 TASK=2 …", of the file and on the device that were graded; not wrapped: it is a
 * line to paste. */
static void print_command(const char *label, const char *word, const char *case_id,
    const struct record *record, const struct run_facts *facts)
{
    const char *given = setting("GIVEN"); /* FILE= as it was typed */

    printf("  %-9smake %s HW=%s TASK=%s%s%s%s%s%s%s\n", label, word, homework.name + 2,
        task_number(record->task), *case_id ? " CASE=" : "", case_id,
        facts->device.is_virtual ? " DEVICE=virtual" : "", given ? " FILE='" : "",
        given ? given : "", given ? "'" : "");
}

/* The star sign is for stars: those of star tasks, and of a time that is asked for nothing else. */
static void print_praise(const struct speed_result *speed, const struct speed_test *test)
{
    const bool over_baseline = test->limit == LIMIT_BASELINE;
    const double most = test->star > 0 ? test->star : over_baseline ? INFINITY : 0.9;
    const bool reached = (over_baseline ? speed->speedup : speed->share) >= most;
    char text[120];

    if (speed->verdict != PASS || (!reached && (!over_baseline || test->star <= 0)))
        return;
    if (!over_baseline)
        snprintf(text, sizeof text, "%.0f %% of the limit or more: that is all there is to give.",
            100 * most);
    else if (reached)
        snprintf(text, sizeof text, "%s%.1f× the baseline or more: beyond what is asked.",
            speed->gate > 0 ? "" : STAR " ", most);
    else if (speed->gate > 0)
        return;
    else
        snprintf(text, sizeof text, "☆ %.1f× the baseline earns a star: you have %.1f×.", most,
            speed->speedup);
    print_field("", text);
}

/* "197 GB/s · 79 % of this GPU's copy bandwidth", and what share and speed-up the gate asks for. */
static void print_share(const struct speed_result *speed, const struct speed_test *test)
{
    const bool over_baseline = test->limit == LIMIT_BASELINE;
    const bool bandwidth = limit_is_bandwidth(test->limit);
    const double share = speed->share > 0 ? 100 * speed->share : 0;
    char rate[NUMBER_TEXT_BYTES], text[200], needed[80] = "";

    text_bandwidth(rate, speed->candidate_gb_s);
    if (!over_baseline) {
        snprintf(text, sizeof text, "%s%s%.0f %% of %s %s", bandwidth ? rate : "",
            bandwidth ? " · " : "", share, bandwidth ? "this GPU's" : "the",
            speed_limit_name(test));
        print_field("", text);
        snprintf(needed, sizeof needed, "%.0f %%, that is ", 100 * speed->gate);
    }
    if (speed->gate <= 0) {
        if (speed->speedup < 1)
            print_field("", "Shown, not judged: slower is no mistake here (README, \"What good "
                            "looks like\").");
        return;
    }
    snprintf(text, sizeof text, "%s%.1f× the baseline", needed, speed->speedup_needed);
    print_field("needed", text);
}

static void print_speed(const struct record *record)
{
    const struct speed_result *speed = &record->speed;
    const struct speed_test *test = record->task->speed;
    char from[NUMBER_TEXT_BYTES], to[NUMBER_TEXT_BYTES], text[300];

    if (speed->verdict == VERDICT_NONE || speed->verdict == CANNOT_GRADE ||
        speed->candidate_ns <= 0)
        return;
    text_duration(from, speed->baseline_ns);
    text_duration(to, speed->candidate_ns);
    snprintf(text, sizeof text, "%s → %s%s · %.1f× the baseline, %s", from, to,
        speed->modelled ? " (modelled)" : "", speed->speedup, test->baseline_name);
    print_field("speed", text);
    print_share(speed, test);
    if (speed->gpu_hides_the_difference)
        print_field(
            "", "This GPU hides the difference: the baseline itself reaches the gate here.");
    if (record->verdict == PASS)
        print_praise(speed, test);
}

/* A measurement that a safety finding ended leaves the total; the table of points alone would not
 * say why. */
static void print_unjudged_speed(const struct record *record)
{
    const int lost = record->task->points.speed - record->possible.speed;
    const struct kept_points kept = verdict_keeps((enum verdict)record->speed.verdict);
    char text[100];

    if (lost <= 0 || kept.safe || !kept.correct || record->outcome.verdict != PASS)
        return;
    snprintf(
        text, sizeof text, "speed is judged once memory is safe; then there are %d more", lost);
    print_field("points", text);
}

/* The exact counts that a gate is set on; one that is missed has been named already. */
static void print_costs(const struct outcome *outcome)
{
    const char *label = "counted";
    char text[200];

    for (size_t i = 0; i < COSTS_KEPT && outcome->costs[i].what[0]; i++) {
        const struct cost *cost = &outcome->costs[i];
        if (outcome->efficiency != PASS && cost->value > cost->most)
            continue;
        snprintf(text, sizeof text, "%s: %.4g (at most %.4g)", cost->what, cost->value, cost->most);
        print_field(label, text);
        label = "";
    }
}

static bool right_at_full_size(const struct record *record)
{
    const enum verdict speed = record->speed.verdict;
    return speed == VERDICT_NONE || speed == CANNOT_GRADE || verdict_keeps(speed).correct;
}

/* The small cases are right: what is missing is the rest. */
static void print_right(const struct record *record)
{
    const bool slow = record->earned.speed < record->possible.speed;
    const bool unsafe = record->earned.safe < record->possible.safe;
    char text[160];

    if (!right_at_full_size(record))
        snprintf(text, sizeof text, "every value of the small cases; the call at full size failed");
    else if (!slow && !unsafe)
        snprintf(text, sizeof text, "every value");
    else
        snprintf(text, sizeof text, "every value: only the points for %s%s%s are missing",
            slow ? "speed" : "", slow && unsafe ? " and " : "", unsafe ? "safety" : "");
    print_field("right", text);
}

/* Values and time may be right: on this GPU the cost does not show. */
static void print_inefficiency(const struct record *record)
{
    const struct outcome *outcome = &record->outcome;

    print_right(record);
    print_field("case", outcome->efficiency_case_id);
    print_field("found", outcome->efficiency_text);
    print_field("likely", outcome->efficiency_cause);
}

/* Every case is right, and the timed call was too slow, or failed. Why it is too slow the speed line
 * says. */
static void print_timing_failure(const struct record *record)
{
    const struct speed_result *speed = &record->speed;

    print_right(record);
    if (speed->verdict == INCONCLUSIVE)
        return;
    if (speed->verdict != TOO_SLOW)
        print_field("found", speed->text);
    print_field(
        "likely", diagnosis_cause_at(speed->diagnosis, record->task->id, record->task->diagnoses));
}

static void print_output(const struct record *record)
{
    char count[NUMBER_TEXT_BYTES];
    const size_t most = (size_t)text_columns() - 14; /* of a line, beside its mark */
    int lines = 0;

    if (record->output_bytes == 0 || !record->output)
        return;
    printf(
        "  %-9sthe beginning of %s bytes:\n", "printed", text_count(count, record->output_bytes));
    for (const char *line = record->output; *line && lines < 6; lines++) {
        const size_t bytes = strcspn(line, "\n");
        printf("           | ");
        print_harmless(line, bytes > most ? most : bytes);
        printf("\n");
        line += bytes + (line[bytes] == '\n');
    }
}

/* Where the values themselves show nothing that is right. */
static void print_cases_before(size_t passed)
{
    char count[NUMBER_TEXT_BYTES], text[80];

    if (passed == 0)
        return;
    snprintf(text, sizeof text, "the %s cases before this one", text_count(count, passed));
    print_field("right", passed == 1 ? "the case before this one" : text);
}

/* A finding of safety, which may be of another case than the one that is shown. */
static void print_also(const struct outcome *outcome)
{
    const bool other_case =
        *outcome->safety_case_id && strcmp(outcome->case_id, outcome->safety_case_id) != 0;
    char text[sizeof outcome->safety_text + sizeof outcome->safety_case_id + 8];

    if (outcome->safety == PASS)
        return;
    snprintf(text, sizeof text, "%s%s%s%s", other_case ? "in " : "",
        other_case ? outcome->safety_case_id : "", other_case ? ":\n" : "", outcome->safety_text);
    print_field("also", text);
}

static void print_correctness(const struct record *record)
{
    const struct outcome *outcome = &record->outcome;
    const bool values = outcome->verdict == WRONG_ANSWER && *outcome->where;

    print_field("case", outcome->case_id);
    print_field(values ? "first" : "found", outcome->first);
    print_field(values ? "where" : "", outcome->where);
    if (*outcome->right)
        print_field("right", outcome->right);
    else
        print_cases_before(outcome->cases_passed);
    print_also(outcome);
    print_field("likely", outcome->cause);
}

/* Values may be wrong as well, in the same case or in another. */
static void print_safety(const struct record *record)
{
    const struct outcome *outcome = &record->outcome;
    const bool other_case = strcmp(outcome->case_id, outcome->safety_case_id) != 0;
    char values[sizeof outcome->first + sizeof outcome->case_id + 40];

    if (outcome->verdict == PASS)
        print_right(record);
    print_field("case", outcome->safety_case_id);
    print_field("found", outcome->safety_text);
    if (outcome->verdict != PASS) {
        snprintf(values, sizeof values, "wrong as well%s%s:\n%s", other_case ? ", in " : "",
            other_case ? outcome->case_id : "", outcome->first);
        print_field("values", values);
    }
    print_field("likely", outcome->safety_cause);
}

/* What was wrong, in the order in which it is judged. Returns the case to replay, or "". */
static const char *print_failure(const struct record *record)
{
    const struct outcome *outcome = &record->outcome;

    if (record->verdict == outcome->verdict) {
        print_correctness(record);
        return outcome->case_id;
    }
    if (outcome->safety != PASS) {
        print_safety(record);
        return outcome->safety_case_id;
    }
    if (outcome->efficiency != PASS && right_at_full_size(record)) {
        print_inefficiency(record);
        return outcome->efficiency_case_id;
    }
    print_timing_failure(record);
    return "";
}

/* What a failed measurement says is not said twice; a call too slow to be timed has no figures. */
static void print_timed_text(const struct record *record)
{
    const struct speed_result *speed = &record->speed;
    const bool said = (speed->verdict == TOO_SLOW && speed->candidate_ns > 0) ||
                      (record->verdict == (enum verdict)speed->verdict &&
                          record->outcome.verdict == PASS && speed->verdict != INCONCLUSIVE);

    if (!said)
        print_field("timed", speed->text);
    print_field("note", speed->note);
}

static void print_commands(
    const char *case_id, const struct record *record, const struct run_facts *facts)
{
    const bool about_speed = record->verdict == TOO_SLOW || record->verdict == INEFFICIENT;

    if (record->verdict != INCONCLUSIVE && record->verdict != GRADER_FAULT)
        printf("  %-9smake hint HW=%s TASK=%s\n", "hint", homework.name + 2,
            task_number(record->task));
    if (*case_id)
        print_command("replay", "replay", case_id, record, facts);
    if (about_speed)
        print_command("profile", "profile", "", record, facts);
}

static void print_untried(const struct record *record, const struct run_facts *facts)
{
    const struct task *task = record->task;

    if (record->verdict == PASS && !setting("CASE") &&
        (facts->device.is_virtual || !task->gpu_tries_it))
        print_field("untried", task->untried);
}

void report_task(const struct record *record, const struct run_facts *facts)
{
    const struct outcome *outcome = &record->outcome;
    const bool failed = record->verdict != PASS && record->verdict != NOT_ATTEMPTED;
    const char *case_id = "";

    if (isatty(STDOUT_FILENO))
        printf("\r\033[K");
    print_mark(record->verdict);
    if (text_columns() < TASK_COLUMNS)
        printf("%s  %s\n  %9s", record->task->id, record->task->title, "");
    else
        printf("%s  %-44s", record->task->id, record->task->title);
    print_points(record);
    printf("%s%s\n", record->verdict == PASS ? "" : " ",
        record->verdict == PASS ? "" : verdict_name(record->verdict));

    if (failed)
        case_id = print_failure(record);
    if (outcome->verdict == PASS)
        print_costs(outcome);
    print_speed(record);
    print_unjudged_speed(record);
    print_timed_text(record);
    print_untried(record, facts);
    if (failed) {
        print_output(record);
        print_commands(case_id, record, facts);
        printf("\n");
    }
    fflush(stdout);
}

/* The first task that is not passed, or NULL. Stars come last. */
static const struct record *next_task(const struct record *records, size_t count)
{
    for (int star = 0; star <= 1; star++)
        for (size_t i = 0; i < count; i++)
            if (records[i].verdict != PASS && records[i].task->star == star)
                return &records[i];
    return NULL;
}

/* The README of the homework that follows, or "". */
static void find_next_readme(char *path, size_t bytes)
{
    glob_t found;
    char pattern[40];

    *path = '\0';
    snprintf(pattern, sizeof pattern, "hw%d_*/README.md", atoi(homework.name + 2) + 1);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    snprintf(path, bytes, "%s", found.gl_pathv[0]);
    globfree(&found);
}

static void print_passed(size_t count, const struct record *records, const struct run_facts *facts)
{
    char text[300], readme[200];

    if (setting("CASE")) {
        print_paragraph("This case passes; now all of them:");
        print_command("", "grade", "", records, facts);
        return;
    }
    if (count < homework.task_count) {
        print_paragraph("That passes. Without TASK= all tasks are graded.");
        return;
    }
    find_next_readme(readme, sizeof readme);
    snprintf(text, sizeof text, "Every task passes.%s%s", *readme ? " Next: " : "", readme);
    print_paragraph(text);
}

static void print_next(const struct record *records, size_t count, const struct run_facts *facts)
{
    const struct record *next = next_task(records, count);
    bool nothing_attempted = true;
    char text[700];

    for (size_t i = 0; i < count; i++)
        nothing_attempted = nothing_attempted && records[i].verdict == NOT_ATTEMPTED;
    if (!next) {
        print_passed(count, records, facts);
        return;
    }
    if (nothing_attempted)
        snprintf(text, sizeof text,
            "Nothing is attempted yet: that is expected, nothing is broken. Open %s, look for "
            "TODO(%s), fill it in, delete the line that returns cudaErrorNotYetImplemented, and "
            "grade again. The lesson is in %s/README.md.",
            facts->file, next->task->id, homework.folder);
    else if (next->verdict == NOT_ATTEMPTED)
        snprintf(text, sizeof text,
            "Next: %s%s, %s. Look for TODO(%s) in %s; when it is filled in, delete the line that "
            "returns cudaErrorNotYetImplemented.",
            next->task->id, next->task->star ? " (a star task: go further)" : "", next->task->title,
            next->task->id, facts->file);
    else if (next->verdict == INCONCLUSIVE)
        snprintf(text, sizeof text,
            "Next: grade %s again when nothing else uses the GPU; nothing is lost.",
            next->task->id);
    else if (next->verdict == GRADER_FAULT)
        snprintf(text, sizeof text,
            "Next: what kept the grader from judging %s is said above; then grade it again.",
            next->task->id);
    else
        snprintf(text, sizeof text, "Next: %s, %s.", next->task->id, next->task->title);
    print_paragraph(text);
}

void report_summary(
    const struct record *records, size_t count, const struct run_facts *facts, enum exit_code code)
{
    int earned = 0, possible = 0, stars = 0, all_stars = 0;
    bool no_such_case = false;

    for (int column = 0; column < RULE_COLUMNS && column < text_columns(); column++)
        printf("─");
    printf("\n");
    for (size_t i = 0; i < count; i++) {
        const struct record *record = &records[i];
        earned += points_sum(record->earned);
        possible += points_sum(record->possible);
        all_stars += record->task->star;
        stars += record->task->star && record->verdict == PASS;
        no_such_case = no_such_case || strcmp(record->outcome.diagnosis, "no-such-case") == 0;
        printf("%-6s %-18s", record->task->id, verdict_name(record->verdict));
        print_points(record);
        printf("\n");
    }
    printf("%-6s %-18s%3d / %-3d", homework.name, "total", earned, possible);
    if (all_stars > 0)
        printf("  %d of %d stars", stars, all_stars);
    printf("\n\n");
    if (no_such_case)
        return;
    print_next(records, count, facts);
    if (code != EXIT_PASS)
        print_paragraph(
            "The line \"make: *** … Error\" below only means that not every task passes "
            "yet.");
}

void report_cannot_grade(const char *problem)
{
    printf("CANNOT GRADE  %s\n", homework.folder);
    print_paragraph(problem);
    print_paragraph("No points are lost. What needs no GPU: make doctor, make hint, reading on.");
}

/* "  line 44  sum[i] = a[i] + b[i]": code is cut, not wrapped. */
static void print_source_line(const struct compile_error *error)
{
    char label[20];

    snprintf(label, sizeof label, "line %u", error->line);
    if (error->in_source && *error->text) {
        const size_t bytes = strlen(error->text);
        printf("  %-*s", (int)strlen(label) < 8 ? 9 : (int)strlen(label) + 2, label);
        print_harmless(error->text, bytes < 66 ? bytes : 66);
        printf("\n");
    } else if (error->line > 0) {
        char place[400];
        snprintf(place, sizeof place, "line %u of %s", error->line, error->file);
        print_field("in", place);
    }
}

void report_compile_error(const char *file, const struct compile_error *error)
{
    const bool in_task = error && *error->task;

    printf(
        "DOES NOT COMPILE  %s%s%s\n\n", file, in_task ? "  in " : "", in_task ? error->task : "");
    if (!error) {
        print_paragraph(
            "nvcc gave no error, and made no shared object either: the grader's fault.");
        return;
    }
    char nvcc[sizeof error->message + 10];
    snprintf(nvcc, sizeof nvcc, "error: %s", error->message);
    print_field("nvcc", nvcc);
    if (compiler_was_stopped(error)) {
        printf("\n");
        print_paragraph("The file asks more of the compiler than a homework ever does: templates "
                        "that call themselves, a header that includes itself, or very large "
                        "arrays with values. No task can be judged before the file compiles.");
        return;
    }
    print_source_line(error);
    print_field("likely", error->likely);
    printf("\n");
    print_paragraph("That is nvcc's first error; later ones often follow from it. No task can be "
                    "judged before the file compiles.");
}
