/* The speed of hw1.1. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checks.h"
#include "grader/device_load.h"
#include "grader/device_work.h"

enum { TIMED_A, TIMED_B, TIMED_SUM, TIMED_ARRAYS, TIMED_THREADS = 256 };

static size_t timed_count(size_t n, int k)
{
    return k < TIMED_ARRAYS ? n : 0;
}

static size_t timed_bytes(const struct timed_problem *problem)
{
    return TIMED_ARRAYS * problem->n * sizeof(float);
}

static size_t timed_size(size_t bytes)
{
    return bytes / (TIMED_ARRAYS * sizeof(float));
}

static cudaError_t timed_prepare(struct timed_problem *problem)
{
    cudaError_t status = cudaSuccess;

    for (int k = TIMED_A; k <= TIMED_B && status == cudaSuccess; k++)
        status = device_fill_integers(
            problem->arrays[k], problem->n, LOW, HIGH, mix(problem->seed, (uint64_t)k));
    return status;
}

static cudaError_t timed_call(void *function, const struct timed_problem *problem)
{
    return ((vector_add_function)function)(problem->arrays[TIMED_A], problem->arrays[TIMED_B],
        problem->arrays[TIMED_SUM], (struct span){0, problem->n}, TIMED_THREADS, 0);
}

/* Elements that are verified at a time: whole 256-byte lines, which device_limit_add wants. */
enum { CHUNK = 1 << 20 };

/* Wrong sums among `count` elements from `start` on, and the first of them. `thirds` gets a copy of
 * both inputs, and their sum as the grader adds them. */
static cudaError_t count_wrong_sums(const struct timed_problem *problem, size_t start, size_t count,
    float *thirds, size_t *wrong, size_t *first)
{
    const float *a = problem->arrays[TIMED_A], *b = problem->arrays[TIMED_B];
    const float *sum = problem->arrays[TIMED_SUM];
    const size_t bytes = count * sizeof(float);

    cudaError_t status = cudaMemcpy(thirds, a + start, bytes, cudaMemcpyDeviceToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(thirds + CHUNK, b + start, bytes, cudaMemcpyDeviceToDevice);
    if (status == cudaSuccess)
        status = device_limit_add(0, thirds, 3 * CHUNK * sizeof(float));
    if (status == cudaSuccess)
        status = device_count_differences((const uint32_t *)(sum + start),
            (const uint32_t *)(thirds + 2 * CHUNK), count, wrong, first);
    return status;
}

/* Stops at the first chunk that holds a wrong sum. Nothing that a later call could copy stays. */
static bool timed_verify(const struct timed_problem *problem, char *text, size_t text_bytes)
{
    float *thirds = NULL;
    size_t wrong = 0, first = 0, start = 0;

    cudaError_t status = cudaMalloc((void **)&thirds, 3 * CHUNK * sizeof(float));
    for (; start < problem->n && status == cudaSuccess && wrong == 0; start += CHUNK) {
        const size_t left = problem->n - start;
        status =
            count_wrong_sums(problem, start, left < CHUNK ? left : CHUNK, thirds, &wrong, &first);
    }
    if (thirds)
        (void)device_fill_words((uint32_t *)thirds, 3 * CHUNK, 0);
    cudaFree(thirds);
    if (status != cudaSuccess)
        snprintf(text, text_bytes, "%s while the sums were verified", cudaGetErrorName(status));
    else if (wrong > 0)
        snprintf(text, text_bytes, "at full size, n = %zu, the sum at index %zu is wrong",
            problem->n, start - CHUNK + first);
    return status == cudaSuccess && wrong == 0;
}

const struct speed_test add_speed = {
    .limit = LIMIT_ADD,
    .gate = 0.5,
    .baseline_name = "one stretch a thread",
    .array_count = timed_count,
    .outputs = 1u << TIMED_SUM,
    .bytes = timed_bytes,
    .size_for = timed_size,
    .prepare = timed_prepare,
    .call = timed_call,
    .verify = timed_verify,
};
