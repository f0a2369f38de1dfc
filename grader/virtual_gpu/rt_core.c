/* Entering and leaving the runtime: the lock, the start of the device, and refusals. */
#include "rt.h"

#include "rt_capture.h"
#include "rt_fault.h"
#include "rt_managed.h"
#include "rt_poll.h"
#include "rt_report.h"
#include "rt_work.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rt_state rt_state;
_Thread_local struct rt_thread rt_thread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool forked_after_start;

void rt_lock(void)
{
    if (rt_thread.locks++ == 0)
        pthread_mutex_lock(&lock);
}

void rt_unlock(void)
{
    if (--rt_thread.locks == 0)
        pthread_mutex_unlock(&lock);
}

/* A child of a process that has used the device cannot use it, as with the real runtime. A child
 * made before that starts the device for itself. */
static void after_fork_in_child(void)
{
    forked_after_start = rt_state.started;
    rt_unlock();
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(rt_lock, rt_unlock, after_fork_in_child);
}

static uint64_t order_from_environment(void)
{
    const char *text = getenv("VGPU_ORDER");
    if (text == NULL || strcmp(text, "forward") == 0)
        return 0;
    return strcmp(text, "reverse") == 0 ? 1 : strtoull(text, NULL, 0);
}

/* VGPU_CHECKS=off: no initialisation and race checks, no counters of memory. Addresses are always
 * checked, or a kernel could write to the host's memory. Read before the program starts, so that
 * a graded one cannot switch off what judges it. */
__attribute__((constructor)) static void read_checks(void)
{
    const char *text = getenv("VGPU_CHECKS");
    const bool on = text == NULL || strcmp(text, "off") != 0;
    engine_settings.check_initialisation = on;
    engine_settings.check_races = on;
    engine_settings.count = on;
    engine_settings.time = on;
}

static bool order_is_chosen;

void rt_use_order(uint64_t order)
{
    engine_settings.order = order;
    order_is_chosen = true;
}

static cudaError_t start(void)
{
    if (rt_state.started)
        return rt_state.devices > 0 ? cudaSuccess : cudaErrorNoDevice;
    rt_state.devices = device_count();
    if (rt_state.devices == 0)
        return cudaErrorNoDevice;
    if (!memory_init())
        return cudaErrorInitializationError;
    const char *when = getenv("VGPU_ASYNC");
    rt_state.eager = when != NULL && strcmp(when, "eager") == 0;
    if (!order_is_chosen)
        engine_settings.order = order_from_environment();
    engine_hooks.now_ns = clock_now;
    engine_hooks.may_access = rt_kernel_may_access;
    engine_hooks.managed_page = rt_managed_touch;
    engine_hooks.host_wrote = rt_managed_host_wrote;
    rt_watch_faults();
    rt_state.started = true;
    return cudaSuccess;
}

void rt_lose_device(cudaError_t error)
{
    if (rt_state.lost == cudaSuccess)
        rt_state.lost = error;
}

static cudaError_t refusal(const struct rt_call *call)
{
    const cudaError_t injected = rt_injected_failure(call->name);
    if (injected != cudaSuccess)
        return injected;
    if ((call->traits & CALL_NEEDS_DEVICE) != 0) {
        if (forked_after_start)
            return cudaErrorInitializationError;
        const cudaError_t status = start();
        if (status != cudaSuccess)
            return status;
        if (rt_state.lost != cudaSuccess)
            return rt_state.lost;
    }
    if ((call->traits & CALL_UNSAFE_IN_CAPTURE) != 0)
        return rt_capture_refuses_unsafe();
    return cudaSuccess;
}

cudaError_t rt_enter(const struct rt_call *call, void *caller)
{
    if (rt_thread.depth++ > 0) {
        rt_finding("host-function", SEVERITY_ERROR,
            "%s was called from a host function that runs in a stream; it must not call CUDA",
            call->name);
        return cudaErrorNotPermitted;
    }
    rt_lock();
    rt_thread.call = call;
    rt_thread.caller = caller;
    rt_poll_note_call();
    return refusal(call);
}

cudaError_t rt_leave(cudaError_t status)
{
    if (status != cudaSuccess && status != cudaErrorNotReady)
        rt_thread.last_error = status;
    if (--rt_thread.depth == 0) {
        rt_report_new_findings();
        rt_unlock();
    }
    return status;
}

int rt_needs_gpu(const char *function);

/* Every function of libcudart that the virtual GPU does not have ends here. */
int rt_needs_gpu(const char *function)
{
    fprintf(stderr, "virtual GPU: %s is not supported here: it needs a GPU\n", function);
    rt_lock();
    rt_finding("needs-gpu", SEVERITY_ERROR, "%s needs a GPU", function);
    rt_unlock();
    rt_thread.last_error = cudaErrorNotSupported;
    return cudaErrorNotSupported;
}
