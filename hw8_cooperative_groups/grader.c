/* Homework 8: what the six functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooperative_groups.h"
#include "grader/cost.h"
#include "grader/device.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/measure.h"
#include "grader/restricted.h"
#include "grader/room.h"
#include "grader/trial.h"

typedef typeof(&sum_groups) groups_function;
typedef typeof(&sum_tiles) tiles_function;
typedef typeof(&sum_buckets) buckets_function;
typedef typeof(&jacobi) jacobi_function;
typedef typeof(&compact_in_order) compact_function;
typedef typeof(&shortest_paths) paths_function;

enum { WARP = 32 };

/* Whatever was computed, where something was: so a suspect with these values always fits, and
 * never hides what was not written. */
static double *whatever_was_got(const struct array *out)
{
    double *values = doubles(out->count);

    for (size_t i = 0; i < out->count; i++)
        values[i] = array_unwritten(out, i) ? 0 : array_value(out, i);
    return values;
}

/* ---- hw8.1, hw8.2: sums of groups ----------------------------------------------------------- */

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

static void check_groups(struct trial *t)
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

static void check_tiles(struct trial *t)
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

/* ---- hw8.3: buckets ------------------------------------------------------------------------- */

/* Makes the bucket of element i from 64 random bits of its own. */
typedef int bucket_maker(size_t i, uint64_t seed, uint64_t bits);

/* Stretches of 24 in the same bucket, and of those every eighth element in none. */
static int in_runs(size_t i, uint64_t seed, uint64_t bits)
{
    return bits % 8 == 0 ? -1 : (int)(mix(seed + 1, i / 24) % BUCKETS);
}

static int anywhere(size_t i, uint64_t seed, uint64_t bits)
{
    (void)i, (void)seed;
    return (int)(bits % (BUCKETS + 1)) - 1;
}

static int rarely(size_t i, uint64_t seed, uint64_t bits)
{
    return bits % 11 == 0 ? anywhere(i, seed, bits / 11) : -1;
}

static int in_the_last(size_t i, uint64_t seed, uint64_t bits)
{
    (void)i, (void)seed, (void)bits;
    return BUCKETS - 1;
}

static int nowhere(size_t i, uint64_t seed, uint64_t bits)
{
    (void)i, (void)seed, (void)bits;
    return -1;
}

static const struct bucket_case {
    const char *name;
    bucket_maker *make;
    size_t n;
} bucket_cases[] = {
    {"runs", in_runs, 4096},
    {"anywhere", anywhere, 4096},
    {"anywhere", anywhere, 1},
    {"anywhere", anywhere, 31},
    {"anywhere", anywhere, 33},
    {"anywhere", anywhere, 257},
    {"anywhere", anywhere, 0},
    {"rarely", rarely, 5003},
    {"last", in_the_last, 1000},
    {"nowhere", nowhere, 256},
    {"runs", in_runs, 200003},
    {"anywhere", anywhere, 1000003},
};

enum { COSTLY_N = 10000 }; /* enough elements for costs to be those of the loop */

static const struct cost_gate aggregated = {.diagnosis = "atomic-an-element",
    .what = "atomics on global memory for each element",
    .cost = counted_atomics,
    .most = 0.25};

/* What rank 0 of a group has after it added what lies `offset` ranks on, for offsets that begin
 * with this one and are halved. A shuffle past the last rank gives a lane its own value. */
static double folded(double *values, size_t size, size_t offset)
{
    for (; offset > 0; offset /= 2)
        for (size_t rank = 0; rank < size; rank++)
            values[rank] += values[rank + offset < size ? rank + offset : rank];
    return size > 0 ? values[0] : 0;
}

/* The sums, where every warp folds its groups from half of their size, or of a warp's. */
static void fold_buckets(
    const struct array *bucket, const struct array *value, bool of_warp, double *sums)
{
    double group[WARP];

    for (size_t first = 0; first < bucket->count; first += WARP)
        for (int b = 0; b < BUCKETS; b++) {
            size_t size = 0;
            for (size_t i = first; i < bucket->count && i < first + WARP; i++)
                if (bucket->ints[i] == b)
                    group[size++] = value->ints[i];
            sums[b] += folded(group, size, (of_warp ? WARP : size) / 2);
        }
}

