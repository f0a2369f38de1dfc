/* hw2.1 and hw2.2: weighted sums of neighbours, and which mistake gives which sum. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/room.h"

struct stencil {
    const float *in;
    size_t n, radius, threads; /* threads: of a block, if known; else 0 */
    const float *weights, *earlier_weights;
};

/* in[i + k - radius], and `outside` where that does not exist. */
static double neighbour(const struct stencil *s, size_t i, size_t k, double outside)
{
    return i + k >= s->radius && i + k - s->radius < s->n ? s->in[i + k - s->radius] : outside;
}

static double weighted_sum(const struct stencil *s, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k <= 2 * s->radius; k++)
        sum += s->weights[k] * neighbour(s, i, k, 0);
    return sum;
}

/* What known mistakes leave in out[i]; NaN where something is read that is not there. */
static double reversed(const struct stencil *s, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k <= 2 * s->radius; k++)
        sum += s->weights[2 * s->radius - k] * neighbour(s, i, k, 0);
    return sum;
}

static double too_short(const struct stencil *s, size_t i)
{
    const size_t last = 2 * s->radius;
    return weighted_sum(s, i) - s->weights[last] * neighbour(s, i, last, 0);
}

static double with_earlier_weights(const struct stencil *s, size_t i)
{
    struct stencil earlier = *s;

    earlier.weights = s->earlier_weights;
    return weighted_sum(&earlier, i);
}

static double nan_before(const struct stencil *s, size_t i)
{
    return i < s->radius ? NAN : weighted_sum(s, i);
}

static double nan_behind(const struct stencil *s, size_t i)
{
    return i + s->radius >= s->n ? NAN : weighted_sum(s, i);
}

static double nan_outside(const struct stencil *s, size_t i)
{
    return i < s->radius ? NAN : nan_behind(s, i);
}

/* Tile and weights lie at one address, and the weights were stored last. */
static double weights_over_tile(const struct stencil *s, size_t i)
{
    const size_t window = 2 * s->radius + 1, first = s->threads ? i % s->threads : i;
    double sum = 0;

    for (size_t k = 0; k < window; k++)
        sum += s->weights[k] * (first + k < window ? s->weights[first + k] : neighbour(s, i, k, 0));
    return sum;
}

/* The tile was stored last, so that its first cells serve as the weights. */
static double tile_over_weights(const struct stencil *s, size_t i)
{
    const size_t first = s->threads ? i - i % s->threads : 0;
    double sum = 0;

    for (size_t k = 0; k <= 2 * s->radius; k++)
        sum += neighbour(s, first, k, 0) * neighbour(s, i, k, 0);
    return sum;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct stencil *s, size_t i);
} stencil_mistakes[] = {
    {"weights-reversed", reversed},
    {"window-too-short", too_short},
    {"weights-stale", with_earlier_weights},
    {"ends-not-zero", nan_before},
    {"ends-not-zero", nan_behind},
    {"ends-not-zero", nan_outside},
    {"one-address", weights_over_tile},
    {"one-address", tile_over_weights},
};

static double *all_sums(const struct stencil *s, double (*of)(const struct stencil *, size_t))
{
    double *sums = doubles(s->n);

    for (size_t i = 0; i < s->n; i++)
        sums[i] = of(s, i);
    return sums;
}

static void expect_stencil(struct trial *t, const struct stencil *s, const struct array *out)
{
    struct suspect suspects[LENGTH(stencil_mistakes) + 1] = {{NULL, NULL}};
    double *sums[LENGTH(stencil_mistakes) + 1];
    size_t made = 0;

    sums[made++] = all_sums(s, weighted_sum);
    for (size_t k = 0; k < LENGTH(stencil_mistakes) && s->n <= SUSPECT_COUNT_MAX; k++) {
        suspects[k].diagnosis = stencil_mistakes[k].diagnosis;
        suspects[k].values = sums[made++] = all_sums(s, stencil_mistakes[k].predict);
    }
    trial_expect(t, &(struct expectation){.output = out,
                        .want = sums[0],
                        .threads_per_block = (unsigned)s->threads,
                        .suspects = suspects});
    while (made > 0)
        free(sums[--made]);
}

struct stencil_case {
    size_t n;
    unsigned threads; /* of a block; hw2.2: unused */
    bool counted;     /* large and even enough for the rule on costs */
};

