/* Runs one piece of work: the effect on memory, and how long it takes on the virtual clock. */
#include "rt_work.h"

#include "rt_managed.h"
#include "rt_memory.h"
#include "rt_queue.h"
#include "rt_report.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE_ENGINE = 1000 };

static const struct rt_outcome nothing = {cudaSuccess, ENGINE_NONE, 0, WHOLE_ENGINE, 0};

/* ---- kernels --------------------------------------------------------------------------------- */

/* How much of the device the blocks of a launch can fill. */
static unsigned share_of_device(uint64_t blocks, unsigned resident_blocks_max)
{
    if (blocks >= resident_blocks_max)
        return WHOLE_ENGINE;
    const unsigned share = (unsigned)(blocks * WHOLE_ENGINE / resident_blocks_max);
    return share == 0 ? 1 : share;
}

static unsigned resident_blocks_max(
    const struct rt_kernel_work *work, const struct engine_kernel_info *info)
{
    const struct device_block_needs needs = {
        .threads = work->block.x * work->block.y * work->block.z,
        .registers = info->registers,
        .static_shared = info->static_shared_bytes,
        .dynamic_shared = work->dynamic_shared,
    };
    return device_resident_blocks(&needs) * DEVICE_SMS;
}

static bool access_was_denied;

/* The engine's hook. Where the engine reports and goes on, the device would have stopped. */
bool rt_kernel_may_access(int device, const struct allocation *allocation)
{
    const bool may = rt_device_reaches(device, allocation);
    access_was_denied |= !may;
    return may;
}

static uint64_t kernel_ns(const struct engine_result *result, uint64_t warps)
{
    if (result->kernel_ns > 0.0)
        return clock_cost_ns(COST_KERNEL_LEAST) + (uint64_t)result->kernel_ns;
    return clock_issue_ns(result->counters.warp_instructions, warps); /* nothing was counted */
}

static struct rt_outcome run_kernel(const struct rt_work *generic, int device)
{
    const struct rt_kernel_work *work = &generic->kernel;
    struct rt_outcome outcome = nothing;
    const struct engine_kernel *kernel = rt_kernel(work->function, device, &outcome.error);
    if (kernel == NULL)
        return outcome;
    const struct engine_kernel_info *info = engine_kernel_info(kernel);
    const struct engine_launch launch = {
        .kernel = kernel,
        .grid = {work->grid.x, work->grid.y, work->grid.z},
        .block = {work->block.x, work->block.y, work->block.z},
        .dynamic_shared_bytes = (uint32_t)work->dynamic_shared,
        .param_block = work->params,
        .cooperative = work->cooperative,
        .device = device,
        .sm_count = DEVICE_SMS,
        .resident_blocks_max = resident_blocks_max(work, info),
        .heap_bytes = rt_state.device[device].limit[cudaLimitMallocHeapSize],
        .shared_limit_bytes = (uint32_t)(info->static_shared_bytes + work->dynamic_shared),
    };
    struct engine_result result = {0};
    rt_managed_begin_launch(device);
    access_was_denied = false;
    outcome.error = engine_run(&launch, &result);
    if (outcome.error == cudaSuccess && access_was_denied)
        outcome.error = cudaErrorIllegalAddress;
    if (result.sticky || result.needs_gpu || access_was_denied)
        rt_lose_device(outcome.error);
    const uint64_t blocks = (uint64_t)work->grid.x * work->grid.y * work->grid.z;
    const uint64_t threads = (uint64_t)work->block.x * work->block.y * work->block.z;
    const uint64_t warps = blocks * ((threads + DEVICE_WARP_SIZE - 1) / DEVICE_WARP_SIZE);
    outcome.engine = ENGINE_COMPUTE;
    outcome.duration_ns = kernel_ns(&result, warps) + rt_managed_end_launch();
    if (result.time_unknown != NULL)
        rt_time_is_unknown(result.time_unknown);
    outcome.share = share_of_device(blocks, launch.resident_blocks_max);
    if (blocks > launch.resident_blocks_max)
        outcome.wave_ns = outcome.duration_ns * launch.resident_blocks_max / blocks;
    rt_count_launch(&launch, &result);
    return outcome;
}

static bool copy_kernel(struct rt_work *to, const struct rt_work *from)
{
    to->kernel.params = malloc(from->kernel.param_bytes + 1);
    if (to->kernel.params == NULL)
        return false;
    if (from->kernel.param_bytes > 0)
        memcpy(to->kernel.params, from->kernel.params, from->kernel.param_bytes);
    return true;
}

