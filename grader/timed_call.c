/* From device idle to device idle. Work that a candidate leaves in other streams is inside. */
#include "timed_call.h"

#include <stdarg.h>
#include <stdio.h>

#include "array.h"
#include "channel.h"
#include "device.h"
#include "device_load.h"
#include "ledger.h"
#include "pattern.h"
#include "verdict.h"
#include "virtual_calls.h"

bool end_measurement(
    struct speed_result *result, int verdict, const char *diagnosis, const char *text, ...)
{
    va_list arguments;

    result->verdict = verdict;
    snprintf(result->diagnosis, sizeof result->diagnosis, "%s", diagnosis);
    va_start(arguments, text);
    vsnprintf(result->text, sizeof result->text, text, arguments);
    va_end(arguments);
    return false;
}

bool end_by_failure(struct speed_result *result, cudaError_t status, const char *what)
{
    cudaGetLastError();
    if (status == cudaErrorMemoryAllocation)
        return end_measurement(result, INCONCLUSIVE, "too-little-memory",
            "the GPU's memory ran out while the grader %s: close what else uses the GPU", what);
    return end_measurement(result, GRADER_FAULT, "measurement", "%s while the grader %s",
        cudaGetErrorName(status), what);
}

bool forget_caches(struct speed_result *result)
{
    const cudaError_t status = device_flush_l2();
    return status == cudaSuccess ? true : end_by_failure(result, status, "flushed the cache");
}

/* Lines that an earlier call asked the L2 to keep would survive the flush. */
static void forbid_persisting_lines(void)
{
    static int supported = -1;

    if (supported < 0 &&
        cudaDeviceGetAttribute(&supported, cudaDevAttrMaxPersistingL2CacheSize, 0) != cudaSuccess)
        supported = 0;
    if (supported > 0) {
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
        cudaCtxResetPersistingL2Cache();
    }
    cudaGetLastError();
}

/* The same state before every sample: nothing cached, nothing running, no error pending. */
static cudaError_t settle(const struct bench *bench, double *idle_ns)
{
    cudaError_t status = cudaSuccess;

    if (bench->plan.quieten) {
        forbid_persisting_lines();
        status = device_flush_l2();
    }
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
        return status;
    uint64_t start = device_now_ns();
    status = device_empty_launch();
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    *idle_ns = (double)(device_now_ns() - start);
    cudaGetLastError();
    return status;
}

/* What the runtime says after a call, in the order in which it is asked. */
struct replies {
    cudaError_t returned, left_behind, synchronised;
    size_t calls_outside; /* see struct ledger */
    size_t host_bytes;    /* that the call brought to where the host reads them */
    double allocation_ns; /* in calls that allocate */
};

/* By copies and by pages that moved, since the program began; only the virtual GPU counts them. */
static size_t counted_host_bytes(void)
{
    const struct vgpu_counters made = virtual_counters();
    return made.copied_to_host_bytes + made.migrated_bytes;
}

static size_t host_bytes_of(const struct ledger *made, size_t counted)
{
    const size_t known = made->bytes_to_host + made->pinned_bytes;
    return known > counted ? known : counted;
}

static struct replies run_timed(const struct bench *bench, const struct timed_function *timed,
    const struct timed_problem *problem, double *call_ns)
{
    struct replies replies = {.calls_outside = 0};
    /* Memory that a candidate allocates and forgets is freed, or many calls would exhaust it. */
    bool recorded = timed->party == PARTY_CANDIDATE;

    if (recorded)
        ledger_open();
    const size_t counted_before = counted_host_bytes();
    uint64_t start = device_now_ns();
    replies.returned = bench->test->call(timed->function, problem);
    replies.left_behind = cudaGetLastError();
    replies.synchronised = cudaDeviceSynchronize();
    *call_ns = (double)(device_now_ns() - start);
    if (recorded) {
        const size_t counted = counted_host_bytes() - counted_before;
        const struct ledger made = ledger_close();
        replies.calls_outside = made.calls_outside;
        replies.allocation_ns = (double)made.allocation_ns;
        replies.host_bytes = host_bytes_of(&made, counted);
    }
    channel_guard();
    return replies;
}

static bool replies_are_good(const struct replies *replies, struct speed_result *result)
{
    const struct {
        cudaError_t status;
        const char *where;
    } all[] = {{replies->returned, "returned by the function"},
        {replies->left_behind, "left behind by the function"},
        {replies->synchronised, "reported when its work was waited for"}};

    if (replies->returned == cudaErrorNotYetImplemented)
        return end_measurement(result, NOT_ATTEMPTED, "not-attempted", "nothing to time yet");
    if (replies->calls_outside > 0)
        return end_measurement(result, WRONG_ANSWER, "outside-the-call",
            "CUDA calls by another thread, after the function had returned: %zu",
            replies->calls_outside);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].status == cudaErrorLaunchTimeout)
            return end_measurement(result, TIMED_OUT, "launch-timeout",
                "the display's watchdog ended a kernel that ran for seconds");
        if (all[i].status != cudaSuccess)
            return end_measurement(result, CUDA_ERROR, "cuda-error", "%s (%s), %s, at full size",
                cudaGetErrorName(all[i].status), cudaGetErrorString(all[i].status), all[i].where);
    }
    return true;
}

