/* What the student reads: at most about fifteen lines a task, eighty columns, no colour in a log. */
#include "report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile_error.h"
#include "device_limits.h"
#include "settings.h"
#include "text.h"

#define STAR "★"

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

static void print_replay(
    const char *case_id, const struct record *record, const struct run_facts *facts)
{
    const char *given = setting("GIVEN"); /* FILE= as it was typed */
    const char *task = task_number(record->task);
    char text[600];

    if (!*case_id)
        return;
    snprintf(text, sizeof text, "make replay HW=%s TASK=%s CASE=%s%s%s%s%s", homework.name + 2,
        task, case_id, facts->device.is_virtual ? " DEVICE=virtual" : "", given ? " FILE='" : "",
        given ? given : "", given ? "'" : "");
    /* Not wrapped: it is a line to paste. */
    printf("  %-9s%s\n", "replay", text);
}

static void print_praise(const struct speed_result *speed, const struct speed_test *test)
{
    const bool over_baseline = test->limit == LIMIT_BASELINE;
    const double star = test->star > 0 ? test->star : over_baseline ? INFINITY : 0.9;
    char text[120];

    if (speed->verdict != PASS || (over_baseline ? speed->speedup : speed->share) < star)
        return;
    if (over_baseline)
        snprintf(
            text, sizeof text, STAR " %.1f× the baseline or more: beyond what is asked.", star);
    else
        snprintf(text, sizeof text,
            STAR " %.0f %% of the limit or more: that is all there is to give.", 100 * star);
    print_field("", text);
}

static void print_speed(const struct speed_result *speed, const struct speed_test *test)
{
    char from[NUMBER_TEXT_BYTES], to[NUMBER_TEXT_BYTES], rate[NUMBER_TEXT_BYTES];
    char needs[120] = "", share[120] = "", text[500];

    if (speed->verdict == VERDICT_NONE || speed->verdict == CANNOT_GRADE ||
        speed->candidate_ns <= 0)
        return;
    text_duration(from, speed->baseline_ns);
    text_duration(to, speed->candidate_ns);
    text_bandwidth(rate, speed->candidate_gb_s);
    if (speed->gate > 0)
        snprintf(needs, sizeof needs, " (needs %.1f×", speed->speedup_needed);
    if (speed->gate > 0 && test->limit != LIMIT_BASELINE)
        snprintf(needs, sizeof needs, " (needs %.1f× = %.0f %% of %s%s", speed->speedup_needed,
            100 * speed->gate, limit_is_bandwidth(test->limit) ? "this GPU's " : "",
            speed_limit_name(test));
    if (limit_is_bandwidth(test->limit))
        snprintf(share, sizeof share, " · %s, %.0f %% of it", rate, 100 * speed->share);
    else if (test->limit == LIMIT_LESSON)
        snprintf(share, sizeof share, " · %.0f %% of it", 100 * speed->share);
    snprintf(text, sizeof text, "%s → %s · %.1f× the baseline, %s%s%s%s%s", from, to,
        speed->speedup, test->baseline_name, needs, *needs ? ")" : "", share,
        speed->modelled ? " (modelled)" : "");
    print_field("speed", text);
    if (speed->gpu_hides_the_difference)
        print_field(
            "", "This GPU hides the difference: the baseline itself reaches the gate here.");
    print_praise(speed, test);
}

/* The exact counts that a gate is set on. */
static void print_costs(const struct outcome *outcome)
{
    char text[200];

    for (size_t i = 0; i < COSTS_KEPT && outcome->costs[i].what[0]; i++) {
        const struct cost *cost = &outcome->costs[i];
        snprintf(text, sizeof text, "%.4g %s (at most %.4g)", cost->value, cost->what, cost->most);
        print_field(i == 0 ? "counted" : "", text);
    }
}

/* Values and time may be right: on this GPU the cost does not show. */
static void print_inefficiency(const struct record *record, const struct run_facts *facts)
{
    const struct outcome *outcome = &record->outcome;

    print_field("right", "every value: the points for correctness are yours");
    print_field("case", outcome->efficiency_case_id);
    print_field("found", outcome->efficiency_text);
    print_field("likely", outcome->efficiency_cause);
    print_replay(outcome->efficiency_case_id, record, facts);
}

