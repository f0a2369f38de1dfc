/* Memory pools: handles, attributes, and what they hold. The allocations themselves come from the
 * device's memory whatever their pool.
 */
#include "rt_pool.h"

#include "clock.h"
#include "rt.h"
#include "rt_memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    ATTRIBUTES = 9,        /* enum cudaMemPoolAttr counts from 1 */
    UNIT_BYTES = 32 << 20, /* what a pool gets from the device, and gives back, at a time */
};

struct rt_pool {
    struct rt_pool *next;
    int device;
    bool is_made, is_destroyed;
    uint64_t attribute[ATTRIBUTES];
    uint64_t bound_bytes; /* used, or freed in a stream that has not got there */
};

static struct rt_pool *pools;                           /* those that the program made */
static struct rt_pool default_pools[DEVICE_COUNT_MAX];  /* one a device */
static struct rt_pool *current_pools[DEVICE_COUNT_MAX]; /* NULL: the default */

static struct rt_pool *new_pool(struct rt_pool *pool, int device)
{
    *pool = (struct rt_pool){.device = device, .is_made = true};
    pool->attribute[cudaMemPoolReuseFollowEventDependencies] = 1;
    pool->attribute[cudaMemPoolReuseAllowOpportunistic] = 1;
    pool->attribute[cudaMemPoolReuseAllowInternalDependencies] = 1;
    return pool;
}

static struct rt_pool *default_pool(int device)
{
    struct rt_pool *pool = &default_pools[device];
    return pool->is_made ? pool : new_pool(pool, device);
}

static bool device_exists(int device)
{
    return device >= 0 && device < rt_state.devices;
}

static struct rt_pool *find_pool(cudaMemPool_t handle)
{
    for (int device = 0; device < DEVICE_COUNT_MAX; device++)
        if ((cudaMemPool_t)&default_pools[device] == handle)
            return default_pool(device);
    for (struct rt_pool *pool = pools; pool != NULL; pool = pool->next)
        if ((cudaMemPool_t)pool == handle)
            return pool;
    return NULL;
}

/* ---- what a pool holds ----------------------------------------------------------------------- */

/* An attribute and its high-water mark, which follows it. */
static void set_bytes(struct rt_pool *pool, enum cudaMemPoolAttr current, uint64_t bytes)
{
    uint64_t *high = &pool->attribute[current + 1];
    pool->attribute[current] = bytes;
    *high = bytes > *high ? bytes : *high;
}

/* The pool gets memory from the device, or gives some back, until it holds `bytes` in whole
 * units. */
static void hold(struct rt_pool *pool, uint64_t bytes, enum clock_cost cost_of_a_unit)
{
    const uint64_t held = pool->attribute[cudaMemPoolAttrReservedMemCurrent];
    const uint64_t units = bytes / UNIT_BYTES + (bytes % UNIT_BYTES != 0);
    const uint64_t before = held / UNIT_BYTES;
    const uint64_t moved = units > before ? units - before : before - units;
    for (uint64_t unit = 0; unit < moved; unit++)
        clock_spend(cost_of_a_unit);
    set_bytes(pool, cudaMemPoolAttrReservedMemCurrent, units * UNIT_BYTES);
}

static void hold_at_most(struct rt_pool *pool, uint64_t bytes)
{
    const uint64_t most = bytes > pool->bound_bytes ? bytes : pool->bound_bytes;
    if (pool->attribute[cudaMemPoolAttrReservedMemCurrent] > most)
        hold(pool, most, COST_POOL_SHRINKS);
}

void rt_pool_take(struct rt_pool *pool, size_t size)
{
    const uint64_t used = pool->attribute[cudaMemPoolAttrUsedMemCurrent] + size;
    if (used > pool->attribute[cudaMemPoolAttrReservedMemCurrent])
        hold(pool, used, COST_POOL_GROWS);
    set_bytes(pool, cudaMemPoolAttrUsedMemCurrent, used);
    pool->bound_bytes += size;
}

void rt_pool_put(struct rt_pool *pool, size_t size)
{
    pool->attribute[cudaMemPoolAttrUsedMemCurrent] -= size;
}

void rt_pool_unbind(struct rt_pool *pool, size_t size)
{
    pool->bound_bytes -= size;
    if (pool->is_destroyed && pool->bound_bytes == 0)
        free(pool);
}

void rt_pools_release(int device)
{
    struct rt_pool *own = &default_pools[device];
    hold_at_most(own, own->attribute[cudaMemPoolAttrReleaseThreshold]);
    for (struct rt_pool *pool = pools; pool != NULL; pool = pool->next)
        if (pool->device == device)
            hold_at_most(pool, pool->attribute[cudaMemPoolAttrReleaseThreshold]);
}

void rt_pools_forget(int device)
{
    new_pool(&default_pools[device], device);
    for (struct rt_pool *pool = pools; pool != NULL; pool = pool->next)
        if (pool->device == device)
            memset(pool->attribute + cudaMemPoolAttrReservedMemCurrent, 0,
                (ATTRIBUTES - cudaMemPoolAttrReservedMemCurrent) * sizeof *pool->attribute);
}

/* ---- handles --------------------------------------------------------------------------------- */

