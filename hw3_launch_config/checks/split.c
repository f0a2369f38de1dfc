/* hw3.4: an array of structures becomes a structure of arrays. */
#include <stdbool.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

enum { FIELDS = 4 };

static const size_t split_sizes[] = {1000, 0, 1, 31, 32, 33, 255, 256, 257, 1023, 400009};

/* Field k of all particles; with `flat`, what lies there if `in` is taken for four columns. */
static double *field_values(const struct array *in, size_t k, bool flat)
{
    const size_t n = in->count / FIELDS;
    double *values = doubles(n);

    for (size_t i = 0; i < n; i++)
        values[i] = in->floats[flat ? k * n + i : i * FIELDS + k];
    return values;
}

static void expect_columns(struct trial *t, const struct array *in, struct array *const out[FIELDS])
{
    double *fields[FIELDS];

    for (size_t k = 0; k < FIELDS; k++)
        fields[k] = field_values(in, k, false);
    for (size_t k = 0; k < FIELDS; k++) {
        double *flat = field_values(in, k, true);
        const struct suspect suspects[] = {{"structures-ignored", flat},
            {"fields-exchanged", fields[(k + 1) % FIELDS]},
            {"fields-exchanged", fields[(k + 2) % FIELDS]},
            {"fields-exchanged", fields[(k + 3) % FIELDS]}, {NULL, NULL}};
        trial_expect(
            t, &(struct expectation){.output = out[k], .want = fields[k], .suspects = suspects});
        free(flat);
    }
    for (size_t k = 0; k < FIELDS; k++)
        free(fields[k]);
}

/* Field by field costs 2.5; four particles a thread, with stores of 16 bytes, 1.5. */
static const struct cost_gate whole_particles = {"uncoalesced",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 2};
static const struct cost_gate whole_loads = {"four-loads-a-particle",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 2};

/* As many load requests as four for every 32 particles, or nearly. */
static bool four_loads_each(const struct vgpu_counters *made, size_t n)
{
    const double each = made ? counted_load_requests(made) * WARP / (double)n : 0;
    return each > FIELDS - 0.1 && each < FIELDS + 0.1;
}

static void try_split(struct trial *t, size_t n)
{
    static const char *const names[FIELDS] = {"x", "y", "z", "mass"};
    split_function split = (split_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, n * FIELDS), *out[FIELDS];

    fill(t, in, trial_seed(t));
    for (size_t k = 0; k < FIELDS; k++)
        out[k] = trial_output(t, names[k], FLOAT32, n);
    const struct columns columns = {out[0]->device, out[1]->device, out[2]->device, out[3]->device};
    if (!TRIAL_CALL(t, split(in->device, columns, n, trial_stream(t))))
        return;
    const struct vgpu_counters *made = trial_counters(t);
    if (n == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "n is 0, and a kernel was launched");
    expect_columns(t, in, out);
    if (n >= LARGE) {
        trial_expect_cost(t, four_loads_each(made, n) ? &whole_loads : &whole_particles, 0);
        if (made && made->global_atomic_requests > 0) /* they load as well, and count elsewhere */
            trial_inefficient(t, "uncoalesced", "%llu loads of warps are atomics",
                (unsigned long long)made->global_atomic_requests);
    }
}

void check_split(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(split_sizes)); i++) {
        const size_t n = tried ? tried : split_sizes[i];
        if (!trial_begin(t, "n%zu", n))
            continue;
        try_split(t, n);
        trial_end(t);
    }
}
