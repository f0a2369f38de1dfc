/* One call of the candidate, and everything that is checked around it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "channel.h"
#include "cuda_failure.h"
#include "guarded.h"
#include "text.h"
#include "trial.h"
#include "trial_state.h"
#include "trial_stream.h"
#include "virtual_calls.h"
#include "virtual_findings.h"

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, n)

/* Inputs of a few kilobytes may be fetched for a reason; from here on it is the whole work. */
enum { HOST_WORK_BYTES = 4096 };

static bool given_host_arrays(const struct trial *trial)
{
    for (size_t i = 0; i < trial->array_count; i++)
        if (trial->arrays[i].on_host)
            return true;
    return false;
}

static bool given_device_arrays(const struct trial *trial)
{
    for (size_t i = 0; i < trial->array_count; i++)
        if (!trial->arrays[i].on_host)
            return true;
    return false;
}

/* A call that has nothing to do with the device needs none, not even the context. */
static bool uses_device(const struct trial *trial)
{
    const struct ledger *ledger = &trial->ledger;
    return given_device_arrays(trial) || ledger->smallest_request_bytes < SIZE_MAX ||
           ledger->launches > 0 || ledger->refused_launch.error != cudaSuccess ||
           ledger->bytes_to_device + ledger->bytes_to_host + ledger->bytes_on_device > 0 ||
           ledger->synchronisations > 0;
}

static void grader_fault(struct trial *trial, cudaError_t status, const char *doing)
{
    const struct cuda_failure failure =
        explain_cuda_error(status, &(struct ledger){0}, false, device_is_virtual());
    const bool unavailable = failure.verdict == CANNOT_GRADE;

    if (trial->calls > 0 && status != cudaErrorMemoryAllocation) {
        trial_fail(trial, CUDA_ERROR, "sticky-error",
            "%s (%s): the device does not work any more after your function ran",
            cudaGetErrorName(status), cudaGetErrorString(status));
        return;
    }
    trial_fail(trial, unavailable ? CANNOT_GRADE : GRADER_FAULT,
        unavailable ? failure.diagnosis : "grader-cuda", "%s (%s), while the grader %s",
        cudaGetErrorName(status), cudaGetErrorString(status), doing);
}

static void start_watching(void)
{
    virtual_findings_clear();
    ledger_open();
}

bool trial_before_call(struct trial *trial)
{
    cudaError_t status = cudaSuccess;

    if (!trial_healthy(trial))
        return false;
    for (size_t i = 0; i < trial->array_count && status == cudaSuccess; i++)
        status = guarded_give(&trial->arrays[i]);
    if (status == cudaSuccess && given_device_arrays(trial))
        status = cudaDeviceSynchronize();
    if (status == cudaSuccess && trial->stream)
        status = stream_give(trial);
    cudaGetLastError();
    if (status != cudaSuccess)
        grader_fault(trial, status, "prepared the arrays");
    else
        start_watching();
    return status == cudaSuccess;
}

/* ---- what the call returned ----------------------------------------------------------------- */

/* After an error that was reported properly the device still works. */
static cudaError_t device_still_works(void)
{
    void *memory = NULL;
    uint32_t word = 0;

    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMalloc(&memory, sizeof word);
    if (status == cudaSuccess)
        status = cudaMemcpy(memory, &word, sizeof word, cudaMemcpyHostToDevice);
    cudaFree(memory);
    return status;
}

/* A candidate may return any code: that nothing can be graded is believed only if the grader's own
 * call fails too, or the virtual GPU itself says that it lacks something. */
static bool confirmed_unavailable(cudaError_t status)
{
    return status == cudaErrorNotSupported ? virtual_finding_text("needs-gpu", NULL, 0)
                                           : device_still_works() != cudaSuccess;
}

static void cuda_error(struct trial *trial, cudaError_t status, const char *seen_by)
{
    struct cuda_failure failure =
        explain_cuda_error(status, &trial->ledger, given_host_arrays(trial), device_is_virtual());

    if (failure.verdict == CANNOT_GRADE && !confirmed_unavailable(status))
        failure = (struct cuda_failure){.verdict = CUDA_ERROR, .diagnosis = "cuda-error"};

    if (!trial_judge(trial, failure.verdict, failure.diagnosis))
        return;
    snprintf(trial->outcome->first, sizeof trial->outcome->first, "%s %s (%s)", seen_by,
        cudaGetErrorName(status), cudaGetErrorString(status));
    /* What was seen just before it says where. */
    snprintf(trial->outcome->cause, sizeof trial->outcome->cause, "%s",
        diagnosis_cause_at(failure.diagnosis, diagnosis_place(trial->outcome->safety_text),
            trial->task->diagnoses));
    /* The line of the endless kernel, if the virtual GPU has stopped it, says more than the error. */
    if (failure.verdict == TIMED_OUT)
        virtual_finding_text("hang", trial->outcome->first, sizeof trial->outcome->first);
    snprintf(trial->outcome->where, sizeof trial->outcome->where, "%s", failure.where);
}

