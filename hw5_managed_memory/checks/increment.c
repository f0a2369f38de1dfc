/* hw5.2: pages on the right side, in time. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/cost.h"
#include "grader/device_work.h"
#include "grader/mix.h"
#include "grader/room.h"

enum {
    AMOUNT = 12345,
    LOW = -1000000,
    HIGH = 1000000,
    ZONE = 1024,       /* elements behind the array that nobody may write */
    JUDGED_N = 1000000 /* from here on a fault is not that of a page that the zone is in */
};

/* Element i before the call; `make try` shows numbers that one can add in the head. */
static int before_increment(struct trial *t, size_t i)
{
    const bool trying = trial_try_size(t) > 0;
    return mixed_integer(trial_seed(t), i, trying ? -9 : LOW, trying ? 9 : HIGH);
}

struct increment_run {
    struct trial *t;
    typeof(&increment) increment;
    typeof(&sum_at_home) sum_at_home;
    int *data;
    size_t n;
    bool restricted;
    int place, place_of_quarter, place_of_half; /* prefetched to, before sum_at_home() */
    int place_at_home;                          /* and after it */
    bool read_mostly;
    long long sum;
    int *seen; /* what the stream has found there, where there is one */
};

static int prefetched_to(const void *memory, size_t bytes)
{
    return bytes > 0 ? attribute_of(memory, bytes, cudaMemRangeAttributeLastPrefetchLocation)
                     : cudaInvalidDeviceId;
}

/* sum_at_home() has waited for the first increment, in whatever stream that was. A second one comes
 * late in the default stream, and what is judged is what the caller's stream finds. */
static cudaError_t increment_again(struct trial *t, struct increment_run *run)
{
    const cudaStream_t stream = trial_stream(t);

    trial_delay(NULL, 1);
    cudaError_t status = run->increment(run->data, run->n, AMOUNT, stream);
    ledger_pause();
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(
            run->seen, run->data, run->n * sizeof *run->data, cudaMemcpyDefault, stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(stream);
    ledger_go_on();
    return status;
}

static cudaError_t use_increment(struct trial *t, struct increment_run *run)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, run->restricted);
    cudaError_t status = run->increment(run->data, run->n, AMOUNT, trial_stream(t));
    run->place = prefetched_to(run->data, run->n * sizeof *run->data);
    run->place_of_quarter = prefetched_to(run->data, run->n);
    run->place_of_half = prefetched_to(run->data, 2 * run->n);
    run->read_mostly = run->n > 0 && attribute_of(run->data, run->n * sizeof *run->data,
                                         cudaMemRangeAttributeReadMostly) == 1;
    run->sum_at_home = companion(t, "sum_at_home");
    if (status == cudaSuccess && run->sum_at_home)
        status = run->sum_at_home(run->data, run->n, &run->sum, trial_stream(t));
    run->place_at_home = prefetched_to(run->data, run->n * sizeof *run->data);
    if (status == cudaSuccess && trial_stream(t))
        status = increment_again(t, run);
    return end_restricted(t, run->restricted, status);
}

static double page_faults(const struct vgpu_counters *made)
{
    return (double)made->device_page_faults;
}

#define NO_FAULTS(diagnosis)                                                     \
    {                                                                            \
        diagnosis, "pages that the kernel had to wait for", page_faults, NULL, 0 \
    }

/* The pages that fault, where the array had been sent before, and its advice tell the mistake. */
static void expect_no_faults(struct trial *t, const struct increment_run *run)
{
    static const struct cost_gate wrong_side = NO_FAULTS("wrong-side"),
                                  in_elements = NO_FAULTS("prefetch-in-elements"),
                                  read_mostly = NO_FAULTS("read-mostly-written"),
                                  not_prefetched = NO_FAULTS("not-prefetched");
    const bool is_quarter = run->place_of_half == cudaInvalidDeviceId && run->place_of_quarter >= 0;

    if (is_concurrent() && !run->restricted && run->n >= JUDGED_N)
        trial_expect_cost(t,
            run->read_mostly                ? &read_mostly
            : run->place == cudaCpuDeviceId ? &wrong_side
            : is_quarter                    ? &in_elements
                                            : &not_prefetched,
            1);
}

/* The host would read right values from pages that stay away, too, one fault after the other. */
static void expect_all_at_home(struct trial *t, const struct increment_run *run)
{
    if (is_concurrent() && !run->restricted && run->n >= JUDGED_N &&
        run->place_at_home != cudaCpuDeviceId)
        trial_inefficient(t, "not-brought-home",
            "sum_at_home() has read all of data, and not all of it was prefetched to the host");
}

