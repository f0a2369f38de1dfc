/* The ledger, against a runtime without a device.
 *
 * Linked with -rdynamic and without libcudart: the test builds a fake runtime and a candidate,
 * and opens both as the grader's program has them, the runtime globally and the candidate locally. */
#define _GNU_SOURCE
#include "../ledger.h"
#include "../restricted.h"

#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST_CC
#define TEST_CC "cc"
#endif
#ifndef TEST_CUDA_INCLUDE /* the Makefile says where the toolkit is; this is the usual place */
#define TEST_CUDA_INCLUDE "/usr/local/cuda/include"
#endif

static void *runtime, *candidate;

__attribute__((format(printf, 1, 2))) static void shell(const char *format, ...)
{
    char command[2000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0)
        fprintf(stderr, "failed: %s\n", command);
}

/* The folder of this file, relative to where it was compiled: the root of the project. */
static const char *here(void)
{
    static char path[500];
    snprintf(path, sizeof path, "%s", __FILE__);
    *strrchr(path, '/') = '\0';
    return path;
}

/* Once for all tests, in their parent; the environment tells them where. */
ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    char template[] = "/tmp/ledger_test_XXXXXX";

    (void)tests;
    const char *folder = mkdtemp(template);
    setenv("LEDGER_TEST_FOLDER", folder, 1);
    /* Versioned like the real one, so that the candidate asks for cudaMalloc@libfake_cudart.so. */
    shell(TEST_CC " -std=c11 -fPIC -shared -I" TEST_CUDA_INCLUDE
                  " -Wl,-soname,libfake_cudart.so -Wl,--default-symver %s/fake_cudart.c "
                  "-o %s/libfake_cudart.so",
        here(), folder);
    shell(TEST_CC " -std=c11 -fPIC -shared -I" TEST_CUDA_INCLUDE " %s/fake_candidate.c "
                  "-o %s/candidate.so -L%s -lfake_cudart -pthread",
        here(), folder, folder);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    (void)stats;
    shell("rm -r %s", getenv("LEDGER_TEST_FOLDER"));
}

static void *open_built(const char *name, int scope)
{
    char path[600];

    snprintf(path, sizeof path, "%s/%s", getenv("LEDGER_TEST_FOLDER"), name);
    void *object = dlopen(path, RTLD_NOW | scope);
    cr_assert_not_null(object, "%s", dlerror());
    return object;
}

static void open_both(void)
{
    runtime = open_built("libfake_cudart.so", RTLD_GLOBAL);
    candidate = open_built("candidate.so", RTLD_LOCAL);
}

TestSuite(ledger, .init = open_both);

static cudaError_t call(const char *name)
{
    cudaError_t (*function)(void);
    *(void **)&function = dlsym(candidate, name);
    cr_assert_not_null((void *)function);
    return function();
}

static cudaError_t call_with_bytes(const char *name, size_t bytes)
{
    cudaError_t (*function)(size_t);
    *(void **)&function = dlsym(candidate, name);
    cr_assert_not_null((void *)function);
    return function(bytes);
}

static int alive(const char *counter)
{
    return *(int *)dlsym(runtime, counter);
}

static cudaError_t last_error(void)
{
    cudaError_t (*function)(void);
    *(void **)&function = dlsym(runtime, "cudaGetLastError");
    return function();
}

Test(ledger, a_tidy_call_is_recorded_and_leaks_nothing)
{
    ledger_open();
    cr_assert_eq(call_with_bytes("candidate_tidy", 400), cudaSuccess);
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.allocations, 3);
    cr_assert_eq(ledger.frees, 3);
    cr_assert_eq(ledger.allocated_bytes, 1200);
    cr_assert_eq(ledger.smallest_request_bytes, 400);
    cr_assert_eq(ledger.leaked_allocations, 0);
    cr_assert_eq(ledger.leaked_bytes, 0);
    cr_assert_eq(ledger.bytes_to_device, 800);
    cr_assert_eq(ledger.bytes_to_host, 400);
    cr_assert_eq(ledger.launches, 1);
    cr_assert_eq(ledger.injected_failures, 0);
    cr_assert_eq(ledger.refused_launch.error, 0);
    cr_assert_eq(ledger.refused_call.error, 0);
}

