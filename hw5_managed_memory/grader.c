/* Homework 5: what the seven tasks must do, tried case by case. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "managed_memory.h"
#include "grader/cost.h"
#include "grader/device_work.h"
#include "grader/measure.h"
#include "grader/mix.h"
#include "grader/restricted.h"
#include "grader/room.h"
#include "grader/trial.h"
#include "grader/virtual_calls.h"

/* ---- what all tasks need -------------------------------------------------------------------- */

#define wrong(trial, ...) trial_fail(trial, WRONG_ANSWER, __VA_ARGS__)

/* Another function of the candidate's file; if there is none, the task has failed. */
static void *companion(struct trial *t, const char *name)
{
    void *object = NULL, *function = NULL;
    Dl_info self;

    if (dladdr(trial_function(t), &self))
        object = dlopen(self.dli_fname, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (object)
        function = dlsym(object, name);
    if (!function)
        trial_fail(t, DOES_NOT_COMPILE, "function-missing", "it defines no function %s()", name);
    return function;
}

static enum cudaMemoryType type_of(const void *pointer)
{
    struct cudaPointerAttributes attributes = {.type = cudaMemoryTypeUnregistered};

    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
        cudaGetLastError();
    return attributes.type;
}

static const char *type_name(const void *pointer)
{
    static const char *const names[] = {[cudaMemoryTypeUnregistered] = "plain host memory",
        [cudaMemoryTypeHost] = "pinned host memory",
        [cudaMemoryTypeDevice] = "device memory",
        [cudaMemoryTypeManaged] = "managed memory"};
    return names[type_of(pointer)];
}

/* Never NULL: after a failure the case does not go on, but the lesson fills what it asked for. */
static void *managed(struct trial *t, size_t bytes)
{
    void *memory = NULL;
    const cudaError_t status = cudaMallocManaged(&memory, bytes + 1, cudaMemAttachGlobal);

    if (status != cudaSuccess)
        trial_fail(t, CANNOT_GRADE, "too-little-memory", "%s", cudaGetErrorName(status));
    cr_assert_not_null(memory, "no managed memory");
    return memory;
}

/* The same, at the start of a page that is its own to the end: advice is given to whole pages, and
 * small allocations share them. `base` is what to free. */
static void *managed_pages(struct trial *t, size_t bytes, void **base)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    *base = managed(t, bytes + 2 * page);
    return (void *)(((uintptr_t)*base + page - 1) / page * page);
}

static bool is_concurrent(void)
{
    int concurrent = 0;
    cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    return concurrent != 0;
}

static int attribute_of(const void *memory, size_t bytes, enum cudaMemRangeAttribute attribute)
{
    int value = cudaInvalidDeviceId;

    if (cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, bytes) != cudaSuccess)
        cudaGetLastError();
    return value;
}

/* The end of a call under the rules of restricted.h, if `restricted`: with them it must succeed, too.
 * Returns its status. */
static cudaError_t end_restricted(struct trial *t, bool restricted, cudaError_t status)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, false);
    if (restricted && status != cudaSuccess && status != cudaErrorNotYetImplemented)
        trial_fail(t, CUDA_ERROR, "attribute-not-asked",
            "it returned %s where concurrentManagedAccess is 0", cudaGetErrorName(status));
    return status;
}

/* Did the host use managed memory of work that it had not waited for? Only the virtual GPU sees. */
static bool touched_early(void)
{
    struct vgpu_finding findings[16];
    size_t count = 0;

    if (virtual_calls()->findings)
        count = virtual_calls()->findings(findings, LENGTH(findings));
    for (size_t i = 0; i < count && i < LENGTH(findings); i++)
        if (strcmp(findings[i].word, "managed-touch") == 0)
            return true;
    return false;
}

/* What explains stale values: the candidate looked before the device was done. */
static bool read_too_early(struct trial *t)
{
    return touched_early() ||
           (trial_ledger(t)->launches > 0 && trial_ledger(t)->synchronisations == 0);
}

/* What *sum holds before a call; no sum of the inputs comes near it. */
static const long long junk_sum = 0x7fc0dead7fc0dead, sum_max = 1LL << 50;

static void expect_sum(struct trial *t, const char *whose, long long got, long long want)
{
    const bool has_junk = got > sum_max || got < -sum_max;

    if (got == junk_sum)
        wrong(t, "unwritten", "*sum was not written");
    else if (got != want)
        wrong(t,
            trial_stream(t)     ? "other-stream"
            : read_too_early(t) ? "read-too-early"
            : has_junk          ? "sum-not-cleared"
                                : "wrong-value",
            "%s %lld, expected %lld", whose, got, want);
}

/* Not every byte of it comes from a kernel. */
static bool host_made(const void *memory, size_t bytes)
{
    enum { DEVICE = 1 };
    return virtual_calls()->written_by && bytes > 0 &&
           virtual_calls()->written_by(memory, bytes) != DEVICE;
}

/* Compares numbers that were copied to host memory. `early`: what they are if they were read before
 * the device was done; may be NULL. */
static void expect_ints(struct trial *t, const char *name, int32_t *got, const double *want,
    size_t count, const double *early)
{
    const struct array output = {
        .name = name, .element = INT32, .count = count, .is_output = true, .ints = got};
    const struct suspect suspects[] = {
        {early && read_too_early(t) ? "read-too-early" : NULL, early}, {NULL, NULL}};

    trial_expect(t, &(struct expectation){.output = &output, .want = want, .suspects = suspects});
}

/* ---- hw5.1: a list -------------------------------------------------------------------------- */

struct list_run {
    struct trial *t;
    typeof(&list_make) make;
    typeof(&list_add) add;
    typeof(&list_free) free;
    const int *values;
    size_t n;
    double *before, *want; /* of the latest walk of the device */
    int32_t *got;
    struct node *list; /* what list_make() made; unwritten_list: nothing */
    long long sum, want_sum;
};

static struct node *const unwritten_list = (struct node *)POISON_WORD;

/* n managed nodes with the right values, and then no more. */
static void look_at_list(struct list_run *run, const struct node *list)
{
    const struct node *at = list;

    for (size_t i = 0; i < run->n && trial_healthy(run->t); i++) {
        if (!at)
            wrong(run->t, "wrong-list", "the list ends after %zu nodes of %zu", i, run->n);
        else if (type_of(at) != cudaMemoryTypeManaged)
            wrong(run->t, "not-managed", "node %zu lies in %s", i, type_name(at));
        else if (at->value != run->values[i])
            wrong(run->t, "wrong-list", "node %zu holds %d, expected %d", i, at->value,
                run->values[i]);
        else
            at = at->next;
    }
    if (trial_healthy(run->t) && at)
        wrong(run->t, "wrong-list", "%p follows node %zu of %zu, where NULL is expected",
            (const void *)at, run->n, run->n);
}

