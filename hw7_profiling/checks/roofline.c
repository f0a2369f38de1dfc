/* hw7.5: where a kernel lies under the roof. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checks.h"

/* What hw7.3's read limit and the record fma-8-chains reached, and two made-up GPUs. */
static const struct gpu_peaks h200 = {3.775e12, 62.8e12}, small = {0.3e12, 8e12},
                              level = {1e12, 1e12};

static const struct roofline_case {
    struct product_run run;
    const struct gpu_peaks *gpu;
} roofline_cases[] = {
    {{{65536, 1024}, 8, 8, 94.6e-6}, &h200},
    {{{65536, 1024}, 8, 1, 501.8e-6}, &h200},
    {{{300, 70}, 7, 3, 25e-6}, &small},
    {{{4096, 1024}, 512, 512, 400e-6}, &h200},
    {{{1, 1}, 1, 1, 1e-6}, &level},
    {{{2048, 2048}, 1000, 48, 1e-3}, &small},
    {{{1 << 20, 1 << 13}, 3, 2, 30e-3}, &h200},
    {{{100003, 17}, 5, 9, 1e-3}, &level},
};

static struct roofline_point point_of(const struct product_run *run, const struct gpu_peaks *gpu)
{
    const double elements = (double)run->shape.rows * (double)run->shape.columns;
    const double vectors = (double)run->vectors;
    const double passes = ceil(vectors / (double)run->vectors_a_pass);
    struct roofline_point point = {
        .bytes = 4 * (passes * elements + vectors * (double)(run->shape.rows + run->shape.columns)),
        .operations = 2 * elements * vectors,
    };

    point.intensity = point.operations / point.bytes;
    point.attainable = fmin(gpu->operations_per_second, gpu->bytes_per_second * point.intensity);
    point.achieved_share = point.operations / run->seconds / point.attainable;
    return point;
}

static bool same_number(double got, double want)
{
    return fabs(got - want) <= 1e-9 * fabs(want);
}

/* The mistake that makes `got` of the first member that is wrong. */
static const char *roofline_mistake(const struct roofline_case *c, const struct roofline_point *got,
    const struct roofline_point *want)
{
    const struct product_run *run = &c->run;
    const double elements = (double)run->shape.rows * (double)run->shape.columns;
    const double ends = (double)(run->shape.rows + run->shape.columns) * (double)run->vectors;
    const double whole_passes = (double)(run->vectors / run->vectors_a_pass);
    const struct {
        const char *diagnosis;
        double got, want, mistaken;
    } known[] = {
        {"passes-rounded-down", got->bytes, want->bytes, 4 * (whole_passes * elements + ends)},
        {"passes-rounded-down", got->bytes, want->bytes,
            4 * ((double)run->vectors / (double)run->vectors_a_pass * elements + ends)},
        {"matrix-only", got->bytes, want->bytes, want->bytes - 4 * ends},
        {"one-operation", got->operations, want->operations, want->operations / 2},
        {"no-roof", got->attainable, want->attainable, c->gpu->bytes_per_second * want->intensity},
        {"no-roof", got->attainable, want->attainable, c->gpu->operations_per_second},
        {"share-of-the-peak", got->achieved_share, want->achieved_share,
            want->operations / run->seconds / c->gpu->operations_per_second},
        {"share-in-per-cent", got->achieved_share, want->achieved_share,
            100 * want->achieved_share},
    };

    for (size_t k = 0; k < LENGTH(known); k++)
        if (!same_number(known[k].got, known[k].want) &&
            same_number(known[k].got, known[k].mistaken))
            return known[k].diagnosis;
    return elements > UINT32_MAX ? "count-32-bits" : "wrong-value";
}

