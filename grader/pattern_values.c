/* Patterns of values: what the output as a whole holds instead of the answer. Each wants evidence
 * from every element, so that two of them seldom match at once; where they do, the order of the
 * table decides. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "pattern.h"

static double got_of(const struct evidence *evidence, size_t i)
{
    return array_value(evidence->output, i);
}

static double want_of(const struct evidence *evidence, size_t i)
{
    return evidence->expectation->want[i];
}

static bool unwritten(const struct evidence *evidence, struct mismatch *mismatch)
{
    snprintf(mismatch->where, sizeof mismatch->where,
        "%s the junk that was put there before the call",
        evidence->count == 1 ? "still holds" : "they still hold");
    return evidence->unwritten == evidence->count;
}

/* Integers only: a float NaN swallows whatever is added to it, and is reported as all-nan. */
static bool accumulated(const struct evidence *evidence, struct mismatch *mismatch)
{
    if (evidence->output->element == FLOAT32 || evidence->wrong < evidence->count)
        return false;
    for (size_t i = 0; i < evidence->count; i++) {
        const uint32_t added = evidence->output->words[i] - POISON_WORD;
        const double value =
            evidence->output->element == INT32 ? (double)(int32_t)added : (double)added;
        if (!agrees(value, want_of(evidence, i), evidence_bound(evidence, i)))
            return false;
    }
    snprintf(mismatch->where, sizeof mismatch->where,
        "each is the junk that was there before the call, plus what is expected");
    return true;
}

static bool all_nan(const struct evidence *evidence, struct mismatch *mismatch)
{
    snprintf(mismatch->where, sizeof mismatch->where, "each is NaN (no number)");
    return evidence->nan == evidence->count;
}

static bool all_zero(const struct evidence *evidence, struct mismatch *mismatch)
{
    snprintf(mismatch->where, sizeof mismatch->where, "the whole output is 0");
    return evidence->zero == evidence->count;
}

static bool all_same(const struct evidence *evidence, struct mismatch *mismatch)
{
    bool wants_differ = false;

    for (size_t i = 1; i < evidence->count; i++) {
        if (got_of(evidence, i) != got_of(evidence, 0)) /* NaN differs from itself */
            return false;
        wants_differ = wants_differ || want_of(evidence, i) != want_of(evidence, 0);
    }
    char value[40];
    describe_value(evidence->output, 0, 6, value, sizeof value);
    snprintf(mismatch->where, sizeof mismatch->where, "every element is %s", value);
    return wants_differ && evidence->count >= 3;
}

static bool is_copy(const struct evidence *evidence, const struct array *input)
{
    if (!input || input->count != evidence->count || evidence->count < 4)
        return false;
    for (size_t i = 0; i < evidence->count; i++)
        if (evidence->output->words[i] != input->words[i])
            return false;
    return true;
}

static bool copy_of_input(const struct evidence *evidence, struct mismatch *mismatch)
{
    for (size_t k = 0; k < 3; k++) {
        const struct array *input = evidence->expectation->inputs[k];
        if (!is_copy(evidence, input))
            continue;
        snprintf(mismatch->where, sizeof mismatch->where,
            "the output is a copy of the input `%.40s`", input->name ? input->name : "");
        return true;
    }
    return false;
}

/* Whether element i of the output is the answer of element j. */
static bool holds_answer_of(const struct evidence *evidence, size_t i, size_t j)
{
    return agrees(got_of(evidence, i), want_of(evidence, j), evidence_bound(evidence, j));
}

static bool transposed(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t columns = evidence->expectation->columns;
    const size_t rows = columns ? evidence->count / columns : 0;

    if (rows < 2 || columns < 2 || rows * columns != evidence->count)
        return false;
    for (size_t i = 0; i < evidence->count; i++)
        if (!holds_answer_of(evidence, i % columns * rows + i / columns, i))
            return false;
    snprintf(mismatch->where, sizeof mismatch->where,
        "rows and columns are exchanged: the output is the answer transposed");
    snprintf(mismatch->right, sizeof mismatch->right, "every value, but in another place");
    return true;
}

static bool off_by_one(const struct evidence *evidence, struct mismatch *mismatch)
{
    const size_t n = evidence->count;
    bool left = n >= 4 && evidence->wrong >= n / 2, right = left;

    for (size_t i = 0; i + 1 < n && (left || right); i++) {
        right = right && holds_answer_of(evidence, i, i + 1);
        left = left && holds_answer_of(evidence, i + 1, i);
    }
    snprintf(mismatch->where, sizeof mismatch->where, "each element holds the answer of its %s",
        right ? "right neighbour" : "left neighbour");
    snprintf(mismatch->right, sizeof mismatch->right, "the values, shifted by one element");
    return left || right;
}

static bool constant_offset(const struct evidence *evidence, struct mismatch *mismatch)
{
    const double offset = got_of(evidence, 0) - want_of(evidence, 0);

    if (evidence->count < 3 || evidence->wrong < evidence->count || !isfinite(offset))
        return false;
    for (size_t i = 1; i < evidence->count; i++)
        if (!agrees(
                got_of(evidence, i), want_of(evidence, i) + offset, evidence_bound(evidence, i)))
            return false;
    snprintf(mismatch->where, sizeof mismatch->where, "each is %.6g too %s", fabs(offset),
        offset > 0 ? "large" : "small");
    return true;
}

/* Zeros say nothing about a factor: three other elements must, and they must differ. */
static bool constant_factor(const struct evidence *evidence, struct mismatch *mismatch)
{
    size_t telling = 0;
    double factor = 0;

    for (size_t i = 0; i < evidence->count; i++) {
        const double want = want_of(evidence, i), got = got_of(evidence, i);
        if (want != 0 && telling++ == 0)
            factor = got / want;
        /* Two roundings of a float: those of the product and of the factor. */
        const double rounding = fabs(want * factor) * 0x1p-22;
        if (!agrees(got, want * factor, evidence_bound(evidence, i) * fabs(factor) + rounding))
            return false;
    }
    snprintf(
        mismatch->where, sizeof mismatch->where, "each is %.6g times what is expected", factor);
    /* Not the small errors of an answer that is nearly right. */
    return telling >= 3 && isfinite(factor) && fabs(factor - 1) > 1e-6;
}

const struct pattern value_patterns[] = {
    {"unwritten", unwritten},
    {"accumulated", accumulated},
    {"all-nan", all_nan},
    {"all-zero", all_zero},
    {"all-same", all_same},
    {"copy-of-input", copy_of_input},
    {"transposed", transposed},
    {"off-by-one", off_by_one},
    {"constant-offset", constant_offset},
    {"constant-factor", constant_factor},
    {NULL, NULL},
};