/* The host changes the values, then the device does. */
static cudaError_t walk_on_both_sides(struct list_run *run, struct node *list, int amount)
{
    size_t i = 0;

    run->want_sum = 0;
    for (struct node *at = list; at; at = at->next, i++) {
        if (!trial_try_size(run->t))
            at->value = at->value / 2 - (int)i;
        run->before[i] = at->value;
        run->want[i] = at->value + amount;
        run->want_sum += at->value + amount;
    }
    run->sum = junk_sum;
    const cudaError_t status = run->add(list, amount, &run->sum);
    i = 0;
    for (const struct node *at = list; at && status == cudaSuccess; at = at->next, i++) {
        run->got[i] = at->value;
        if (run->sum == run->want_sum && host_made(&at->value, sizeof at->value))
            wrong(run->t, "computed-on-host", "no kernel has written the value of node %zu", i);
    }
    return status;
}

static cudaError_t use_list(struct trial *t, struct list_run *run)
{
    static const int amounts[] = {1000, -7};
    const size_t rounds = trial_try_size(t) ? 1 : LENGTH(amounts);

    run->list = unwritten_list;
    cudaError_t status = run->make(run->values, run->n, &run->list);
    if (status != cudaSuccess || run->list == unwritten_list)
        return status;
    look_at_list(run, run->list);
    run->add = companion(t, "list_add");
    run->free = companion(t, "list_free");
    for (size_t round = 0; round < rounds && status == cudaSuccess; round++)
        if (trial_healthy(run->t) && run->sum == run->want_sum)
            status = walk_on_both_sides(run, run->list, amounts[round]);
    if (run->free && trial_healthy(run->t)) {
        const cudaError_t freed = run->free(run->list);
        status = status == cudaSuccess ? freed : status;
    }
    return status;
}

static void judge_list(struct trial *t, struct list_run *run)
{
    if (run->list == unwritten_list)
        wrong(t, "unwritten", "*list was not written");
    if (trial_healthy(run->t))
        expect_sum(t, "the device's sum is", run->sum, run->want_sum);
    if (trial_healthy(run->t))
        expect_ints(t, "value", run->got, run->want, run->n, run->before);
}

/* `failing`: the number of the allocation that fails; 0: none. */
static void try_list(struct trial *t, size_t n, unsigned failing)
{
    struct array *values = trial_host_input(t, "values", INT32, n);
    struct list_run run = {.t = t,
        .make = (typeof(&list_make))trial_function(t),
        .values = values->given,
        .n = n,
        .before = doubles(n),
        .want = doubles(n),
        .got = room_for(n, sizeof(int32_t))};

    fill_ints(values->ints, n, -1000, 1000, trial_seed(t));
    if (!trial_try_size(t)) /* shows whether the device still works */
        (void)trial_input(t, "a word on the device", INT32, 1);
    if (TRIAL_CALL(t, use_list(t, &run)))
        judge_list(t, &run);
    if (failing > 0 && trial_healthy(t) && trial_ledger(t)->allocations >= failing) {
        ledger_fail_allocation(failing);
        (void)TRIAL_CALL_MUST_FAIL(t, use_list(t, &run), "an allocation failed");
    }
    free(run.before), free(run.want), free(run.got);
}

static void check_list(struct trial *t)
{
    static const size_t sizes[] = {5, 1, 2, 0, 33, 1000};
    enum { N = 3, ALLOCATIONS = 4 };
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(sizes)); i++)
        if (trial_begin(t, "n%zu", tried ? tried : sizes[i]))
            try_list(t, tried ? tried : sizes[i], 0);
    for (unsigned k = 1; k <= ALLOCATIONS && !tried; k++)
        if (trial_begin(t, "allocation-%u-fails", k))
            try_list(t, N, k);
}

/* ---- hw5.2: pages on the right side --------------------------------------------------------- */

enum {
    AMOUNT = 12345,
    LOW = -1000000,
    HIGH = 1000000,
    ZONE = 1024,       /* elements behind the array that nobody may write */
    JUDGED_N = 1000000 /* from here on a fault is not that of a page that the zone is in */
};

/* Element i before the call; `make try` shows numbers that one can add in the head. */
static int before_increment(struct trial *t, size_t i)
{
    const bool trying = trial_try_size(t) > 0;
    return mixed_integer(trial_seed(t), i, trying ? -9 : LOW, trying ? 9 : HIGH);
}

struct increment_run {
    struct trial *t;
    typeof(&increment) increment;
    typeof(&sum_at_home) sum_at_home;
    int *data;
    size_t n;
    bool restricted;
    int place, place_of_quarter, place_of_half; /* prefetched to, before sum_at_home() */
    bool read_mostly;
    long long sum;
    int *seen; /* what the stream has found there, where there is one */
};

static int prefetched_to(const void *memory, size_t bytes)
{
    return bytes > 0 ? attribute_of(memory, bytes, cudaMemRangeAttributeLastPrefetchLocation)
                     : cudaInvalidDeviceId;
}

/* sum_at_home() has waited for the first increment, in whatever stream that was. A second one comes late
 * in the default stream, and what is judged is what the caller's stream finds. */
static cudaError_t increment_again(struct trial *t, struct increment_run *run)
{
    const cudaStream_t stream = trial_stream(t);

    trial_delay(NULL, 1);
    cudaError_t status = run->increment(run->data, run->n, AMOUNT, stream);
    ledger_pause();
    if (status == cudaSuccess)
        status = cudaMemcpyAsync(
            run->seen, run->data, run->n * sizeof *run->data, cudaMemcpyDefault, stream);
    if (status == cudaSuccess)
        status = cudaStreamSynchronize(stream);
    ledger_go_on();
    return status;
}

static cudaError_t use_increment(struct trial *t, struct increment_run *run)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, run->restricted);
    cudaError_t status = run->increment(run->data, run->n, AMOUNT, trial_stream(t));
    run->place = prefetched_to(run->data, run->n * sizeof *run->data);
    run->place_of_quarter = prefetched_to(run->data, run->n);
    run->place_of_half = prefetched_to(run->data, 2 * run->n);
    run->read_mostly = run->n > 0 && attribute_of(run->data, run->n * sizeof *run->data,
                                         cudaMemRangeAttributeReadMostly) == 1;
    run->sum_at_home = companion(t, "sum_at_home");
    if (status == cudaSuccess && run->sum_at_home)
        status = run->sum_at_home(run->data, run->n, &run->sum, trial_stream(t));
    if (status == cudaSuccess && trial_stream(t))
        status = increment_again(t, run);
    return end_restricted(t, run->restricted, status);
}

