/* What several tasks need. */
#include <stdbool.h>
#include <stdint.h>

#include "checks.h"

void fill_summands(struct trial *t, struct array *array, uint64_t seed)
{
    const bool trying = trial_try_size(t) > 0;
    fill_integers(array->floats, array->count, trying ? -9 : LOW, trying ? 9 : HIGH, seed);
}
