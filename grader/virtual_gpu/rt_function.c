/* What the program asks about its kernels: attributes, limits, occupancy. */
#include "rt.h"

#include <string.h>

/* The kernel's description on the current device, or NULL with the error. */
static const struct engine_kernel_info *describe(
    const void *stub, struct rt_function **function, cudaError_t *error)
{
    *function = stub == NULL ? NULL : rt_find_function(stub);
    if (*function == NULL) {
        *error = stub == NULL || CUDART_VERSION < 13000 ? cudaErrorInvalidDeviceFunction
                                                        : cudaErrorInvalidResourceHandle;
        return NULL;
    }
    const struct engine_kernel *kernel = rt_kernel(*function, rt_thread.device, error);
    return kernel == NULL ? NULL : engine_kernel_info(kernel);
}

static cudaError_t get_attributes(struct cudaFuncAttributes *attributes, const void *stub)
{
    enum { DEVICE_BINARY_VERSION = 90 }; /* the PTX is translated for the device */
    cudaError_t error = cudaSuccess;
    struct rt_function *function;
    if (attributes == NULL)
        return cudaErrorInvalidValue;
    const struct engine_kernel_info *info = describe(stub, &function, &error);
    if (info == NULL)
        return error;
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = info->static_shared_bytes;
    attributes->constSizeBytes = info->constant_bytes;
    attributes->localSizeBytes = info->local_bytes;
    attributes->maxThreadsPerBlock = (int)info->max_threads;
    attributes->numRegs = (int)info->registers;
    attributes->ptxVersion = (int)info->ptx_target;
    attributes->binaryVersion = DEVICE_BINARY_VERSION;
    attributes->maxDynamicSharedSizeBytes = (int)rt_dynamic_shared_limit(function, info);
    attributes->preferredShmemCarveout = function->carveout;
    return cudaSuccess;
}

static cudaError_t set_attribute(const void *stub, enum cudaFuncAttribute attribute, int value)
{
    cudaError_t error = cudaSuccess;
    struct rt_function *function;
    const struct engine_kernel_info *info = describe(stub, &function, &error);
    if (info == NULL)
        return error;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value + info->static_shared_bytes > DEVICE_SHARED_PER_BLOCK_OPT_IN)
            return cudaErrorInvalidValue;
        function->dynamic_shared_max = value;
        return cudaSuccess;
    }
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        function->carveout = value;
        return cudaSuccess;
    }
    return (int)attribute < (int)cudaFuncAttributeMax ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_cache(const void *stub, int preference, int preference_max)
{
    cudaError_t error = cudaSuccess;
    struct rt_function *function;
    if (describe(stub, &function, &error) == NULL)
        return error;
    return preference < 0 || preference > preference_max ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t occupancy(int *blocks, const void *stub, int threads, size_t dynamic_shared)
{
    cudaError_t error = cudaSuccess;
    struct rt_function *function;
    if (blocks == NULL || threads <= 0)
        return cudaErrorInvalidValue;
    const struct engine_kernel_info *info = describe(stub, &function, &error);
    if (info == NULL)
        return error;
    const struct device_block_needs needs = {
        .threads = (unsigned)threads,
        .registers = info->registers,
        .static_shared = info->static_shared_bytes,
        .dynamic_shared = dynamic_shared,
    };
    const bool may_launch = (unsigned)threads <= info->max_threads &&
                            dynamic_shared <= rt_dynamic_shared_limit(function, info);
    *blocks = may_launch ? (int)device_resident_blocks(&needs) : 0;
    return cudaSuccess;
}

/* The largest dynamic size with which `blocks` blocks still fit on an SM. */
static cudaError_t available_shared(size_t *bytes, const void *stub, int blocks, int threads)
{
    enum { UNIT = 128 };
    cudaError_t error = cudaSuccess;
    struct rt_function *function;
    if (bytes == NULL || blocks <= 0 || threads <= 0)
        return cudaErrorInvalidValue;
    const struct engine_kernel_info *info = describe(stub, &function, &error);
    if (info == NULL)
        return error;
    const size_t share = DEVICE_SHARED_PER_SM / (unsigned)blocks / UNIT * UNIT;
    const size_t taken = info->static_shared_bytes + DEVICE_SHARED_RESERVED_PER_BLOCK;
    const size_t limit = rt_dynamic_shared_limit(function, info);
    const size_t room = share > taken ? share - taken : 0;
    *bytes = room < limit ? room : limit;
    return cudaSuccess;
}

API(cudaFuncGetAttributes, (struct cudaFuncAttributes * attributes, const void *function),
    CALL_NEEDS_DEVICE, get_attributes(attributes, function))
API(cudaFuncSetAttribute, (const void *function, enum cudaFuncAttribute attribute, int value),
    CALL_NEEDS_DEVICE, set_attribute(function, attribute, value))
API(cudaFuncSetCacheConfig, (const void *function, enum cudaFuncCache preference),
    CALL_NEEDS_DEVICE, set_cache(function, (int)preference, (int)cudaFuncCachePreferEqual))
API(cudaFuncSetSharedMemConfig, (const void *function, enum cudaSharedMemConfig preference),
    CALL_NEEDS_DEVICE, set_cache(function, (int)preference, (int)cudaSharedMemBankSizeEightByte))
API(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
    (int *blocks, const void *function, int threads, size_t dynamic_shared), CALL_NEEDS_DEVICE,
    occupancy(blocks, function, threads, dynamic_shared))
API(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
    (int *blocks, const void *function, int threads, size_t dynamic_shared, unsigned flags),
    CALL_NEEDS_DEVICE,
    flags > cudaOccupancyDisableCachingOverride
        ? cudaErrorInvalidValue
        : occupancy(blocks, function, threads, dynamic_shared))
API(cudaOccupancyAvailableDynamicSMemPerBlock,
    (size_t * bytes, const void *function, int blocks, int threads), CALL_NEEDS_DEVICE,
    available_shared(bytes, function, blocks, threads))

#if CUDART_VERSION >= 12030
static cudaError_t get_name(const char **name, const void *stub)
{
    struct rt_function *function = stub == NULL ? NULL : rt_find_function(stub);
    if (name == NULL)
        return cudaErrorInvalidValue;
    if (function == NULL)
        return stub == NULL || CUDART_VERSION < 13000 ? cudaErrorInvalidDeviceFunction
                                                      : cudaErrorInvalidResourceHandle;
    *name = function->name;
    return cudaSuccess;
}

API(cudaFuncGetName, (const char **name, const void *function), 0, get_name(name, function))
#endif
