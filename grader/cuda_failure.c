/* A table of errors, and for those that say little, what the ledger saw refused. */
#include "cuda_failure.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

#define COUNT(n) text_count((char[NUMBER_TEXT_BYTES]){0}, n)

/* Common to every device of compute capability 5.0 and above. */
enum { THREADS_MAX = 1024, BLOCK_Z_MAX = 64, GRID_YZ_MAX = 65535, SHARED_BYTES_MAX = 48 * 1024 };

static const struct {
    cudaError_t status;
    enum verdict verdict;
    const char *diagnosis;
} errors[] = {
    {cudaErrorInvalidValue, CUDA_ERROR, "invalid-value"},
    {cudaErrorMemoryAllocation, CUDA_ERROR, "out-of-memory"},
    {cudaErrorInvalidConfiguration, CUDA_ERROR, "launch-configuration"},
    {cudaErrorLaunchOutOfResources, CUDA_ERROR, "launch-resources"},
    {cudaErrorCooperativeLaunchTooLarge, CUDA_ERROR, "cooperative-too-large"},
    {cudaErrorIllegalAddress, CUDA_ERROR, "illegal-address"},
    {cudaErrorMisalignedAddress, CUDA_ERROR, "misaligned-address"},
    {cudaErrorLaunchFailure, CUDA_ERROR, "launch-failure"},
    {cudaErrorIllegalInstruction, CUDA_ERROR, "launch-failure"},
    {cudaErrorInvalidAddressSpace, CUDA_ERROR, "launch-failure"},
    {cudaErrorHardwareStackError, CUDA_ERROR, "launch-failure"},
    {cudaErrorAssert, CUDA_ERROR, "device-assert"},
    {cudaErrorLaunchTimeout, TIMED_OUT, "launch-timeout"},
    {cudaErrorInvalidDevicePointer, CUDA_ERROR, "invalid-device-pointer"},
    {cudaErrorInvalidMemcpyDirection, CUDA_ERROR, "copy-direction"},
    {cudaErrorInvalidPitchValue, CUDA_ERROR, "invalid-value"},
    {cudaErrorInvalidResourceHandle, CUDA_ERROR, "invalid-handle"},
    {cudaErrorInvalidSymbol, CUDA_ERROR, "invalid-symbol"},
    {cudaErrorInvalidDeviceFunction, CUDA_ERROR, "no-kernel-image"},
    {cudaErrorNoKernelImageForDevice, CUDA_ERROR, "no-kernel-image"},
    {cudaErrorStreamCaptureUnsupported, CUDA_ERROR, "stream-capture"},
    {cudaErrorStreamCaptureInvalidated, CUDA_ERROR, "stream-capture"},
    {cudaErrorStreamCaptureUnjoined, CUDA_ERROR, "stream-capture"},
    {cudaErrorStreamCaptureImplicit, CUDA_ERROR, "stream-capture"},
    /* Not the candidate's fault */
    {cudaErrorUnsupportedPtxVersion, CANNOT_GRADE, "ptx-version"},
    {cudaErrorNoDevice, CANNOT_GRADE, "device-unavailable"},
    {cudaErrorInsufficientDriver, CANNOT_GRADE, "device-unavailable"},
    {cudaErrorDevicesUnavailable, CANNOT_GRADE, "device-unavailable"},
    {cudaErrorSystemNotReady, CANNOT_GRADE, "device-unavailable"},
    {cudaErrorInitializationError, CANNOT_GRADE, "device-unavailable"},
    {cudaErrorECCUncorrectable, CANNOT_GRADE, "device-unavailable"},
};

/* With these a kernel that was running ended. */
static const cudaError_t of_kernels[] = {cudaErrorIllegalAddress, cudaErrorMisalignedAddress,
    cudaErrorLaunchFailure, cudaErrorIllegalInstruction, cudaErrorInvalidAddressSpace,
    cudaErrorHardwareStackError, cudaErrorAssert, cudaErrorLaunchTimeout};

static bool any_zero(const unsigned *dimensions)
{
    return dimensions[0] == 0 || dimensions[1] == 0 || dimensions[2] == 0;
}

const char *launch_problem(const struct refused_launch *launch)
{
    const unsigned *grid = launch->grid, *block = launch->block;
    const unsigned long long threads = (unsigned long long)block[0] * block[1] * block[2];

    if (any_zero(grid))
        return "empty-grid";
    if (any_zero(block))
        return "empty-block";
    if (block[0] > THREADS_MAX || block[1] > THREADS_MAX || block[2] > BLOCK_Z_MAX ||
        threads > THREADS_MAX)
        return "block-too-large";
    if (grid[1] > GRID_YZ_MAX || grid[2] > GRID_YZ_MAX)
        return "grid-y-too-large";
    if (grid[0] > 0x7fffffffu)
        return "grid-x-too-large";
    if (launch->shared_bytes > SHARED_BYTES_MAX)
        return "shared-too-large";
    return NULL;
}

