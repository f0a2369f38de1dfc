/* hw5.1: a list that both sides follow. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

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

void check_list(struct trial *t)
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