/* The first case shows most mistakes at their clearest: many blocks, and the last is partial. */
static const struct stencil_case tile_cases[] = {
    {10007, 256, false},
    {1000, 96, false},
    {0, 256, false},
    {1, 1, false},
    {1, 256, false},
    {2, 32, false},
    {3, 1024, false},
    {100, 1, false},
    {100, 2, false},
    {100, 5, false},
    {31, 32, false},
    {32, 32, false},
    {33, 32, false},
    {255, 256, false},
    {256, 256, false},
    {257, 256, false},
    {1000, 33, false},
    {5000, 1000, false},
    {5000, 1024, false},
    {65536, 256, true},
    {999983, 192, false},
};

static const struct stencil_case window_cases[] = {
    {10007, 0, false},
    {1022, 0, false},
    {0, 0, false},
    {1, 0, false},
    {15, 0, false},
    {16, 0, false},
    {17, 0, false},
    {31, 0, false},
    {32, 0, false},
    {33, 0, false},
    {255, 0, false},
    {256, 0, false},
    {257, 0, false},
    {4096, 0, false},
    {65536, 0, true},
    {999983, 0, false},
};

cudaError_t call_stencil(void *function, size_t radius, const float *in, float *out, size_t n,
    const float *weights, unsigned threads, cudaStream_t stream)
{
    struct narrow_weights narrow;
    struct wide_weights wide;

    if (radius == NARROW_RADIUS) {
        memcpy(narrow.at, weights, sizeof narrow.at);
        return ((tile_function)function)(in, out, n, narrow, threads, stream);
    }
    memcpy(wide.at, weights, sizeof wide.at);
    return ((window_function)function)(in, out, n, wide, stream);
}

enum { WARP = 32 };

/* An atomic that changes nothing reads as well. */
static double global_reads(const struct vgpu_counters *made)
{
    return counted_load_requests(made) + (double)made->global_atomic_requests;
}

static double all_loads(const struct vgpu_counters *made)
{
    return global_reads(made) + (double)(made->shared_load_requests + made->local_load_requests);
}

static const struct cost_gate tile_cost = {
    "loads-not-shared", "global load requests for 32 outputs", global_reads, .most = 3};
static const struct cost_gate window_cost = {
    "loads-an-output", "load requests for 32 outputs", all_loads, .most = 12};

static void try_stencil(struct trial *t, const struct stencil_case *c, size_t radius)
{
    static float earlier_weights[WINDOW_MAX]; /* of the case before */
    const size_t window = 2 * radius + 1;
    struct array *in = trial_input(t, "in", FLOAT32, c->n);
    /* Not handed over as an array: it stands here for make try to print. */
    struct array *weights = trial_input(t, "weights", FLOAT32, window);
    struct array *out = trial_output(t, "out", FLOAT32, c->n);

    fill_exact(t, in, trial_seed(t));
    make_weights(weights->floats, window, trial_seed(t) + 1);
    if (TRIAL_CALL(t, call_stencil(trial_function(t), radius, in->device, out->device, c->n,
                          weights->floats, c->threads, trial_stream(t)))) {
        expect_stencil(t,
            &(struct stencil){
                in->floats, c->n, radius, c->threads, weights->floats, earlier_weights},
            out);
        if (c->counted)
            trial_expect_cost(
                t, radius == NARROW_RADIUS ? &tile_cost : &window_cost, (double)c->n / WARP);
    }
    memcpy(earlier_weights, weights->floats, window * sizeof(float));
}

static void check_stencil(
    struct trial *t, const struct stencil_case *cases, size_t count, size_t radius)
{
    const struct stencil_case tried = {trial_try_size(t), 4, false};

    if (tried.n > 0)
        cases = &tried, count = 1;
    for (size_t i = 0; i < count; i++) {
        if (radius == NARROW_RADIUS
                ? !trial_begin(t, "n%zu-threads%u", cases[i].n, cases[i].threads)
                : !trial_begin(t, "n%zu", cases[i].n))
            continue;
        try_stencil(t, &cases[i], radius);
        trial_end(t);
    }
}

void check_tile(struct trial *t)
{
    check_stencil(t, tile_cases, LENGTH(tile_cases), NARROW_RADIUS);
}

void check_window(struct trial *t)
{
    check_stencil(t, window_cases, LENGTH(window_cases), WIDE_RADIUS);
}