Test(ledger, outside_a_recording_nothing_is_recorded)
{
    call_with_bytes("candidate_tidy", 400);
    ledger_open();
    const struct ledger ledger = ledger_close();
    call_with_bytes("candidate_leaky", 8);

    cr_assert_eq(ledger.allocations, 0);
    cr_assert_eq(ledger.launches, 0);
    cr_assert_eq(ledger.smallest_request_bytes, SIZE_MAX);
    ledger_open();
    cr_assert_eq(ledger_close().leaked_allocations, 0);
    cr_assert_eq(alive("fake_blocks_alive"), 2); /* untouched: not of a recording */
}

Test(ledger, leaks_are_counted_and_then_freed)
{
    ledger_open();
    call_with_bytes("candidate_leaky", 1000);
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.leaked_allocations, 3);
    cr_assert_eq(ledger.leaked_bytes, 3000);
    cr_assert_eq(alive("fake_blocks_alive"), 0);
    cr_assert_eq(alive("fake_pinned_alive"), 0);
}

Test(ledger, every_kind_of_allocation_is_seen_once)
{
    ledger_open();
    call("candidate_every_allocation");
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.allocations, 4);
    cr_assert_eq(ledger.frees, 4, "freeing NULL frees nothing");
    cr_assert_eq(ledger.allocated_bytes, 600);
    cr_assert_eq(ledger.leaked_allocations, 0);
}

Test(ledger, the_kth_allocation_fails_as_in_the_runtime)
{
    for (unsigned k = 1; k <= 3; k++) {
        ledger_fail_allocation(k);
        ledger_open();
        cr_assert_eq(call_with_bytes("candidate_tidy", 40), cudaErrorMemoryAllocation);
        const struct ledger ledger = ledger_close();
        cr_assert_eq(ledger.injected_failures, 1);
        cr_assert_eq(ledger.allocations, k - 1);
        cr_assert_eq(ledger.leaked_allocations, 0);
        cr_assert_eq(ledger.refused_call.error, cudaErrorMemoryAllocation);
        cr_assert(strncmp(ledger.refused_call.name, "cudaMalloc", 10) == 0);
        cr_assert_eq(last_error(), cudaErrorMemoryAllocation, "the last error is set, too");
        cr_assert_eq(last_error(), cudaSuccess);
    }
    ledger_open(); /* one recording only */
    cr_assert_eq(call_with_bytes("candidate_tidy", 40), cudaSuccess);
    cr_assert_eq(ledger_close().injected_failures, 0);
}

Test(ledger, a_request_that_fails_counts_as_a_request)
{
    ledger_open();
    cr_assert_eq(call_with_bytes("candidate_leaky", (size_t)1 << 41), cudaErrorMemoryAllocation);
    const struct ledger ledger = ledger_close();
    cr_assert_eq(ledger.allocations, 0);
    cr_assert_eq(ledger.leaked_allocations, 0);
    cr_assert_eq(ledger.smallest_request_bytes, (size_t)1 << 41);
}

Test(ledger, copies_are_told_apart_by_where_their_ends_lie)
{
    ledger_open();
    call("candidate_every_copy");
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.bytes_to_device, 1 + 24);
    cr_assert_eq(ledger.bytes_to_host, 2);
    cr_assert_eq(ledger.bytes_on_device, 4);
    cr_assert_eq(ledger.refused_copy.error, cudaErrorInvalidValue);
    cr_assert_eq(ledger.refused_copy.kind, cudaMemcpyHostToDevice);
    cr_assert_eq(ledger.refused_copy.bytes, 5);
}

