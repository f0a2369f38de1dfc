/* hw1.2: the host's side, from allocation to the last error. */
#include <stdbool.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/room.h"

/* a, b and sum on the host, n elements each. */
struct host_arrays {
    struct array *a, *b, *sum;
};

static struct host_arrays host_arrays(struct trial *t, size_t n)
{
    const struct host_arrays arrays = {
        .a = trial_host_input(t, "a", FLOAT32, n),
        .b = trial_host_input(t, "b", FLOAT32, n),
        .sum = trial_host_output(t, "sum", FLOAT32, n),
    };
    fill_summands(t, arrays.a, trial_seed(t));
    fill_summands(t, arrays.b, trial_seed(t) + 1);
    return arrays;
}

/* n is what the function is told; where it must fail, the arrays are shorter. Of an illegal address
 * the device does not say what it was; here it is almost always the host's. */
static cudaError_t call_add_on_gpu(struct trial *t, const struct host_arrays *arrays, size_t n)
{
    add_on_gpu_function add = (add_on_gpu_function)trial_function(t);
    const cudaError_t status = add(arrays->a->given, arrays->b->given, arrays->sum->given, n);

    if (status == cudaErrorIllegalAddress)
        trial_fail(t, CUDA_ERROR, "host-pointer",
            "it returned cudaErrorIllegalAddress (a kernel touched memory that does not exist)");
    return status;
}

/* Calls that are a mistake whatever the values are. NULL: none. */
static const char *mistaken_calls(const struct ledger *made, size_t n)
{
    if (n == 0)
        return made->launches > 0 ? "launch-for-nothing" : NULL;
    if (made->allocations == 0)
        return "no-device-work";
    if (made->launches == 0)
        return "no-launch";
    if (made->bytes_to_device == 2 * n * sizeof(float *) &&
        made->bytes_to_host == n * sizeof(float *))
        return "size-of-pointer";
    return NULL;
}

/* Calls that explain wrong values, which say little themselves: memory of the device that nobody
 * has written holds anything at all. NULL: the calls look right. */
static const char *calls_that_explain(const struct ledger *made, size_t n)
{
    if (made->bytes_to_host == n || made->bytes_to_device == 2 * n)
        return "elements-as-bytes";
    if (made->bytes_to_host == 0)
        return "no-copy-back";
    if (made->bytes_to_device < 2 * n * sizeof(float))
        return "no-copy-in";
    return NULL;
}

static bool calls_are_wrong(struct trial *t, const struct expectation *expectation, size_t n)
{
    const struct ledger *made = trial_ledger(t);
    const char *diagnosis = mistaken_calls(made, n);

    if (!diagnosis && compare(expectation).wrong > 0)
        diagnosis = calls_that_explain(made, n);
    if (diagnosis)
        trial_fail(t, WRONG_ANSWER, diagnosis,
            "allocations: %zu, kernels launched: %zu\n"
            "bytes copied to the device: %zu, and back: %zu\n"
            "bytes of a, b and sum: %zu each",
            made->allocations, made->launches, made->bytes_to_device, made->bytes_to_host,
            n * sizeof(float));
    return diagnosis != NULL;
}

/* The block size for which the first wrong element follows the last whole block; 0: none. */
static unsigned block_before(size_t first_wrong, size_t n)
{
    for (unsigned threads = 1024; threads >= 32 && first_wrong > 0; threads /= 2)
        if (first_wrong == n / threads * threads)
            return threads;
    return 0;
}

static void try_size(struct trial *t, size_t n)
{
    const struct host_arrays arrays = host_arrays(t, n);
    if (!TRIAL_CALL(t, call_add_on_gpu(t, &arrays, n)))
        return;

    double *want = doubles(n);
    for (size_t i = 0; i < n; i++)
        want[i] = (double)arrays.a->floats[i] + arrays.b->floats[i];
    struct expectation expectation = {.output = arrays.sum, .want = want};
    if (!calls_are_wrong(t, &expectation, n)) {
        expectation.threads_per_block = block_before(compare(&expectation).first, n);
        trial_expect(t, &expectation);
    }
    free(want);
}

static void try_sizes(struct trial *t)
{
    static const size_t sizes[] = {
        10007, 0, 1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 999983};
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(sizes)); i++) {
        const size_t n = tried ? tried : sizes[i];
        if (!trial_begin(t, "n%zu", n))
            continue;
        try_size(t, n);
        trial_end(t);
    }
}

/* A call that must return an error; success is the mistake with this diagnosis. */
static void must_fail(struct trial *t, const struct host_arrays *arrays, size_t n,
    const char *diagnosis, const char *why)
{
    if (!trial_before_call(t))
        return;
    const cudaError_t status = call_add_on_gpu(t, arrays, n);
    if (status == cudaSuccess)
        trial_fail(t, WRONG_ANSWER, diagnosis, "it returned cudaSuccess, although %s", why);
    trial_after_failing_call(t, status, why);
}

/* The k-th allocation fails. A function that makes fewer of them has nothing to show here. */
static void try_failing_allocations(struct trial *t)
{
    enum { N = 1000, ALLOCATIONS = 3 };

    for (unsigned k = 1; k <= ALLOCATIONS; k++) {
        if (!trial_begin(t, "allocation-%u-fails", k))
            continue;
        const struct host_arrays arrays = host_arrays(t, N);
        if (TRIAL_CALL(t, call_add_on_gpu(t, &arrays, N)) && trial_ledger(t)->allocations >= k) {
            ledger_fail_allocation(k);
            (void)TRIAL_CALL_MUST_FAIL(t, call_add_on_gpu(t, &arrays, N), "an allocation failed");
        }
        trial_end(t);
    }
}

static void try_too_many(struct trial *t)
{
    static const struct {
        const char *name;
        size_t n;
        const char *diagnosis, *why;
    } cases[] = {
        {"n-2-to-60", 1ull << 60, "count-32-bits", "no GPU holds 2^62 bytes"},
        {"n-2-to-62-plus-5", (1ull << 62) + 5, "size-wraps",
            "n * sizeof(float) does not fit in a size_t"},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        if (!trial_begin(t, "%s", cases[i].name))
            continue;
        const struct host_arrays arrays = host_arrays(t, 1000);
        must_fail(t, &arrays, cases[i].n, cases[i].diagnosis, cases[i].why);
        trial_end(t);
    }
}

void check_add_on_gpu(struct trial *t)
{
    try_sizes(t);
    if (trial_try_size(t))
        return;
    try_failing_allocations(t);
    try_too_many(t);
}
