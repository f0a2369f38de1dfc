/* Exit codes, and which points survive which verdict. */
#include "../verdict.h"

#include <criterion/criterion.h>
#include <string.h>

Test(verdict, every_verdict_has_a_name_and_is_found_by_it)
{
    for (enum verdict v = PASS; v < VERDICT_COUNT; v++) {
        cr_assert_not_null(verdict_name(v));
        cr_expect_eq(verdict_named(verdict_name(v)), v);
    }
    cr_expect_eq(verdict_named("FINE"), VERDICT_NONE);
}

Test(verdict, one_verdict_gives_its_own_exit_code)
{
    static const struct {
        enum verdict verdict;
        int code;
    } rows[] = {{PASS, 0}, {NOT_ATTEMPTED, 1}, {WRONG_ANSWER, 1}, {CUDA_ERROR, 1}, {LEAK, 1},
        {MEMORY_ERROR, 1}, {RACE, 1}, {BARRIER, 1}, {UNINITIALISED, 1}, {INEFFICIENT, 1},
        {CRASHED, 1}, {TIMED_OUT, 1}, {EXITED, 1}, {TOO_SLOW, 1}, {DOES_NOT_COMPILE, 1},
        {INCONCLUSIVE, 75}, {CANNOT_GRADE, 77}, {GRADER_FAULT, 2}, {VERDICT_NONE, 2}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(
            exit_code_of(&rows[i].verdict, 1), rows[i].code, "%s", verdict_name(rows[i].verdict));
}

Test(verdict, the_gravest_exit_code_of_several_wins)
{
    const enum verdict fault[] = {PASS, WRONG_ANSWER, GRADER_FAULT, INCONCLUSIVE};
    const enum verdict wrong[] = {PASS, INCONCLUSIVE, TOO_SLOW};
    const enum verdict noise[] = {PASS, INCONCLUSIVE, PASS};
    const enum verdict right[] = {PASS, PASS};
    const enum verdict no_device[] = {CANNOT_GRADE, CANNOT_GRADE};
    const enum verdict partly[] = {PASS, CANNOT_GRADE};

    cr_expect_eq(exit_code_of(fault, 4), 2);
    cr_expect_eq(exit_code_of(wrong, 3), 1);
    cr_expect_eq(exit_code_of(noise, 3), 75);
    cr_expect_eq(exit_code_of(right, 2), 0);
    cr_expect_eq(exit_code_of(no_device, 2), 77);
    cr_expect_eq(exit_code_of(partly, 2), 1, "a task that was not judged is not a pass");
}

Test(verdict, an_empty_run_is_a_fault_and_never_a_pass)
{
    cr_expect_eq(exit_code_of(NULL, 0), 2);
}

Test(verdict, a_safety_finding_costs_the_safety_points_only)
{
    const enum verdict findings[] = {MEMORY_ERROR, RACE, BARRIER, UNINITIALISED, LEAK};

    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; i++) {
        const struct kept_points kept = verdict_keeps(findings[i]);
        cr_expect(kept.correct && kept.speed && !kept.safe, "%s", verdict_name(findings[i]));
    }
}

Test(verdict, slow_noisy_and_inefficient_code_keeps_its_correctness_points)
{
    const enum verdict slow[] = {TOO_SLOW, INCONCLUSIVE, INEFFICIENT};

    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        const struct kept_points kept = verdict_keeps(slow[i]);
        cr_expect(kept.correct && !kept.speed && kept.safe, "%s", verdict_name(slow[i]));
    }
}

Test(verdict, a_wrong_answer_keeps_nothing)
{
    const struct kept_points kept = verdict_keeps(WRONG_ANSWER);
    cr_expect(!kept.correct && !kept.speed && !kept.safe);
}