/* The skeleton says so in its first call; later it is a case that the student left out. */
static void not_implemented(struct trial *trial)
{
    if (trial->calls == 1)
        trial_judge(trial, NOT_ATTEMPTED, "not-attempted");
    else
        trial_fail(trial, WRONG_ANSWER, "not-implemented-here",
            "it returned cudaErrorNotYetImplemented, after %s earlier call%s",
            COUNT(trial->calls - 1), trial->calls == 2 ? "" : "s");
}

/* Success, but the last error says otherwise: the launch was not checked, or another call. */
static void ignored_error(struct trial *trial, cudaError_t last)
{
    const struct cuda_failure failure =
        explain_cuda_error(last, &trial->ledger, given_host_arrays(trial), device_is_virtual());
    const bool refused = trial->ledger.refused_launch.error != cudaSuccess;

    if (failure.of_kernel) {
        cuda_error(trial, last, "it returned cudaSuccess, but cudaGetLastError() had");
        return;
    }
    if (!trial_judge(trial, CUDA_ERROR, refused ? "launch-error-ignored" : "call-error-ignored"))
        return;
    snprintf(trial->outcome->first, sizeof trial->outcome->first,
        "it returned cudaSuccess, but cudaGetLastError() had %s (%s)", cudaGetErrorName(last),
        cudaGetErrorString(last));
    snprintf(trial->outcome->where, sizeof trial->outcome->where, "%s", failure.where);
}

/* ---- what the call left behind -------------------------------------------------------------- */

/* What lies there now may have come too late. */
static bool fetched_by_stream(const struct trial *trial, const struct array *array)
{
    return trial->stream && array->is_output && !array->on_host;
}

static void inspect_arrays(struct trial *trial)
{
    struct damage damage;
    cudaError_t status = cudaSuccess;

    for (size_t i = 0; i < trial->array_count && status == cudaSuccess; i++) {
        status = guarded_inspect(&trial->arrays[i], &damage);
        if (status == cudaSuccess && damage.diagnosis)
            trial_finding(trial, MEMORY_ERROR, damage.diagnosis, "%s", damage.text);
        if (status == cudaSuccess && !fetched_by_stream(trial, &trial->arrays[i]))
            status = guarded_fetch(&trial->arrays[i]);
    }
    if (status != cudaSuccess)
        grader_fault(trial, status, "checked the arrays");
}

static void inspect_ledger(struct trial *trial, const char *diagnosis)
{
    const struct ledger *ledger = &trial->ledger;

    if (ledger->foreign_frees > 0)
        trial_finding(trial, MEMORY_ERROR, "foreign-free",
            "memory was freed that the function did not allocate; such calls of cudaFree: %s",
            COUNT(ledger->foreign_frees));
    if (ledger->leaked_allocations > 0)
        trial_finding(trial, LEAK, diagnosis, "never freed: %s of %s allocations, %s bytes",
            COUNT(ledger->leaked_allocations), COUNT(ledger->allocations),
            COUNT(ledger->leaked_bytes));
}

/* The virtual GPU knows who wrote what. The junk was written by the host, too: an output that still
 * holds some was not computed at all. */
static bool written_by_host(const struct array *output)
{
    enum { HOST = 2 };

    if (!virtual_calls()->written_by || output->count == 0)
        return false;
    for (size_t i = 0; i < output->count; i++)
        if (array_unwritten(output, i))
            return false;
    return virtual_calls()->written_by(output->device, output->count * ELEMENT_BYTES) & HOST;
}

/* By calls that the ledger does not know, too, where the virtual GPU counts. */
static size_t bytes_to_host(const struct trial *trial)
{
    const size_t excused = trial->ledger.paused_bytes_to_host;
    const size_t all = trial->counted ? trial->counters.copied_to_host_bytes : 0;
    const size_t counted = all > excused ? all - excused : 0;
    return counted > trial->ledger.bytes_to_host ? counted : trial->ledger.bytes_to_host;
}

/* What moved only because the host looked at it or wrote to it. */
static size_t managed_bytes_moved(const struct trial *trial)
{
    return trial->counted ? trial->counters.migrated_bytes : 0;
}