/* 0 where an array is not on the device: then the host may have its part. */
static size_t device_input_bytes(const struct speed_test *test, const struct timed_problem *problem)
{
    size_t bytes = 0;

    for (int k = 0; k < TIMED_ARRAYS_MAX && problem->counts[k] > 0; k++) {
        if (test->residence[k] != ON_DEVICE)
            return 0;
        if (!((test->outputs | test->kept) >> k & 1))
            bytes += problem->counts[k] * ELEMENT_BYTES;
    }
    return bytes;
}

/* The clock of the virtual GPU does not notice what the host computes. The cases look for that as
 * well, and a candidate can tell them from this call. */
static bool device_has_computed(
    const struct bench *bench, const struct replies *replies, const struct timed_problem *problem)
{
    const size_t input_bytes = device_input_bytes(bench->test, problem);

    if (input_bytes == 0 || replies->host_bytes < input_bytes / 2)
        return true;
    return end_measurement(bench->result, WRONG_ANSWER, "computed-on-host",
        "at full size, %s bytes came to where the host reads them; the inputs are %s bytes",
        COUNT(replies->host_bytes), COUNT(input_bytes));
}

static bool effects_are_right(
    const struct bench *bench, const struct timed_arrays *set, const struct timed_problem *problem)
{
    char damage_text[sizeof bench->result->text] = "", wrong[sizeof bench->result->text] = "";
    struct speed_result *result = bench->result;
    enum damage damage;

    cudaError_t status =
        timed_arrays_inspect(set, problem, &damage, damage_text, sizeof damage_text);
    if (status != cudaSuccess)
        return end_measurement(result, CUDA_ERROR, "cuda-error",
            "%s: the device no longer works after the call", cudaGetErrorName(status));
    if (damage == INPUT_WRITTEN)
        return end_measurement(result, WRONG_ANSWER, "input-modified", "%s", damage_text);
    if (!bench->test->verify(problem, wrong, sizeof wrong))
        return end_measurement(result, WRONG_ANSWER, "wrong-when-timed", "%s", wrong);
    if (damage == GUARD_ZONE_WRITTEN)
        return end_measurement(result, MEMORY_ERROR, "guard-zone", "%s", damage_text);
    return true;
}

bool timed_call(struct bench *bench, const struct timed_function *timed, size_t set, uint64_t seed,
    struct times *times)
{
    struct timed_arrays *arrays = &bench->sets[set];
    struct speed_result *result = bench->result;
    struct timed_problem problem;

    cudaError_t status = cudaSuccess;
    for (size_t other = 0; other < ROTATING_SETS && status == cudaSuccess; other++)
        if (other != set) /* the other party may have left the right answer there */
            status = timed_arrays_poison(&bench->sets[other]);
    if (status == cudaSuccess)
        status = timed_arrays_prepare(arrays, timed->party, timed->n, seed, &problem);
    if (status == cudaSuccess)
        status = settle(bench, &times->idle_ns);
    if (status == cudaSuccess) /* last: where there is no demand paging, a launch moves all pages */
        status = timed_arrays_restore(arrays, timed->party);
    if (status != cudaSuccess && status != cudaErrorMemoryAllocation && bench->candidate_ran)
        return end_measurement(result, CUDA_ERROR, "sticky-error",
            "%s: the device does not work any more after your function ran",
            cudaGetErrorName(status));
    if (status != cudaSuccess)
        return end_by_failure(result, status, "prepared a call");
    bench->candidate_ran = bench->candidate_ran || timed->party == PARTY_CANDIDATE;

    struct replies replies = run_timed(bench, timed, &problem, &times->call_ns);
    if (timed->party == PARTY_CANDIDATE && device_input_bytes(bench->test, &problem) > 0)
        bench->allocation_ns = replies.allocation_ns;
    if (replies_are_good(&replies, result) && device_has_computed(bench, &replies, &problem) &&
        effects_are_right(bench, arrays, &problem))
        return true;
    if (timed->party == PARTY_BASELINE) {
        char text[sizeof result->text];
        snprintf(text, sizeof text, "%s", result->text);
        end_measurement(result, GRADER_FAULT, "baseline", "the baseline is wrong: %.130s", text);
    }
    return false;
}

bool timed_limit(struct bench *bench, size_t n, struct times *times)
{
    const struct speed_test *test = bench->test;
    struct timed_problem problem;
    cudaError_t status = cudaSuccess;

    if (test->limit == LIMIT_LESSON)
        status = timed_arrays_prepare(&bench->sets[0], PARTY_BASELINE, n, 0, &problem);
    if (status == cudaSuccess)
        status = settle(bench, &times->idle_ns);
    uint64_t start = device_now_ns();
    if (status == cudaSuccess)
        status =
            test->limit == LIMIT_LESSON ? test->limit_call(&problem) : limit_run(&bench->limit);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    times->call_ns = (double)(device_now_ns() - start);
    return status == cudaSuccess || end_by_failure(bench->result, status, "ran the limit");
}
