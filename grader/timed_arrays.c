/* Memory for timing. Each array lies between two guard zones:
 *
 *     | guard zone | elements | guard zone |
 */
#include "timed_arrays.h"

#include <stdio.h>
#include <string.h>

#include "array.h"
#include "device_work.h"

enum { GUARD_BYTES = 64 * 1024, GUARD_WORDS = GUARD_BYTES / ELEMENT_BYTES };

static bool is_kept(const struct speed_test *test, int k)
{
    return test->kept >> k & 1;
}

static bool is_output(const struct speed_test *test, int k)
{
    return test->outputs >> k & 1;
}

static bool is_updated(const struct speed_test *test, int k)
{
    return test->updated >> k & 1;
}

static bool is_input(const struct speed_test *test, int k)
{
    return !is_kept(test, k) && !is_output(test, k) && !is_updated(test, k);
}

static size_t allocation_bytes(size_t count)
{
    return count * ELEMENT_BYTES + 2 * GUARD_BYTES;
}

static void *elements(void *allocation)
{
    return (char *)allocation + GUARD_BYTES;
}

size_t timed_arrays_bytes(const struct speed_test *test, size_t n)
{
    size_t bytes = 0, count;

    for (int k = 0; k < TIMED_ARRAYS_MAX && (count = test->array_count(n, k)) > 0; k++)
        bytes += allocation_bytes(count) * (is_kept(test, k) ? PARTIES : 1);
    return bytes;
}

static cudaError_t allocate(enum residence residence, size_t count, void **allocation)
{
    cudaError_t status = residence_allocate(residence, allocation_bytes(count), allocation);
    if (status == cudaSuccess)
        status = device_fill_words(*allocation, GUARD_WORDS, POISON_WORD);
    if (status == cudaSuccess)
        status = device_fill_words(elements(*allocation), count, 0);
    if (status == cudaSuccess)
        status =
            device_fill_words((uint32_t *)elements(*allocation) + count, GUARD_WORDS, POISON_WORD);
    return status;
}

cudaError_t timed_arrays_open(struct timed_arrays *set, const struct speed_test *test, size_t n)
{
    cudaError_t status = cudaSuccess;

    *set = (struct timed_arrays){.test = test};
    for (int k = 0; k < TIMED_ARRAYS_MAX && status == cudaSuccess; k++) {
        set->capacity[k] = test->array_count(n, k);
        if (set->capacity[k] == 0)
            break;
        status =
            allocate(test->residence[k], set->capacity[k], &set->allocations[PARTY_BASELINE][k]);
        set->allocations[PARTY_CANDIDATE][k] = set->allocations[PARTY_BASELINE][k];
        if (status == cudaSuccess && is_kept(test, k))
            status = allocate(
                test->residence[k], set->capacity[k], &set->allocations[PARTY_CANDIDATE][k]);
    }
    if (status != cudaSuccess)
        timed_arrays_close(set);
    return status;
}

void timed_arrays_close(struct timed_arrays *set)
{
    for (int k = 0; k < TIMED_ARRAYS_MAX && set->capacity[k] > 0; k++) {
        const enum residence residence = set->test->residence[k];
        if (set->allocations[PARTY_CANDIDATE][k] != set->allocations[PARTY_BASELINE][k])
            residence_free(residence, set->allocations[PARTY_CANDIDATE][k]);
        residence_free(residence, set->allocations[PARTY_BASELINE][k]);
    }
    *set = (struct timed_arrays){0};
}

cudaError_t timed_arrays_prepare(struct timed_arrays *set, enum timed_party party, size_t n,
    uint64_t seed, struct timed_problem *problem)
{
    const struct speed_test *test = set->test;

    *problem = (struct timed_problem){.n = n, .seed = seed};
    for (int k = 0; k < TIMED_ARRAYS_MAX && set->capacity[k] > 0; k++) {
        problem->arrays[k] = elements(set->allocations[party][k]);
        problem->counts[k] = test->array_count(n, k);
        if (problem->counts[k] > set->capacity[k])
            return cudaErrorInvalidValue;
    }
    cudaError_t status = test->prepare(problem);
    for (int k = 0; k < TIMED_ARRAYS_MAX && status == cudaSuccess; k++) {
        if (is_output(test, k))
            status = device_fill_words(problem->arrays[k], problem->counts[k], POISON_WORD);
        else if (is_input(test, k))
            status = device_checksum(problem->arrays[k], problem->counts[k], &set->checksums[k]);
    }
    return status;
}

static bool may_be_poisoned(const struct speed_test *test, int k)
{
    return !is_kept(test, k) && (!is_input(test, k) || test->residence[k] == ON_DEVICE);
}

cudaError_t timed_arrays_poison(const struct timed_arrays *set)
{
    cudaError_t status = cudaSuccess;

    for (int k = 0; k < TIMED_ARRAYS_MAX && set->capacity[k] > 0 && status == cudaSuccess; k++)
        if (may_be_poisoned(set->test, k))
            status = device_fill_words(
                elements(set->allocations[PARTY_CANDIDATE][k]), set->capacity[k], POISON_WORD);
    return status;
}

cudaError_t timed_arrays_restore(const struct timed_arrays *set, enum timed_party party)
{
    cudaError_t status = cudaSuccess;

    for (int k = 0; k < TIMED_ARRAYS_MAX && set->capacity[k] > 0 && status == cudaSuccess; k++)
        status = residence_restore(set->test->residence[k], set->allocations[party][k],
            allocation_bytes(set->capacity[k]));
    return status;
}

static cudaError_t inspect_zone(
    const uint32_t *zone, const char *side, int k, enum damage *damage, char *text, size_t bytes)
{
    size_t different, first;
    cudaError_t status =
        device_count_other_words(zone, GUARD_WORDS, POISON_WORD, &different, &first);

    if (status != cudaSuccess || different == 0)
        return status;
    *damage = GUARD_ZONE_WRITTEN;
    snprintf(text, bytes, "at full size, %zu word%s written %s array %d of the call", different,
        different == 1 ? "" : "s", side, k);
    return cudaSuccess;
}

static cudaError_t inspect_array(const struct timed_arrays *set,
    const struct timed_problem *problem, int k, enum damage *damage, char *text, size_t text_bytes)
{
    const uint32_t *words = problem->arrays[k];
    uint64_t checksum;

    cudaError_t status = inspect_zone(words - GUARD_WORDS, "before", k, damage, text, text_bytes);
    if (status == cudaSuccess && *damage == NO_DAMAGE)
        status =
            inspect_zone(words + set->capacity[k], "past the end of", k, damage, text, text_bytes);
    if (status != cudaSuccess || *damage != NO_DAMAGE || !is_input(set->test, k))
        return status;
    status = device_checksum(words, problem->counts[k], &checksum);
    if (status == cudaSuccess && checksum != set->checksums[k]) {
        *damage = INPUT_WRITTEN;
        snprintf(text, text_bytes, "at full size, array %d of the call, an input, was changed", k);
    }
    return status;
}

cudaError_t timed_arrays_inspect(const struct timed_arrays *set,
    const struct timed_problem *problem, enum damage *damage, char *text, size_t text_bytes)
{
    cudaError_t status = cudaSuccess;

    *damage = NO_DAMAGE;
    for (int k = 0; k < TIMED_ARRAYS_MAX && set->capacity[k] > 0; k++) {
        status = inspect_array(set, problem, k, damage, text, text_bytes);
        if (status != cudaSuccess || *damage != NO_DAMAGE)
            break;
    }
    return status;
}
