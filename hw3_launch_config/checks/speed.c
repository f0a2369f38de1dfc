/* What is timed: hw3.1, hw3.2, hw3.5 and hw3.6. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checks.h"
#include "grader/device.h"
#include "grader/device_load.h"
#include "grader/device_work.h"
#include "grader/guarded.h"

enum { TIMED_A, TIMED_B, TIMED_SUM, TIMED_THREADS = 256 };

static size_t three_arrays(size_t n, int k)
{
    return k <= TIMED_SUM ? n : 0;
}

static size_t bytes_of_all(const struct timed_problem *p)
{
    size_t words = 0;

    for (int k = 0; k < TIMED_ARRAYS_MAX; k++)
        words += p->counts[k];
    return words * sizeof(float);
}

static size_t thirds_in(size_t bytes)
{
    return bytes / (3 * sizeof(float));
}

static struct filled filling(const struct timed_problem *p, int k)
{
    return (struct filled){mix(p->seed, (uint64_t)k), LOW, HIGH};
}

static cudaError_t prepare_input(const struct timed_problem *p, int k)
{
    const struct filled how = filling(p, k);
    return device_fill_integers(p->arrays[k], p->counts[k], how.low, how.high, how.seed);
}

static cudaError_t prepare_summands(struct timed_problem *p)
{
    const cudaError_t status = prepare_input(p, TIMED_A);
    return status == cudaSuccess ? prepare_input(p, TIMED_B) : status;
}

/* Whether nothing differs; else, or if the question failed, a line about it. */
static bool nothing_differs(
    cudaError_t status, size_t different, size_t first, char *text, size_t bytes)
{
    if (status != cudaSuccess)
        snprintf(text, bytes, "%s while the output was verified", cudaGetErrorName(status));
    else
        snprintf(text, bytes, "at full size, %zu elements are wrong, the first at index %zu",
            different, first);
    return status == cudaSuccess && different == 0;
}

static bool verify_sums(const struct timed_problem *p, char *text, size_t bytes)
{
    const struct filled a = filling(p, TIMED_A), b = filling(p, TIMED_B);
    size_t different = 0, first = 0;
    const cudaError_t status =
        device_count_wrong_sums(p->arrays[TIMED_SUM], p->n, &a, &b, &different, &first);
    return nothing_differs(status, different, first, text, bytes);
}

static cudaError_t call_timed_add(void *function, const struct timed_problem *p)
{
    const struct gpu gpu = this_gpu();
    const struct launch full = {gpu.sms * (gpu.threads_per_sm / TIMED_THREADS), TIMED_THREADS};
    return ((add_function)function)(p->arrays[TIMED_A], p->arrays[TIMED_B], p->arrays[TIMED_SUM],
        (struct span){0, p->n}, full, 0);
}

const struct speed_test add_speed = {
    .limit = LIMIT_ADD,
    .gate = 0.50,
    .baseline_name = "one stretch a thread",
    .array_count = three_arrays,
    .outputs = 1u << TIMED_SUM,
    .bytes = bytes_of_all,
    .size_for = thirds_in,
    .prepare = prepare_summands,
    .call = call_timed_add,
    .verify = verify_sums,
};

static cudaError_t run_launch(struct launch launch, const struct timed_problem *p)
{
    return device_add_launched(launch.blocks, launch.threads, p->arrays[TIMED_A],
        p->arrays[TIMED_B], p->arrays[TIMED_SUM], p->n);
}

static cudaError_t call_choice(void *function, const struct timed_problem *p)
{
    const struct gpu gpu = this_gpu();
    struct launch chosen = {0, 0};
    const cudaError_t status = ((choose_function)function)(&gpu, p->n, &chosen);
    return status == cudaSuccess ? run_launch(chosen, p) : status;
}

/* The sweep: blocks of six sizes, as many as are resident once, twice, four times, and one for
 * every `threads` elements. The best for the largest n so far is kept. */
static struct {
    size_t n;
    double ns;
    struct launch launch;
} best;

static cudaError_t sweep_launch(struct launch launch, const struct timed_problem *p)
{
    enum { CALLS = 2 };
    cudaError_t status = cudaSuccess;

    for (int call = 0; call < (device_is_virtual() ? 1 : CALLS) && status == cudaSuccess; call++) {
        if (!device_is_virtual())
            status = device_flush_l2();
        cudaDeviceSynchronize();
        const uint64_t start = device_now_ns();
        if (status == cudaSuccess)
            status = run_launch(launch, p);
        if (status == cudaSuccess)
            status = cudaDeviceSynchronize();
        const double ns = (double)(device_now_ns() - start);
        if (ns < best.ns) {
            best.ns = ns;
            best.launch = launch;
        }
    }
    return status;
}

