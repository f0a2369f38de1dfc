/* hw5.6: advice and prefetches. */
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "checks.h"

/* As managed(), but at the start of a page that is its own to the end: advice is given to whole
 * pages, and small allocations share them. `base` is what to free. */
static void *managed_pages(struct trial *t, size_t bytes, void **base)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    *base = managed(t, bytes + 2 * page);
    return (void *)(((uintptr_t)*base + page - 1) / page * page);
}

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

void check_hints(struct trial *t)
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