static void expect_buckets(struct trial *t, const struct array *bucket, const struct array *value,
    const struct array *sums)
{
    double want[BUCKETS] = {0}, of_lane_zero[BUCKETS] = {0};
    double halves[BUCKETS] = {0}, too_far[BUCKETS] = {0};
    const struct suspect suspects[] = {{"rank-is-not-lane", of_lane_zero},
        {"power-of-two-only", halves}, {"past-the-last-rank", too_far}, {NULL, NULL}};

    fold_buckets(bucket, value, false, halves);
    fold_buckets(bucket, value, true, too_far);
    for (size_t i = 0; i < bucket->count; i++) {
        const int mine = bucket->ints[i];
        if (mine < 0)
            continue;
        want[mine] += value->ints[i];
        /* Only those whose group has lane 0 in it. */
        of_lane_zero[mine] += bucket->ints[i / WARP * WARP] == mine ? value->ints[i] : 0;
    }
    trial_expect(t, &(struct expectation){.output = sums, .want = want, .suspects = suspects});
}

static void check_buckets(struct trial *t)
{
    const struct bucket_case tried = {"anywhere", anywhere, trial_try_size(t)};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(bucket_cases)); i++) {
        const struct bucket_case *c = trying ? &tried : &bucket_cases[i];
        if (!trial_begin(t, "%s-n%zu", c->name, c->n))
            continue;
        buckets_function sum = (buckets_function)trial_function(t);
        struct array *bucket = trial_input(t, "bucket", INT32, c->n);
        struct array *value = trial_input(t, "value", INT32, c->n);
        struct array *sums = trial_output(t, "sums", INT32, BUCKETS);
        for (size_t k = 0; k < c->n; k++)
            bucket->ints[k] = c->make(k, trial_seed(t), mix(trial_seed(t), k));
        fill_ints(value->ints, c->n, trying ? 0 : -1000, trying ? 9 : 1000, trial_seed(t) + 1);
        if (TRIAL_CALL(
                t, sum(bucket->device, value->device, sums->device, c->n, trial_stream(t)))) {
            expect_buckets(t, bucket, value, sums);
            if (c->make == in_runs && c->n > COSTLY_N)
                trial_expect_cost(t, &aggregated, (double)c->n);
        }
        trial_end(t);
    }
}

/* ---- hw8.4: Jacobi -------------------------------------------------------------------------- */

enum { MAGNITUDE = 1000, MANY_CELLS = 4096 /* more than a block need have */ };

/* As a size: as many cells as the contract allows. */
#define MOST SIZE_MAX