static cudaError_t sweep(const struct timed_problem *p)
{
    static const unsigned sizes[] = {64, 128, 256, 512, 768, 1024}, rounds[] = {1, 2, 4, 0};
    const struct gpu gpu = this_gpu();
    cudaError_t status = cudaSuccess;

    best.n = p->n;
    best.ns = DBL_MAX;
    for (size_t i = 0; i < LENGTH(sizes) * LENGTH(rounds) && status == cudaSuccess; i++) {
        const unsigned threads = sizes[i / LENGTH(rounds)], round = rounds[i % LENGTH(rounds)];
        size_t blocks = divided_up(p->n, threads);
        const size_t resident = gpu.sms * (size_t)(gpu.threads_per_sm / threads);
        if (round > 0 && blocks > round * resident)
            blocks = round * resident;
        status = sweep_launch((struct launch){(unsigned)blocks, threads}, p);
    }
    return status;
}

static cudaError_t prepare_choice(struct timed_problem *p)
{
    const cudaError_t status = prepare_summands(p);
    return status == cudaSuccess && p->n > best.n ? sweep(p) : status;
}

static cudaError_t call_best(const struct timed_problem *p)
{
    return run_launch(best.launch, p);
}

const struct speed_test choice_speed = {
    .limit = LIMIT_LESSON,
    .limit_call = call_best,
    .limit_label = "best of 24 launches",
    .gate = 0.80,
    .baseline_name = "a warp an SM",
    .array_count = three_arrays,
    .outputs = 1u << TIMED_SUM,
    .bytes = bytes_of_all,
    .size_for = thirds_in,
    .prepare = prepare_choice,
    .call = call_choice,
    .verify = verify_sums,
};

/* A matrix of n rows, and a little wider than high. */
enum { WIDER = 192, ROWS_STEP = 64 };

static size_t matrix_twice(size_t n, int k)
{
    return k < 2 ? n * (n + WIDER) : 0;
}

static size_t rows_in(size_t bytes)
{
    size_t n = (size_t)sqrt((double)bytes / (2 * sizeof(float)));

    while (n > 0 && (n % ROWS_STEP != 0 || 2 * matrix_twice(n, 0) * sizeof(float) > bytes))
        n--;
    return n;
}

static cudaError_t prepare_first(struct timed_problem *p)
{
    return prepare_input(p, 0);
}

static cudaError_t call_transpose(void *function, const struct timed_problem *p)
{
    return ((transpose_function)function)(
        p->arrays[0], p->arrays[1], (struct matrix_shape){p->n, p->n + WIDER}, 0);
}

static bool verify_transpose(const struct timed_problem *p, char *text, size_t bytes)
{
    const struct filled in = filling(p, 0);
    size_t different = 0, first = 0;
    const cudaError_t status =
        device_count_untransposed(p->arrays[1], p->n, p->n + WIDER, &in, &different, &first);
    return nothing_differs(status, different, first, text, bytes);
}

const struct speed_test transpose_speed = {
    .limit = LIMIT_COPY,
    .gate = 0.55,
    .baseline_name = "without a tile",
    .array_count = matrix_twice,
    .outputs = 1u << 1,
    .bytes = bytes_of_all,
    .size_for = rows_in,
    .prepare = prepare_first,
    .call = call_transpose,
    .verify = verify_transpose,
};

/* Both arrays miss a boundary by one float, so that there is a head, a body and a tail. */
enum { SHIFT = 1, BOTH_ENDS = 2 };

static size_t two_arrays(size_t n, int k)
{
    return k < 2 ? n : 0;
}

static size_t halves_in(size_t bytes)
{
    const size_t n = bytes / (2 * sizeof(float));
    return n > BOTH_ENDS ? n : 0;
}

static cudaError_t call_copy(void *function, const struct timed_problem *p)
{
    return ((copy_function)function)(
        (const float *)p->arrays[0] + SHIFT, (float *)p->arrays[1] + SHIFT, p->n - BOTH_ENDS, 0);
}

static bool verify_copy(const struct timed_problem *p, char *text, size_t bytes)
{
    size_t different = 0, first = 0;
    const cudaError_t status = device_count_differences((const uint32_t *)p->arrays[1] + SHIFT,
        (const uint32_t *)p->arrays[0] + SHIFT, p->n - BOTH_ENDS, &different, &first);
    return nothing_differs(status, different, first, text, bytes);
}

const struct speed_test copy_speed = {
    .limit = LIMIT_COPY,
    .gate = 0.81,
    .baseline_name = "a float a thread",
    .array_count = two_arrays,
    .outputs = 1u << 1,
    .bytes = bytes_of_all,
    .size_for = halves_in,
    .prepare = prepare_first,
    .call = call_copy,
    .verify = verify_copy,
};