static double page_faults(const struct vgpu_counters *made)
{
    return (double)made->device_page_faults;
}

#define NO_FAULTS(diagnosis)                                                     \
    {                                                                            \
        diagnosis, "pages that the kernel had to wait for", page_faults, NULL, 0 \
    }

/* The pages that fault, where the array had been sent before, and its advice tell the mistake. */
static void expect_no_faults(struct trial *t, const struct increment_run *run)
{
    static const struct cost_gate wrong_side = NO_FAULTS("wrong-side"),
                                  in_elements = NO_FAULTS("prefetch-in-elements"),
                                  read_mostly = NO_FAULTS("read-mostly-written"),
                                  not_prefetched = NO_FAULTS("not-prefetched");
    const bool is_quarter = run->place_of_half == cudaInvalidDeviceId && run->place_of_quarter >= 0;

    if (is_concurrent() && !run->restricted && run->n >= JUDGED_N)
        trial_expect_cost(t,
            run->read_mostly                ? &read_mostly
            : run->place == cudaCpuDeviceId ? &wrong_side
            : is_quarter                    ? &in_elements
                                            : &not_prefetched,
            1);
}

static void judge_increment(struct trial *t, struct increment_run *run)
{
    const size_t n = run->n;
    const bool in_stream = trial_stream(t) != NULL;
    double *before = doubles(n), *want = doubles(n);
    int32_t *got = room_for(n, sizeof(int32_t));
    long long want_sum = 0;

    for (size_t i = 0; i < n; i++) {
        before[i] = before_increment(t, i);
        want[i] = before[i] + (in_stream ? 2 : 1) * AMOUNT;
        want_sum += (long long)before[i] + AMOUNT;
        got[i] = in_stream ? run->seen[i] : run->data[i];
    }
    expect_ints(t, "data", got, want, n, before);
    expect_sum(t, "sum_at_home() found", run->sum, want_sum);
    if (run->restricted && touched_early())
        wrong(run->t, "read-too-early",
            "the host touches the array while the device works: where concurrentManagedAccess is "
            "0, that ends the program");
    if (n > 0 && (trial_ledger(t)->launches == 0 || host_made(run->data, n * sizeof *run->data)))
        wrong(run->t, "computed-on-host", "no kernel has written all of the array");
    for (size_t i = n; i < n + ZONE; i++)
        if (run->data[i] != GUARD_WORD)
            trial_finding(t, MEMORY_ERROR, "guard-zone",
                "data: written past its end, the first at index %zu of an array of %zu", i, n);
    if (trial_healthy(t))
        expect_no_faults(t, run);
    free(before), free(want), free(got);
}

static void try_increment(struct trial *t, size_t n, bool restricted)
{
    struct increment_run run = {.t = t,
        .increment = (typeof(&increment))trial_function(t),
        .data = managed(t, (n + ZONE) * sizeof(int)),
        .n = n,
        .seen = room_for(n, sizeof(int)),
        .restricted = restricted,
        .sum = junk_sum};

    for (size_t i = 0; i < n; i++)
        run.data[i] = before_increment(t, i);
    for (size_t i = n; i < n + ZONE; i++)
        run.data[i] = GUARD_WORD;
    if (TRIAL_CALL(t, use_increment(t, &run)))
        judge_increment(t, &run);
    cudaFree(run.data);
    free(run.seen);
}

static void check_increment(struct trial *t)
{
    /* A million elements end in the middle of a page, so the guard zone is in no other page. */
    static const size_t sizes[] = {1000003, 1, 0, 31, 32, 33, 255, 256, 257, 16383};
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(sizes)); i++)
        if (trial_begin(t, "n%zu", tried ? tried : sizes[i]))
            try_increment(t, tried ? tried : sizes[i], false);
    if (!tried && trial_begin(t, "restricted-n100003"))
        try_increment(t, 100003, true);
}

static size_t timed_count(size_t n, int k)
{
    return k < 2 ? n : 0; /* the array, and what it must become */
}

static size_t timed_bytes(const struct timed_problem *p)
{
    return p->n * sizeof(int);
}

static size_t timed_size(size_t bytes)
{
    return bytes / sizeof(int);
}

static cudaError_t timed_prepare(struct timed_problem *p)
{
    return device_fill_ints(p->arrays[0], p->n, LOW, HIGH, p->seed);
}

static cudaError_t timed_call(void *function, const struct timed_problem *p)
{
    return ((typeof(&increment))function)(p->arrays[0], p->n, AMOUNT, 0);
}

static bool timed_verify(const struct timed_problem *p, char *text, size_t text_bytes)
{
    size_t wrong = 0, first = 0;

    cudaError_t status = device_fill_ints(p->arrays[1], p->n, LOW + AMOUNT, HIGH + AMOUNT, p->seed);
    if (status == cudaSuccess)
        status = device_count_differences(p->arrays[0], p->arrays[1], p->n, &wrong, &first);
    if (status != cudaSuccess)
        snprintf(text, text_bytes, "%s while the array was verified", cudaGetErrorName(status));
    else if (wrong > 0)
        snprintf(text, text_bytes, "at full size, n = %zu, %zu elements are wrong, the first %zu",
            p->n, wrong, first);
    return status == cudaSuccess && wrong == 0;
}

static const struct speed_test increment_speed = {
    .limit = LIMIT_TO_DEVICE,
    .gate = 0.6,
    .baseline_name = "one fault after the other",
    .array_count = timed_count,
    .updated = 1 << 0,
    .outputs = 1 << 1,
    .residence = {MANAGED_ON_HOST, ON_DEVICE},
    .bytes = timed_bytes,
    .size_for = timed_size,
    .prepare = timed_prepare,
    .call = timed_call,
    .verify = timed_verify,
    .baseline_iqr_max = 0.3, /* faults come in batches, as it happens */
};

/* ---- hw5.3: deep copies --------------------------------------------------------------------- */

enum { NAME_MAX_BYTES = 41 };

struct copy_run {
    struct trial *t;
    typeof(&copy_by_hand) copy[2]; /* by hand, managed */
    typeof(&free_by_hand) free[2];
    struct record *records;
    char *names; /* of all records */
    size_t n;
};

static struct record *const unwritten_copy = (struct record *)POISON_WORD;
static const char *const copied[] = {"by hand", "managed"};
static const enum cudaMemoryType copied_to[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged};

