/* See trial_stream.h. */
#include "trial_stream.h"

#include <stdint.h>
#include <time.h>

#include "device_work.h"
#include "guarded.h"
#include "trial_state.h"

/* Inputs that are all 0 are legal in every homework: who reads too early computes something wrong,
 * and touches nothing that is not his. */
enum { INPUT_JUNK = 0 };

/* Far longer than a candidate needs to queue its work, or a small kernel to run. */
enum { DELAY_MS = 4 };

cudaStream_t trial_stream(const struct trial *trial)
{
    return trial->stream;
}

/* ---- the delay ------------------------------------------------------------------------------ */

/* The host sleeps, not a kernel: even a launch that needs the whole device begins at once, if it is
 * in another stream. */
static void CUDART_CB sleep_for(void *ms)
{
    const long ns_each = 1000 * 1000;
    const struct timespec time = {.tv_nsec = (long)(uintptr_t)ms * ns_each};

    nanosleep(&time, NULL);
}

/* The virtual GPU begins nothing before it has to. */
cudaError_t trial_delay(cudaStream_t stream, unsigned times)
{
    if (device_is_virtual())
        return cudaSuccess;
    return cudaLaunchHostFunc(stream, sleep_for, (void *)(uintptr_t)(times * DELAY_MS));
}

/* ---- the life of the stream ----------------------------------------------------------------- */

cudaError_t stream_open(struct trial *trial)
{
    return cudaStreamCreateWithFlags(&trial->stream, cudaStreamNonBlocking);
}

void stream_close(struct trial *trial)
{
    if (!trial->stream)
        return;
    cudaStreamDestroy(trial->stream);
    trial->stream = NULL;
    for (size_t i = 0; i < TRIAL_ARRAYS_MAX; i++) {
        cudaFree(trial->queued[i]);
        trial->queued[i] = NULL;
    }
}

/* ---- around a call -------------------------------------------------------------------------- */

static bool is_queued(const struct array *array)
{
    return !array->on_host && !array->is_scratch && array->count > 0;
}

static size_t bytes_of(const struct array *array)
{
    return array->count * ELEMENT_BYTES;
}

/* An output holds its junk now, too, and gets it again: the stream may still write there. */
static cudaError_t set_aside(const struct array *array, void **contents)
{
    cudaError_t status = cudaSuccess;

    if (!*contents)
        status = cudaMalloc(contents, bytes_of(array));
    if (status == cudaSuccess)
        status = cudaMemcpy(*contents, array->device, bytes_of(array), cudaMemcpyDefault);
    if (status == cudaSuccess && !array->is_output)
        status = device_fill_words(array->device, array->count, INPUT_JUNK);
    return status;
}

cudaError_t stream_give(struct trial *trial)
{
    const cudaStream_t stream = trial->stream;
    cudaError_t status = cudaSuccess;

    for (size_t i = 0; i < trial->array_count && status == cudaSuccess; i++)
        if (is_queued(&trial->arrays[i]))
            status = set_aside(&trial->arrays[i], &trial->queued[i]);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = trial_delay(stream, 1);
    for (size_t i = 0; i < trial->array_count && status == cudaSuccess; i++) {
        const struct array *array = &trial->arrays[i];
        if (is_queued(array))
            status = cudaMemcpyAsync(
                array->device, trial->queued[i], bytes_of(array), cudaMemcpyDefault, stream);
    }
    return status;
}

cudaError_t stream_fetch(struct trial *trial)
{
    cudaError_t status = cudaSuccess;

    for (size_t i = 0; i < trial->array_count && status == cudaSuccess; i++) {
        const struct array *array = &trial->arrays[i];
        if (!is_queued(array) || !array->is_output)
            continue;
        status = cudaMemcpyAsync(
            array->host, array->device, bytes_of(array), cudaMemcpyDefault, trial->stream);
        trial->ledger.paused_bytes_to_host += bytes_of(array);
    }
    return status == cudaSuccess ? cudaStreamSynchronize(trial->stream) : status;
}
