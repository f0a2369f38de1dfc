/* What several tasks need. */
#include <string.h>

#include "checks.h"
#include "grader/room.h"

double *whatever_was_got(const struct array *out)
{
    double *values = doubles(out->count);

    for (size_t i = 0; i < out->count; i++)
        values[i] = array_unwritten(out, i) ? 0 : array_value(out, i);
    return values;
}
