/* The table of verdicts: name, exit code, and the points that survive. */
#include "verdict.h"

#include <string.h>

struct row {
    const char *name;
    enum exit_code exit_code;
    struct kept_points keeps;
};

#define ALL                                          \
    {                                                \
        .correct = true, .speed = true, .safe = true \
    }
#define NOTHING                                         \
    {                                                   \
        .correct = false, .speed = false, .safe = false \
    }
#define ALL_BUT_SAFETY                                \
    {                                                 \
        .correct = true, .speed = true, .safe = false \
    }
#define ALL_BUT_SPEED                                 \
    {                                                 \
        .correct = true, .speed = false, .safe = true \
    }

static const struct row rows[VERDICT_COUNT] = {
    [VERDICT_NONE] = {"NOT JUDGED", EXIT_FAULT, NOTHING},
    [PASS] = {"PASS", EXIT_PASS, ALL},
    [NOT_ATTEMPTED] = {"NOT ATTEMPTED", EXIT_POINTS_MISSING, NOTHING},
    [WRONG_ANSWER] = {"WRONG ANSWER", EXIT_POINTS_MISSING, NOTHING},
    [CUDA_ERROR] = {"CUDA ERROR", EXIT_POINTS_MISSING, NOTHING},
    [MEMORY_ERROR] = {"MEMORY ERROR", EXIT_POINTS_MISSING, ALL_BUT_SAFETY},
    [RACE] = {"RACE", EXIT_POINTS_MISSING, ALL_BUT_SAFETY},
    [BARRIER] = {"BARRIER", EXIT_POINTS_MISSING, ALL_BUT_SAFETY},
    [UNINITIALISED] = {"UNINITIALISED", EXIT_POINTS_MISSING, ALL_BUT_SAFETY},
    [LEAK] = {"LEAK", EXIT_POINTS_MISSING, ALL_BUT_SAFETY},
    [INEFFICIENT] = {"INEFFICIENT", EXIT_POINTS_MISSING, ALL_BUT_SPEED},
    [CRASHED] = {"CRASHED", EXIT_POINTS_MISSING, NOTHING},
    [TIMED_OUT] = {"TIMED OUT", EXIT_POINTS_MISSING, NOTHING},
    [EXITED] = {"EXITED", EXIT_POINTS_MISSING, NOTHING},
    [TOO_SLOW] = {"TOO SLOW", EXIT_POINTS_MISSING, ALL_BUT_SPEED},
    [DOES_NOT_COMPILE] = {"DOES NOT COMPILE", EXIT_POINTS_MISSING, NOTHING},
    [INCONCLUSIVE] = {"INCONCLUSIVE", EXIT_NOISE, ALL_BUT_SPEED},
    [CANNOT_GRADE] = {"CANNOT GRADE", EXIT_NO_DEVICE, NOTHING},
    [GRADER_FAULT] = {"GRADER FAULT", EXIT_FAULT, NOTHING},
};

const char *verdict_name(enum verdict verdict)
{
    return rows[verdict].name;
}

enum verdict verdict_named(const char *name)
{
    for (enum verdict v = PASS; v < VERDICT_COUNT; v++)
        if (strcmp(rows[v].name, name) == 0)
            return v;
    return VERDICT_NONE;
}

struct kept_points verdict_keeps(enum verdict verdict)
{
    return rows[verdict].keeps;
}

enum exit_code exit_code_of(const enum verdict *verdicts, size_t count)
{
    size_t of[EXIT_NO_DEVICE + 1] = {0};

    for (size_t i = 0; i < count; i++)
        of[rows[verdicts[i]].exit_code]++;
    if (count == 0 || of[EXIT_FAULT] > 0)
        return EXIT_FAULT;
    if (of[EXIT_NO_DEVICE] == count)
        return EXIT_NO_DEVICE;
    if (of[EXIT_POINTS_MISSING] > 0)
        return EXIT_POINTS_MISSING;
    if (of[EXIT_NOISE] > 0)
        return EXIT_NOISE;
    /* Some tasks passed and some could not be judged: not everything passes. */
    return of[EXIT_NO_DEVICE] > 0 ? EXIT_POINTS_MISSING : EXIT_PASS;
}
