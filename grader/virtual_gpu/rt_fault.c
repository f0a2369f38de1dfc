/* A fault of the host's: device memory dereferenced, or a managed page that lives elsewhere. */
#define _GNU_SOURCE
#include "rt_fault.h"

#include "rt.h"
#include "rt_managed.h"
#include "rt_report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static struct sigaction before[2];
static const int signals[] = {SIGSEGV, SIGBUS};

/* The next fault of this kind, which follows at once, is not ours. */
static void hand_back(int number)
{
    sigaction(number, &before[number == SIGBUS], NULL);
}

static void explain(uintptr_t address)
{
    int64_t distance = 0;
    const struct allocation *near = memory_nearest(address, &distance);
    if (near != NULL && distance == 0 && !near->live)
        rt_finding("host-access", SEVERITY_ERROR,
            "the host dereferences %p, which lies in %s: that has been freed already",
            (void *)address, near->name);
    else if (near != NULL && distance == 0)
        rt_finding("host-access", SEVERITY_ERROR,
            "the host dereferences %p, which lies in %s in device memory: copy it with cudaMemcpy",
            (void *)address, near->name);
    else
        rt_finding("host-access", SEVERITY_ERROR,
            "the host dereferences %p, an address of the device: copy it with cudaMemcpy",
            (void *)address);
    rt_report_last_findings();
}

/* Was the access a write? No, where the processor is not known to tell. */
static bool was_write(const void *context)
{
#if defined(__x86_64__)
    enum { WRITE = 2 };
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITE) != 0;
#else
    (void)context;
    return false;
#endif
}

/* The fault is synchronous, in the program's own code. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    if (info->si_code <= 0) { /* sent by kill or raise: no access that could be repeated */
        hand_back(number);
        raise(number);
        return;
    }
    const uintptr_t address = (uintptr_t)info->si_addr;
    if (!memory_in_arena(address)) {
        hand_back(number);
        return;
    }
    rt_lock();
    const enum rt_host_touch touch = rt_managed_host_touch(address, was_write(context));
    if (touch == TOUCH_NOT_MANAGED)
        explain(address);
    if (touch == TOUCH_FORBIDDEN)
        rt_report_last_findings();
    if (touch != TOUCH_REPEATABLE)
        hand_back(number);
    rt_unlock();
}

void rt_watch_faults(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, &before[i]);
}
