/* hw8.4: a grid that waits for itself. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/device.h"
#include "grader/restricted.h"
#include "grader/room.h"

enum { MANY_CELLS = 4096 }; /* more than a block need have */

/* As a size: as many cells as the contract allows. */
#define MOST SIZE_MAX

size_t cells_most(void)
{
    int bytes_each = 0, processors = device_sm_count();
    const size_t buffers = 2, part = 2; /* two buffers fill half of the shared memory */

    cudaDeviceGetAttribute(&bytes_each, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    return (size_t)bytes_each * (size_t)processors / part / (buffers * sizeof(float));
}

void jacobi_steps(double *cells, size_t n, unsigned steps)
{
    for (unsigned step = 0; step < steps && n > 2; step++) {
        double left = cells[0];
        for (size_t i = 1; i + 1 < n; i++) {
            const double old = cells[i];
            cells[i] = (left + cells[i + 1]) / 2;
            left = old;
        }
    }
}

double jacobi_bound(unsigned steps)
{
    return steps * 0x1p-23 * MAGNITUDE;
}

/* The first cases fit into one block; then there are many, and more steps. */
static const struct jacobi_case {
    size_t n;
    unsigned steps;
    const char *otherwise;
} jacobi_cases[] = {
    {31, 8, NULL},
    {4099, 1, "halo-out-of-step"},
    {4099, 3, "halo-out-of-step"},
    {4096, 2, "halo-out-of-step"},
    {1000, 0, NULL},
    {0, 5, NULL},
    {1, 5, NULL},
    {2, 5, NULL},
    {3, 7, NULL},
    {33, 50, NULL},
    {257, 50, NULL},
    {4100, 33, "halo-out-of-step"},
    {65537, 10, "halo-out-of-step"},
    {MOST, 32, "halo-out-of-step"},
};

static double bytes_written(const struct vgpu_counters *made)
{
    return (double)made->global_store_bytes;
}

/* 4 bytes a cell go out at the end. State in global memory is written in every step, 4 bytes a
 * cell. Reads are not looked at: waiting at a grid barrier reads, as long as it takes. */
static const struct cost_gate halos_only = {.diagnosis = "state-in-global-memory",
    .what = "global bytes written for each cell and step",
    .cost = bytes_written,
    .most = 0.5};

/* `cells`: before the steps; they become those after them. */
static void expect_cells(
    struct trial *t, double *cells, const struct array *out, const struct jacobi_case *c)
{
    const size_t n = out->count;
    double *bounds = doubles(n), *got = whatever_was_got(out);
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        bounds[i] = jacobi_bound(c->steps);
    jacobi_steps(cells, n, c->steps);
    for (size_t i = 0; i < n; i++)
        wrong += !agrees(array_value(out, i), cells[i], bounds[i]);
    /* Cells next to a block's ends are few; an index that is wrong spoils most. */
    const bool few = wrong < n / 2;
    const struct suspect suspects[] = {{few ? c->otherwise : NULL, got}, {NULL, NULL}};
    trial_expect(t,
        &(struct expectation){.output = out, .want = cells, .bound = bounds, .suspects = suspects});
    free(bounds), free(got);
}

/* Twice: the second call finds what the first one left in the scratch memory. */
static void try_jacobi(struct trial *t, const struct jacobi_case *c, size_t n)
{
    jacobi_function candidate = (jacobi_function)trial_function(t);
    const size_t scratch_bytes = (n + SCRATCH_WORDS) * ELEMENT_BYTES;
    const int calls = trial_try_size(t) || c->n == MOST ? 1 : 2;
    struct array *in = trial_input(t, "in", FLOAT32, n);
    struct array *out = trial_output(t, "out", FLOAT32, n);
    struct array *scratch = trial_scratch(t, "scratch", scratch_bytes);
    const int largest = trial_try_size(t) ? 9 : MAGNITUDE;
    double *cells = doubles(n);

    for (int call = 0; call < calls && trial_healthy(t); call++) {
        fill_integers(in->floats, n, -largest, largest, trial_seed(t) + (uint64_t)call);
        for (size_t i = 0; i < n; i++)
            cells[i] = in->floats[i];
        if (!TRIAL_CALL(t,
                candidate(in->device, out->device, n, c->steps, scratch->device, trial_stream(t))))
            break;
        expect_cells(t, cells, out, c);
        if (n >= MANY_CELLS && c->steps > 1) /* a single step waits for nobody */
            expect_one_cooperative_launch(t, 2);
    }
    if (c->n == MOST)
        trial_expect_cost(t, &halos_only, (double)n * c->steps);
    free(cells);
}

static cudaError_t call_without_cooperative_launch(
    struct trial *t, const struct array *in, struct array *out, struct array *scratch)
{
    restrict_device(NO_COOPERATIVE_LAUNCH, true);
    const cudaError_t status = ((jacobi_function)trial_function(t))(
        in->device, out->device, in->count, 3, scratch->device, trial_stream(t));
    restrict_device(NO_COOPERATIVE_LAUNCH, false);
    return status;
}

static void try_without_cooperative_launch(struct trial *t)
{
    struct array *in = trial_input(t, "in", FLOAT32, 1000);
    struct array *out = trial_output(t, "out", FLOAT32, 1000);
    struct array *scratch = trial_scratch(t, "scratch", (1000 + SCRATCH_WORDS) * ELEMENT_BYTES);

    (void)TRIAL_CALL_MUST_FAIL(t, call_without_cooperative_launch(t, in, out, scratch),
        "this device has no cooperative launch (the grader hides it)");
}

void check_jacobi(struct trial *t)
{
    const struct jacobi_case tried = {trial_try_size(t), 1, NULL};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(jacobi_cases)); i++) {
        const struct jacobi_case *c = trying ? &tried : &jacobi_cases[i];
        const size_t n = c->n == MOST ? cells_most() : c->n;
        if (!trial_begin(t, "case%zu-n%zu-steps%u", i, n, c->steps))
            continue;
        try_jacobi(t, c, n);
        trial_end(t);
    }
    if (!trying && trial_begin(t, "no-cooperative-launch")) {
        try_without_cooperative_launch(t);
        trial_end(t);
    }
}