static size_t cells_most(void)
{
    int bytes_each = 0, processors = device_sm_count();
    const size_t buffers = 2, part = 2; /* two buffers fill half of the shared memory */

    cudaDeviceGetAttribute(&bytes_each, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    return (size_t)bytes_each * (size_t)processors / part / (buffers * sizeof(float));
}

/* In place, with the old value of the left neighbour kept aside. */
static void jacobi_steps(double *cells, size_t n, unsigned steps)
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

static double jacobi_bound(unsigned steps)
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

/* Kernels that prepare memory may come before it; such that do some of the work may not. */
static void expect_one_cooperative_launch(struct trial *t, size_t launches_most)
{
    const struct ledger *made = trial_ledger(t);

    if (made->cooperative_launches != 1 || made->launches > launches_most)
        trial_inefficient(t, "not-one-cooperative", "launches: %zu; cooperative ones: %zu",
            made->launches, made->cooperative_launches);
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
        if (n >= MANY_CELLS && c->steps > 0)
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

static void check_jacobi(struct trial *t)
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

/* ---- hw8.5: ordered compaction -------------------------------------------------------------- */

static const struct compact_case {
    size_t n;
    int low, high; /* of the elements */
} compact_cases[] = {
    {5003, -9, 9},
    {256, -9, 9},
    {1, 1, 9},
    {31, -9, 9},
    {32, -9, 0},
    {33, 1, 9},
    {257, -9, 9},
    {0, -9, 9},
    {5000, -9, 0},
    {100003, 1, 1000000},
    {1000003, -1000000, 1000000},
};

/* Keeps those of `in` that are above 0; returns how many. */
static size_t kept_of(const struct array *in, double *kept)
{
    size_t count = 0;

    for (size_t i = 0; i < in->count; i++)
        if (in->ints[i] > 0)
            kept[count++] = in->ints[i];
    return count;
}

/* Equal for equal numbers in any order, and else hardly ever. */
static uint64_t unordered_sum(const double *values, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += mix((uint64_t)(int64_t)values[i], 0);
    return sum;
}

static void expect_kept(
    struct trial *t, const struct array *in, const struct array *out, const struct array *counted)
{
    double *want = doubles(in->count), *got = whatever_was_got(out);
    const double count = (double)kept_of(in, want);
    struct array compared = *out;

    compared.count = (size_t)count;
    trial_expect(t, &(struct expectation){.output = counted, .want = &count});
    const bool shuffled = unordered_sum(want, compared.count) == unordered_sum(got, compared.count);
    const struct suspect suspects[] = {{shuffled ? "order-lost" : NULL, got}, {NULL, NULL}};
    trial_expect(t, &(struct expectation){.output = &compared, .want = want, .suspects = suspects});
    free(want), free(got);
}

static void try_compact(struct trial *t, const struct compact_case *c)
{
    compact_function compact = (compact_function)trial_function(t);
    const int calls = trial_try_size(t) ? 1 : 2;
    struct array *in = trial_input(t, "in", INT32, c->n);
    struct array *out = trial_output(t, "out", INT32, c->n);
    struct array *count = trial_output(t, "count", UINT32, 1);
    struct array *scratch = trial_scratch(t, "scratch", SCRATCH_WORDS * ELEMENT_BYTES);

    for (int call = 0; call < calls; call++) {
        fill_ints(in->ints, c->n, c->low, c->high, trial_seed(t) + (uint64_t)call);
        if (!TRIAL_CALL(t, compact(in->device, out->device, count->device, c->n, scratch->device,
                               trial_stream(t))))
            return;
        if (trial_ledger(t)->launches > 1)
            trial_fail(t, WRONG_ANSWER, "more-than-one-launch", "%zu kernels were launched",
                trial_ledger(t)->launches);
        expect_kept(t, in, out, count);
    }
}

static void check_compact(struct trial *t)
{
    const struct compact_case tried = {trial_try_size(t), -9, 9};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(compact_cases)); i++) {
        const struct compact_case *c = trying ? &tried : &compact_cases[i];
        if (!trial_begin(t, "n%zu-from%d-to%d", c->n, c->low, c->high))
            continue;
        try_compact(t, c);
        trial_end(t);
    }
}

/* ---- hw8.6: shortest paths ------------------------------------------------------------------ */

struct edge_list {
    uint32_t *from, *to;
    int32_t *weight;
    unsigned vertices;
};

typedef void make_edge(struct edge_list *edges, size_t e, uint64_t seed);

/* Weights that no cycle can make negative: the difference of two heights, and never less than 0
 * more. The heights themselves are of either sign, so are the differences. */
static int weight_between(uint64_t seed, unsigned from, unsigned to, uint64_t bits)
{
    const int rise = (int)(mix(seed + 3, to) % 2000) - (int)(mix(seed + 3, from) % 2000);
    return rise + (int)(bits % 1000);
}

static void random_edge(struct edge_list *edges, size_t e, uint64_t seed)
{
    const uint64_t bits = mix(seed, e);
    const unsigned from = bits % edges->vertices, to = (bits >> 32) % edges->vertices;

    edges->from[e] = from;
    edges->to[e] = to;
    edges->weight[e] = weight_between(seed, from, to, mix(seed + 1, e));
}

