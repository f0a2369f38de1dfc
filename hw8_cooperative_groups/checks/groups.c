/* hw8.1 and hw8.2: sums of groups of any kind and size. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

struct group_case {
    size_t n;
    struct division division;
    const char *otherwise; /* the likely mistake, because the cases before this one were right */
};

/* Blocks, then tiles that are alone in their block, then tiles that are not. */
static const struct group_case group_cases[] = {
    {1024, {256, 256}, NULL},
    {1000, {96, 96}, NULL},
    {1000, {1000, 1000}, NULL},
    {67, {33, 33}, NULL},
    {5, {1, 1}, NULL},
    {100, {32, 32}, NULL},
    {1024, {256, 32}, "tiles-share-scratch"},
    {1000, {96, 8}, "tiles-share-scratch"},
    {255, {64, 2}, NULL},
    {31, {32, 16}, NULL},
    {257, {1024, 4}, NULL},
    {1, {256, 32}, NULL},
    {0, {256, 16}, NULL},
    {5003, {64, 1}, NULL},
    {100003, {224, 32}, NULL},
    {1000003, {256, 16}, NULL},
    {300007, {1024, 1024}, NULL},
};

static void sum_up(const int32_t *in, size_t n, size_t group, double *sums)
{
    for (size_t i = 0; i < n; i++)
        sums[i / group] += in[i];
}

/* The same by halves that are rounded down, which drop the last of an odd number. */
static void sum_up_by_halves(const int32_t *in, size_t n, size_t group, double *sums)
{
    double *tile = doubles(group);

    for (size_t first = 0; first < n; first += group) {
        for (size_t t = 0; t < group; t++)
            tile[t] = first + t < n ? in[first + t] : 0;
        for (size_t half = group / 2; half > 0; half /= 2)
            for (size_t t = 0; t < half; t++)
                tile[t] += tile[t + half];
        sums[first / group] = tile[0];
    }
    free(tile);
}

static void expect_groups(struct trial *t, const struct array *in, const struct array *out,
    size_t group, const char *otherwise)
{
    double *want = doubles(out->count), *halves = doubles(out->count);
    double *got = whatever_was_got(out);
    const struct suspect suspects[] = {
        {"power-of-two-only", halves}, {otherwise, got}, {NULL, NULL}};

    sum_up(in->ints, in->count, group, want);
    sum_up_by_halves(in->ints, in->count, group, halves);
    trial_expect(t, &(struct expectation){.output = out, .want = want, .suspects = suspects});
    free(want), free(halves), free(got);
}

void check_groups(struct trial *t)
{
    const struct group_case tried = {trial_try_size(t), {WARP, 4}, NULL};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(group_cases)); i++) {
        const struct group_case *c = trying ? &tried : &group_cases[i];
        const struct division division = c->division;
        if (!trial_begin(t, "n%zu-block%u-group%u", c->n, division.block, division.group))
            continue;
        groups_function sum = (groups_function)trial_function(t);
        const size_t groups = (c->n + division.group - 1) / division.group;
        struct array *in = trial_input(t, "in", INT32, c->n);
        struct array *out = trial_output(t, "out", INT32, groups);
        in->columns = division.group;
        fill_ints(in->ints, c->n, trying ? 0 : -1000, trying ? 9 : 1000, trial_seed(t));
        if (TRIAL_CALL(t, sum(in->device, out->device, c->n, division, trial_stream(t))))
            expect_groups(t, in, out, division.group, c->otherwise);
        trial_end(t);
    }
}

static const struct {
    size_t n;
    unsigned tile;
} tile_cases[] = {
    {1024, 32},
    {1000, 8},
    {257, 4},
    {255, 2},
    {33, 16},
    {31, 32},
    {5003, 1},
    {1, 16},
    {0, 8},
    {300007, 2},
    {1000003, 16},
};

static const unsigned tiles_refused[] = {0, 3, 33, 64};

static double shared_requests(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_requests + made->shared_store_requests +
                    made->shared_atomic_requests);
}

static const struct cost_gate by_shuffles = {.diagnosis = "shared-memory-used",
    .what = "shared memory requests for each element",
    .cost = shared_requests};

void check_tiles(struct trial *t)
{
    const size_t tried = trial_try_size(t);
    tiles_function sum = (tiles_function)trial_function(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(tile_cases)); i++) {
        const size_t n = tried ? tried : tile_cases[i].n;
        const unsigned tile = tried ? 4 : tile_cases[i].tile;
        if (!trial_begin(t, "n%zu-tile%u", n, tile))
            continue;
        struct array *in = trial_input(t, "in", INT32, n);
        struct array *out = trial_output(t, "out", INT32, (n + tile - 1) / tile);
        in->columns = tile;
        fill_ints(in->ints, n, tried ? 0 : -1000, tried ? 9 : 1000, trial_seed(t));
        if (TRIAL_CALL(t, sum(in->device, out->device, n, tile, trial_stream(t)))) {
            expect_groups(t, in, out, tile, NULL);
            trial_expect_cost(t, &by_shuffles, (double)n);
        }
        trial_end(t);
    }
    for (size_t i = 0; i < LENGTH(tiles_refused) && !tried; i++) {
        if (!trial_begin(t, "tile%u", tiles_refused[i]))
            continue;
        struct array *in = trial_input(t, "in", INT32, 128);
        struct array *out = trial_output(t, "out", INT32, 128);
        (void)TRIAL_CALL_MUST_FAIL(t,
            sum(in->device, out->device, 128, tiles_refused[i], trial_stream(t)),
            "the size of a tile is a power of two up to 32");
        trial_end(t);
    }
}
