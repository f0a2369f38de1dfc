/* Devices: which there are, their properties and limits, the current one, peers. */
#include "rt.h"

#include "rt_capture.h"
#include "rt_memory.h"
#include "rt_pool.h"
#include "rt_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which, and what they are ---------------------------------------------------------------- */

/* Several calls work without starting a device, and after it was lost. */
static int devices(void)
{
    return rt_state.started ? rt_state.devices : device_count();
}

static bool exists(int device)
{
    return device >= 0 && device < devices();
}

static cudaError_t get_count(int *count)
{
    if (count == NULL)
        return cudaErrorInvalidValue;
    *count = devices();
    return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

static cudaError_t get_device(int *device)
{
    if (device == NULL)
        return cudaErrorInvalidValue;
    if (devices() == 0)
        return cudaErrorNoDevice;
    *device = rt_thread.device;
    return cudaSuccess;
}

static cudaError_t set_device(int device)
{
    if (devices() == 0)
        return cudaErrorNoDevice;
    if (!exists(device))
        return cudaErrorInvalidDevice;
    rt_thread.device = device;
    return cudaSuccess;
}

static cudaError_t get_properties(struct cudaDeviceProp *properties, int device)
{
    if (properties == NULL)
        return cudaErrorInvalidValue;
    if (!exists(device))
        return devices() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice;
    device_properties(device, properties);
    return cudaSuccess;
}

static cudaError_t get_attribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    if (!exists(device))
        return devices() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice;
    if (value == NULL || !device_attribute(device, attribute, value))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t get_bus_id(char *text, int size, int device)
{
    if (text == NULL || size <= 0)
        return cudaErrorInvalidValue;
    if (!exists(device))
        return cudaErrorInvalidDevice;
    snprintf(text, (size_t)size, "0000:00:%02x.0", device + 1);
    return cudaSuccess;
}

static cudaError_t get_by_bus_id(int *device, const char *text)
{
    unsigned number = 0;
    if (device == NULL || text == NULL || sscanf(text, "0000:00:%x.0", &number) != 1 ||
        !exists((int)number - 1))
        return cudaErrorInvalidValue;
    *device = (int)number - 1;
    return cudaSuccess;
}

static cudaError_t choose(int *device, const struct cudaDeviceProp *wanted)
{
    if (device == NULL || wanted == NULL)
        return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
}

static cudaError_t get_version(int *version)
{
    if (version == NULL)
        return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
}

API(cudaGetDeviceCount, (int *count), 0, get_count(count))
API(cudaGetDevice, (int *device), 0, get_device(device))
API(cudaSetDevice, (int device), 0, set_device(device))
API(cudaGetDeviceProperties, (struct cudaDeviceProp * properties, int device), 0,
    get_properties(properties, device))
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
API_SYMBOL(cudaGetDeviceProperties_v2, (struct cudaDeviceProp * properties, int device), 0,
    get_properties(properties, device))
#endif
API(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device), 0,
    get_attribute(value, attribute, device))
API(cudaDeviceGetPCIBusId, (char *text, int size, int device), 0, get_bus_id(text, size, device))
API(cudaDeviceGetByPCIBusId, (int *device, const char *text), 0, get_by_bus_id(device, text))
API(cudaChooseDevice, (int *device, const struct cudaDeviceProp *wanted), 0, choose(device, wanted))
API(cudaDriverGetVersion, (int *version), 0, get_version(version))
API(cudaRuntimeGetVersion, (int *version), 0, get_version(version))
#if CUDART_VERSION >= 12000
API(cudaInitDevice, (int device, unsigned device_flags, unsigned flags), CALL_NEEDS_DEVICE,
    ((void)device_flags, (void)flags, exists(device) ? cudaSuccess : cudaErrorInvalidDevice))
#endif

/* ---- synchronising and resetting ------------------------------------------------------------- */

static cudaError_t synchronise(void)
{
    const cudaError_t refused = rt_capture_refuses_device();
    if (refused != cudaSuccess)
        return refused;
    const cudaError_t status = rt_finish_device(rt_thread.device);
    rt_pools_release(rt_thread.device);
    return status;
}

/* Ends all work and frees all memory of the current device. A lost device is usable again. */
static cudaError_t reset(void)
{
    if (!rt_state.started)
        return cudaSuccess;
    if (rt_state.lost == cudaSuccess)
        rt_finish_device(rt_thread.device);
    rt_drop_queued();
    rt_state.lost = cudaSuccess;
    for (struct allocation *at = memory_next(NULL), *after; at != NULL; at = after) {
        after = memory_next(at);
        const bool whole = at->kind == MEMORY_DEVICE || at->kind == MEMORY_MANAGED;
        if (whole && at->device == rt_thread.device && at->site != NULL) {
            rt_leave_pool(at);
            memory_free(at->address);
        }
    }
    rt_pools_forget(rt_thread.device);
    rt_state.device[rt_thread.device].peers_enabled = 0;
    rt_state.device[rt_thread.device].limits_known = false;
    return cudaSuccess;
}

API(cudaDeviceSynchronize, (void), CALL_NEEDS_DEVICE, synchronise())
API(cudaDeviceReset, (void), 0, reset())

/* ---- limits and preferences ------------------------------------------------------------------ */

/* As an H200 with CUDA 13.0 has them; 0 stands for a limit that it does not have. */
static const size_t first_limit[] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 8650752,
    [cudaLimitMallocHeapSize] = 8388608,
    [cudaLimitDevRuntimeSyncDepth] = 0,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 11796480,
};

enum { LIMITS = sizeof first_limit / sizeof first_limit[0] };