/* The edges of a path, the last ones first: a round in this order gains one vertex. */
static void path_edge(struct edge_list *edges, size_t e, uint64_t seed)
{
    const unsigned from = edges->vertices - 2 - (unsigned)e;

    edges->from[e] = from;
    edges->to[e] = from + 1;
    edges->weight[e] = weight_between(seed, from, from + 1, mix(seed + 1, e));
}

/* Two halves of the vertices, without an edge between them: no path leads to the other half. */
static void edge_of_two_parts(struct edge_list *edges, size_t e, uint64_t seed)
{
    const uint64_t bits = mix(seed, e);
    const unsigned part = edges->vertices / 2, first = bits % 2 ? part : 0;
    const unsigned from = first + (unsigned)(bits >> 8) % part;
    const unsigned to = first + (unsigned)(bits >> 32) % part;

    edges->from[e] = from;
    edges->to[e] = to;
    edges->weight[e] = weight_between(seed, from, to, mix(seed + 1, e));
}

/* For make try: a path, and from each vertex on it two shortcuts, or detours. */
static void edge_to_try(struct edge_list *edges, size_t e, uint64_t seed)
{
    const unsigned from = (unsigned)(e % (edges->vertices - 1));
    const unsigned to = e < edges->vertices - 1 ? from + 1 : mix(seed, e) % edges->vertices;

    edges->from[e] = from;
    edges->to[e] = to;
    edges->weight[e] = 1 + (int)(mix(seed + 1, e) % (to > from ? 5 * (to - from) : 9));
}

static const struct graph_case {
    const char *name;
    make_edge *make;
    unsigned vertices, edges, source;
} graph_cases[] = {
    {"path", path_edge, 40, 39, 0},
    {"parts", edge_of_two_parts, 300, 2000, 7},
    {"random", random_edge, 500, 12001, 5},
    {"random", random_edge, 1, 3, 0},
    {"random", random_edge, 33, 0, 32},
    {"random", random_edge, 257, 300, 255},
    {"path", path_edge, 65, 64, 20},
    {"random", random_edge, 20011, 100003, 20010},
};

/* Rounds over all edges until nothing changes; returns how many there were, the last included. */
static unsigned find_paths(
    const struct edge_list *edges, size_t count, unsigned source, double *far)
{
    double *before = doubles(edges->vertices);
    bool changed = true;
    unsigned rounds = 0;

    for (unsigned v = 0; v < edges->vertices; v++)
        far[v] = v == source ? 0 : INT_MAX;
    for (; changed; rounds++) {
        changed = false;
        memcpy(before, far, edges->vertices * sizeof *far);
        for (size_t e = 0; e < count; e++) {
            const double reached = before[edges->from[e]], offer = reached + edges->weight[e];
            if (reached == INT_MAX || offer >= far[edges->to[e]])
                continue;
            far[edges->to[e]] = offer;
            changed = true;
        }
    }
    free(before);
    return rounds;
}

/* An edge costs a round three words and two distances, and waiting at the barriers reads, too. A
 * loop to the number of vertices costs a hundred times as much. */
static const struct cost_gate stops = {.diagnosis = "does-not-stop",
    .what = "bytes read for each edge and necessary round",
    .cost = counted_load_bytes,
    .most = 200};

/* Too many for preparing memory and one loop; fewer than the rounds of the path. */
enum { LAUNCHES_MAX = 4 };

/* False if the rounds went on for much too long: then a larger graph would take hours. */
static bool expect_paths(
    struct trial *t, const struct edge_list *edges, const struct graph_case *c, struct array *out)
{
    double *want = doubles(c->vertices), *got = whatever_was_got(out);
    const unsigned rounds = find_paths(edges, c->edges, c->source, want);
    size_t wrong = 0, infinite = 0, farther = 0;

