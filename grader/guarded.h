/* Memory of an array: a copy for the grader, and what the candidate is given, between guard zones.
 *
 *     | guard zone | elements | guard zone |
 *
 * On the virtual GPU there are no zones on the device: its own check sees every access outside an
 * allocation, reads too, and zones would hide it. */
#ifndef GRADER_GUARDED_H
#define GRADER_GUARDED_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "array.h"

struct damage {
    const char *diagnosis; /* "guard-zone", "input-modified"; NULL: none */
    char text[200];        /* which array, where, how far */
};

/* Allocates both memories of an array whose description is filled in. An output starts as junk
 * in the grader's copy, a scratch array as zeros on the device. */
cudaError_t guarded_open(struct array *array);

/* Before a call: gives an input its contents and notes their checksum, fills an output with junk. */
cudaError_t guarded_give(struct array *array);

/* After a call: looks for damage and repairs the guard zones. */
cudaError_t guarded_inspect(struct array *array, struct damage *damage);

/* After a call: brings an output into the grader's copy. */
cudaError_t guarded_fetch(struct array *array);

void guarded_close(struct array *array);

/* Does this process use the virtual GPU? */
bool device_is_virtual(void);

#endif
