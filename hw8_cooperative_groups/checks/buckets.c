/* hw8.3: an atomic for a group, not for each thread. */
#include <stdbool.h>
#include <stdint.h>

#include "checks.h"

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

void check_buckets(struct trial *t)
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