    for (unsigned v = 0; v < c->vertices; v++) {
        wrong += got[v] != want[v];
        farther += got[v] > want[v];
        /* INT_MAX and a weight: a little less than infinite, or wrapped, a great debt. */
        infinite += got[v] < want[v] && fabs(got[v]) > INT_MAX / 2;
    }
    const char *mistake = farther == wrong ? "stops-too-early" : NULL;
    const struct suspect suspects[] = {
        {infinite > 0 ? "infinity-plus-weight" : mistake, got}, {NULL, NULL}};
    if (trial_ledger(t)->launches > LAUNCHES_MAX)
        trial_fail(t, WRONG_ANSWER, "launch-a-round", "%zu kernels were launched, for %u rounds",
            trial_ledger(t)->launches, rounds);
    trial_expect(t, &(struct expectation){.output = out, .want = want, .suspects = suspects});
    const struct vgpu_counters *made = trial_counters(t);
    const double least = (double)c->edges * rounds;
    const bool costly = c->edges > COSTLY_N;

    if (costly)
        expect_one_cooperative_launch(t, LAUNCHES_MAX);
    if (costly)
        trial_expect_cost(t, &stops, least);
    free(want), free(got);
    return !costly || !made || counted_load_bytes(made) <= stops.most * least;
}

static bool try_paths(struct trial *t, const struct graph_case *c)
{
    paths_function find = (paths_function)trial_function(t);
    const size_t scratch_bytes = (c->vertices + (size_t)SCRATCH_WORDS) * ELEMENT_BYTES;
    const int calls = trial_try_size(t) ? 1 : 2;
    struct array *from = trial_input(t, "from", UINT32, c->edges);
    struct array *to = trial_input(t, "to", UINT32, c->edges);
    struct array *weight = trial_input(t, "weight", INT32, c->edges);
    struct array *out = trial_output(t, "distance", INT32, c->vertices);
    struct array *scratch = trial_scratch(t, "scratch", scratch_bytes);
    struct edge_list edges = {from->words, to->words, weight->ints, c->vertices};
    const struct graph graph = {c->vertices, c->edges, from->device, to->device, weight->device};

    for (int call = 0; call < calls; call++) {
        for (size_t e = 0; e < c->edges; e++)
            c->make(&edges, e, trial_seed(t) + (uint64_t)call);
        if (!TRIAL_CALL(t, find(graph, c->source, out->device, scratch->device, trial_stream(t))) ||
            !expect_paths(t, &edges, c, out))
            return false;
    }
    return true;
}

static void check_paths(struct trial *t)
{
    const unsigned size = (unsigned)trial_try_size(t);
    const struct graph_case tried = {"try", edge_to_try, size + 1, 2 * size, 0};

    for (size_t i = 0; i < (size ? 1 : LENGTH(graph_cases)); i++) {
        const struct graph_case *c = size ? &tried : &graph_cases[i];
        if (!trial_begin(t, "%s-vertices%u-edges%u", c->name, c->vertices, c->edges))
            continue;
        const bool stopped = try_paths(t, c);
        trial_end(t);
        if (!stopped)
            break;
    }
}

/* ---- the speed of hw8.4 --------------------------------------------------------------------- */

enum { TIMED_IN, TIMED_OUT_CELLS, TIMED_SCRATCH, WINDOWS = 4, WINDOW = 256 };

/* A launch takes the virtual GPU's model as long as a GPU, but its arithmetic takes a CPU. */
static unsigned timed_steps(void)
{
    return device_is_virtual() ? 32 : 1000;
}

static size_t timed_count(size_t n, int k)
{
    return k < TIMED_SCRATCH ? n : k == TIMED_SCRATCH ? n + SCRATCH_WORDS : 0;
}

static size_t timed_size(size_t bytes)
{
    (void)bytes;
    return cells_most();
}

static cudaError_t timed_prepare(struct timed_problem *p)
{
    return device_fill_integers(
        p->arrays[TIMED_IN], p->counts[TIMED_IN], -MAGNITUDE, MAGNITUDE, p->seed);
}

static cudaError_t timed_call(void *function, const struct timed_problem *p)
{
    return ((jacobi_function)function)(p->arrays[TIMED_IN], p->arrays[TIMED_OUT_CELLS], p->n,
        timed_steps(), p->arrays[TIMED_SCRATCH], 0);
}

