/* The arrays that a candidate is given: on the device between guard zones, with a host copy. */
#ifndef GRADER_ARRAY_H
#define GRADER_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element { FLOAT32, INT32, UINT32 };
enum { ELEMENT_BYTES = 4 }; /* every element type of the workbook is one word */

/* Junk that an output holds before every call: a NaN as a float, an odd number as an integer. */
enum { POISON_WORD = 0x7fc0dead };

struct array {
    const char *name; /* as the contract calls it */
    enum element element;
    size_t count;     /* elements */
    bool is_output;
    union {
        void *host;       /* inputs: the contents; outputs: what came back after the call */
        float *floats;
        int32_t *ints;
        uint32_t *words;
    };
    void *device;         /* what the candidate gets: 256-byte aligned, guard zones on both sides */
    void *allocation;     /* the zones and the elements */
    uint64_t checksum;    /* of an input, when it was uploaded */
};

/* Element i as a double: exact for every type. */
double array_value(const struct array *array, size_t i);

/* True where an output still holds the junk it was filled with. */
bool array_unwritten(const struct array *array, size_t i);

#endif