static void describe_dimensions(char *text, size_t bytes, const unsigned *dimensions)
{
    if (dimensions[1] == 1 && dimensions[2] == 1)
        snprintf(text, bytes, "%s", COUNT(dimensions[0]));
    else
        snprintf(text, bytes, "(%s, %s, %s)", COUNT(dimensions[0]), COUNT(dimensions[1]),
            COUNT(dimensions[2]));
}

/* In a few words, for students who do not know the limits yet. */
static const char *reason(const char *problem)
{
    static const struct {
        const char *problem, *reason;
    } reasons[] = {
        {"empty-grid", ": a grid of 0 blocks"},
        {"empty-block", ": a block of 0 threads"},
        {"block-too-large", ": too many threads in a block"},
        {"grid-y-too-large", ": too many blocks in y or z"},
        {"grid-x-too-large", ": too many blocks in x"},
        {"shared-too-large", ": too much shared memory"},
    };

    for (size_t i = 0; problem && i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(reasons[i].problem, problem) == 0)
            return reasons[i].reason;
    return "";
}

static void describe_launch(char *text, size_t bytes, const struct refused_launch *launch)
{
    char grid[48], block[48];

    describe_dimensions(grid, sizeof grid, launch->grid);
    describe_dimensions(block, sizeof block, launch->block);
    snprintf(text, bytes, "the launch <<<%s, %s, %s>>> was refused%s", grid, block,
        COUNT(launch->shared_bytes), reason(launch_problem(launch)));
}

static void describe_copy(char *text, size_t bytes, const struct refused_copy *copy)
{
    static const char *const kinds[] = {
        "HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"};
    const size_t count = sizeof kinds / sizeof kinds[0];
    const bool known = copy->kind >= 0 && (size_t)copy->kind < count;

    snprintf(text, bytes, "a copy of %s bytes, cudaMemcpy%s, was refused", COUNT(copy->bytes),
        known ? kinds[copy->kind] : " of no known kind");
}

/* `cudaMemsetAsync_ptsz` is what nvcc may make of `cudaMemsetAsync`. */
static void describe_call(char *text, size_t bytes, const struct refused_call *call)
{
    const char *name = call->name + strspn(call->name, "_");

    snprintf(text, bytes, "%.*s was refused", (int)strcspn(name, "_"), name);
}

/* Errors by which a toolkit may mean a launch that it refused: CUDA 13 says "invalid value" where
 * older ones said "invalid configuration". */
static bool means_refused_launch(cudaError_t status)
{
    return status == cudaErrorInvalidValue || status == cudaErrorInvalidConfiguration ||
           status == cudaErrorLaunchOutOfResources;
}

/* A launch that no stream would take ends a capture, too. */
static bool means_ended_capture(cudaError_t status, const struct refused_launch *launch)
{
    return status == cudaErrorStreamCaptureInvalidated && launch_problem(launch) != NULL;
}

static bool means_bad_pointer(cudaError_t status)
{
    return status == cudaErrorIllegalAddress || status == cudaErrorInvalidAddressSpace;
}

static bool is_of_a_kernel(cudaError_t status)
{
    for (size_t i = 0; i < sizeof of_kernels / sizeof of_kernels[0]; i++)
        if (of_kernels[i] == status)
            return true;
    return false;
}

static struct cuda_failure look_up(cudaError_t status)
{
    const bool of_kernel = is_of_a_kernel(status);

    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].status == status)
            return (struct cuda_failure){errors[i].verdict, errors[i].diagnosis, of_kernel, ""};
    return (struct cuda_failure){CUDA_ERROR, "cuda-error", of_kernel, ""};
}

struct cuda_failure explain_cuda_error(
    cudaError_t status, const struct ledger *ledger, bool host_arrays, bool is_virtual)
{
    struct cuda_failure failure = look_up(status);

    if (is_virtual && status == cudaErrorNotSupported) {
        failure.verdict = CANNOT_GRADE;
        failure.diagnosis = "needs-gpu";
    } else if (is_virtual && status == cudaErrorLaunchTimeout) {
        failure.diagnosis = "time-limit"; /* its budget of instructions, no display's watchdog */
    } else if (ledger->refused_launch.error != cudaSuccess &&
               (means_refused_launch(status) ||
                   means_ended_capture(status, &ledger->refused_launch))) {
        const char *problem = launch_problem(&ledger->refused_launch);
        if (problem)
            failure.diagnosis = problem;
        else if (status != cudaErrorLaunchOutOfResources)
            failure.diagnosis = "launch-configuration";
        describe_launch(failure.where, sizeof failure.where, &ledger->refused_launch);
    } else if (ledger->refused_copy.error == (int)status) {
        if (status == cudaErrorInvalidValue)
            failure.diagnosis = "copy-direction";
        describe_copy(failure.where, sizeof failure.where, &ledger->refused_copy);
    } else if (means_bad_pointer(status) && host_arrays && ledger->allocations == 0) {
        failure.diagnosis = "host-pointer";
    }
    if (!*failure.where && !failure.of_kernel && ledger->refused_call.error == (int)status)
        describe_call(failure.where, sizeof failure.where, &ledger->refused_call);
    return failure;
}
