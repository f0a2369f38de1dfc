/* hw5.3: deep copies. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/mix.h"
#include "grader/room.h"

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

    run.records = room_for(n, sizeof *run.records);
    run.names = room_for(n, NAME_MAX_BYTES);
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

void check_copies(struct trial *t)
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
