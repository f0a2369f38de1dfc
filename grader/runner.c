/* Criterion, held to one test and to an audit: nothing skipped, filtered or empty is a pass. */
#include "runner.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <criterion/logging.h>
#include <criterion/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"

static const char *wanted_suite, *wanted_test;

/* Criterion reads options from CRITERION_* as well: CRITERION_ALWAYS_SUCCEED=1, for one. */
static void forget_criterion_variables(void)
{
    extern char **environ;
    char name[128];

    for (char **entry = environ; *entry;) {
        size_t length = strcspn(*entry, "=");
        if (strncmp(*entry, "CRITERION_", 10) == 0 && length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, *entry);
            unsetenv(name);
            entry = environ;
        } else {
            entry++;
        }
    }
}

static void note_test(struct audit *audit, const struct criterion_test_stats *test)
{
    audit->name_matches = strcmp(test->test->category, wanted_suite) == 0 &&
                          strcmp(test->test->name, wanted_test) == 0;
    audit->passed = test->test_status == CR_STATUS_PASSED;
    audit->crashed = test->crashed;
    audit->timed_out = test->timed_out;
    audit->signal = test->signal;
    audit->exit_code = test->exit_code;
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    struct audit audit = {.tests_run = 0};

    for (struct criterion_suite_stats *suite = stats->suites; suite; suite = suite->next)
        for (struct criterion_test_stats *test = suite->tests; test; test = test->next)
            if (test->test_status != CR_STATUS_SKIPPED) {
                audit.tests_run++;
                note_test(&audit, test);
            }
    channel_send(MESSAGE_AUDIT, 0, &audit, sizeof audit);
}

/* A test's own .timeout is that of a GPU; this run may be on a slower device. */
static void set_time_limit(struct criterion_test_set *set, double limit_s)
{
    FOREACH_SET(struct criterion_suite_set * suite, set->suites)
    FOREACH_SET(struct criterion_test * test, suite->tests)
    test->data->timeout = limit_s;
}

_Noreturn void run_one_test(const char *suite, const char *name, double limit_s)
{
    static struct criterion_logger silent; /* the grader writes its own text */
    char pattern[128];

    wanted_suite = suite;
    wanted_test = name;
    forget_criterion_variables();
    struct criterion_test_set *set = criterion_initialize();
    set_time_limit(set, limit_s);
    snprintf(pattern, sizeof pattern, "%s/%s", suite, name);
    criterion_options.pattern = pattern;
    criterion_options.jobs = 1;
    criterion_options.logger = &silent;
    criterion_options.always_succeed = false;
    int passed = criterion_run_all_tests(set);
    criterion_finalize(set);
    _exit(passed ? 0 : 1);
}
