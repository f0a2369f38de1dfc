/* Patterns of places that follow from the block size of a one-dimensional launch. */
#include <stdio.h>

#include "pattern.h"

static size_t threads_of(const struct evidence *evidence)
{
    return evidence->expectation->threads_per_block;
}

/* With one whole block alone, "rounded down" and "only the first block" cannot be told apart. */
static bool first_block_only(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t threads = threads_of(evidence);

    if (threads < 2 || !wrong_is_unwritten(evidence) ||
        !only_beginning_right(evidence, threads, mismatch))
        return false;
    snprintf(
        mismatch->right, sizeof mismatch->right, "the first block, of %s threads", COUNT(threads));
    return true;
}

static bool partial_block_wrong(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t threads = threads_of(evidence);
    const size_t partial = threads < 2 ? 0 : evidence->count % threads;
    const size_t whole = evidence->count - partial;

    if (partial == 0 || whole == 0 || !range_is_wrong(evidence, whole, evidence->count))
        return false;
    snprintf(mismatch->where, sizeof mismatch->where, "%s after the last whole block (%s)",
        partial == 1 ? "the one" : "those", wrong_state(evidence));
    snprintf(mismatch->right, sizeof mismatch->right, "the %s whole block%s of %s threads",
        COUNT(whole / threads), whole == threads ? "" : "s", COUNT(threads));
    return true;
}

static bool grid_rounded_down(const struct evidence *evidence, struct mismatch *mismatch)
{
    return wrong_is_unwritten(evidence) && partial_block_wrong(evidence, mismatch);
}

/* The outer ends of the array have no neighbour: a missing halo may do no harm there. */
static enum prediction at_block_border(const struct place *place, size_t i)
{
    const size_t offset = i % place->threads, block = i / place->threads;
    const size_t last_block = (place->count - 1) / place->threads;

    if (offset < place->starts)
        return block == 0 ? EITHER : WRONG;
    if (offset >= place->threads - place->ends)
        return block == last_block ? EITHER : WRONG;
    return RIGHT;
}

/* How far the wrong elements reach into their blocks; true if the borders explain them all. */
static bool find_borders(const struct evidence *evidence, struct place *place)
{
    const size_t threads = threads_of(evidence);

    *place = (struct place){.threads = threads, .count = evidence->count};
    if (threads < 4 || evidence->count <= threads)
        return false;
    for (size_t i = evidence->first; i <= evidence->last; i++) {
        const size_t offset = i % threads;
        if (!evidence_wrong(evidence, i))
            continue;
        if (offset < threads / 2 && offset + 1 > place->starts)
            place->starts = offset + 1;
        if (offset >= threads / 2 && threads - offset > place->ends)
            place->ends = threads - offset;
    }
    return place->starts <= threads / 4 && place->ends <= threads / 4 &&
           explains(evidence, at_block_border, place);
}

static void describe_border(char *text, size_t bytes, const char *which, size_t elements)
{
    if (elements == 1)
        snprintf(text, bytes, "the %s element", which);
    else if (elements > 1)
        snprintf(text, bytes, "the %s %s", which, COUNT(elements));
}

/* `starts` and `ends`: which of the two borders have to be wrong. */
static bool borders_wrong(
    const struct evidence *evidence, bool starts, bool ends, struct mismatch *mismatch)
{
    struct place place;
    char first[48] = "", last[48] = "";

    if (!find_borders(evidence, &place) || starts != (place.starts > 0) || ends != (place.ends > 0))
        return false;
    describe_border(first, sizeof first, "first", place.starts);
    describe_border(last, sizeof last, "last", place.ends);
    snprintf(mismatch->where, sizeof mismatch->where, "%s%s%s of every block", first,
        starts && ends ? " and " : "", last);
    snprintf(mismatch->right, sizeof mismatch->right, "the inside of every block of %s threads",
        COUNT(place.threads));
    return true;
}

static bool block_starts(const struct evidence *evidence, struct mismatch *mismatch)
{
    return borders_wrong(evidence, true, false, mismatch);
}

static bool block_ends(const struct evidence *evidence, struct mismatch *mismatch)
{
    return borders_wrong(evidence, false, true, mismatch);
}

static bool block_borders(const struct evidence *evidence, struct mismatch *mismatch)
{
    return borders_wrong(evidence, true, true, mismatch);
}

const struct pattern block_patterns[] = {
    {"first-block-only", first_block_only},
    {"grid-rounded-down", grid_rounded_down},
    {"last-partial-block", partial_block_wrong},
    {"block-starts", block_starts},
    {"block-ends", block_ends},
    {"block-borders", block_borders},
    {NULL, NULL},
};
