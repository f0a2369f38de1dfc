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

/* One piece of queued work: a copy, or a function of the host. */
struct queued_work {
    void *to;
    const void *from;
    size_t bytes;
    cudaHostFn_t function;
    void *data;
};

/* The stream that the trial makes, and all others: these run only when the device is waited for. */
enum { THE_STREAM, ELSEWHERE, QUEUES, QUEUED_MAX = 32 };

static struct {
    cudaError_t last_error, synchronise, allocate;
    struct ledger ledger; /* what the next ledger_close() returns */
    int ledgers_open;
    int alive; /* allocations */
    char message[100];
    struct queued_work queue[QUEUES][QUEUED_MAX];
    size_t queued[QUEUES];
    int streams; /* alive */
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

static inline void queue_work(int queue, struct queued_work work)
{
    if (device.queued[queue] == QUEUED_MAX)
        abort();
    device.queue[queue][device.queued[queue]++] = work;
}

static inline void run_queue(int queue)
{
    for (size_t i = 0; i < device.queued[queue]; i++) {
        const struct queued_work *work = &device.queue[queue][i];
        if (work->function)
            work->function(work->data);
        else
            memcpy(work->to, work->from, work->bytes);
    }
    device.queued[queue] = 0;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    *stream = (cudaStream_t)&device.queue[THE_STREAM];
    device.streams++;
    return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    device.streams -= stream != NULL;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream)
        run_queue(THE_STREAM);
    return device.synchronise;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    queue_work(
        stream ? THE_STREAM : ELSEWHERE, (struct queued_work){.function = function, .data = data});
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(
    void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)kind;
    queue_work(stream ? THE_STREAM : ELSEWHERE,
        (struct queued_work){.to = to, .from = from, .bytes = bytes});
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    run_queue(ELSEWHERE);
    run_queue(THE_STREAM);
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
