/* Kernel launches: the <<< >>> configuration, the limits, and the work they queue. */
#include "rt.h"

#include "rt_capture.h"
#include "rt_launch.h"
#include "rt_queue.h"

#include <stdlib.h>
#include <string.h>

/* ---- the configuration between <<< and >>> --------------------------------------------------- */

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

enum { NESTED_MAX = 8 }; /* an argument of a launch may itself launch */

static _Thread_local struct configuration pushed[NESTED_MAX];
static _Thread_local unsigned pushed_count;

VGPU_EXPORT unsigned __cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    if (pushed_count == NESTED_MAX)
        return cudaErrorLaunchOutOfResources;
    pushed[pushed_count++] = (struct configuration){grid, block, shared, stream};
    return cudaSuccess;
}

VGPU_EXPORT cudaError_t __cudaPopCallConfiguration(
    dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (pushed_count == 0)
        return cudaErrorMissingConfiguration;
    const struct configuration *top = &pushed[--pushed_count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *(cudaStream_t *)stream = top->stream;
    return cudaSuccess;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static cudaError_t refuse(const struct engine_kernel_info *info, const char *why, cudaError_t error)
{
    rt_finding("launch", SEVERITY_WARNING, "the launch of %s was refused (%s): %s",
        info->pretty_name, rt_error_name(error), why);
    return error;
}

/* CUDA 13 leaves the dimensions to the driver; before, the runtime checked them first. */
static cudaError_t error_of(enum device_fault fault)
{
    return fault == FAULT_DIMENSIONS && CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration
                                                               : cudaErrorInvalidValue;
}

static cudaError_t check_limits(
    const struct rt_kernel_work *work, const struct engine_kernel_info *info)
{
    char sentence[256];
    const uint32_t grid[3] = {work->grid.x, work->grid.y, work->grid.z};
    const uint32_t block[3] = {work->block.x, work->block.y, work->block.z};
    const struct device_block_needs needs = {
        .threads = block[0] * block[1] * block[2],
        .registers = info->registers,
        .static_shared = info->static_shared_bytes,
        .dynamic_shared = work->dynamic_shared,
    };
    const enum device_fault fault = device_launch_fault(grid, block, &needs, info->max_threads,
        rt_dynamic_shared_limit(work->function, info), sentence, sizeof sentence);
    if (fault != FAULT_NONE)
        return refuse(info, sentence, error_of(fault));
    const unsigned resident = device_resident_blocks(&needs);
    if (resident == 0)
        return refuse(
            info, "a block needs more registers than an SM has", cudaErrorLaunchOutOfResources);
    const uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    if (work->cooperative && blocks > (uint64_t)resident * DEVICE_SMS)
        return refuse(info, "a cooperative grid must fit on the device at once",
            cudaErrorCooperativeLaunchTooLarge);
    return cudaSuccess;
}

/* ---- launching ------------------------------------------------------------------------------- */

static cudaError_t no_such_function(const void *function)
{
    return function == NULL || CUDART_VERSION < 13000 ? cudaErrorInvalidDeviceFunction
                                                      : cudaErrorInvalidResourceHandle;
}

cudaError_t rt_make_kernel_work(struct rt_work *work, const struct rt_launch *launch, int device)
{
    cudaError_t status = cudaSuccess;
    struct rt_function *function =
        launch->function == NULL ? NULL : rt_find_function(launch->function);
    if (function == NULL)
        return no_such_function(launch->function);
    const struct engine_kernel *kernel = rt_kernel(function, device, &status);
    if (kernel == NULL)
        return status;
    const struct engine_kernel_info *info = engine_kernel_info(kernel);
    *work = (struct rt_work){.kind = WORK_KERNEL,
        .kernel = {.function = function,
            .grid = launch->grid,
            .block = launch->block,
            .dynamic_shared = launch->shared,
            .cooperative = launch->cooperative,
            .param_bytes = info->param_bytes}};
    status = check_limits(&work->kernel, info);
    if (status != cudaSuccess)
        return status;
    if (info->param_count > 0 && launch->args == NULL)
        return cudaErrorInvalidValue;
    work->kernel.params = calloc(1, info->param_bytes + 1);
    if (work->kernel.params == NULL)
        return cudaErrorMemoryAllocation;
    if (info->param_count > 0)
        engine_pack_params(kernel, launch->args, work->kernel.params);
    return cudaSuccess;
}

static cudaError_t launch_kernel(const struct rt_launch *launch, cudaStream_t stream_handle)
{
    struct rt_stream *stream = rt_find_stream(stream_handle);
    if (stream == NULL || (CUDART_VERSION < 13000 && stream->device != rt_thread.device))
        return cudaErrorInvalidResourceHandle;
    clock_spend(COST_LAUNCH);
    struct rt_work work;
    const cudaError_t status = rt_make_kernel_work(&work, launch, stream->device);
    if (status != cudaSuccess) {
        if (status != cudaErrorInvalidConfiguration)
            rt_capture_invalidate(stream);
        return status;
    }
    return rt_submit(stream, &work, NULL);
}

static cudaError_t launch_with_configuration(
    const cudaLaunchConfig_t *configuration, const void *function, void **args)
{
    if (configuration == NULL)
        return cudaErrorInvalidValue;
    struct rt_launch launch = {function, configuration->gridDim, configuration->blockDim, args,
        configuration->dynamicSmemBytes, false};
    for (unsigned i = 0; i < configuration->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &configuration->attrs[i];
        if (attribute->id == cudaLaunchAttributeCooperative)
            launch.cooperative = attribute->val.cooperative != 0;
        if (attribute->id == cudaLaunchAttributeClusterDimension &&
            attribute->val.clusterDim.x * attribute->val.clusterDim.y *
                    attribute->val.clusterDim.z >
                1) {
            rt_finding("needs-gpu", SEVERITY_ERROR, "a launch in clusters needs a GPU");
            return cudaErrorNotSupported;
        }
    }
    return launch_kernel(&launch, configuration->stream);
}

#define LAUNCH_PARAMETERS \
    (const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
#define LAUNCH(cooperative) \
    launch_kernel(&(struct rt_launch){function, grid, block, args, shared, cooperative}, stream)

API_STREAM(cudaLaunchKernel, LAUNCH_PARAMETERS, CALL_NEEDS_DEVICE, LAUNCH(false))
API_STREAM(cudaLaunchCooperativeKernel, LAUNCH_PARAMETERS, CALL_NEEDS_DEVICE, LAUNCH(true))
API_STREAM(cudaLaunchKernelExC,
    (const cudaLaunchConfig_t *configuration, const void *function, void **args), CALL_NEEDS_DEVICE,
    launch_with_configuration(configuration, function, args))

/* From CUDA 13 on nvcc's stubs fetch a handle once and launch that. */
#if CUDART_VERSION >= 12010
static cudaError_t get_kernel(cudaKernel_t *handle, const void *stub)
{
    struct rt_function *function = stub == NULL ? NULL : rt_find_function(stub);
    if (function == NULL)
        return no_such_function(stub);
    *handle = (cudaKernel_t)function;
    return cudaSuccess;
}

API(__cudaGetKernel, (cudaKernel_t * handle, const void *stub), 0, get_kernel(handle, stub))
API_SYMBOL(cudaGetKernel, (cudaKernel_t * handle, const void *stub), 0, get_kernel(handle, stub))

#define KERNEL_PARAMETERS \
    (cudaKernel_t function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)

API_AS(__cudaLaunchKernel, "cudaLaunchKernel", KERNEL_PARAMETERS, CALL_NEEDS_DEVICE, LAUNCH(false))
API_AS(__cudaLaunchKernel_ptsz, "cudaLaunchKernel", KERNEL_PARAMETERS,
    CALL_NEEDS_DEVICE | CALL_PER_THREAD, LAUNCH(false))
#endif