/* True if the cells from `begin` on are right. What is further away than a cell a step has no
 * influence, so the row may be cut there. */
static bool window_is_right(
    const struct timed_problem *p, size_t begin, char *text, size_t text_bytes)
{
    const unsigned steps = timed_steps();
    const size_t first = begin > steps ? begin - steps : 0;
    const size_t end = begin + WINDOW + steps < p->n ? begin + WINDOW + steps : p->n;
    const size_t last = begin + WINDOW < p->n ? begin + WINDOW : p->n;
    float *cells = room_for(end - first, sizeof *cells), got[WINDOW];
    double *want = doubles(end - first);
    size_t i = begin;

    cudaMemcpy(cells, (const float *)p->arrays[TIMED_IN] + first, (end - first) * sizeof *cells,
        cudaMemcpyDeviceToHost);
    cudaMemcpy(got, (const float *)p->arrays[TIMED_OUT_CELLS] + begin, (last - begin) * sizeof *got,
        cudaMemcpyDeviceToHost);
    for (size_t k = 0; k < end - first; k++)
        want[k] = cells[k];
    jacobi_steps(want, end - first, steps);
    while (i < last && agrees(got[i - begin], want[i - first], jacobi_bound(steps)))
        i++;
    if (i < last)
        snprintf(text, text_bytes, "after %u steps, cell %zu of %zu is %.9g, expected %.9g", steps,
            i, p->n, got[i - begin], want[i - first]);
    free(cells), free(want);
    return i == last;
}

/* Both ends of the row, and places that differ from call to call. */
static bool timed_verify(const struct timed_problem *p, char *text, size_t text_bytes)
{
    bool right = window_is_right(p, 0, text, text_bytes) &&
                 window_is_right(p, p->n - WINDOW, text, text_bytes);

    for (uint64_t k = 0; k < WINDOWS && right; k++)
        right = window_is_right(p, mix(p->seed, k) % p->n, text, text_bytes);
    return right;
}