/* Who fetches the inputs from the device, or puts the outputs there, computes on the host. */
static void check_host_work(struct trial *trial)
{
    size_t input_bytes = 0;
    bool host_wrote = false;

    for (size_t i = 0; i < trial->array_count; i++) {
        const struct array *array = &trial->arrays[i];
        if (array->on_host)
            return;
        if (array->is_output)
            host_wrote = host_wrote || written_by_host(array);
        else if (!array->is_scratch)
            input_bytes += array->count * ELEMENT_BYTES;
    }
    if (input_bytes < HOST_WORK_BYTES)
        return;
    if (bytes_to_host(trial) >= input_bytes / 2)
        trial_fail(trial, WRONG_ANSWER, "computed-on-host",
            "the call copied %s bytes to the host; its inputs are %s bytes",
            COUNT(bytes_to_host(trial)), COUNT(input_bytes));
    else if (trial->ledger.pinned_bytes >= input_bytes / 2)
        trial_fail(trial, WRONG_ANSWER, "computed-on-host",
            "the call allocated %s bytes of host memory for kernels to reach; its inputs are %s "
            "bytes",
            COUNT(trial->ledger.pinned_bytes), COUNT(input_bytes));
    else if (managed_bytes_moved(trial) >= input_bytes / 2)
        trial_fail(trial, WRONG_ANSWER, "computed-on-host",
            "the call moved %s bytes of managed memory between device and host; its inputs are %s "
            "bytes",
            COUNT(managed_bytes_moved(trial)), COUNT(input_bytes));
    else if (host_wrote)
        trial_fail(trial, WRONG_ANSWER, "computed-on-host",
            "no kernel wrote the output: the host did, or a copy of what the host wrote");
}

/* Of this call alone: everything was cleared before it. */
static void take_counters(struct trial *trial)
{
    trial->counted = virtual_calls()->counters != NULL;
    if (trial->counted)
        trial->counters = virtual_counters();
}

/* The caller has not asked any other stream than the default one to wait: on the virtual GPU a look at
 * the outputs from there shows whose work that does not wait for. It fails where a capture goes on. */
static cudaError_t look_from_the_default_stream(struct trial *trial)
{
    const size_t count = virtual_calls()->findings ? trial->array_count : 0;
    cudaError_t status = cudaSuccess;
    uint32_t word;

    for (size_t i = 0; i < count && status == cudaSuccess; i++) {
        const struct array *array = &trial->arrays[i];
        if (!array->is_output || array->on_host || array->count == 0)
            continue;
        status = cudaMemcpy(&word, array->device, sizeof word, cudaMemcpyDeviceToHost);
        trial->ledger.paused_bytes_to_host += sizeof word;
    }
    cudaGetLastError();
    /* The memory is gone with the context: what comes next fails as well, and says why. */
    return status == cudaErrorInvalidValue ? cudaSuccess : status;
}

void trial_after_call(struct trial *trial, cudaError_t status)
{
    channel_guard();
    const cudaError_t last = cudaGetLastError();
    cudaError_t finished = cudaSuccess;

    trial->ledger = ledger_close();
    trial->calls++;
    if (uses_device(trial))
        finished = trial->stream ? stream_fetch(trial) : look_from_the_default_stream(trial);
    if (uses_device(trial) && finished == cudaSuccess)
        finished = cudaDeviceSynchronize();
    virtual_findings_take(trial);
    take_counters(trial);
    if (status == cudaErrorNotYetImplemented)
        not_implemented(trial);
    else if (status != cudaSuccess)
        cuda_error(trial, status, "it returned");
    else if (last != cudaSuccess && uses_device(trial))
        ignored_error(trial, last);
    else if (finished != cudaSuccess)
        cuda_error(trial, finished, "the kernel ended with");
    if (!trial_healthy(trial))
        return;
    inspect_arrays(trial);
    inspect_ledger(trial, "leak");
    if (trial->ledger.calls_outside > 0)
        trial_fail(trial, WRONG_ANSWER, "outside-the-call",
            "CUDA calls by another thread, after the function had returned: %s",
            COUNT(trial->ledger.calls_outside));
    check_host_work(trial);
}

/* ---- calls that must fail ------------------------------------------------------------------- */

void trial_after_failing_call(struct trial *trial, cudaError_t status, const char *why)
{
    channel_guard();
    cudaGetLastError(); /* may be the error that was returned */
    trial->ledger = ledger_close();
    trial->calls++;
    const cudaError_t works = uses_device(trial) ? device_still_works() : cudaSuccess;
    virtual_findings_take(trial);

    if (status == cudaErrorNotYetImplemented)
        not_implemented(trial);
    else if (status == cudaSuccess)
        trial_fail(trial, WRONG_ANSWER, "error-not-returned",
            "it returned cudaSuccess; it must return an error because %s", why);
    else if (works != cudaSuccess && trial_judge(trial, CUDA_ERROR, "sticky-error"))
        snprintf(trial->outcome->first, sizeof trial->outcome->first,
            "it returned %s, and after it the device does not work any more: %s",
            cudaGetErrorName(status), cudaGetErrorName(works));
    if (!trial_healthy(trial))
        return;
    inspect_arrays(trial);
    inspect_ledger(trial, "leak-on-error");
}