/* One record of a copy, itself in host memory. */
static void look_at_record(struct copy_run *run, int how, size_t i, const struct record *got)
{
    const struct record *want = &run->records[i];
    const size_t name_bytes = (size_t)want->length + 1;
    char name[NAME_MAX_BYTES];

    if (got->key != want->key || got->length != want->length)
        wrong(run->t, "wrong-record", "%s: record %zu has key %d, length %d; expected %d, %d",
            copied[how], i, got->key, got->length, want->key, want->length);
    else if (got->name == want->name)
        wrong(run->t, "shallow-copy", "%s: the name of record %zu is the original itself",
            copied[how], i);
    else if (type_of(got->name) != copied_to[how])
        wrong(run->t, "wrong-memory", "%s: the name of record %zu lies in %s", copied[how], i,
            type_name(got->name));
    else if (cudaMemcpy(name, got->name, name_bytes, cudaMemcpyDefault) != cudaSuccess)
        wrong(run->t, "missing-zero",
            "%s: the name of record %zu, of length %d, lies in fewer than %zu bytes", copied[how],
            i, want->length, name_bytes);
    else if (memcmp(name, want->name, name_bytes - 1) != 0)
        wrong(run->t, "wrong-record", "%s: the name of record %zu is \"%.*s\", expected \"%s\"",
            copied[how], i, want->length, name, want->name);
    else if (name[name_bytes - 1] != 0)
        wrong(run->t, "missing-zero", "%s: after the name of record %zu there is %d, not 0",
            copied[how], i, name[name_bytes - 1]);
}

static void look_at_copy(struct copy_run *run, int how, const struct record *copy)
{
    struct record got;

    if (copy == unwritten_copy)
        wrong(run->t, "unwritten", "%s: *copy was not written", copied[how]);
    else if (run->n == 0 ? copy != NULL : type_of(copy) != copied_to[how])
        wrong(run->t, run->n == 0 ? "wrong-record" : "wrong-memory",
            "%s: the copy of %zu records is %p, in %s", copied[how], run->n, (const void *)copy,
            type_name(copy));
    for (size_t i = 0; i < run->n && trial_healthy(run->t); i++) {
        if (cudaMemcpy(&got, &copy[i], sizeof got, cudaMemcpyDefault) != cudaSuccess)
            wrong(run->t, "wrong-memory", "%s: there is no record %zu", copied[how], i);
        else
            look_at_record(run, how, i, &got);
    }
}

static cudaError_t use_copies(struct trial *t, struct copy_run *run)
{
    struct record *copies[2] = {unwritten_copy, unwritten_copy};
    cudaError_t status = run->copy[0](run->records, run->n, &copies[0]);

    if (status != cudaSuccess)
        return status;
    look_at_copy(run, 0, copies[0]);
    run->copy[1] = companion(t, "copy_managed");
    run->free[0] = companion(t, "free_by_hand");
    run->free[1] = companion(t, "free_managed");
    if (!trial_healthy(run->t))
        return cudaSuccess;
    status = run->free[0](copies[0], run->n);
    if (status == cudaSuccess)
        status = run->copy[1](run->records, run->n, &copies[1]);
    if (status == cudaSuccess)
        look_at_copy(run, 1, copies[1]);
    if (status == cudaSuccess && trial_healthy(run->t))
        status = run->free[1](copies[1], run->n);
    return status;
}

/* Names of letters, some empty, one after the other in one block of host memory. */
static struct copy_run make_records(struct trial *t, size_t n)
{
    struct copy_run run = {.t = t, .copy = {(typeof(&copy_by_hand))trial_function(t)}, .n = n};

    run.records = calloc(n + 1, sizeof *run.records);
    run.names = calloc(n + 1, NAME_MAX_BYTES);
    cr_assert(run.records && run.names, "out of memory");
    for (size_t i = 0; i < n; i++) {
        struct record *record = &run.records[i];
        const uint64_t seed = mix(trial_seed(t), i);
        record->key = mixed_integer(seed, 0, -1000000, 1000000);
        record->length = i % 5 == 3 ? 0 : mixed_integer(seed, 1, 1, NAME_MAX_BYTES - 1);
        record->name = &run.names[i * NAME_MAX_BYTES];
        for (int k = 0; k < record->length; k++)
            record->name[k] = (char)mixed_integer(seed, 2 + (uint64_t)k, 'a', 'z');
    }
    return run;
}

static void free_records(const struct copy_run *run)
{
    free(run->records);
    free(run->names);
}

static void try_copies(struct trial *t, size_t n, unsigned failing)
{
    struct copy_run run = make_records(t, n), before = make_records(t, n);

    if (TRIAL_CALL(t, use_copies(t, &run)) &&
        memcmp(run.names, before.names, n * NAME_MAX_BYTES) != 0)
        trial_finding(t, MEMORY_ERROR, "input-modified", "the names of the originals changed");
    if (failing > 0 && trial_healthy(t) && trial_ledger(t)->allocations >= failing) {
        ledger_fail_allocation(failing);
        (void)TRIAL_CALL_MUST_FAIL(t, use_copies(t, &run), "an allocation failed");
    }
    free_records(&run);
    free_records(&before);
}

/* The first allocation fails, so nothing of that size is ever made; but the request was seen. */
static void try_too_many(struct trial *t, int how, size_t n)
{
    struct copy_run run = make_records(t, 1);
    struct record *copy = NULL;

    run.copy[1] = companion(t, "copy_managed");
    if (trial_healthy(t)) {
        ledger_fail_allocation(1);
        (void)TRIAL_CALL_MUST_FAIL(
            t, run.copy[how](run.records, n, &copy), "there is no memory for so many records");
    }
    const size_t asked = trial_ledger(t)->smallest_request_bytes; /* SIZE_MAX: for nothing */
    if (asked < SIZE_MAX && asked / sizeof(struct record) < n)
        wrong(t, "size-wraps", "%s: for %zu records it asked for %zu bytes", copied[how], n, asked);
    free_records(&run);
}

static void check_copies(struct trial *t)
{
    static const size_t sizes[] = {5, 1, 0, 33, 100};
    static const size_t too_many[] = {((size_t)1 << 28) + 3, ((size_t)1 << 60) + 5};
    enum { N = 3, ALLOCATIONS = 8 };
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(sizes)); i++)
        if (trial_begin(t, "n%zu", tried ? tried : sizes[i]))
            try_copies(t, tried ? tried : sizes[i], 0);
    for (unsigned k = 1; k <= ALLOCATIONS && !tried; k++)
        if (trial_begin(t, "allocation-%u-fails", k))
            try_copies(t, N, k);
    for (size_t i = 0; i < 2 * LENGTH(too_many) && !tried; i++)
        if (trial_begin(t, "too-many-%zu", i))
            try_too_many(t, i % 2, too_many[i / 2]);
}

