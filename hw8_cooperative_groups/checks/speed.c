/* The speed of hw8.4. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/room.h"

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

const struct speed_test jacobi_speed = {
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
