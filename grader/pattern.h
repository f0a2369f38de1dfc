/* The patterns in which wrong elements lie, as compare.c tries them. Internal to the comparison. */
#ifndef GRADER_PATTERN_H
#define GRADER_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "compare.h"
#include "text.h"

/* What one look at every element gives. */
struct evidence {
    const struct expectation *expectation;
    const struct array *output;
    size_t count;     /* elements of the output, at least 1 */
    size_t wrong;     /* at least 1 */
    size_t first;     /* wrong element */
    size_t last;      /* wrong element */
    size_t unwritten; /* of the wrong ones: still junk */
    size_t nan;       /* of the wrong ones: NaN that the candidate wrote */
    size_t zero;      /* of all: 0 */
};

bool evidence_wrong(const struct evidence *evidence, size_t i);
double evidence_bound(const struct evidence *evidence, size_t i); /* 0 for an exact comparison */

/* A pattern fills where and right if it matches; where is then the part after "n wrong: ". */
struct pattern {
    const char *diagnosis;
    bool (*matches)(const struct evidence *evidence, struct mismatch *mismatch);
};

/* Tried in this order, and each table from its top: values first (an output that is zero everywhere
 * is not one that stops early), then what knows the block size or the shape, then plain ranges. Each
 * ends with a NULL diagnosis. */
extern const struct pattern value_patterns[];
extern const struct pattern block_patterns[];
extern const struct pattern matrix_patterns[];
extern const struct pattern range_patterns[];

/* What a pattern of places predicts for one element. */
enum prediction { RIGHT, WRONG, EITHER };

struct place {
    size_t begin, end;   /* a range of indexes, rows or columns */
    size_t columns;      /* of the matrix */
    size_t threads;      /* of a block */
    size_t starts, ends; /* how many elements at the borders of each block */
    size_t count;
};

typedef enum prediction predict_function(const struct place *place, size_t i);

/* True if nothing is wrong that is predicted right, and at least three quarters are wrong of what is
 * predicted wrong: small integers are right by luck now and then, but no unwritten
 * element is. */
bool explains(
    const struct evidence *evidence, predict_function *predict, const struct place *place);

/* The same for the elements from begin to end - 1; false for an empty range. */
bool range_is_wrong(const struct evidence *evidence, size_t begin, size_t end);

/* Right up to there and wrong from there on: fills both sentences. */
bool only_beginning_right(const struct evidence *evidence, size_t right, struct mismatch *mismatch);

/* Nothing was written to any of the wrong elements. Memory that a host function copied back was
 * written by the copy, junk or not, so there it may have been. */
bool wrong_is_unwritten(const struct evidence *evidence);

/* "never written" or "wrong". */
const char *wrong_state(const struct evidence *evidence);

/* 1000003 as "1,000,003", for one expression. */
#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, n)

#endif
