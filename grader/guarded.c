/* Guarded memory on the device and on the host. */
#include "guarded.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "device_work.h"
#include "inputs.h"
#include "settings.h"
#include "text.h"
#include "virtual_calls.h"

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, n)

/* A grid of whole blocks overshoots by at most 1,023 threads; a wrong one by far more. */
enum { DEVICE_ZONE_BYTES = 1 << 20, HOST_ZONE_BYTES = 1 << 16, HOST_ALIGNMENT = 256 };

bool device_is_virtual(void)
{
    return virtual_calls()->now_ns != NULL;
}

/* The virtual GPU and compute-sanitizer see every access outside an allocation, if no zone hides it. */
static bool watched_by_a_tool(void)
{
    const char *mode = setting("MODE");
    return device_is_virtual() || (mode && strcmp(mode, "direct") == 0);
}

static size_t zone_words(const struct array *array)
{
    if (array->on_host)
        return HOST_ZONE_BYTES / ELEMENT_BYTES;
    return watched_by_a_tool() ? 0 : DEVICE_ZONE_BYTES / ELEMENT_BYTES;
}

static size_t array_bytes(const struct array *array)
{
    return array->count * ELEMENT_BYTES;
}

static uint32_t *given_words(const struct array *array)
{
    return array->given;
}

/* ---- the same four actions on both sides ---------------------------------------------------- */

static cudaError_t fill(const struct array *array, uint32_t *words, size_t count, uint32_t word)
{
    if (!array->on_host)
        return count == 0 ? cudaSuccess : device_fill_words(words, count, word);
    for (size_t i = 0; i < count; i++)
        words[i] = word;
    return cudaSuccess;
}

static cudaError_t copy(const struct array *array, void *to, const void *from)
{
    if (array->count == 0)
        return cudaSuccess;
    if (!array->on_host)
        return cudaMemcpy(to, from, array_bytes(array), cudaMemcpyDefault);
    memcpy(to, from, array_bytes(array));
    return cudaSuccess;
}

static cudaError_t checksum(const struct array *array, uint64_t *sum)
{
    *sum = 0;
    if (array->count == 0)
        return cudaSuccess;
    if (!array->on_host)
        return device_checksum(array->device, array->count, sum);
    for (size_t i = 0; i < array->count; i++)
        *sum = mix(*sum, given_words(array)[i]);
    return cudaSuccess;
}

static cudaError_t count_others(
    const struct array *array, const uint32_t *zone, size_t count, size_t *different, size_t *first)
{
    *different = 0;
    *first = SIZE_MAX;
    if (count == 0)
        return cudaSuccess;
    if (!array->on_host)
        return device_count_other_words(zone, count, GUARD_WORD, different, first);
    for (size_t i = count; i-- > 0;)
        if (zone[i] != GUARD_WORD) {
            *first = i;
            ++*different;
        }
    return cudaSuccess;
}

/* ---- the life of an array ------------------------------------------------------------------- */

static cudaError_t allocate_given(struct array *array)
{
    const size_t zone_bytes = zone_words(array) * ELEMENT_BYTES;
    size_t bytes = 2 * zone_bytes + array_bytes(array);
    cudaError_t status = cudaSuccess;

    bytes += bytes == 0; /* cudaMalloc of nothing gives NULL, which is no legal argument */
    if (array->on_host) {
        bytes = (bytes + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT;
        array->allocation = aligned_alloc(HOST_ALIGNMENT, bytes);
        status = array->allocation ? cudaSuccess : cudaErrorMemoryAllocation;
    } else {
        status = cudaMalloc(&array->allocation, bytes);
    }
    if (status == cudaSuccess)
        array->given = (char *)array->allocation + zone_bytes;
    return status;
}

/* So that a finding of the virtual GPU can say which array it is about. */
static void name_allocation(const struct array *array)
{
    char name[80];

    if (!virtual_calls()->name || array->on_host || !array->name)
        return;
    snprintf(name, sizeof name, "array `%.60s`", array->name);
    virtual_calls()->name(array->allocation, name);
}

static cudaError_t fill_zones(const struct array *array)
{
    const size_t zone = zone_words(array);
    cudaError_t status = fill(array, given_words(array) - zone, zone, GUARD_WORD);

    if (status == cudaSuccess)
        status = fill(array, given_words(array) + array->count, zone, GUARD_WORD);
    return status;
}

cudaError_t guarded_open(struct array *array)
{
    array->host = malloc(array_bytes(array) + ELEMENT_BYTES);
    if (!array->host)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < array->count; i++)
        array->words[i] = array->is_output ? POISON_WORD : 0;
    cudaError_t status = allocate_given(array);
    if (status == cudaSuccess)
        name_allocation(array);
    if (status == cudaSuccess)
        status = fill_zones(array);
    if (status == cudaSuccess && array->is_scratch)
        status = fill(array, array->given, array->count, 0);
    return status;
}

