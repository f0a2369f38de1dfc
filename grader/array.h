/* The arrays that a candidate is given: between guard zones, with a host copy for the oracle. */
#ifndef GRADER_ARRAY_H
#define GRADER_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element { FLOAT32, INT32, UINT32 };
enum { ELEMENT_BYTES = 4 }; /* every element type of the workbook is one word */

/* Junk that an output holds before every call: a NaN as a float, an odd number as an integer. */
enum { POISON_WORD = 0x7fc0dead };

/* What guard zones hold: another NaN, so that a read outside an array spoils the answer. */
enum { GUARD_WORD = 0x7fc5a5a5 };

struct array {
    const char *name; /* as the contract calls it */
    enum element element;
    size_t count;   /* elements */
    size_t columns; /* of a matrix, for `make try`: a row begins a line; 0 for no matrix */
    bool is_output;
    bool is_scratch; /* zero at first, then left alone; neither compared nor fetched */
    bool on_host;    /* the candidate gets host memory */
    union {
        void *host; /* the grader's copy. Inputs: the contents; outputs: what the call left */
        float *floats;
        int32_t *ints;
        uint32_t *words;
    };
    union {
        void *device; /* what the candidate gets: 256-byte aligned, guard zones on both sides */
        void *given;  /* the same, for arrays that lie on the host */
    };
    void *allocation;  /* the zones and the elements */
    uint64_t checksum; /* of an input, when it was given */
};

/* Element i as a double: exact for every type. */
double array_value(const struct array *array, size_t i);

/* True where an output still holds the junk it was filled with. */
bool array_unwritten(const struct array *array, size_t i);

#endif
