/* The books: what is allocated now, and sums over the recording. Thread-safe, since a candidate
 * may call the runtime from threads of its own. */
#include "ledger.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ledger_notes.h"
#include "virtual_calls.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool recording; /* read without the mutex by every call: atomic builtins */
static struct ledger sums;
static struct allocation_note *live;
static size_t live_count, live_capacity;
static unsigned failing_request, armed_request; /* of this recording, of the next; 0: none */
static size_t requests;

static bool grader_known;
static pthread_t grader; /* the only thread that calls the runtime between recordings */
static size_t calls_outside;

static const struct ledger_watcher *watcher;

static _Thread_local unsigned depth; /* of recorded calls on this thread's stack */

void ledger_watch(const struct ledger_watcher *wanted)
{
    watcher = wanted;
}

void ledger_open(void)
{
    if (watcher)
        watcher->opens();
    grader = pthread_self();
    grader_known = true;
    pthread_mutex_lock(&mutex);
    sums = (struct ledger){.smallest_request_bytes = SIZE_MAX};
    live_count = 0;
    requests = 0;
    failing_request = armed_request;
    armed_request = 0;
    pthread_mutex_unlock(&mutex);
    __atomic_store_n(&recording, true, __ATOMIC_SEQ_CST);
}

struct ledger ledger_close(void)
{
    __atomic_store_n(&recording, false, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    if (live_count > 0)
        cudaDeviceSynchronize(); /* what is about to be freed may still be in use */
    sums.leaked_allocations = live_count;
    for (size_t i = 0; i < live_count; i++) {
        sums.leaked_bytes += live[i].bytes;
        runtime_free(&live[i]);
    }
    live_count = 0;
    sums.calls_outside = __atomic_exchange_n(&calls_outside, 0, __ATOMIC_SEQ_CST);
    const struct ledger result = sums;
    pthread_mutex_unlock(&mutex);
    if (watcher)
        watcher->closed(&result);
    return result;
}

static bool paused; /* what goes on after the pause */
static size_t copied_before_bytes;

/* The virtual GPU, which counts what is copied, knows of no pause. */
void ledger_pause(void)
{
    copied_before_bytes = virtual_counters().copied_to_host_bytes;
    paused = __atomic_exchange_n(&recording, false, __ATOMIC_SEQ_CST);
}

void ledger_go_on(void)
{
    sums.paused_bytes_to_host += virtual_counters().copied_to_host_bytes - copied_before_bytes;
    __atomic_store_n(&recording, paused, __ATOMIC_SEQ_CST);
}

void ledger_fail_allocation(unsigned k)
{
    pthread_mutex_lock(&mutex);
    armed_request = k;
    pthread_mutex_unlock(&mutex);
}

bool ledger_enter(void)
{
    if (depth > 0)
        return false;
    if (!__atomic_load_n(&recording, __ATOMIC_SEQ_CST)) {
        if (grader_known && !pthread_equal(pthread_self(), grader))
            __atomic_add_fetch(&calls_outside, 1, __ATOMIC_SEQ_CST);
        return false;
    }
    depth++;
    return true;
}

void ledger_leave(void)
{
    depth--;
}

bool ledger_must_fail(size_t bytes)
{
    pthread_mutex_lock(&mutex);
    requests++;
    if (bytes < sums.smallest_request_bytes)
        sums.smallest_request_bytes = bytes;
    const bool fails = failing_request != 0 && requests == failing_request;
    sums.injected_failures += fails;
    pthread_mutex_unlock(&mutex);
    return fails;
}

/* Caller holds the mutex. An allocation that does not fit into the books is one that cannot be
 * reported as leaked, nothing worse. */
static void append(const struct allocation_note *note)
{
    if (live_count == live_capacity) {
        const size_t capacity = live_capacity ? 2 * live_capacity : 64;
        struct allocation_note *larger = realloc(live, capacity * sizeof *live);
        if (!larger)
            return;
        live = larger;
        live_capacity = capacity;
    }
    live[live_count++] = *note;
}

void ledger_note_allocation(const struct allocation_note *note, uint64_t ns)
{
    pthread_mutex_lock(&mutex);
    sums.allocations++;
    sums.allocation_ns += ns;
    sums.allocated_bytes += note->bytes;
    sums.pinned_bytes += note->pinned ? note->bytes : 0;
    if (note->pointer) /* 0 bytes may give NULL: nothing to free */
        append(note);
    pthread_mutex_unlock(&mutex);
}

void ledger_note_status(const char *call, cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    pthread_mutex_lock(&mutex);
    if (sums.refused_call.error != (int)status)
        sums.refused_call = (struct refused_call){(int)status, call};
    pthread_mutex_unlock(&mutex);
}

void ledger_note_registered(cudaError_t status, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    sums.pinned_bytes += status == cudaSuccess ? bytes : 0;
    pthread_mutex_unlock(&mutex);
}

bool ledger_take(void *pointer, struct allocation_note *note)
{
    bool found = false;

    pthread_mutex_lock(&mutex);
    for (size_t i = live_count; i-- > 0 && !found;) {
        if (live[i].pointer != pointer)
            continue;
        found = true;
        *note = live[i];
        live[i] = live[--live_count];
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

void ledger_untake(const struct allocation_note *note)
{
    pthread_mutex_lock(&mutex);
    append(note);
    pthread_mutex_unlock(&mutex);
}

void ledger_note_free(void)
{
    pthread_mutex_lock(&mutex);
    sums.frees++;
    pthread_mutex_unlock(&mutex);
}

void ledger_note_foreign_free(void)
{
    pthread_mutex_lock(&mutex);
    sums.foreign_frees++;
    pthread_mutex_unlock(&mutex);
}

static bool was_made_by_host(const void *from, size_t bytes)
{
    enum { DEVICE = 1 };
    return from && virtual_calls()->written_by &&
           !(virtual_calls()->written_by(from, bytes) & DEVICE);
}

void ledger_note_copy(cudaError_t status, enum cudaMemcpyKind given, enum cudaMemcpyKind actual,
    const void *from, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    if (status == cudaSuccess) {
        sums.bytes_to_device += actual == cudaMemcpyHostToDevice ? bytes : 0;
        sums.bytes_to_host += actual == cudaMemcpyDeviceToHost ? bytes : 0;
        sums.host_made_bytes +=
            actual == cudaMemcpyDeviceToHost && was_made_by_host(from, bytes) ? bytes : 0;
        sums.bytes_on_device += actual == cudaMemcpyDeviceToDevice ? bytes : 0;
    } else if (sums.refused_copy.error == cudaSuccess) {
        sums.refused_copy =
            (struct refused_copy){.error = (int)status, .kind = (int)given, .bytes = bytes};
    }
    pthread_mutex_unlock(&mutex);
}

void ledger_note_launch(cudaError_t status, dim3 grid, dim3 block, size_t shared_bytes, int device)
{
    pthread_mutex_lock(&mutex);
    if (status == cudaSuccess) {
        sums.launches++;
        if (device >= 0 && device < LEDGER_DEVICES)
            sums.launches_on[device]++;
    } else if (sums.refused_launch.error == cudaSuccess) {
        sums.refused_launch = (struct refused_launch){
            .error = (int)status,
            .grid = {grid.x, grid.y, grid.z},
            .block = {block.x, block.y, block.z},
            .shared_bytes = shared_bytes,
        };
    }
    pthread_mutex_unlock(&mutex);
}

void ledger_note_cooperative(cudaError_t status)
{
    pthread_mutex_lock(&mutex);
    sums.cooperative_launches += status == cudaSuccess;
    pthread_mutex_unlock(&mutex);
}

void ledger_note_synchronisation(void)
{
    pthread_mutex_lock(&mutex);
    sums.synchronisations++;
    pthread_mutex_unlock(&mutex);
}

/* Caller holds the mutex. */
static struct handles *handles(enum handle_kind kind)
{
    struct handles *const all[] = {
        [HANDLE_STREAM] = &sums.streams,
        [HANDLE_EVENT] = &sums.events,
        [HANDLE_GRAPH] = &sums.graphs,
        [HANDLE_EXECUTABLE_GRAPH] = &sums.executable_graphs,
    };
    return all[kind];
}

void ledger_note_made(cudaError_t status, enum handle_kind kind)
{
    pthread_mutex_lock(&mutex);
    handles(kind)->made += status == cudaSuccess;
    pthread_mutex_unlock(&mutex);
}

void ledger_note_destroyed(cudaError_t status, enum handle_kind kind)
{
    pthread_mutex_lock(&mutex);
    handles(kind)->destroyed += status == cudaSuccess;
    pthread_mutex_unlock(&mutex);
}

void ledger_note_roots(size_t roots)
{
    pthread_mutex_lock(&mutex);
    if (roots > sums.graph_roots)
        sums.graph_roots = roots;
    pthread_mutex_unlock(&mutex);
}

void ledger_note_capture(cudaError_t status)
{
    pthread_mutex_lock(&mutex);
    sums.captures += status == cudaSuccess;
    pthread_mutex_unlock(&mutex);
}

void ledger_note_graph_launch(cudaError_t status)
{
    pthread_mutex_lock(&mutex);
    sums.graph_launches += status == cudaSuccess;
    pthread_mutex_unlock(&mutex);
}
