/* See rt_forecast.h. */
#include "rt_forecast.h"

#include "rt_managed.h"

#include <string.h>

enum { KERNELS_MAX = 64, WHOLE_ENGINE = 1000 };

/* The latest time of a kernel in one shape; those used last come first. */
struct lesson {
    const struct rt_function *function;
    uint64_t blocks, threads;
    struct rt_outcome outcome;
};

static struct lesson lessons[KERNELS_MAX];
static size_t lesson_count;

static struct lesson lesson_of(const struct rt_kernel_work *kernel)
{
    return (struct lesson){.function = kernel->function,
        .blocks = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z,
        .threads = (uint64_t)kernel->block.x * kernel->block.y * kernel->block.z};
}

static bool is_same_shape(const struct lesson *a, const struct lesson *b)
{
    return a->function == b->function && a->blocks == b->blocks && a->threads == b->threads;
}

void rt_forecast_learn(const struct rt_work *work, const struct rt_outcome *outcome)
{
    if (work->kind != WORK_KERNEL)
        return;
    struct lesson fresh = lesson_of(&work->kernel);
    fresh.outcome = *outcome;
    size_t at = 0;
    while (at < lesson_count && !is_same_shape(&lessons[at], &fresh))
        at++;
    if (at == lesson_count && lesson_count < KERNELS_MAX)
        lesson_count++;
    if (at == KERNELS_MAX)
        at--;
    memmove(lessons + 1, lessons, at * sizeof lessons[0]);
    lessons[0] = fresh;
}

/* In another shape it takes as much longer as it has more threads; not seen before: the least. */
static struct rt_outcome forecast_kernel(const struct rt_work *work)
{
    const struct lesson wanted = lesson_of(&work->kernel);
    const struct lesson *similar = NULL;
    for (size_t i = 0; i < lesson_count; i++) {
        if (is_same_shape(&lessons[i], &wanted))
            return lessons[i].outcome;
        if (similar == NULL && lessons[i].function == wanted.function)
            similar = &lessons[i];
    }
    if (similar == NULL)
        return (struct rt_outcome){
            cudaSuccess, ENGINE_COMPUTE, clock_cost_ns(COST_KERNEL_LEAST), 1, 0};
    struct rt_outcome outcome = similar->outcome;
    outcome.duration_ns =
        (uint64_t)((double)outcome.duration_ns * (double)(wanted.blocks * wanted.threads) /
                   (double)(similar->blocks * similar->threads));
    return outcome;
}

static struct rt_outcome forecast_copy(const struct rt_work *work)
{
    const struct rt_copy_work *copy = &work->copy;
    return (struct rt_outcome){cudaSuccess, copy->engine,
        clock_transfer_ns(copy->route, copy->width * copy->rows * copy->slices), WHOLE_ENGINE, 0};
}

static struct rt_outcome forecast_fill(const struct rt_work *work)
{
    const struct rt_fill_work *fill = &work->fill;
    return (struct rt_outcome){cudaSuccess, ENGINE_COMPUTE,
        clock_transfer_ns(ROUTE_FILL, fill->width * fill->rows * fill->slices), WHOLE_ENGINE, 0};
}

static struct rt_outcome forecast_host_function(const struct rt_work *work)
{
    (void)work;
    return (struct rt_outcome){
        cudaSuccess, ENGINE_NONE, clock_cost_ns(COST_HOST_FUNCTION), WHOLE_ENGINE, 0};
}

static struct rt_outcome forecast_prefetch(const struct rt_work *work)
{
    const struct rt_prefetch_work *prefetch = &work->prefetch;
    return rt_prefetch_outcome(
        prefetch, rt_managed_elsewhere(prefetch->address, prefetch->bytes, prefetch->device));
}

struct rt_outcome rt_forecast(const struct rt_work *work)
{
    static struct rt_outcome (*const forecasts[WORK_KINDS])(const struct rt_work *) = {
        [WORK_KERNEL] = forecast_kernel,
        [WORK_COPY] = forecast_copy,
        [WORK_FILL] = forecast_fill,
        [WORK_HOST_FUNCTION] = forecast_host_function,
        [WORK_PREFETCH] = forecast_prefetch,
    };
    if (forecasts[work->kind] == NULL)
        return (struct rt_outcome){cudaSuccess, ENGINE_NONE, 0, WHOLE_ENGINE, 0};
    return forecasts[work->kind](work);
}