void guarded_close(struct array *array)
{
    free(array->host);
    if (array->on_host)
        free(array->allocation);
    else if (array->allocation)
        cudaFree(array->allocation);
    *array = (struct array){0};
}

cudaError_t guarded_give(struct array *array)
{
    if (array->is_scratch)
        return cudaSuccess;
    if (array->is_output)
        return fill(array, array->given, array->count, POISON_WORD);
    cudaError_t status = copy(array, array->given, array->host);
    if (status == cudaSuccess)
        status = checksum(array, &array->checksum);
    return status;
}

cudaError_t guarded_fetch(struct array *array)
{
    if (array->is_output)
        return copy(array, array->host, array->given);
    /* Nobody compares what is in scratch memory, but it must still be there. */
    if (array->is_scratch && array->count > 0)
        return cudaMemcpy(array->host, array->device, ELEMENT_BYTES, cudaMemcpyDeviceToHost);
    return cudaSuccess;
}

/* ---- damage --------------------------------------------------------------------------------- */

static cudaError_t inspect_zone(const struct array *array, bool before, struct damage *damage)
{
    const size_t zone = zone_words(array);
    const uint32_t *words = before ? given_words(array) - zone : given_words(array) + array->count;
    size_t different, first;
    const cudaError_t status = count_others(array, words, zone, &different, &first);

    if (status != cudaSuccess || different == 0)
        return status;
    damage->diagnosis = "guard-zone";
    if (before)
        snprintf(damage->text, sizeof damage->text,
            "%s: written before its start, %s element%s, the furthest %s before index 0",
            array->name, COUNT(different), different == 1 ? "" : "s", COUNT(zone - first));
    else
        snprintf(damage->text, sizeof damage->text,
            "%s: written past its end, %s element%s, the first at index %s of an array of %s",
            array->name, COUNT(different), different == 1 ? "" : "s", COUNT(array->count + first),
            COUNT(array->count));
    return cudaSuccess;
}

/* Only the checksum was compared so far: the contents tell which element it is. */
static void describe_modified(const struct array *array, struct damage *damage)
{
    struct array now = *array;
    char before[40], after[40];

    now.host = malloc(array_bytes(array));
    snprintf(damage->text, sizeof damage->text, "%s is an input, and was changed", array->name);
    if (now.host && copy(array, now.host, array->given) == cudaSuccess)
        for (size_t i = 0; i < array->count; i++)
            if (now.words[i] != array->words[i]) {
                describe_value(array, i, 9, before, sizeof before);
                describe_value(&now, i, 9, after, sizeof after);
                snprintf(damage->text, sizeof damage->text,
                    "%s is an input, and was changed: index %s from %s to %s", array->name,
                    COUNT(i), before, after);
                break;
            }
    free(now.host);
}

static cudaError_t inspect_contents(const struct array *array, struct damage *damage)
{
    uint64_t now;

    if (array->is_output || array->is_scratch)
        return cudaSuccess;
    const cudaError_t status = checksum(array, &now);
    if (status != cudaSuccess || now == array->checksum)
        return status;
    damage->diagnosis = "input-modified";
    describe_modified(array, damage);
    return cudaSuccess;
}

cudaError_t guarded_inspect(struct array *array, struct damage *damage)
{
    damage->diagnosis = NULL;
    cudaError_t status = inspect_zone(array, true, damage);
    if (status == cudaSuccess && !damage->diagnosis)
        status = inspect_zone(array, false, damage);
    if (status == cudaSuccess && damage->diagnosis)
        return fill_zones(array);
    return status == cudaSuccess ? inspect_contents(array, damage) : status;
}