Test(ledger, launches_are_counted_and_the_first_refused_one_is_kept)
{
    ledger_open();
    call("candidate_every_launch");
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.launches, 3);
    cr_assert_eq(ledger.synchronisations, 3);
    cr_assert_eq(ledger.refused_launch.error, cudaErrorInvalidValue);
    cr_assert_eq(ledger.refused_launch.block[0], 2048);
    cr_assert_eq(ledger.refused_launch.grid[0], 7);
    cr_assert_eq(ledger.refused_launch.grid[1], 2);
    cr_assert_eq(ledger.refused_launch.shared_bytes, 48);
}

Test(ledger, threads_of_the_candidate_are_recorded)
{
    ledger_open();
    call("candidate_threads");
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.allocations, 4000);
    cr_assert_eq(ledger.frees, 4000);
    cr_assert_eq(ledger.leaked_allocations, 0);
}

Test(ledger, a_second_free_is_the_runtimes_to_refuse)
{
    ledger_open();
    cr_assert_eq(call("candidate_free_twice"), cudaErrorInvalidValue);
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.frees, 1);
    cr_assert_eq(ledger.leaked_allocations, 0);
}

Test(ledger, streams_events_and_graphs_are_counted)
{
    ledger_open();
    cr_assert_eq(call("candidate_handles"), cudaErrorInvalidValue);
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.streams.made, 2);
    cr_assert_eq(ledger.streams.destroyed, 1);
    cr_assert_eq(ledger.events.made, 3);
    cr_assert_eq(ledger.events.destroyed, 2);
    cr_assert_eq(ledger.graphs.made, 2, "one captured, one made; a capture that failed is none");
    cr_assert_eq(ledger.graphs.destroyed, 1);
    cr_assert_eq(ledger.executable_graphs.made, 1);
    cr_assert_eq(ledger.executable_graphs.destroyed, 0);
    cr_assert_eq(ledger.captures, 1);
    cr_assert_eq(ledger.graph_launches, 5);
    cr_assert_eq(ledger.launches, 2, "two kernels that are nodes of a graph");
    cr_assert_eq(ledger.graph_roots, 7);
    cr_assert_eq(ledger.leaked_allocations, 0, "they are no memory of the candidate's");
}

Test(ledger, what_the_grader_does_in_a_pause_is_not_recorded)
{
    ledger_open();
    call_with_bytes("candidate_tidy", 400);
    ledger_pause();
    call_with_bytes("candidate_tidy", 400);
    call_with_bytes("candidate_leaky", 8);
    ledger_go_on();
    call_with_bytes("candidate_tidy", 400);
    const struct ledger ledger = ledger_close();

    cr_assert_eq(ledger.launches, 2);
    cr_assert_eq(ledger.allocations, 6);
    cr_assert_eq(ledger.leaked_allocations, 0);
    cr_assert_eq(ledger.calls_outside, 0);
}

Test(ledger, a_pause_outside_a_recording_begins_none)
{
    ledger_pause();
    ledger_go_on();
    call_with_bytes("candidate_leaky", 8);
    cr_assert_eq(alive("fake_blocks_alive"), 2);
    ledger_open();
    cr_assert_eq(ledger_close().leaked_allocations, 0);
    cr_assert_eq(alive("fake_blocks_alive"), 2, "they were never in the books");
}

Test(ledger, on_a_device_without_cooperative_launch_there_is_none)
{
    ledger_open();
    restrict_device(NO_COOPERATIVE_LAUNCH, true);
    cr_assert_eq(call("candidate_cooperates"), cudaErrorNotSupported);
    restrict_device(NO_COOPERATIVE_LAUNCH, false);
    cr_assert_eq(ledger_close().launches, 0);
    cr_assert_neq(last_error(), cudaSuccess, "a refused launch sets the last error");
    ledger_open();
    cr_assert_eq(call("candidate_cooperates"), cudaSuccess);
    cr_assert_eq(ledger_close().launches, 2);
}
