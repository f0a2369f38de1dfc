/* A thread that notices a host which waits for the device by looking at memory only. On a GPU the
 * work would have run by itself; here somebody has to run it. */
#define _GNU_SOURCE
#include "rt_poll.h"

#include "rt.h"
#include "rt_queue.h"

#include <pthread.h>
#include <time.h>

static const double patience_seconds = 0.5;

static double last_call_seconds;
static bool watching;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void rt_poll_note_call(void)
{
    last_call_seconds = seconds_now();
}

static void *watch(void *unused)
{
    static const struct rt_call call = {"(work that the host polls for)", CALL_NEEDS_DEVICE};
    (void)unused;
    rt_thread.depth = 1; /* user code runs here only as a host function, with the lock held */
    rt_thread.call = &call;
    for (;;) {
        nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
        rt_lock();
        if (seconds_now() - last_call_seconds > patience_seconds && rt_work_is_queued())
            rt_run_everything();
        rt_unlock();
    }
    return NULL;
}

static bool host_sees_device_memory(void)
{
    for (struct allocation *at = memory_next(NULL); at != NULL; at = memory_next(at))
        if (at->kind == MEMORY_MANAGED || at->kind == MEMORY_PINNED ||
            at->kind == MEMORY_REGISTERED)
            return true;
    return false;
}

void rt_poll_note_work(void)
{
    pthread_t thread;
    if (watching || !host_sees_device_memory())
        return;
    watching = pthread_create(&thread, NULL, watch, NULL) == 0;
    if (watching)
        pthread_detach(thread);
}