/* ---- hw5.4: a class ------------------------------------------------------------------------- */

struct text_functions {
    typeof(&text_make) make;
    typeof(&text_copy) copy;
    typeof(&text_assign) assign;
    typeof(&text_make_array) make_array;
    typeof(&text_at) at;
    typeof(&text_length) length;
    typeof(&text_chars) chars;
    typeof(&text_upper) upper;
    typeof(&text_count) count;
    typeof(&text_delete) delete;
    typeof(&text_delete_array) delete_array;
};

static void find_text_functions(struct trial *t, struct text_functions *f)
{
    f->copy = companion(t, "text_copy");
    f->assign = companion(t, "text_assign");
    f->make_array = companion(t, "text_make_array");
    f->at = companion(t, "text_at");
    f->length = companion(t, "text_length");
    f->chars = companion(t, "text_chars");
    f->upper = companion(t, "text_upper");
    f->count = companion(t, "text_count");
    f->delete = companion(t, "text_delete");
    f->delete_array = companion(t, "text_delete_array");
}

struct text_run {
    struct trial *t;
    struct text_functions f;
    char *first, *second; /* what the texts hold, of different lengths */
    cudaError_t status;   /* of the calls so far: after an error no more are made */
};

static bool goes_on(const struct text_run *run)
{
    return trial_healthy(run->t) && run->status == cudaSuccess;
}

#define STEP(run, call) ((run)->status = goes_on(run) ? (run)->f.call : (run)->status)

/* A text that must be in managed memory, itself and its characters, and hold these. */
static void look_at_text(
    struct text_run *run, const char *which, const struct Text *text, const char *want)
{
    if (!goes_on(run))
        return;
    if (type_of(text) != cudaMemoryTypeManaged) {
        wrong(run->t, "object-not-managed", "%s: the object lies in %s", which, type_name(text));
        return;
    }
    const char *chars = run->f.chars(text);
    if (type_of(chars) != cudaMemoryTypeManaged)
        wrong(
            run->t, "object-not-managed", "%s: its characters lie in %s", which, type_name(chars));
    else if (run->f.length(text) != strlen(want))
        wrong(run->t, "wrong-text", "%s: it has the length %zu, expected %zu", which,
            run->f.length(text), strlen(want));
    else if (strcmp(chars, want) != 0)
        wrong(
            run->t, "wrong-text", "%s: it holds \"%.60s\", expected \"%.60s\"", which, chars, want);
}

static void look_for_sharing(
    struct text_run *run, const char *which, const struct Text *a, const struct Text *b)
{
    if (goes_on(run) && run->f.chars(a) == run->f.chars(b))
        wrong(run->t, "shallow-copy", "%s has the characters of the original, not its own", which);
}

/* The copy is changed on the device; the original must not change with it. */
static void use_two_texts(struct text_run *run, struct Text *text, struct Text *copy)
{
    char upper[128];
    unsigned letters = 0, wanted = 0;

    for (size_t i = 0; i <= strlen(run->first); i++) {
        upper[i] = (char)toupper(run->first[i]);
        wanted += run->first[i] == 'e';
    }
    look_at_text(run, "a copy", copy, run->first);
    look_for_sharing(run, "a copy", text, copy);
    STEP(run, upper(copy));
    look_at_text(run, "a copy in upper case", copy, upper);
    look_at_text(run, "the original of a copy", text, run->first);
    STEP(run, count(text, 'e', &letters));
    if (goes_on(run) && letters != wanted)
        wrong(
            run->t, "wrong-text", "the device counted %u letters e, expected %u", letters, wanted);
    look_at_text(run, "a text that a kernel got by value", text, run->first);
}

static void assign_texts(struct text_run *run, struct Text *text, struct Text *other)
{
    STEP(run, assign(other, text));
    look_at_text(run, "the target of an assignment", other, run->first);
    look_for_sharing(run, "the target of an assignment", text, other);
    STEP(run, assign(text, text));
    look_at_text(run, "a text assigned to itself", text, run->first);
}

static void use_text_array(struct text_run *run, const struct Text *text)
{
    enum { N = 3 };
    struct Text *texts = NULL;

    STEP(run, make_array(N, &texts));
    for (size_t i = 0; i < N && goes_on(run); i++)
        look_at_text(run, "a text of an array", run->f.at(texts, i), "");
    STEP(run, assign(run->f.at(texts, 1), text));
    if (goes_on(run))
        look_at_text(run, "a text of an array", run->f.at(texts, 1), run->first);
    if (goes_on(run))
        run->f.delete_array(texts);
}

static cudaError_t use_texts(struct text_run *run)
{
    struct Text *const unwritten = (struct Text *)POISON_WORD;
    struct Text *text = unwritten, *copy = NULL, *other = NULL;

    STEP(run, make(run->first, &text));
    if (run->status == cudaSuccess && text == unwritten)
        wrong(run->t, "unwritten", "*text was not written");
    if (goes_on(run))
        find_text_functions(run->t, &run->f);
    look_at_text(run, "a new text", text, run->first);
    STEP(run, copy(text, &copy));
    if (goes_on(run))
        use_two_texts(run, text, copy);
    STEP(run, make(run->second, &other));
    if (goes_on(run))
        assign_texts(run, text, other);
    if (goes_on(run))
        use_text_array(run, text);
    if (goes_on(run))
        run->f.delete(text), run->f.delete(copy), run->f.delete(other);
    return run->status;
}

static void check_text(struct trial *t)
{
    static const size_t lengths[][2] = {{20, 5}, {5, 20}, {0, 7}, {100, 0}};
    char texts[2][128];

    for (size_t i = 0; i < LENGTH(lengths); i++) {
        if (!trial_begin(t, "length%zu-and-%zu", lengths[i][0], lengths[i][1]))
            continue;
        for (size_t which = 0; which < 2; which++) {
            memset(texts[which], 0, sizeof texts[which]);
            for (size_t k = 0; k < lengths[i][which]; k++)
                texts[which][k] = (char)mixed_integer(trial_seed(t) + which, k, 'a', 'j');
        }
        struct text_run run = {.t = t,
            .f = {.make = (typeof(&text_make))trial_function(t)},
            .first = texts[0],
            .second = texts[1]};
        (void)TRIAL_CALL(t, use_texts(&run));
    }
}