static size_t *limit_place(int limit)
{
    struct rt_device *device = &rt_state.device[rt_thread.device];
    if (!device->limits_known)
        memcpy(device->limit, first_limit, sizeof first_limit);
    device->limits_known = true;
    return limit >= 0 && limit < LIMITS ? &device->limit[limit] : NULL;
}

static cudaError_t get_limit(size_t *value, enum cudaLimit limit)
{
    const size_t *place = limit_place((int)limit);
    if (value == NULL || place == NULL)
        return cudaErrorInvalidValue;
    if (first_limit[limit] == 0)
        return cudaErrorUnsupportedLimit;
    *value = *place;
    return cudaSuccess;
}

static cudaError_t set_limit(enum cudaLimit limit, size_t value)
{
    size_t *place = limit_place((int)limit);
    if (place == NULL)
        return cudaErrorInvalidValue;
    if (first_limit[limit] == 0)
        return cudaErrorUnsupportedLimit;
    *place = value;
    return cudaSuccess;
}

static cudaError_t get_priorities(int *least, int *greatest)
{
    if (least != NULL)
        *least = DEVICE_PRIORITY_LEAST;
    if (greatest != NULL)
        *greatest = DEVICE_PRIORITY_GREATEST;
    return cudaSuccess;
}

static cudaError_t store_int(int *place, int value)
{
    if (place == NULL)
        return cudaErrorInvalidValue;
    *place = value;
    return cudaSuccess;
}

API(cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit), CALL_NEEDS_DEVICE,
    get_limit(value, limit))
API(cudaDeviceSetLimit, (enum cudaLimit limit, size_t value), CALL_NEEDS_DEVICE,
    set_limit(limit, value))
API(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest), CALL_NEEDS_DEVICE,
    get_priorities(least, greatest))
API(cudaDeviceSetCacheConfig, (enum cudaFuncCache preference), CALL_NEEDS_DEVICE,
    (int)preference > (int)cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess)
API(cudaDeviceGetCacheConfig, (enum cudaFuncCache * preference), CALL_NEEDS_DEVICE,
    store_int((int *)preference, cudaFuncCachePreferNone))
API(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig preference), CALL_NEEDS_DEVICE,
    (int)preference > (int)cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess)
API(cudaDeviceGetSharedMemConfig, (enum cudaSharedMemConfig * preference), CALL_NEEDS_DEVICE,
    store_int((int *)preference, cudaSharedMemBankSizeFourByte))
API(cudaSetDeviceFlags, (unsigned flags), 0,
    flags > (unsigned)cudaDeviceMask ? cudaErrorInvalidValue : cudaSuccess)
API(cudaGetDeviceFlags, (unsigned *flags), 0, store_int((int *)flags, cudaDeviceMapHost))
API(cudaCtxResetPersistingL2Cache, (void), CALL_NEEDS_DEVICE, cudaSuccess)
API(cudaProfilerStart, (void), 0, cudaSuccess)
API(cudaProfilerStop, (void), 0, cudaSuccess)

#if CUDART_VERSION < 12000
/* The names of CUDA 3. */
API(cudaThreadSynchronize, (void), CALL_NEEDS_DEVICE, synchronise())
API(cudaThreadExit, (void), 0, reset())
API(cudaThreadGetLimit, (size_t * value, enum cudaLimit limit), CALL_NEEDS_DEVICE,
    get_limit(value, limit))
API(cudaThreadSetLimit, (enum cudaLimit limit, size_t value), CALL_NEEDS_DEVICE,
    set_limit(limit, value))
#endif

/* ---- peers ----------------------------------------------------------------------------------- */

static cudaError_t can_access_peer(int *can, int device, int peer)
{
    if (can == NULL)
        return cudaErrorInvalidValue;
    if (!exists(device) || !exists(peer))
        return cudaErrorInvalidDevice;
    *can = device != peer;
    return cudaSuccess;
}

static cudaError_t enable_peer(int peer, unsigned flags)
{
    uint32_t *enabled = &rt_state.device[rt_thread.device].peers_enabled;
    if (flags != 0)
        return cudaErrorInvalidValue;
    if (!exists(peer))
        return cudaErrorInvalidDevice;
    if (peer == rt_thread.device)
        return cudaErrorPeerAccessUnsupported;
    if ((*enabled >> peer & 1) != 0)
        return cudaErrorPeerAccessAlreadyEnabled;
    *enabled |= 1u << peer;
    return cudaSuccess;
}

static cudaError_t disable_peer(int peer)
{
    uint32_t *enabled = &rt_state.device[rt_thread.device].peers_enabled;
    if (!exists(peer))
        return cudaErrorInvalidDevice;
    if ((*enabled >> peer & 1) == 0)
        return cudaErrorPeerAccessNotEnabled;
    rt_finish_device(rt_thread.device);
    *enabled &= ~(1u << peer);
    return cudaSuccess;
}

static cudaError_t get_peer_attribute(
    int *value, enum cudaDeviceP2PAttr attribute, int source, int target)
{
    if (!exists(source) || !exists(target) || source == target)
        return cudaErrorInvalidDevice;
    if (value == NULL)
        return cudaErrorInvalidValue;
    *value = attribute == cudaDevP2PAttrAccessSupported;
    return cudaSuccess;
}

API(cudaDeviceCanAccessPeer, (int *can, int device, int peer), CALL_NEEDS_DEVICE,
    can_access_peer(can, device, peer))
API(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), CALL_NEEDS_DEVICE,
    enable_peer(peer, flags))
API(cudaDeviceDisablePeerAccess, (int peer), CALL_NEEDS_DEVICE, disable_peer(peer))
API(cudaDeviceGetP2PAttribute,
    (int *value, enum cudaDeviceP2PAttr attribute, int source, int target), CALL_NEEDS_DEVICE,
    get_peer_attribute(value, attribute, source, target))
