/* Who is wrong, and by which pattern: suspects that the lesson predicted, then patterns of values,
 * then patterns of places; the first that matches names the mistake. */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pattern.h"

enum { RIGHT_BY_SKILL = 4 }; /* that share of the elements, one in four, is no luck */

bool agrees(double got, double want, double bound)
{
    if (isnan(got) || isnan(want))
        return false;
    if (isinf(got) || isinf(want) || !isfinite(bound))
        return got == want;
    return fabs(got - want) <= bound;
}

double evidence_bound(const struct evidence *evidence, size_t i)
{
    const double *bound = evidence->expectation->bound;
    return bound ? bound[i] : 0;
}

bool evidence_wrong(const struct evidence *evidence, size_t i)
{
    return !agrees(array_value(evidence->output, i), evidence->expectation->want[i],
        evidence_bound(evidence, i));
}

static struct evidence look_at_all(const struct expectation *expectation)
{
    struct evidence evidence = {
        .expectation = expectation,
        .output = expectation->output,
        .count = expectation->output->count,
    };

    for (size_t i = 0; i < evidence.count; i++) {
        evidence.zero += array_value(evidence.output, i) == 0;
        if (!evidence_wrong(&evidence, i))
            continue;
        if (evidence.wrong++ == 0)
            evidence.first = i;
        evidence.last = i;
        if (array_unwritten(evidence.output, i))
            evidence.unwritten++;
        else
            evidence.nan += isnan(array_value(evidence.output, i));
    }
    return evidence;
}

static bool is_suspect(const struct evidence *evidence, const struct suspect *suspect)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const double got = array_value(evidence->output, i);
        const bool as_predicted =
            isnan(suspect->values[i])
                ? isnan(got) || array_unwritten(evidence->output, i)
                : agrees(got, suspect->values[i], evidence_bound(evidence, i));
        if (!as_predicted)
            return false;
    }
    return true;
}

static void say_how_many_are_right(const struct evidence *evidence, struct mismatch *mismatch)
{
    snprintf(mismatch->right, sizeof mismatch->right, "%s of %s elements",
        COUNT(evidence->count - evidence->wrong), COUNT(evidence->count));
}

static bool match_suspects(const struct evidence *evidence, struct mismatch *mismatch)
{
    const struct suspect *suspect = evidence->expectation->suspects;

    for (; suspect && suspect->diagnosis; suspect++) {
        if (!is_suspect(evidence, suspect))
            continue;
        mismatch->diagnosis = suspect->diagnosis;
        if (evidence->count > 1)
            snprintf(mismatch->where, sizeof mismatch->where,
                "the output is exactly what the mistake below gives");
        /* A few are right by luck whatever was done. */
        if (RIGHT_BY_SKILL * (evidence->count - evidence->wrong) >= evidence->count)
            say_how_many_are_right(evidence, mismatch);
        return true;
    }
    return false;
}

static bool match_patterns(
    const struct pattern *patterns, const struct evidence *evidence, struct mismatch *mismatch)
{
    for (; patterns->diagnosis; patterns++) {
        mismatch->where[0] = mismatch->right[0] = '\0';
        if (patterns->matches(evidence, mismatch)) {
            mismatch->diagnosis = patterns->diagnosis;
            return true;
        }
    }
    return false;
}

static void match_nothing(const struct evidence *evidence, struct mismatch *mismatch)
{
    char nan[48] = "";

    mismatch->diagnosis = evidence->count == 1 ? "wrong-value" : "unknown-pattern";
    mismatch->where[0] = mismatch->right[0] = '\0';
    if (evidence->count == 1)
        return;
    if (evidence->nan == evidence->wrong)
        snprintf(nan, sizeof nan, ", all NaN");
    else if (evidence->nan > 0)
        snprintf(nan, sizeof nan, ", %s of them NaN", COUNT(evidence->nan));
    if (evidence->wrong < evidence->count)
        say_how_many_are_right(evidence, mismatch);
    if (evidence->wrong == evidence->count)
        snprintf(
            mismatch->where, sizeof mismatch->where, "no pattern that the grader knows%s", nan);
    else
        snprintf(mismatch->where, sizeof mismatch->where, "scattered from index %s to index %s%s",
            COUNT(evidence->first), COUNT(evidence->last), nan);
}

/* "23,436 wrong: " before the place. */
static void count_before_place(const struct evidence *evidence, struct mismatch *mismatch)
{
    char place[SENTENCE_BYTES];

    snprintf(place, sizeof place, "%s", mismatch->where);
    if (evidence->count > 1)
        snprintf(mismatch->where, sizeof mismatch->where, "%s%s wrong%s%.110s",
            evidence->wrong == evidence->count ? "all " : "", COUNT(evidence->wrong),
            *place ? ": " : "", place);
}

struct mismatch compare(const struct expectation *expectation)
{
    const struct evidence evidence = look_at_all(expectation);
    struct mismatch mismatch = {.wrong = evidence.wrong, .first = evidence.first};

    if (evidence.wrong == 0)
        return mismatch;
    if (!match_suspects(&evidence, &mismatch) &&
        !match_patterns(value_patterns, &evidence, &mismatch) &&
        !match_patterns(block_patterns, &evidence, &mismatch) &&
        !match_patterns(matrix_patterns, &evidence, &mismatch) &&
        !match_patterns(range_patterns, &evidence, &mismatch))
        match_nothing(&evidence, &mismatch);
    count_before_place(&evidence, &mismatch);
    return mismatch;
}
