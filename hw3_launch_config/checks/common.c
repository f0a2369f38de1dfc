/* What several tasks need. */
#include <stdbool.h>
#include <stdint.h>

#include "checks.h"

size_t divided_up(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

void fill(struct trial *t, struct array *array, uint64_t seed)
{
    const bool trying = trial_try_size(t) > 0;
    fill_integers(array->floats, array->count, trying ? -9 : LOW, trying ? 9 : HIGH, seed);
}