/* ---- hw5.5: one counter --------------------------------------------------------------------- */

/* Is there an atomic instruction of system scope in the device code of the file? Without one the
 * counter is not shared, whatever its value is. */
static bool has_system_atomic(struct trial *t)
{
    char *text = malloc((size_t)64 << 20);
    size_t bytes = 0;
    bool found = false;
    Dl_info self;

    FILE *file = dladdr(trial_function(t), &self) ? fopen(self.dli_fname, "rb") : NULL;
    if (file && text)
        bytes = fread(text, 1, (size_t)64 << 20, file);
    for (size_t i = 0; i + 5 <= bytes && !found; i++) {
        size_t end = i;
        if (memcmp(text + i, "atom.", 5) != 0 && memcmp(text + i, "red.", 4) != 0)
            continue;
        while (end < bytes && isgraph((unsigned char)text[end]))
            end++;
        found = memmem(text + i, end - i, ".sys", 4) != NULL;
    }
    if (file)
        fclose(file);
    free(text);
    return found;
}

static const struct count_case {
    size_t gpu_adds, cpu_adds;
    bool restricted;
} count_cases[] = {
    {1000, 700, false},
    {1000, 0, false},
    {0, 300, false},
    {1, 1, false},
    {20011, 2000, false},
    {20011, 2000, true},
};

static cudaError_t use_counter(
    struct trial *t, const struct count_case *c, unsigned *counter, unsigned start)
{
    *counter = start;
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, c->restricted);
    return end_restricted(t, c->restricted,
        ((typeof(&count_together))trial_function(t))(counter, c->gpu_adds, c->cpu_adds));
}

static void judge_count(
    struct trial *t, const struct count_case *c, const unsigned *counter, unsigned start)
{
    const bool both = c->gpu_adds > 0 && c->cpu_adds > 0;
    const double want = start + (double)c->gpu_adds + (double)c->cpu_adds;
    const bool early = touched_early(); /* before anything here reads the counter */
    struct array output = {.name = "counter", .element = UINT32, .count = 1, .is_output = true};
    uint32_t got = *counter;

    if (both && !has_system_atomic(t))
        wrong(t, "device-scope", "no atomic instruction of the device code has system scope");
    output.words = &got;
    trial_expect(t, &(struct expectation){.output = &output, .want = &want});
    if (c->gpu_adds > 0 && host_made(counter, sizeof *counter))
        wrong(t, "computed-on-host", "no kernel has written the counter");
    if (both && c->restricted && early)
        wrong(t, "touched-while-busy",
            "the host adds while the device works, where concurrentManagedAccess is 0");
    if (both && !c->restricted && !early && virtual_calls()->findings && is_concurrent())
        wrong(t, "one-after-the-other",
            "the host did not add between the launch and the wait for it");
}

static void try_count(struct trial *t, const struct count_case *c, int rounds)
{
    unsigned *counter = managed(t, sizeof *counter);

    for (int round = 0; round < rounds && trial_healthy(t); round++) {
        const unsigned start = (unsigned)mixed_integer(trial_seed(t), (uint64_t)round, 1, 1000000);
        if (TRIAL_CALL(t, use_counter(t, c, counter, start)))
            judge_count(t, c, counter, start);
    }
    cudaFree(counter);
}

static void check_count(struct trial *t)
{
    const struct count_case tried = {trial_try_size(t), trial_try_size(t), false};
    const bool trying = tried.gpu_adds > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(count_cases)); i++) {
        const struct count_case *c = trying ? &tried : &count_cases[i];
        if (trial_begin(
                t, "%sgpu%zu-cpu%zu", c->restricted ? "restricted-" : "", c->gpu_adds, c->cpu_adds))
            try_count(t, c, trying ? 1 : 3);
    }
}

/* ---- hw5.6: hints --------------------------------------------------------------------------- */

static bool accessed_by(const void *memory, size_t bytes, int device)
{
    int devices[16];
    bool found = false;

    if (cudaMemRangeGetAttribute(
            devices, sizeof devices, cudaMemRangeAttributeAccessedBy, memory, bytes) != cudaSuccess)
        cudaGetLastError();
    else
        for (size_t i = 0; i < LENGTH(devices); i++)
            found = found || devices[i] == device;
    return found;
}

/* What an attribute of a range must be. Of 4-byte elements: a range of as many bytes as there are
 * elements is a quarter of the array. */
struct hint {
    const char *array, *what;
    const void *memory;
    size_t count;
    enum cudaMemRangeAttribute attribute;
    int value;
};

static bool holds(const struct hint *hint, size_t bytes)
{
    if (hint->attribute == cudaMemRangeAttributeAccessedBy)
        return accessed_by(hint->memory, bytes, hint->value);
    return attribute_of(hint->memory, bytes, hint->attribute) == hint->value;
}

static void expect_hint(struct trial *t, const struct hint *hint)
{
    if (holds(hint, 4 * hint->count))
        return;
    if (hint->value != 0 || hint->attribute != cudaMemRangeAttributeReadMostly)
        wrong(t, holds(hint, hint->count) ? "hint-in-elements" : "hint-missing",
            "%s must be %s, for all of its %zu bytes, and is not", hint->array, hint->what,
            4 * hint->count);
    else
        wrong(t, "read-mostly-written", "%s must not be %s, and is", hint->array, hint->what);
}

static void judge_hints(struct trial *t, const struct shared_arrays *a)
{
    const enum cudaMemRangeAttribute read_mostly = cudaMemRangeAttributeReadMostly,
                                     preferred = cudaMemRangeAttributePreferredLocation,
                                     accessed = cudaMemRangeAttributeAccessedBy;
    const struct hint hints[] = {
        {"state", "read-mostly", a->state, a->state_count, read_mostly, 0},
        {"orders", "read-mostly", a->orders, a->order_count, read_mostly, 0},
        {"table", "read-mostly", a->table, a->table_count, read_mostly, 1},
        {"state", "preferred on the device", a->state, a->state_count, preferred, 0},
        {"orders", "preferred on the host", a->orders, a->order_count, preferred, cudaCpuDeviceId},
        {"orders", "accessed by the device", a->orders, a->order_count, accessed, 0},
    };

    for (size_t i = 0; i < LENGTH(hints); i++)
        expect_hint(t, &hints[i]);
}

static cudaError_t call_advise(struct trial *t, const struct shared_arrays *arrays, bool restricted)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, restricted);
    return end_restricted(t, restricted, ((typeof(&advise))trial_function(t))(arrays, 0));
}

