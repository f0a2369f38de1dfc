/* Counter gates: which counts are accepted, what is said of those that are not. */
#include "../cost.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../trial_state.h"

static const struct diagnosis lesson[] = {{"scattered", "The lesson's cause."}, {NULL, NULL}};
static const struct task tasks[] = {{.id = "hw0.1", .diagnoses = lesson}};
const struct homework homework = {.name = "hw0", .tasks = tasks, .task_count = 1};

/* Found by dlsym, as the virtual GPU's would be: two lines, the second scatters. */
size_t vgpu_lines(struct vgpu_line *lines, size_t max)
{
    static const struct vgpu_line made[] = {
        {.file = "folder/x.cu",
            .line = 0,
            .counters = {.global_load_requests = 200, .global_load_sectors = 3600}},
        {.file = "folder/x.cu",
            .line = 7,
            .counters = {.global_load_requests = 100, .global_load_sectors = 400}},
        {.file = "folder/x.cu",
            .line = 9,
            .counters = {.global_load_requests = 100, .global_load_sectors = 3200}},
    };
    for (size_t i = 0; i < LENGTH(made) && i < max; i++)
        lines[i] = made[i];
    return LENGTH(made);
}

static double sectors(const struct vgpu_counters *made)
{
    return (double)made->global_load_sectors;
}

static double requests(const struct vgpu_counters *made)
{
    return (double)made->global_load_requests;
}

static const struct cost_gate a_request = {
    "scattered", "sectors a load request", sectors, requests, 4};
static const struct cost_gate an_output = {"scattered", "sectors an output", sectors, NULL, 0.5};

static struct outcome outcome;
static struct trial trial;

static void start(void)
{
    outcome = (struct outcome){.efficiency = PASS, .safety = PASS};
    trial = (struct trial){.task = &tasks[0], .outcome = &outcome, .counted = true};
}

TestSuite(cost, .init = start);

static void count(uint64_t load_requests, uint64_t load_sectors)
{
    trial.counters.global_load_requests = load_requests;
    trial.counters.global_load_sectors = load_sectors;
}

Test(cost, at_the_gate_is_accepted_and_kept)
{
    count(100, 400);
    trial_expect_cost(&trial, &a_request, 0);
    cr_expect_eq(outcome.efficiency, PASS);
    cr_expect_str_eq(outcome.costs[0].what, "sectors a load request");
    cr_expect(outcome.costs[0].value == 4 && outcome.costs[0].most == 4);
}

Test(cost, beyond_the_gate_is_inefficient_with_its_worst_line)
{
    count(200, 3600);
    trial_expect_cost(&trial, &a_request, 0);
    cr_expect_eq(outcome.efficiency, INEFFICIENT);
    cr_expect_str_eq(outcome.efficiency_diagnosis, "scattered");
    cr_expect_str_eq(outcome.efficiency_cause, "The lesson's cause.");
    cr_expect_str_eq(
        outcome.efficiency_text, "sectors a load request: 18 (at most 4); most at x.cu:9");
    cr_expect_eq(outcome.verdict, VERDICT_NONE, "correctness is another matter");
}

Test(cost, copies_to_shared_memory_are_loads)
{
    const struct vgpu_counters made = {.global_load_requests = 1,
        .global_load_sectors = 4,
        .global_load_sectors_ideal = 2,
        .global_load_bytes = 64,
        .global_copy_requests = 10,
        .global_copy_sectors = 40,
        .global_copy_sectors_ideal = 20,
        .global_copy_bytes = 640,
        .global_store_requests = 100,
        .global_store_sectors = 400,
        .global_store_sectors_ideal = 200,
        .global_store_bytes = 6400};
    cr_expect(counted_load_requests(&made) == 11);
    cr_expect(counted_load_sectors(&made) == 44);
    cr_expect(counted_load_sectors_ideal(&made) == 22);
    cr_expect(counted_load_bytes(&made) == 704);
    cr_expect(counted_requests(&made) == 111);
    cr_expect(counted_sectors(&made) == 444);
    cr_expect(counted_sectors_ideal(&made) == 222);
    cr_expect(counted_bytes(&made) == 7104);
}

Test(cost, a_number_of_the_check_divides)
{
    count(1, 100);
    trial_expect_cost(&trial, &an_output, 200);
    cr_expect_eq(outcome.efficiency, PASS);
    trial_expect_cost(&trial, &an_output, 199);
    cr_expect_eq(outcome.efficiency, INEFFICIENT);
}

Test(cost, the_worst_case_is_kept_for_each_gate)
{
    count(100, 300);
    trial_expect_cost(&trial, &a_request, 0);
    trial_expect_cost(&trial, &an_output, 1000);
    count(100, 350);
    trial_expect_cost(&trial, &a_request, 0);
    count(100, 100);
    trial_expect_cost(&trial, &a_request, 0);
    cr_expect(outcome.costs[0].value == 3.5, "%f", outcome.costs[0].value);
    cr_expect_str_eq(outcome.costs[1].what, "sectors an output");
    cr_expect(outcome.costs[1].value == 0.3, "%f", outcome.costs[1].value);
}

Test(cost, the_first_finding_stands)
{
    count(100, 500);
    trial_expect_cost(&trial, &a_request, 0);
    trial_inefficient(&trial, "other", "later");
    cr_expect_str_eq(outcome.efficiency_diagnosis, "scattered");
}

Test(cost, nothing_is_judged_without_counts_or_after_a_failure)
{
    count(100, 3200);
    trial.counted = false;
    cr_expect_null(trial_counters(&trial));
    trial_expect_cost(&trial, &a_request, 0);
    cr_expect_eq(outcome.efficiency, PASS);
    trial.counted = true;
    outcome.verdict = WRONG_ANSWER;
    trial_expect_cost(&trial, &a_request, 0);
    cr_expect_eq(outcome.efficiency, PASS);
    cr_expect(outcome.costs[0].what[0] == '\0');
}

Test(cost, no_requests_are_not_judged)
{
    count(0, 0);
    trial_expect_cost(&trial, &a_request, 0);
    cr_expect(outcome.costs[0].what[0] == '\0');
}
