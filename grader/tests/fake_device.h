/* A device for measure_test.c: its memory is host memory, its clock moves when it is told to.
 * Defines what the measuring code asks of CUDA, of device.h, device_work.h, device_load.h and of
 * ledger.h, and a sampling plan with the real rules on small arrays. Included by one test. */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "../device.h"
#include "../device_load.h"
#include "../device_work.h"
#include "../gpu_lock.h"
#include "../ledger.h"
#include "../mix.h"
#include "../sampling_plan.h"

#define FAKE_GB_S 1.0 /* of the limits: bytes a nanosecond */
#define FAKE_IDLE_NS 8000.0

static struct {
    double now_ns, idle_factor;
    size_t free_bytes, l2_bytes;
    uint64_t allocation_ns; /* of each recording */
    size_t blocks, pinned_blocks, managed_blocks, ledgers_open, ledgers, flushes, locks, locks_held,
        persisting_resets, slow_limit_runs;
    bool on_host, advised; /* of the managed memory that was prefetched, or advised for, last */
    bool restricted;       /* concurrentManagedAccess is 0 */
    char order[4096];      /* B, C, L: who ran */
    cudaError_t last_error, synchronise;
    size_t calls_before; /* of the plan */
} fake;

static void fake_reset(void)
{
    memset(&fake, 0, sizeof fake);
    fake.now_ns = 1e9;
    fake.idle_factor = 1.0;
    fake.free_bytes = (size_t)64 << 20;
    fake.l2_bytes = 64 << 10;
}

static void fake_passes(double ns)
{
    fake.now_ns += ns;
}

static void fake_runs(char who)
{
    size_t length = strlen(fake.order);
    cr_assert(length + 1 < sizeof fake.order);
    fake.order[length] = who;
}

uint64_t device_now_ns(void)
{
    return (uint64_t)fake.now_ns;
}

struct device_facts device_ask(void)
{
    return (struct device_facts){.usable = true};
}

size_t device_l2_bytes(void)
{
    return fake.l2_bytes;
}

size_t device_free_bytes(void)
{
    return fake.free_bytes;
}

/* The plan of the GPU with smaller arrays. */
struct sampling_plan sampling_plan_for(bool virtual_gpu)
{
    (void)virtual_gpu;
    return (struct sampling_plan){.calls_before = fake.calls_before,
        .working_set_bytes = 128 << 10,
        .l2_multiple = 4,
        .limit_ns_min = 600000,
        .sweep_calls = 4,
        .sweep_bytes_max = SIZE_MAX,
        .link_set_bytes = 96 << 10,
        .compute_set_bytes = 512 << 10,
        .probe_bytes = 4 << 10,
        .baseline_ns_max = 8000000,
        .candidate_ns_max = 150000000,
        .call_ns_max = 500000000,
        .early_pairs = 7,
        .pairs = 21,
        .more_pairs = 63,
        .attempts = 3,
        .sampling_ns_max = 1500000000,
        .warm_up_ns_max = 100000000,
        .quieten = true};
}

int gpu_lock(const char *gpu, uint64_t patience_ns, char *note, size_t note_bytes)
{
    (void)gpu, (void)patience_ns, (void)note, (void)note_bytes;
    fake.locks++;
    fake.locks_held++;
    return 0;
}

void gpu_unlock(int lock)
{
    fake.locks_held -= lock == 0;
}

/* ---- CUDA ------------------------------------------------------------------------------------ */

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    *pointer = malloc(bytes);
    fake.blocks++;
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *pointer)
{
    fake.blocks -= pointer != NULL;
    free(pointer);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    fake.pinned_blocks++;
    return cudaMalloc(pointer, bytes);
}

cudaError_t cudaFreeHost(void *pointer)
{
    fake.pinned_blocks -= pointer != NULL;
    return cudaFree(pointer);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    fake.managed_blocks++;
    return cudaMalloc(pointer, bytes);
}

/* Of managed memory, whose place is all that matters here. */
#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation place,
    unsigned flags, cudaStream_t stream)
{
    (void)pointer, (void)bytes, (void)flags, (void)stream;
    fake.on_host = place.type == cudaMemLocationTypeHost;
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation place)
#else
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int place, cudaStream_t stream)
{
    (void)pointer, (void)bytes, (void)stream;
    fake.on_host = place == cudaCpuDeviceId;
    return cudaSuccess;
}

cudaError_t cudaMemAdvise(
    const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int place)
#endif
{
    (void)pointer, (void)bytes, (void)place;
    fake.advised = advice == cudaMemAdviseSetReadMostly;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(
    void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    fake_runs('L');
    fake_passes((double)bytes / FAKE_GB_S);
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t status = fake.synchronise;
    fake.synchronise = cudaSuccess;
    return status;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t status = fake.last_error;
    fake.last_error = cudaSuccess;
    return status;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int device)
{
    (void)device;
    *value = which == cudaDevAttrMaxPersistingL2CacheSize ||
             (which == cudaDevAttrConcurrentManagedAccess && !fake.restricted);
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    return limit == cudaLimitPersistingL2CacheSize && value == 0 ? cudaSuccess : cudaErrorUnknown;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    fake.persisting_resets++;
    return cudaSuccess;
}

void ledger_open(void)
{
    fake.ledgers_open++;
    fake.ledgers++;
}

struct ledger ledger_close(void)
{
    fake.ledgers_open--;
    return (struct ledger){.allocation_ns = fake.allocation_ns};
}

/* ---- the grader's kernels -------------------------------------------------------------------- */

cudaError_t device_fill_words(uint32_t *words, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        words[i] = word;
    return cudaSuccess;
}

cudaError_t device_fill_ints(int32_t *values, size_t count, int low, int high, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = mixed_integer(seed, i, low, high);
    return cudaSuccess;
}

cudaError_t device_count_other_words(
    const uint32_t *words, size_t count, uint32_t word, size_t *different, size_t *first)
{
    *different = 0;
    *first = SIZE_MAX;
    for (size_t i = count; i-- > 0;)
        if (words[i] != word) {
            ++*different;
            *first = i;
        }
    return cudaSuccess;
}

cudaError_t device_checksum(const uint32_t *words, size_t count, uint64_t *checksum)
{
    *checksum = 0;
    for (size_t i = 0; i < count; i++)
        *checksum += mixed_bits(words[i], i);
    return cudaSuccess;
}

/* Two shapes, of which the second is the faster. */
size_t device_limit_shapes(void)
{
    return 2;
}

static cudaError_t fake_limit(size_t shape, void *memory, size_t bytes)
{
    (void)memory;
    fake_runs('L');
    fake.slow_limit_runs += shape == 0;
    fake_passes((double)bytes / FAKE_GB_S * (shape == 1 ? 1.0 : 2.0));
    return cudaSuccess;
}

cudaError_t device_limit_copy(size_t shape, void *memory, size_t bytes)
{
    return fake_limit(shape, memory, bytes);
}

cudaError_t device_limit_add(size_t shape, void *memory, size_t bytes)
{
    return fake_limit(shape, memory, bytes);
}

cudaError_t device_limit_read(size_t shape, void *memory, size_t bytes)
{
    return fake_limit(shape, memory, bytes);
}

cudaError_t device_flush_l2(void)
{
    fake.flushes++;
    return cudaSuccess;
}

cudaError_t device_empty_launch(void)
{
    fake_passes(FAKE_IDLE_NS * fake.idle_factor);
    return cudaSuccess;
}

#endif
