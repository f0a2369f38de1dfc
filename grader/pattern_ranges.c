/* Patterns of places that need no more than the number of elements. */
#include <stdio.h>

#include "pattern.h"

bool explains(const struct evidence *evidence, predict_function *predict, const struct place *place)
{
    size_t predicted = 0, hits = 0;

    for (size_t i = 0; i < evidence->count; i++) {
        const enum prediction prediction = predict(place, i);
        const bool wrong = evidence_wrong(evidence, i);
        if (wrong && prediction == RIGHT)
            return false;
        predicted += prediction == WRONG;
        hits += wrong && prediction == WRONG;
    }
    if (evidence->unwritten == evidence->wrong)
        return predicted > 0 && hits == predicted;
    return predicted > 0 && 4 * hits >= 3 * predicted;
}

static enum prediction in_range(const struct place *place, size_t i)
{
    return i >= place->begin && i < place->end ? WRONG : RIGHT;
}

bool range_is_wrong(const struct evidence *evidence, size_t begin, size_t end)
{
    const struct place place = {.begin = begin, .end = end};
    return begin < end && explains(evidence, in_range, &place);
}

bool wrong_is_unwritten(const struct evidence *evidence)
{
    return evidence->unwritten == evidence->wrong || evidence->output->on_host;
}

const char *wrong_state(const struct evidence *evidence)
{
    return evidence->unwritten == evidence->wrong ? "never written" : "wrong values";
}

bool only_beginning_right(const struct evidence *evidence, size_t right, struct mismatch *mismatch)
{
    /* More than two that are right by luck at the very beginning are no luck. */
    if (evidence->first > right + 2 || !range_is_wrong(evidence, right, evidence->count))
        return false;
    if (right + 1 == evidence->count)
        snprintf(mismatch->where, sizeof mismatch->where, "the last element (%s)",
            wrong_state(evidence));
    else
        snprintf(mismatch->where, sizeof mismatch->where, "everything from index %s on (%s)",
            COUNT(right), wrong_state(evidence));
    if (right == 1)
        snprintf(mismatch->right, sizeof mismatch->right, "the first element");
    else
        snprintf(mismatch->right, sizeof mismatch->right, "the first %s elements", COUNT(right));
    return true;
}

static bool first_element_only(const struct evidence *evidence, struct mismatch *mismatch)
{
    return evidence->count >= 3 && wrong_is_unwritten(evidence) &&
           only_beginning_right(evidence, 1, mismatch);
}

static bool first_quarter_only(const struct evidence *evidence, struct mismatch *mismatch)
{
    if (evidence->count < 8 || !only_beginning_right(evidence, evidence->count / 4, mismatch))
        return false;
    snprintf(mismatch->right, sizeof mismatch->right,
        "the first quarter: %s elements fit into %s bytes", COUNT(evidence->count / 4),
        COUNT(evidence->count));
    return true;
}

static enum prediction of_one_parity(const struct place *place, size_t i)
{
    return i % 2 == place->begin ? WRONG : RIGHT;
}

static bool every_second(const struct evidence *evidence, struct mismatch *mismatch)
{
    const struct place place = {.begin = evidence->first % 2};

    if (evidence->count < 4 || !explains(evidence, of_one_parity, &place))
        return false;
    snprintf(mismatch->where, sizeof mismatch->where, "every second element, the %s ones (%s)",
        place.begin ? "odd" : "even", wrong_state(evidence));
    snprintf(
        mismatch->right, sizeof mismatch->right, "the %s elements", place.begin ? "even" : "odd");
    return true;
}

/* A few elements at one end of a scrambled output may be right by luck. */
static bool telling(const struct evidence *evidence, size_t right)
{
    return right >= 8 || 4 * right >= evidence->count;
}

static bool beginning_wrong(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t end = evidence->last + 1;

    if (!telling(evidence, evidence->count - end) || !range_is_wrong(evidence, 0, end))
        return false;
    if (end == 1)
        snprintf(mismatch->where, sizeof mismatch->where, "the first element (%s)",
            wrong_state(evidence));
    else
        snprintf(mismatch->where, sizeof mismatch->where, "everything up to index %s (%s)",
            COUNT(end - 1), wrong_state(evidence));
    snprintf(mismatch->right, sizeof mismatch->right, "everything from index %s on", COUNT(end));
    return true;
}

static bool wrong_from_first_on(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t begin = evidence->first, threads = evidence->expectation->threads_per_block;

    if (begin == 0 || !only_beginning_right(evidence, begin, mismatch))
        return false;
    if (threads > 1 && begin % threads == 0)
        snprintf(mismatch->right, sizeof mismatch->right, "the first %s elements: %s blocks of %s",
            COUNT(begin), COUNT(begin / threads), COUNT(threads));
    return true;
}

static bool stops_early(const struct evidence *evidence, struct mismatch *mismatch)
{
    return evidence->unwritten == evidence->wrong && wrong_from_first_on(evidence, mismatch);
}

static bool end_wrong(const struct evidence *evidence, struct mismatch *mismatch)
{
    return telling(evidence, evidence->first) && wrong_from_first_on(evidence, mismatch);
}

static bool gaps(const struct evidence *evidence, struct mismatch *mismatch)
{
    if (evidence->unwritten < evidence->wrong)
        return false;
    snprintf(mismatch->where, sizeof mismatch->where,
        "never written, scattered from index %s to index %s", COUNT(evidence->first),
        COUNT(evidence->last));
    snprintf(mismatch->right, sizeof mismatch->right, "every element that was written");
    return true;
}

const struct pattern range_patterns[] = {
    {"first-element-only", first_element_only},
    {"first-quarter-only", first_quarter_only},
    {"every-second", every_second},
    {"beginning-wrong", beginning_wrong},
    {"stops-early", stops_early},
    {"end-wrong", end_wrong},
    {"gaps", gaps},
    {NULL, NULL},
};
