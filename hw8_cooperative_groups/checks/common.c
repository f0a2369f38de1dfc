/* What several tasks need. */
#include "checks.h"
#include "grader/room.h"

double *whatever_was_got(const struct array *out)
{
    double *values = doubles(out->count);

    for (size_t i = 0; i < out->count; i++)
        values[i] = array_unwritten(out, i) ? 0 : array_value(out, i);
    return values;
}

void expect_one_cooperative_launch(struct trial *t, size_t launches_most)
{
    const struct ledger *made = trial_ledger(t);

    if (made->cooperative_launches != 1 || made->launches > launches_most)
        trial_inefficient(t, "not-one-cooperative", "launches: %zu; cooperative ones: %zu",
            made->launches, made->cooperative_launches);
}
