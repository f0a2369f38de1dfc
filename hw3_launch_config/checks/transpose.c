/* hw3.5: a transpose through a padded tile. */
#include <stdbool.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

/* Costs are counted where every row begins on a sector and tiles divide the matrix. */
static const struct matrix_shape transpose_shapes[] = {{70, 45}, {1, 1}, {32, 32}, {64, 96},
    {33, 31}, {31, 33}, {1, 257}, {257, 1}, {100, 3}, {3, 1000}, {0, 5}, {5, 0}, {255, 1023},
    {384, 512}, {65601, 2}, {2, 65601}};

static bool costs_counted(struct matrix_shape shape)
{
    return shape.rows % 64 == 0 && shape.columns % 64 == 0 && shape.rows * shape.columns > LARGE;
}

/* Whether the test of the reads was used for the writes, with tiles of this side: what it lets out
 * is then wrong. What it lets in by mistake spoils some of the rest. */
static bool read_bounds_used(
    const struct array *out, const double *want, struct matrix_shape shape, size_t tile)
{
    size_t let_out = 0, others = 0, others_right = 0;

    for (size_t i = 0; i < out->count; i++) {
        const size_t column = i / shape.rows, row = i % shape.rows;
        const bool right = agrees(array_value(out, i), want[i], 0);
        if (column / tile * tile + row % tile < shape.columns &&
            row / tile * tile + column % tile < shape.rows)
            others++, others_right += right;
        else if (right)
            return false;
        else
            let_out++;
    }
    return let_out > 0 && 2 * others_right > others;
}

static double conflicts(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_conflicts + made->shared_store_conflicts);
}

static double wavefronts(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_wavefronts + made->shared_store_wavefronts);
}

static const struct cost_gate conflict_free = {
    "bank-conflicts", "bank conflicts a wavefront of shared memory", conflicts, wavefronts, 0.02};

static void try_transpose(struct trial *t, struct matrix_shape shape)
{
    transpose_function turn = (transpose_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, shape.rows * shape.columns);
    struct array *out = trial_output(t, "out", FLOAT32, shape.rows * shape.columns);
    double *want = doubles(in->count);

    fill(t, in, trial_seed(t));
    for (size_t i = 0; i < in->count; i++)
        want[i % shape.columns * shape.rows + i / shape.columns] = in->floats[i];
    if (TRIAL_CALL(t, turn(in->device, out->device, shape, trial_stream(t)))) {
        if (in->count == 0 && trial_ledger(t)->launches > 0)
            trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "there is nothing to transpose");
        for (size_t tile = 16; tile <= 64; tile *= 2)
            if (read_bounds_used(out, want, shape, tile))
                trial_fail(t, WRONG_ANSWER, "read-bounds",
                    "at the edges of the matrix a tile of %zu by %zu reads what it must, and does "
                    "not "
                    "write what it must",
                    tile, tile);
        trial_expect(t, &(struct expectation){.output = out, .want = want, .columns = shape.rows});
        if (costs_counted(shape)) {
            trial_expect_cost(t, &coalesced, 0);
            trial_expect_cost(t, &conflict_free, 0);
        }
    }
    free(want);
}

void check_transpose(struct trial *t)
{
    const struct matrix_shape tried = {(trial_try_size(t) + 1) / 2, trial_try_size(t) / 2 + 1};
    const bool trying = trial_try_size(t) > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(transpose_shapes)); i++) {
        const struct matrix_shape shape = trying ? tried : transpose_shapes[i];
        if (!trial_begin(t, "%zux%zu", shape.rows, shape.columns))
            continue;
        try_transpose(t, shape);
        trial_end(t);
    }
}
