/* A homework without a GPU: three functions on the host. Its candidates attack the grader. */
#include <criterion/criterion.h>
#include <string.h>

#include "device.h"
#include "guarded.h"
#include "inputs.h"
#include "measure.h"
#include "settings.h"
#include "trial.h"

typedef int answer(const int *values, int count);

enum { COUNT_MAX = 1000 };

static int largest(const int *values, int count)
{
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = values[i] > result ? values[i] : result;
    return result;
}

static int smallest(const int *values, int count)
{
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = values[i] < result ? values[i] : result;
    return result;
}

static int even_ones(const int *values, int count)
{
    int result = 0;
    for (int i = 0; i < count; i++)
        result += values[i] % 2 == 0;
    return result;
}

static void check(struct trial *trial, answer *reference)
{
    static const int counts[] = {1, 2, 33, COUNT_MAX};
    answer *function = (answer *)trial_function(trial);
    int values[COUNT_MAX], got = 0;

    for (size_t i = 0; i < LENGTH(counts); i++) {
        if (!trial_begin(trial, "n%d", counts[i]))
            continue;
        fill_ints(values, (size_t)counts[i], 0, 99, trial_seed(trial));
        const int want = reference(values, counts[i]);
        if (TRIAL_CALL(trial, (got = function(values, counts[i]), cudaSuccess)) && got != want)
            trial_fail(trial, WRONG_ANSWER, "wrong-number", "got %d    expected %d", got, want);
        trial_end(trial);
    }
}

static void check_largest(struct trial *trial)
{
    check(trial, largest);
}

static void check_smallest(struct trial *trial)
{
    check(trial, smallest);
}

static void check_even_ones(struct trial *trial)
{
    check(trial, even_ones);
}

static const struct speed_test timed = {.gate = 0.5};

static const struct task tasks[] = {
    {.id = "hw0.1",
        .title = "the largest",
        .function = "largest",
        .points = {50, 20, 10},
        .check = check_largest,
        .speed = &timed},
    {.id = "hw0.2",
        .title = "the smallest",
        .function = "smallest",
        .points = {10, 0, 0},
        .check = check_smallest},
    {.id = "hw0.3",
        .title = "how many are even",
        .function = "even_ones",
        .points = {10, 0, 0},
        .check = check_even_ones},
};

const struct homework homework = {.name = "hw0",
    .folder = "hw0_host",
    .file = "host.c",
    .tasks = tasks,
    .task_count = LENGTH(tasks)};

/* Shorter than a real homework's, so that the attacks on the clock take less time. */
enum { LIMIT_S = 2 };

Test(hw0, t1, .timeout = LIMIT_S)
{
    grade_task("hw0.1");
}

Test(hw0, t2, .timeout = LIMIT_S)
{
    grade_task("hw0.2");
}

Test(hw0, t3, .timeout = LIMIT_S)
{
    grade_task("hw0.3");
}

Test(hw0_speed, all, .timeout = LIMIT_S)
{
    grade_speed();
}

/* Asked for as the virtual GPU, the tasks are judged side by side. */
static bool side_by_side(void)
{
    return setting("DEVICE") && strcmp(setting("DEVICE"), "virtual") == 0;
}

/* The linker puts these two in the place of measure() and device_ask() (--wrap): no device is asked
 * for, and a timing calls the candidate as often as a real one, and is content if the clock is the
 * grader's own. */
struct speed_result __wrap_measure(const struct speed_test *test, void *candidate, void *baseline)
{
    const int values[] = {4, 8, 15, 16, 23, 42};
    struct speed_result result = {.verdict = PASS, .gate = test->gate, .share = 1, .pairs = 7};

    for (int pair = 0; pair < 7; pair++)
        if (((answer *)candidate)(values, 6) != ((answer *)baseline)(values, 6))
            result.verdict = WRONG_ANSWER;
    if (device_is_virtual() != side_by_side() || (!side_by_side() && device_now_ns() == 0))
        result.verdict = GRADER_FAULT;
    return result;
}

struct device_facts __wrap_device_ask(void)
{
    return (struct device_facts){.usable = true,
        .is_virtual = side_by_side(),
        .times_kernels = true,
        .name = "no device",
        .toolkit = 13000};
}
