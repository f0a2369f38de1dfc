/* Comparison in which NaN fails, and which says where the wrong elements lie. No CUDA in here. */
#ifndef GRADER_COMPARE_H
#define GRADER_COMPARE_H

#include "array.h"

/* A wrong result that a known mistake produces: when the output equals it, the mistake is named. */
struct suspect {
    const char *diagnosis; /* an id from the diagnosis tables */
    const double *values;  /* as many as the output has elements */
};

struct expectation {
    const struct array *output;
    const double *want;             /* one value an element, from the oracle */
    const double *bound;            /* largest |got - want| allowed, an element each; NULL: exact */
    size_t columns;                 /* of a row-major matrix; 0 for a vector */
    unsigned threads_per_block;     /* of the launch, if known and one-dimensional; else 0 */
    const struct array *inputs[3];  /* to recognise a copy of an input; NULL where unused */
    const struct suspect *suspects; /* ends with a NULL diagnosis; may be NULL */
};

struct mismatch {
    size_t wrong;            /* elements; 0: everything agrees */
    size_t first;            /* index of the first wrong element */
    const char *diagnosis;   /* stable id: "unwritten", "grid-rounded-down", …; never NULL if wrong */
    char where[160];         /* "23,436 wrong: the last 3 of every block" */
    char right[160];         /* what is already right; empty if nothing can be said */
};

/* |got - want| <= bound, with NaN and infinity handled so that only a true agreement accepts:
 * NaN never agrees with anything, an infinity only with the same infinity. */
bool agrees(double got, double want, double bound);

struct mismatch compare(const struct expectation *expectation);

#endif