static void try_roofline(struct trial *t, const struct roofline_case *c)
{
    roofline_function find = (roofline_function)trial_function(t);
    const struct product_run run = c->run;
    const struct gpu_peaks gpu = *c->gpu;
    const struct roofline_point want = point_of(&c->run, c->gpu);
    struct roofline_point got = {NAN, NAN, NAN, NAN, NAN};

    if (!TRIAL_CALL(t, find(&run, &gpu, &got)))
        return;
    const struct {
        const char *name;
        double got, want;
    } members[] = {
        {"bytes", got.bytes, want.bytes},
        {"operations", got.operations, want.operations},
        {"intensity", got.intensity, want.intensity},
        {"attainable", got.attainable, want.attainable},
        {"achieved_share", got.achieved_share, want.achieved_share},
    };
    for (size_t k = 0; k < LENGTH(members); k++) {
        if (trial_try_size(t))
            trial_print(t, "%-15s got %.9g, expected %.9g\n", members[k].name, members[k].got,
                members[k].want);
        else if (!same_number(members[k].got, members[k].want))
            trial_fail(t, WRONG_ANSWER, roofline_mistake(c, &got, &want),
                "%s: got %.9g, expected %.9g\nfrom %g s, %g bytes/s and %g operations/s",
                members[k].name, members[k].got, members[k].want, run.seconds, gpu.bytes_per_second,
                gpu.operations_per_second);
    }
}

/* For `make try`: what was asked, and the roof for more and more vectors a pass. */
static void show_roof(struct trial *t, const struct roofline_case *c)
{
    roofline_function find = (roofline_function)trial_function(t);
    struct product_run run = c->run;
    const struct gpu_peaks gpu = *c->gpu;

    trial_print(t,
        "from            %zu rows, %zu columns, %zu vectors, %zu a pass, %g s\n"
        "H200            %g bytes a second, %g operations a second\n\n"
        "vectors in one pass   intensity   attainable   (65,536 rows)\n",
        run.shape.rows, run.shape.columns, run.vectors, run.vectors_a_pass, run.seconds,
        gpu.bytes_per_second, gpu.operations_per_second);
    run.shape.rows = 65536;
    for (size_t vectors = 1; vectors <= 64; vectors *= 2) {
        struct roofline_point got = {NAN, NAN, NAN, NAN, NAN};
        run.vectors = run.vectors_a_pass = vectors;
        if (!TRIAL_CALL(t, find(&run, &gpu, &got)))
            return;
        trial_print(t, "%19zu %11.3f %12.3e\n", vectors, got.intensity, got.attainable);
    }
}

static void try_no_point(struct trial *t)
{
    static const struct product_run runs[] = {
        {{0, 5}, 2, 2, 1e-3}, {{5, 0}, 2, 2, 1e-3}, {{5, 5}, 0, 2, 1e-3}, {{5, 5}, 2, 0, 1e-3}};
    roofline_function find = (roofline_function)trial_function(t);

    for (size_t i = 0; i < LENGTH(runs); i++) {
        const struct product_run run = runs[i];
        struct roofline_point point;
        if (!trial_begin(t, "rows%zu-columns%zu-vectors%zu-pass%zu", run.shape.rows,
                run.shape.columns, run.vectors, run.vectors_a_pass))
            continue;
        (void)TRIAL_CALL_MUST_FAIL(t, find(&run, &h200, &point), "there is nothing to divide by");
        trial_end(t);
    }
}

void check_roofline(struct trial *t)
{
    const size_t tried_rows = trial_try_size(t);
    const struct roofline_case tried = {{{tried_rows, 1024}, 8, 8, 10e-6}, &h200};

    for (size_t i = 0; i < (tried_rows ? 1 : LENGTH(roofline_cases)); i++) {
        const struct roofline_case *c = tried_rows ? &tried : &roofline_cases[i];
        if (!trial_begin(t, "rows%zu-columns%zu-vectors%zu-pass%zu", c->run.shape.rows,
                c->run.shape.columns, c->run.vectors, c->run.vectors_a_pass))
            continue;
        try_roofline(t, c);
        if (tried_rows)
            show_roof(t, c);
        trial_end(t);
    }
    if (!tried_rows)
        try_no_point(t);
}
