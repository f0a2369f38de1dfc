/* Variables of the device, by the host's name for them. */
#include "rt.h"

#include "rt_copy.h"
#include "rt_queue.h"

static cudaError_t get_address(void **address, const void *symbol)
{
    const struct engine_variable *variable;
    if (address == NULL)
        return cudaErrorInvalidValue;
    const cudaError_t status = rt_find_symbol(symbol, &variable);
    if (status == cudaSuccess)
        *address = (void *)(uintptr_t)variable->address;
    return status;
}

static cudaError_t get_size(size_t *size, const void *symbol)
{
    const struct engine_variable *variable;
    if (size == NULL)
        return cudaErrorInvalidValue;
    const cudaError_t status = rt_find_symbol(symbol, &variable);
    if (status == cudaSuccess)
        *size = variable->size;
    return status;
}

/* Finds [offset, offset + bytes) of a variable. */
static cudaError_t find_part(const void *symbol, size_t bytes, size_t offset, void **address)
{
    const struct engine_variable *variable;
    const cudaError_t status = rt_find_symbol(symbol, &variable);
    if (status != cudaSuccess)
        return status;
    if (offset > variable->size || bytes > variable->size - offset) {
        rt_finding("copy", SEVERITY_ERROR,
            "%s: bytes %zu to %zu were asked for, but the variable has %zu", rt_thread.call->name,
            offset, offset + bytes, variable->size);
        return cudaErrorInvalidValue;
    }
    *address = (void *)(uintptr_t)(variable->address + offset);
    return cudaSuccess;
}

static cudaError_t copy(void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind,
    cudaStream_t handle, bool wait)
{
    struct rt_stream *stream = rt_find_stream(handle);
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    const struct rt_copy_work region = rt_plain_copy(target, source, bytes);
    struct rt_work work;
    const cudaError_t status = rt_make_copy_work(&work, &region, kind);
    return status != cudaSuccess ? status : rt_submit_copy(stream, &work, wait);
}

static cudaError_t copy_to(const void *symbol, const void *source, size_t bytes, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream, bool wait)
{
    void *target = NULL;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
        return cudaErrorInvalidMemcpyDirection;
    const cudaError_t status = find_part(symbol, bytes, offset, &target);
    return status != cudaSuccess ? status : copy(target, source, bytes, kind, stream, wait);
}

static cudaError_t copy_from(void *target, const void *symbol, size_t bytes, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream, bool wait)
{
    void *source = NULL;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
        return cudaErrorInvalidMemcpyDirection;
    const cudaError_t status = find_part(symbol, bytes, offset, &source);
    return status != cudaSuccess ? status : copy(target, source, bytes, kind, stream, wait);
}

API(cudaGetSymbolAddress, (void **address, const void *symbol), CALL_NEEDS_DEVICE,
    get_address(address, symbol))
API(cudaGetSymbolSize, (size_t * size, const void *symbol), CALL_NEEDS_DEVICE,
    get_size(size, symbol))
API_DEFAULT_STREAM(cudaMemcpyToSymbol,
    (const void *symbol, const void *source, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
    CALL_NEEDS_DEVICE, copy_to(symbol, source, bytes, offset, kind, NULL, true))
API_DEFAULT_STREAM(cudaMemcpyFromSymbol,
    (void *target, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
    CALL_NEEDS_DEVICE, copy_from(target, symbol, bytes, offset, kind, NULL, true))
API_STREAM(cudaMemcpyToSymbolAsync,
    (const void *symbol, const void *source, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
        cudaStream_t stream),
    CALL_NEEDS_DEVICE, copy_to(symbol, source, bytes, offset, kind, stream, false))
API_STREAM(cudaMemcpyFromSymbolAsync,
    (void *target, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
        cudaStream_t stream),
    CALL_NEEDS_DEVICE, copy_from(target, symbol, bytes, offset, kind, stream, false))