static void check_hints(struct trial *t)
{
    static const struct {
        const char *name;
        size_t table, state, orders;
        bool restricted;
    } cases[] = {
        {"large", 300007, 500009, 200003, false},
        {"small", 1, 2, 3, false},
        {"restricted", 1000, 1000, 1000, true},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        if (!trial_begin(t, "%s", cases[i].name))
            continue;
        void *bases[3];
        const struct shared_arrays arrays = {
            .table = managed_pages(t, cases[i].table * sizeof(float), &bases[0]),
            .table_count = cases[i].table,
            .state = managed_pages(t, cases[i].state * sizeof(float), &bases[1]),
            .state_count = cases[i].state,
            .orders = managed_pages(t, cases[i].orders * sizeof(int), &bases[2]),
            .order_count = cases[i].orders};
        const bool restricted = cases[i].restricted || !is_concurrent();
        if (TRIAL_CALL(t, call_advise(t, &arrays, cases[i].restricted)) && !restricted)
            judge_hints(t, &arrays);
        for (size_t k = 0; k < LENGTH(bases); k++)
            cudaFree(bases[k]);
    }
}

/* ---- hw5.7: a graph ------------------------------------------------------------------------- */

struct graph {
    struct vertex *vertices;
    struct vertex **edges; /* of all vertices, those of one side by side */
    size_t n, edge_count, start;
};

/* Where edge k of vertex i leads to; SIZE_MAX: it has no more. */
typedef size_t edge_function(size_t n, size_t i, size_t k, uint64_t seed);

/* Three quarters of the vertices know each other; the others lead to them, and nobody to those. */
static size_t random_edge(size_t n, size_t i, size_t k, uint64_t seed)
{
    const size_t degree = (size_t)mixed_integer(seed, 8 * i, 0, 5), known = n - n / 4;
    return k < degree ? mixed_bits(seed, 8 * i + k + 1) % known : SIZE_MAX;
}

/* Back to itself, twice to the next one. */
static size_t chain_edge(size_t n, size_t i, size_t k, uint64_t seed)
{
    (void)seed;
    return k == 0 ? i : k < 3 && i + 1 < n ? i + 1 : SIZE_MAX;
}

/* Every vertex to the start, which leads to every third one. */
static size_t star_edge(size_t n, size_t i, size_t k, uint64_t seed)
{
    (void)seed;
    if (i != n / 3)
        return k == 0 ? n / 3 : SIZE_MAX;
    return 3 * k < n ? 3 * k : SIZE_MAX;
}

static struct graph make_graph(struct trial *t, size_t n, edge_function *edge)
{
    struct graph g = {.n = n, .start = n / 3};
    const uint64_t seed = trial_seed(t);
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; edge(n, i, k, seed) != SIZE_MAX; k++)
            g.edge_count++;
    g.vertices = managed(t, n * sizeof *g.vertices);
    g.edges = managed(t, g.edge_count * sizeof *g.edges);
    for (size_t i = 0; i < n; i++) {
        struct vertex *vertex = &g.vertices[i];
        *vertex = (struct vertex){&g.edges[at], 0, POISON_WORD};
        for (size_t to; (to = edge(n, i, vertex->neighbour_count, seed)) != SIZE_MAX;) {
            g.edges[at++] = &g.vertices[to];
            vertex->neighbour_count++;
        }
    }
    return g;
}

static void free_graph(const struct graph *g)
{
    cudaFree(g->vertices);
    cudaFree(g->edges);
}

static double *levels_of(const struct graph *g)
{
    double *levels = doubles(g->n);
    size_t *queue = malloc(g->n * sizeof *queue), head = 0, end = 0;

    cr_assert_not_null(queue, "out of memory");
    for (size_t i = 0; i < g->n; i++)
        levels[i] = UNREACHED;
    levels[g->start] = 0;
    for (queue[end++] = g->start; head < end; head++) {
        const struct vertex *vertex = &g->vertices[queue[head]];
        for (unsigned k = 0; k < vertex->neighbour_count; k++) {
            const size_t to = (size_t)(vertex->neighbours[k] - g->vertices);
            if (levels[to] != UNREACHED)
                continue;
            levels[to] = levels[queue[head]] + 1;
            queue[end++] = to;
        }
    }
    free(queue);
    return levels;
}

/* Of everything but the levels. */
static uint64_t checksum_of(const struct graph *g)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < g->n; i++)
        sum = mix(mix(sum, (uintptr_t)g->vertices[i].neighbours), g->vertices[i].neighbour_count);
    for (size_t i = 0; i < g->edge_count; i++)
        sum = mix(sum, (uintptr_t)g->edges[i]);
    return sum;
}

static void judge_levels(struct trial *t, const struct graph *g, const double *want)
{
    double *not_cleared = doubles(g->n), *early = doubles(g->n);
    int32_t *got = room_for(g->n, sizeof(int32_t));
    const struct array output = {
        .name = "level", .element = INT32, .count = g->n, .is_output = true, .ints = got};
    bool host_made_all = g->n > 1;

    for (size_t i = 0; i < g->n; i++) {
        got[i] = g->vertices[i].level;
        not_cleared[i] = want[i] == UNREACHED ? POISON_WORD : want[i];
        early[i] = got[i]; /* whatever it is */
        host_made_all = host_made_all && host_made(&g->vertices[i].level, sizeof(int));
    }
    const struct suspect suspects[] = {{"levels-not-cleared", not_cleared},
        {read_too_early(t) ? "read-too-early" : NULL, early}, {NULL, NULL}};
    trial_expect(t, &(struct expectation){.output = &output, .want = want, .suspects = suspects});
    if (host_made_all)
        wrong(t, "computed-on-host", "no kernel has written a level");
    free(not_cleared), free(early), free(got);
}

static cudaError_t call_search(struct trial *t, const struct graph *g, bool restricted)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, restricted);
    return end_restricted(t, restricted,
        ((typeof(&breadth_first))trial_function(t))(g->vertices, g->n, &g->vertices[g->start]));
}

static void try_search(struct trial *t, size_t n, edge_function *edge, bool restricted)
{
    const struct graph g = make_graph(t, n, edge);
    double *want = levels_of(&g);
    const uint64_t before = checksum_of(&g);

    if (TRIAL_CALL(t, call_search(t, &g, restricted))) {
        if (restricted && touched_early())
            wrong(t, "touched-while-busy",
                "the host uses managed memory while the device works, where "
                "concurrentManagedAccess is 0");
        judge_levels(t, &g, want);
        if (checksum_of(&g) != before)
            trial_finding(t, MEMORY_ERROR, "input-modified", "the graph itself was changed");
    }
    free(want);
    free_graph(&g);
}