struct rt_pool *rt_pool_current(int device)
{
    return current_pools[device] == NULL ? default_pool(device) : current_pools[device];
}

int rt_pool_device(const struct rt_pool *pool)
{
    return pool->device;
}

static cudaError_t get_pool(cudaMemPool_t *handle, int device, bool current)
{
    if (handle == NULL)
        return cudaErrorInvalidValue;
    if (!device_exists(device))
        return cudaErrorInvalidDevice;
    *handle = (cudaMemPool_t)(current ? rt_pool_current(device) : default_pool(device));
    return cudaSuccess;
}

static cudaError_t set_pool(int device, cudaMemPool_t handle)
{
    struct rt_pool *pool = find_pool(handle);
    if (!device_exists(device))
        return cudaErrorInvalidDevice;
    if (pool == NULL || pool->device != device)
        return cudaErrorInvalidValue;
    current_pools[device] = pool;
    return cudaSuccess;
}

static cudaError_t create(cudaMemPool_t *handle, const struct cudaMemPoolProps *properties)
{
    if (handle == NULL || properties == NULL ||
        properties->location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    if (!device_exists(properties->location.id))
        return cudaErrorInvalidDevice;
    struct rt_pool *pool = malloc(sizeof *pool);
    if (pool == NULL)
        return cudaErrorMemoryAllocation;
    new_pool(pool, properties->location.id)->next = pools;
    pools = pool;
    *handle = (cudaMemPool_t)pool;
    return cudaSuccess;
}

/* A pool ends with the last memory that was taken from it. */
static cudaError_t destroy(cudaMemPool_t handle)
{
    for (struct rt_pool **at = &pools; *at != NULL; at = &(*at)->next)
        if ((cudaMemPool_t)*at == handle) {
            struct rt_pool *pool = *at;
            *at = pool->next;
            if (current_pools[pool->device] == pool)
                current_pools[pool->device] = NULL;
            pool->is_destroyed = true;
            rt_pool_unbind(pool, 0);
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* The first three attributes are ints, the others 64-bit numbers. */
static bool is_int(enum cudaMemPoolAttr attribute)
{
    return attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

/* What a pool holds cannot be set, and a high-water mark only to zero. */
static bool may_be_set(enum cudaMemPoolAttr attribute, const void *value)
{
    const bool high =
        attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    return attribute <= cudaMemPoolAttrReleaseThreshold || (high && *(const uint64_t *)value == 0);
}

static cudaError_t set_attribute(
    cudaMemPool_t handle, enum cudaMemPoolAttr attribute, const void *value)
{
    struct rt_pool *pool = find_pool(handle);
    if (pool == NULL || value == NULL || (int)attribute < 1 || (int)attribute >= ATTRIBUTES ||
        !may_be_set(attribute, value))
        return cudaErrorInvalidValue;
    pool->attribute[attribute] =
        is_int(attribute) ? (uint64_t) * (const int *)value : *(const uint64_t *)value;
    return cudaSuccess;
}

static cudaError_t get_attribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute, void *value)
{
    const struct rt_pool *pool = find_pool(handle);
    if (pool == NULL || value == NULL || (int)attribute < 1 || (int)attribute >= ATTRIBUTES)
        return cudaErrorInvalidValue;
    if (is_int(attribute))
        *(int *)value = (int)pool->attribute[attribute];
    else
        *(uint64_t *)value = pool->attribute[attribute];
    return cudaSuccess;
}

static cudaError_t allocate_from(
    void **pointer, size_t size, cudaMemPool_t handle, cudaStream_t stream)
{
    struct rt_pool *pool = find_pool(handle);
    return pool == NULL ? cudaErrorInvalidValue : rt_allocate_async(pointer, size, pool, stream);
}

static cudaError_t trim(cudaMemPool_t handle, size_t kept_bytes)
{
    struct rt_pool *pool = find_pool(handle);
    if (pool == NULL)
        return cudaErrorInvalidValue;
    hold_at_most(pool, kept_bytes);
    return cudaSuccess;
}

API(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * pool, int device), CALL_NEEDS_DEVICE,
    get_pool(pool, device, false))
API(cudaDeviceGetMemPool, (cudaMemPool_t * pool, int device), CALL_NEEDS_DEVICE,
    get_pool(pool, device, true))
API(cudaDeviceSetMemPool, (int device, cudaMemPool_t pool), CALL_NEEDS_DEVICE,
    set_pool(device, pool))
API(cudaMemPoolCreate, (cudaMemPool_t * pool, const struct cudaMemPoolProps *properties),
    CALL_NEEDS_DEVICE, create(pool, properties))
API(cudaMemPoolDestroy, (cudaMemPool_t pool), CALL_NEEDS_DEVICE, destroy(pool))
API(cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t kept_bytes), CALL_NEEDS_DEVICE,
    trim(pool, kept_bytes))
API(cudaMemPoolSetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value),
    CALL_NEEDS_DEVICE, set_attribute(pool, attribute, value))
API(cudaMemPoolGetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value),
    CALL_NEEDS_DEVICE, get_attribute(pool, attribute, value))
API_STREAM(cudaMallocFromPoolAsync,
    (void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream), CALL_NEEDS_DEVICE,
    allocate_from(pointer, size, pool, stream))