static void print_output(const struct record *record)
{
    char count[NUMBER_TEXT_BYTES];
    int lines = 0;

    if (record->output_bytes == 0 || !record->output)
        return;
    printf(
        "  %-9sthe beginning of %s bytes:\n", "printed", text_count(count, record->output_bytes));
    for (const char *line = record->output; *line && lines < 6; lines++) {
        const size_t bytes = strcspn(line, "\n");
        printf("           | %.*s\n", bytes > 66 ? 66 : (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
    }
}

static void print_correctness(const struct record *record, const struct run_facts *facts)
{
    const struct outcome *outcome = &record->outcome;

    print_field("case", outcome->case_id);
    print_field("first", outcome->first);
    print_field("where", outcome->where);
    print_field("right", outcome->right);
    if (outcome->safety != PASS)
        print_field("also", outcome->safety_text);
    print_field("likely", outcome->cause);
    print_replay(outcome->case_id, record, facts);
}

static void print_safety(const struct record *record, const struct run_facts *facts)
{
    const struct outcome *outcome = &record->outcome;

    if (outcome->verdict == PASS)
        print_field("right", "every value: the points for correctness are yours");
    else
        print_field("first", outcome->first);
    print_field("case", outcome->safety_case_id);
    print_field("found", outcome->safety_text);
    print_field("likely", outcome->safety_cause);
    print_replay(outcome->safety_case_id, record, facts);
}

void report_task(const struct record *record, const struct run_facts *facts)
{
    const struct outcome *outcome = &record->outcome;
    const bool failed = record->verdict != PASS && record->verdict != NOT_ATTEMPTED;
    const char *task = task_number(record->task);

    if (isatty(STDOUT_FILENO))
        printf("\r\033[K");
    print_mark(record->verdict);
    printf("%s  %-46s", record->task->id, record->task->title);
    print_points(record);
    printf("%s%s\n", record->verdict == PASS ? "" : "  ",
        record->verdict == PASS ? "" : verdict_name(record->verdict));

    if (failed && record->verdict == outcome->verdict)
        print_correctness(record, facts);
    else if (outcome->safety != PASS && failed)
        print_safety(record, facts);
    else if (outcome->efficiency != PASS && outcome->verdict == PASS)
        print_inefficiency(record, facts);
    if (outcome->verdict == PASS)
        print_costs(outcome);
    print_speed(&record->speed, record->task->speed);
    print_field("", record->speed.text);
    print_field("", record->speed.note);
    if (failed) {
        char hint[80];
        print_output(record);
        snprintf(hint, sizeof hint, "make hint HW=%s TASK=%s", homework.name + 2, task);
        if (record->verdict != INCONCLUSIVE && record->verdict != GRADER_FAULT)
            print_field("hint", hint);
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

static void print_next(const struct record *records, size_t count, const struct run_facts *facts)
{
    const struct record *next = next_task(records, count);
    bool nothing_attempted = true;
    char text[700];

    for (size_t i = 0; i < count; i++)
        nothing_attempted = nothing_attempted && records[i].verdict == NOT_ATTEMPTED;
    if (!next) {
        print_paragraph(count == homework.task_count
                            ? "Every task passes."
                            : "That passes. Without TASK= all tasks are graded.");
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
    else
        snprintf(text, sizeof text, "Next: %s, %s.", next->task->id, next->task->title);
    print_paragraph(text);
}

void report_summary(const struct record *records, size_t count, const struct run_facts *facts)
{
    int earned = 0, possible = 0, stars = 0, all_stars = 0;
    bool all_pass = true;

    printf(
        "%s\n", "──────────────────────────────────────────────────────────────────────────────");
    for (size_t i = 0; i < count; i++) {
        const struct record *record = &records[i];
        earned += points_sum(record->earned);
        possible += points_sum(record->possible);
        all_stars += record->task->star;
        stars += record->task->star && record->verdict == PASS;
        all_pass = all_pass && (record->verdict == PASS || record->task->star);
        printf("%-6s %-18s", record->task->id, verdict_name(record->verdict));
        print_points(record);
        printf("\n");
    }
    printf("%-6s %-18s%3d / %-3d", homework.name, "total", earned, possible);
    if (all_stars > 0)
        printf("  %d of %d stars", stars, all_stars);
    printf("\n\n");
    print_next(records, count, facts);
    if (!all_pass)
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

void report_compile_error(const char *file, const char *error, const char *task)
{
    printf("DOES NOT COMPILE  %s%s%s\n\n", file, *task ? "  in " : "", task);
    if (!error) {
        print_paragraph(
            "nvcc gave no error, and made no shared object either: the grader's fault.");
        return;
    }
    printf("%s\n\n", error);
    if (compiler_was_stopped(error)) {
        print_paragraph("The file asks more of the compiler than a homework ever does: templates "
                        "that call themselves, a header that includes itself, or very large "
                        "arrays with values. No task can be judged before the file compiles.");
        return;
    }
    print_paragraph("That is nvcc's first error; later ones often follow from it. No task can be "
                    "judged before the file compiles.");
}