static void judge_increment(struct trial *t, struct increment_run *run)
{
    const size_t n = run->n;
    const bool in_stream = trial_stream(t) != NULL;
    double *before = doubles(n), *want = doubles(n);
    int32_t *got = room_for(n, sizeof(int32_t));
    long long want_sum = 0;

    for (size_t i = 0; i < n; i++) {
        before[i] = before_increment(t, i);
        want[i] = before[i] + (in_stream ? 2 : 1) * AMOUNT;
        want_sum += (long long)before[i] + AMOUNT;
        got[i] = in_stream ? run->seen[i] : run->data[i];
    }
    expect_ints(t, "data", got, want, n, before);
    expect_sum(t, "sum_at_home() found", run->sum, want_sum);
    if (run->restricted && touched_early())
        wrong(run->t, "read-too-early",
            "the host touches the array while the device works: where concurrentManagedAccess is "
            "0, that ends the program");
    if (n > 0 && (trial_ledger(t)->launches == 0 || host_made(run->data, n * sizeof *run->data)))
        wrong(run->t, "computed-on-host", "no kernel has written all of the array");
    for (size_t i = n; i < n + ZONE; i++)
        if (run->data[i] != GUARD_WORD)
            trial_finding(t, MEMORY_ERROR, "guard-zone",
                "data: written past its end, the first at index %zu of an array of %zu", i, n);
    if (trial_healthy(t))
        expect_no_faults(t, run);
    if (trial_healthy(t) && !in_stream)
        expect_all_at_home(t, run);
    free(before), free(want), free(got);
}

static void try_increment(struct trial *t, size_t n, bool restricted)
{
    struct increment_run run = {.t = t,
        .increment = (typeof(&increment))trial_function(t),
        .data = managed(t, (n + ZONE) * sizeof(int)),
        .n = n,
        .seen = room_for(n, sizeof(int)),
        .restricted = restricted,
        .sum = junk_sum};

    for (size_t i = 0; i < n; i++)
        run.data[i] = before_increment(t, i);
    for (size_t i = n; i < n + ZONE; i++)
        run.data[i] = GUARD_WORD;
    if (TRIAL_CALL(t, use_increment(t, &run)))
        judge_increment(t, &run);
    cudaFree(run.data);
    free(run.seen);
}

void check_increment(struct trial *t)
{
    /* A million elements end in the middle of a page, so the guard zone is in no other page. */
    static const size_t sizes[] = {1000003, 1, 0, 31, 32, 33, 255, 256, 257, 16383};
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(sizes)); i++)
        if (trial_begin(t, "n%zu", tried ? tried : sizes[i]))
            try_increment(t, tried ? tried : sizes[i], false);
    if (!tried && trial_begin(t, "restricted-n100003"))
        try_increment(t, 100003, true);
}

static size_t timed_count(size_t n, int k)
{
    return k < 2 ? n : 0; /* the array, and what it must become */
}

static size_t timed_bytes(const struct timed_problem *p)
{
    return p->n * sizeof(int);
}

static size_t timed_size(size_t bytes)
{
    return bytes / sizeof(int);
}

static cudaError_t timed_prepare(struct timed_problem *p)
{
    return device_fill_ints(p->arrays[0], p->n, LOW, HIGH, p->seed);
}

static cudaError_t timed_call(void *function, const struct timed_problem *p)
{
    return ((typeof(&increment))function)(p->arrays[0], p->n, AMOUNT, 0);
}

static bool timed_verify(const struct timed_problem *p, char *text, size_t text_bytes)
{
    size_t wrong = 0, first = 0;

    cudaError_t status = device_fill_ints(p->arrays[1], p->n, LOW + AMOUNT, HIGH + AMOUNT, p->seed);
    if (status == cudaSuccess)
        status = device_count_differences(p->arrays[0], p->arrays[1], p->n, &wrong, &first);
    if (status != cudaSuccess)
        snprintf(text, text_bytes, "%s while the array was verified", cudaGetErrorName(status));
    else if (wrong > 0)
        snprintf(text, text_bytes, "at full size, n = %zu, %zu elements are wrong, the first %zu",
            p->n, wrong, first);
    return status == cudaSuccess && wrong == 0;
}

const struct speed_test increment_speed = {
    .limit = LIMIT_TO_DEVICE,
    .gate = 0.6,
    .baseline_name = "one fault after the other",
    .array_count = timed_count,
    .updated = 1 << 0,
    .outputs = 1 << 1,
    .residence = {MANAGED_ON_HOST, ON_DEVICE},
    .bytes = timed_bytes,
    .size_for = timed_size,
    .prepare = timed_prepare,
    .call = timed_call,
    .verify = timed_verify,
    .baseline_iqr_max = 0.3, /* faults come in batches, as it happens */
};
