/* A device for trial_test.c: its memory is host memory, its kernels are functions of the test, its
 * errors are set by hand. Defines what trial.c, trial_call.c and guarded.c ask of CUDA, of
 * device_work.h, of ledger.h and of channel.h. Included by one test. */
#ifndef HOST_DEVICE_H
#define HOST_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../channel.h"
#include "../device_work.h"
#include "../ledger.h"
#include "../mix.h"

static struct {
    cudaError_t last_error, synchronise, allocate;
    struct ledger ledger; /* what the next ledger_close() returns */
    int ledgers_open;
    int alive; /* allocations */
    char message[100];
} device;

static inline cudaError_t take_last_error(void)
{
    const cudaError_t status = device.last_error;
    device.last_error = cudaSuccess;
    return status;
}

cudaError_t cudaGetLastError(void)
{
    return take_last_error();
}

cudaError_t cudaDeviceSynchronize(void)
{
    return device.synchronise;
}

const char *cudaGetErrorName(cudaError_t status)
{
    return status == cudaSuccess                 ? "cudaSuccess"
           : status == cudaErrorIllegalAddress   ? "cudaErrorIllegalAddress"
           : status == cudaErrorInvalidValue     ? "cudaErrorInvalidValue"
           : status == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
                                                 : "cudaErrorOther";
}

const char *cudaGetErrorString(cudaError_t status)
{
    (void)status;
    return "as CUDA puts it";
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    if (device.allocate != cudaSuccess)
        return device.allocate;
    *pointer = malloc(bytes);
    device.alive++;
    return cudaSuccess;
}

cudaError_t cudaFree(void *pointer)
{
    device.alive -= pointer != NULL;
    free(pointer);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return device.synchronise;
}

cudaError_t device_fill_words(uint32_t *words, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        words[i] = word;
    return cudaSuccess;
}

cudaError_t device_count_other_words(
    const uint32_t *words, size_t count, uint32_t word, size_t *different, size_t *first)
{
    *different = 0;
    *first = SIZE_MAX;
    for (size_t i = count; i-- > 0;)
        if (words[i] != word) {
            *first = i;
            ++*different;
        }
    return cudaSuccess;
}

cudaError_t device_checksum(const uint32_t *words, size_t count, uint64_t *checksum)
{
    *checksum = 0;
    for (size_t i = 0; i < count; i++)
        *checksum = mixed_bits(*checksum, words[i]);
    return cudaSuccess;
}

void ledger_open(void)
{
    device.ledgers_open++;
}

struct ledger ledger_close(void)
{
    device.ledgers_open--;
    return device.ledger;
}

void channel_guard(void)
{
}

void channel_send(enum message_kind kind, size_t task, const void *payload, size_t bytes)
{
    if (kind == MESSAGE_CASE && task == 0 && bytes <= sizeof device.message)
        memcpy(device.message, payload, bytes);
}

#endif
