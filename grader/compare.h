/* Comparison in which NaN fails, and which says where the wrong elements lie. No CUDA in here. */
#ifndef GRADER_COMPARE_H
#define GRADER_COMPARE_H

#include "array.h"

/* A wrong result that a known mistake produces: when the output equals it, the mistake is named.
 * A NaN among the values stands for an element that the mistake leaves unwritten (or NaN). */
struct suspect {
    const char *diagnosis; /* an id from the diagnosis tables */
    const double *values;  /* as many as the output has elements */
};

struct expectation {
    const struct array *output;
    const double *want;             /* one value an element, from the oracle */
    const double *bound;            /* largest |got - want| allowed, an element each; NULL: exact */
    size_t columns;                 /* of a row-major matrix; 0 for a vector */
    const char *row;                /* what the lesson calls a row; NULL: row */
    unsigned threads_per_block;     /* of the launch, if known and one-dimensional; else 0 */
    const struct array *inputs[3];  /* to recognise a copy of an input; NULL where unused */
    const struct suspect *suspects; /* ends with a NULL diagnosis; may be NULL */
};

/* In words, for a matrix. */
const char *row_name(const struct expectation *expectation);

enum { SENTENCE_BYTES = 160 };

struct mismatch {
    size_t wrong;          /* elements; 0: everything agrees, and the rest is empty */
    size_t first;          /* index of the first wrong element */
    const char *diagnosis; /* stable id: "unwritten", "grid-rounded-down", …; never NULL if wrong */
    char where[SENTENCE_BYTES]; /* "23,436 wrong: the last 3 of every block" */
    char right[SENTENCE_BYTES]; /* what is already right; empty if nothing can be said */
};

/* |got - want| <= bound, with NaN and infinity handled so that only a true agreement accepts:
 * NaN never agrees with anything, an infinity only with the same infinity. */
bool agrees(double got, double want, double bound);

struct mismatch compare(const struct expectation *expectation);

/* "index 253 = block 0, thread 253      got 70    expected 94", and in a line of their own its
 * neighbours. What does not fit beside the place stands below it. */
void describe_element(const struct expectation *expectation, size_t i, char *text, size_t bytes);

/* One value as it is shown: the junk of an unwritten element is called by its name.  `digits`: of
 * a float, 9 tell any two apart. */
void describe_value(const struct array *array, size_t i, int digits, char *text, size_t bytes);

#endif