static void release_kernel(struct rt_work *work)
{
    free(work->kernel.params);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Device memory (and pinned, managed, registered memory) has shadows; other host memory has not. */
static bool has_shadow(uintptr_t address)
{
    return memory_find(address) != NULL;
}

static void copy_row(uintptr_t target, uintptr_t source, const void *source_bytes, size_t width)
{
    memmove(memory_bytes(target), source_bytes, width);
    if (!has_shadow(target))
        return;
    if (has_shadow(source) && source_bytes == memory_bytes(source))
        memory_copied(target, source, width);
    else
        memory_wrote(target, width, WRITTEN_BY_HOST);
}

/* Gaps that are short and come often are the holes of structures: nobody ever writes them. */
static bool are_holes(uintptr_t start, size_t width)
{
    enum { HOLE_BYTES = 16, STRUCTURE_BYTES = 128 };
    size_t gaps = 0;
    for (size_t at = memory_initialised(start, width); at < width; gaps++) {
        size_t gap = 1;
        while (at + gap < width && memory_initialised(start + at + gap, 1) == 0)
            if (++gap >= HOLE_BYTES)
                return false;
        at += gap;
        at += memory_initialised(start + at, width - at);
    }
    return gaps * STRUCTURE_BYTES >= width;
}

/* The host receives bytes that nobody has written. */
static void check_source(const struct rt_copy_work *work)
{
    const struct allocation *from = memory_find(work->source);
    if (from == NULL || from->kind != MEMORY_DEVICE || has_shadow(work->target))
        return;
    for (size_t row = 0; row < work->rows && work->slices == 1; row++) {
        const uintptr_t start = work->source + row * work->source_pitch;
        const size_t written = memory_initialised(start, work->width);
        if (written == work->width || are_holes(start, work->width))
            continue;
        rt_finding("uninitialised-copy", SEVERITY_WARNING,
            "a copy to the host reads %zu bytes of %s, of which those from byte %llu on were never "
            "written",
            work->width, from->name, (unsigned long long)(start + written - from->address));
        return;
    }
}

static uint64_t copied_to_host_bytes;

uint64_t rt_copied_to_host_bytes(void)
{
    return copied_to_host_bytes;
}

void rt_forget_copies(void)
{
    copied_to_host_bytes = 0;
}

static bool is_of_device(uintptr_t address)
{
    const struct allocation *found = memory_find(address);
    return found != NULL && (found->kind == MEMORY_DEVICE || found->kind == MEMORY_VARIABLE);
}

/* Managed memory as well: a copy leaves it open to the host. */
static bool is_reached_by_host(uintptr_t address)
{
    const struct allocation *found = memory_find(address);
    return found == NULL || found->kind == MEMORY_PINNED || found->kind == MEMORY_REGISTERED ||
           found->kind == MEMORY_MANAGED;
}

static struct rt_outcome run_copy(const struct rt_work *generic, int device)
{
    (void)device;
    const struct rt_copy_work *work = &generic->copy;
    check_source(work);
    if (is_of_device(work->source) && is_reached_by_host(work->target))
        copied_to_host_bytes += work->width * work->rows * work->slices;
    for (size_t slice = 0; slice < work->slices; slice++)
        for (size_t row = 0; row < work->rows; row++) {
            const uintptr_t target =
                work->target + slice * work->target_slice + row * work->target_pitch;
            const uintptr_t source =
                work->source + slice * work->source_slice + row * work->source_pitch;
            const void *bytes = memory_bytes(source);
            if (work->staged != NULL)
                bytes = (const char *)work->staged + (slice * work->rows + row) * work->width;
            copy_row(target, source, bytes, work->width);
        }
    return (struct rt_outcome){cudaSuccess, work->engine,
        clock_transfer_ns(work->route, work->width * work->rows * work->slices), WHOLE_ENGINE, 0};
}

static bool copy_copy(struct rt_work *to, const struct rt_work *from)
{
    (void)from;
    to->copy.staged = NULL; /* graphs read the source when they run */
    return true;
}

static void release_copy(struct rt_work *work)
{
    free(work->copy.staged);
}

/* ---- fills ----------------------------------------------------------------------------------- */

static void fill_row(const struct rt_fill_work *work, uintptr_t address)
{
    unsigned char *bytes = memory_bytes(address);
    if (work->element_bytes == 1)
        memset(bytes, (int)(work->value & 0xff), work->width);
    for (size_t at = 0; work->element_bytes > 1 && at < work->width; at += work->element_bytes)
        memcpy(bytes + at, &work->value, work->element_bytes);
    memory_wrote(address, work->width, WRITTEN_BY_DEVICE);
}

static struct rt_outcome run_fill(const struct rt_work *generic, int device)
{
    (void)device;
    const struct rt_fill_work *work = &generic->fill;
    for (size_t slice = 0; slice < work->slices; slice++)
        for (size_t row = 0; row < work->rows; row++)
            fill_row(work, work->target + slice * work->slice + row * work->pitch);
    return (struct rt_outcome){cudaSuccess, ENGINE_COMPUTE,
        clock_transfer_ns(ROUTE_FILL, work->width * work->rows * work->slices), WHOLE_ENGINE, 0};
}

/* ---- the rest -------------------------------------------------------------------------------- */

static struct rt_outcome run_host_function(const struct rt_work *generic, int device)
{
    (void)device;
    const struct rt_host_work *work = &generic->host;
    const cudaError_t last_error = rt_thread.last_error; /* it runs as if in another thread */
    if (work->callback != NULL)
        work->callback(work->stream, rt_state.lost, work->data);
    else
        work->function(work->data);
    rt_thread.last_error = last_error;
    return (struct rt_outcome){
        cudaSuccess, ENGINE_NONE, clock_cost_ns(COST_HOST_FUNCTION), WHOLE_ENGINE, 0};
}

static struct rt_outcome run_free(const struct rt_work *work, int device)
{
    (void)device;
    struct allocation *freed = memory_find(work->address);
    if (freed != NULL)
        rt_leave_pool(freed);
    memory_free(work->address);
    return nothing;
}

struct rt_outcome rt_prefetch_outcome(const struct rt_prefetch_work *prefetch, size_t moved)
{
    const bool to_host = prefetch->device < 0;
    return (struct rt_outcome){cudaSuccess, to_host ? ENGINE_COPY_OUT : ENGINE_COPY_IN,
        moved == 0 ? 0 : clock_transfer_ns(to_host ? ROUTE_PREFETCH_HOME : ROUTE_PREFETCH, moved),
        WHOLE_ENGINE, 0};
}

static struct rt_outcome run_prefetch(const struct rt_work *work, int device)
{
    (void)device;
    const struct rt_prefetch_work *prefetch = &work->prefetch;
    return rt_prefetch_outcome(
        prefetch, rt_managed_prefetch(prefetch->address, prefetch->bytes, prefetch->device));
}

static struct rt_outcome run_nothing(const struct rt_work *work, int device)
{
    (void)work, (void)device;
    return nothing;
}

static bool copy_plainly(struct rt_work *to, const struct rt_work *from)
{
    (void)to, (void)from;
    return true;
}

static void release_nothing(struct rt_work *work)
{
    (void)work;
}

static const struct rt_work_class {
    const char *name;
    struct rt_outcome (*run)(const struct rt_work *, int device);
    bool (*copy)(struct rt_work *to, const struct rt_work *from); /* after a plain assignment */
    void (*release)(struct rt_work *);
} classes[WORK_KINDS] = {
    [WORK_NOTHING] = {"nothing", run_nothing, copy_plainly, release_nothing},
    [WORK_KERNEL] = {"kernel", run_kernel, copy_kernel, release_kernel},
    [WORK_COPY] = {"copy", run_copy, copy_copy, release_copy},
    [WORK_FILL] = {"fill", run_fill, copy_plainly, release_nothing},
    [WORK_HOST_FUNCTION] = {"host function", run_host_function, copy_plainly, release_nothing},
    [WORK_FREE] = {"free", run_free, copy_plainly, release_nothing},
    [WORK_PREFETCH] = {"prefetch", run_prefetch, copy_plainly, release_nothing},
};

struct rt_outcome rt_work_run(const struct rt_work *work, int device)
{
    return classes[work->kind].run(work, device);
}

bool rt_work_copy(struct rt_work *to, const struct rt_work *from)
{
    *to = *from;
    return classes[from->kind].copy(to, from);
}

void rt_work_release(struct rt_work *work)
{
    classes[work->kind].release(work);
    *work = (struct rt_work){.kind = WORK_NOTHING};
}

const char *rt_work_name(const struct rt_work *work)
{
    return classes[work->kind].name;
}