static const struct speed_test jacobi_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 1.5,
    .star = 3.0,
    .baseline_name = "a launch a step",
    .array_count = timed_count,
    .outputs = 1 << TIMED_OUT_CELLS,
    .kept = 1 << TIMED_SCRATCH,
    .size_for = timed_size,
    .prepare = timed_prepare,
    .call = timed_call,
    .verify = timed_verify,
    .baseline_iqr_max = 0.25,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"power-of-two-only",
        "Halving an odd number drops one: the loop suits groups of a power of two. Round the half "
        "up, and let the middle member wait for the next round."},
    {"past-the-last-rank",
        "A shuffle that reaches past the last rank of a group gives a lane its own value, and that "
        "is added twice: ask whether rank + offset is below size(), or use cg::reduce."},
    {"tiles-share-scratch",
        "A block's sums are right and those of its tiles are not: all tiles write to the same "
        "scratch array, and no barrier of a tile keeps the others out. Give each its own part."},
    {"shared-memory-used", "The sums are right, but made in shared memory: a tile whose size the "
                           "compiler knows has shuffles, which need none."},
    {"atomic-an-element",
        "Each element costs an atomic of its own: let the lanes of a warp that share a bucket add "
        "up their values first, and one of them add the sum."},
    {"rank-is-not-lane", "Only groups with lane 0 in them were added: the lanes of a bucket can be "
                         "any of the warp's. Ask for rank 0 in the group, not for lane 0."},
    {"halo-out-of-step",
        "Right inside, wrong near the ends of blocks: what a neighbour showed is read too early, "
        "too late, or from a cache. Between writing and reading lies a barrier of the whole grid, "
        "and the next step writes to another set."},
    {"not-one-cooperative",
        "The task is one cooperative launch that stays for all steps or rounds: the barrier "
        "of the grid takes the place of further launches."},
    {"state-in-global-memory",
        "Every step moves all cells through global memory: keep them in shared memory from the "
        "first step to the last, in a kernel that stays, and exchange only the edges."},
    {"order-lost", "All elements that are to be kept are there, but not in their order: a place "
                   "that an atomic hands out depends on who comes first."},
    {"more-than-one-launch",
        "The task is to do it in one launch: blocks count, the grid waits, blocks write."},
    {"launch-a-round", "The host launches a kernel for each round. The task is one that stays, "
                       "with a barrier of the grid between rounds."},
    {"infinity-plus-weight",
        "INT_MAX plus a weight is no longer infinite: it wraps, or is a little "
        "less. Leave out edges from vertices that are not reached yet."},
    {"stops-too-early", "Distances are too large, none too small: rounds end before all is final. "
                        "Who clears the flag, and has every block read it by then? The round in "
                        "which nothing changes is the last."},
    {"does-not-stop", "The distances are right, but rounds went on after nothing changed any more: "
                      "let a flag tell all blocks, and stop."},
    {"shared-race",
        "Two threads use one place of shared memory, one of them writes, and no barrier of a group "
        "that both are in lies between. Does each group have its own part, and a barrier after "
        "writing as well as after reading?"},
    {"global-race", "Two threads use one place of global memory, one of them writes, and nothing "
                    "orders them. Between blocks that takes grid.sync(): before what others wrote "
                    "is read, and before what others may still read is overwritten. Not through "
                    "__ldg, whose cache is not kept up to date."},
    {"warp-sync",
        "A warp operation waits for lanes (threads of the warp) that are not here: they took "
        "another branch, or have returned. Let all of a tile come, those without an element with "
        "a 0; or take cg::coalesced_threads(), the group of those that are here."},
    {"launch-failure",
        "The kernel stopped itself. grid.sync() does that in a plain launch: it needs "
        "cudaLaunchCooperativeKernel, which makes sure that all blocks are resident at once."},
    {"signal", "The host code crashed: it followed a pointer that leads nowhere. "
               "cudaLaunchCooperativeKernel takes an array of the addresses of the arguments, not "
               "the arguments themselves."},
    {"time-limit", "The kernel never ends. Some threads wait at grid.sync(), or in a loop of their "
                   "own, for others that have returned or never come by: all threads of all blocks "
                   "must reach each barrier. Or a bound is not what you passed: each argument of a "
                   "cooperative launch points to a variable of exactly the parameter's type."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw8.1",
        .title = "one reduce for blocks and tiles",
        .function = "sum_groups",
        .points = {16, 0, 2},
        .check = check_groups,
        .stream_case = "n1000-block96-group8",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.2",
        .title = "tiles as a template, by shuffles",
        .function = "sum_tiles",
        .points = {12, 4, 2},
        .check = check_tiles,
        .stream_case = "n1000-tile8",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.3",
        .title = "lanes of a bucket add up first",
        .function = "sum_buckets",
        .points = {17, 6, 3},
        .check = check_buckets,
        .stream_case = "anywhere-n4096",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.4",
        .title = "persistent Jacobi with a grid barrier",
        .function = "jacobi",
        .points = {25, 10, 3},
        .check = check_jacobi,
        .stream_case = "case2-n4099-steps3",
        .speed = &jacobi_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.5",
        .title = "ordered compaction in one launch",
        .function = "compact_in_order",
        .star = true,
        .check = check_compact,
        .stream_case = "n5003-from-9-to9",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw8.6",
        .title = "shortest paths in one launch",
        .function = "shortest_paths",
        .star = true,
        .check = check_paths,
        .stream_case = "random-vertices500-edges12001",
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw8",
    .folder = "hw8_cooperative_groups",
    .file = "cooperative_groups.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", NULL},
};

Test(hw8, t1, .description = "hw8.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.1");
}

Test(hw8, t2, .description = "hw8.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.2");
}

Test(hw8, t3, .description = "hw8.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.3");
}

Test(hw8, t4, .description = "hw8.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.4");
}

Test(hw8, t5, .description = "hw8.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.5");
}

Test(hw8, t6, .description = "hw8.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw8.6");
}

Test(hw8_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