static void check_search(struct trial *t)
{
    static const struct {
        const char *name;
        edge_function *edge;
        size_t n;
        bool restricted;
    } cases[] = {
        {"random", random_edge, 100, false},
        {"random", random_edge, 1, false},
        {"chain", chain_edge, 37, false},
        {"star", star_edge, 1000, false},
        {"random", random_edge, 10007, false},
        {"restricted", random_edge, 1009, true},
    };
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(cases)); i++) {
        const size_t n = tried ? tried : cases[i].n;
        if (trial_begin(t, "%s-n%zu", tried ? "chain" : cases[i].name, n))
            try_search(t, n, tried ? chain_edge : cases[i].edge, cases[i].restricted);
    }
}

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"not-managed", "A node lies in memory that is not managed: each must come from "
                    "cudaMallocManaged. Where a kernel can follow a malloc pointer this works by "
                    "luck, and slowly; elsewhere it ends the kernel."},
    {"wrong-list",
        "The nodes are not those of the values, in their order and no more: look at how a "
        "new node is hung behind the one before it, and at the last one's `next`, which is "
        "not NULL by itself."},
    {"read-too-early", "The host looked at managed memory before the device was done with it: a "
                       "launch and a prefetch only queue work. cudaDeviceSynchronize() or "
                       "cudaStreamSynchronize() first."},
    {"sum-not-cleared",
        "The sum began with whatever its memory held: fresh memory, and *sum before "
        "the call, hold anything. Set it to 0 before something is added."},
    {"not-prefetched", "The kernel fetched page after page by faults. Prefetch all of the array to "
                       "the device before the launch, on the same stream."},
    {"wrong-side", "The array was prefetched to the host, where its pages were. Before the launch "
                   "it must go to the device."},
    {"prefetch-in-elements", "Only the first quarter was prefetched: the length is in bytes, "
                             "n * sizeof(int)."},
    {"attribute-not-asked", "Under Windows and WSL concurrentManagedAccess is 0, and a prefetch "
                            "is an error. Ask cudaDeviceGetAttribute first, and skip it there."},
    {"wrong-memory", "A pointer of the copy does not lead to where it must: device memory by "
                     "hand, managed memory otherwise, for the records and for each name."},
    {"wrong-record", "A record of the copy differs from its original: is every field copied, and "
                     "each name to the record that it belongs to?"},
    {"shallow-copy", "The pointer was copied, not what it points to: both share one piece of "
                     "memory, and it will be freed twice."},
    {"missing-zero", "The 0 that ends a name was not copied, or has no room: `length` does not "
                     "count it, so a name has length + 1 bytes."},
    {"size-wraps", "The number of bytes was computed in 32 bits, or wraps in 64: keep it in a "
                   "size_t, divide it by the size of a record again, and return an error if that "
                   "is not the number of records."},
    {"object-not-managed", "new or new[] took its memory from the host's heap: the class needs "
                           "its own operator new and operator new[]."},
    {"wrong-text", "A text does not hold what it must. Its length does not count the 0 at the end, "
                   "but its memory must have room for it; and an assignment must survive that both "
                   "sides are one object."},
    {"device-scope", "atomicAdd is atomic for the threads of one device only: what the CPU adds "
                     "meanwhile can be lost. Use atomicAdd_system."},
    {"one-after-the-other", "The host waits for the device before it adds, or adds before the "
                            "launch: nothing happens at the same time."},
    {"touched-while-busy", "Where concurrentManagedAccess is 0, the host must not touch managed "
                           "memory while a kernel runs: ask for the attribute, and wait first."},
    {"hint-missing",
        "The range does not have the attribute that it needs: which of the arrays is only read, "
        "which stays on the device, which on the host? And who reads but a few elements from "
        "afar? An array may need two pieces of advice."},
    {"hint-in-elements", "Only the first quarter has the attribute: the length of the advice is in "
                         "bytes, not in elements."},
    {"read-mostly-written",
        "Read-mostly is for what is no longer written: each write takes all copies of its page "
        "away again, by a fault, and prefetched pages are copies, too."},
    {"levels-not-cleared", "Vertices that are not reached keep the junk they held before: set "
                           "every level first."},
    {"leak", "Memory is allocated and never freed. Free a list node by node (read `next` first), "
             "each name as well as the records, and in a destructor what the object owns."},
    {"foreign-free",
        "cudaFree was given what this function did not make, or had freed already. After an "
        "allocation has failed, names that are not made yet must be NULL for the clean-up: not "
        "what memory held before, and not those of the originals."},
    {"signal",
        "The host code crashed: it followed a pointer that leads nowhere for it, into device "
        "memory, or to what had been freed already (a node before its `next` was read, a text "
        "assigned to itself). In a case called \"allocation-…-fails\" an allocation was made to "
        "fail: the clean-up must cope with what is not made yet."},
    {"illegal-address", "A kernel followed a pointer that means nothing on the device: a variable "
                        "on the host's stack, an object outside of managed memory, or the table of "
                        "an object's virtual functions, which leads into host code."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw5.1",
        .title = "a list that both sides walk",
        .function = "list_make",
        .points = {16, 0, 2},
        .check = check_list,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.2",
        .title = "pages on the right side: prefetch",
        .function = "increment",
        .points = {16, 20, 2},
        .check = check_increment,
        .stream_case = "n16383",
        .speed = &increment_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.3",
        .title = "deep copies, by hand and managed",
        .function = "copy_by_hand",
        .points = {18, 0, 2},
        .check = check_copies,
        .diagnoses = diagnoses,
        .copies_back = true,
    },
    {
        .id = "hw5.4",
        .title = "a class in managed memory",
        .function = "text_make",
        .star = true,
        .check = check_text,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.5",
        .title = "one counter, two sides at once",
        .function = "count_together",
        .points = {10, 0, 2},
        .check = check_count,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.6",
        .title = "hints for three arrays",
        .function = "advise",
        .points = {10, 0, 2},
        .check = check_hints,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw5.7",
        .title = "breadth-first search over pointers",
        .function = "breadth_first",
        .star = true,
        .check = check_search,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw5",
    .folder = "hw5_managed_memory",
    .file = "managed_memory.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .timeline = true,
};

#define TASK(number)                                                               \
    Test(hw5, t##number, .description = "hw5." #number, .timeout = TASK_TIMEOUT_S) \
    {                                                                              \
        grade_task("hw5." #number);                                                \
    }

TASK(1)
TASK(2)
TASK(3)
TASK(4)
TASK(5)
TASK(6)
TASK(7)

Test(hw5_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
