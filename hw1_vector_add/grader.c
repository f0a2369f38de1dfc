/* Homework 1: what the three functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "vector_add.h"
#include "grader/cost.h"
#include "grader/device_load.h"
#include "grader/device_work.h"
#include "grader/measure.h"
#include "grader/room.h"
#include "grader/trial.h"

typedef typeof(&vector_add) vector_add_function;
typedef typeof(&add_on_gpu) add_on_gpu_function;
typedef typeof(&multiply) multiply_function;

/* Sums of two are exact in a float, and in nothing with fewer bits. */
enum { LOW = -4000000, HIGH = 4000000 };
enum { COUNTED_MIN = 5000 };        /* in smaller cases the edges weigh too much to count sectors */
enum { SUSPECT_COUNT_MAX = 20000 }; /* predicting mistakes for more elements takes too long */

/* `make try` shows numbers that one can add in the head. */
static void fill_summands(struct trial *t, struct array *array, uint64_t seed)
{
    const bool trying = trial_try_size(t) > 0;
    fill_integers(array->floats, array->count, trying ? -9 : LOW, trying ? 9 : HIGH, seed);
}

/* ---- hw1.1 ---------------------------------------------------------------------------------- */

struct add_case {
    size_t first, count;
    unsigned threads;
};

/* The first case shows most mistakes at their clearest: many blocks, and the last is partial. */
static const struct add_case add_cases[] = {
    {0, 10007, 256},
    {0, 0, 256},
    {0, 1, 1},
    {0, 1, 1024},
    {0, 31, 32},
    {0, 32, 32},
    {0, 33, 32},
    {0, 255, 256},
    {0, 256, 256},
    {0, 257, 256},
    {0, 257, 1},
    {0, 1000, 33},
    {0, 1000, 257},
    {0, 5000, 1000},
    {0, 5000, 1024},
    {5, 1000, 128},
    {(1ull << 31) - 500, 1000, 256},
    {(1ull << 32) - 7, 1000, 192},
    {0, 999983, 256},
};

struct addition {
    const float *a, *b;
    const struct add_case *c;
};

static double sum_of(const struct addition *x, size_t i)
{
    return (double)x->a[i] + x->b[i];
}

/* What known mistakes leave in sum[first + i]; NaN where they write nothing. */

static double index_as_value(const struct addition *x, size_t i)
{
    return (float)(x->c->first + i);
}

static double shifted_input(const struct addition *x, size_t i)
{
    return (double)x->a[i] + x->b[(i + 1) % x->c->count];
}

static double grid_for_block(const struct addition *x, size_t i)
{
    const size_t blocks = (x->c->count + x->c->threads - 1) / x->c->threads;
    return i < (blocks - 1) * blocks + x->c->threads ? sum_of(x, i) : NAN;
}

static double first_ignored(const struct addition *x, size_t i)
{
    return i + x->c->first < x->c->count ? sum_of(x, i) : NAN;
}

static double wraps_in_int(const struct addition *x, size_t i)
{
    return x->c->first + i < 1ull << 31 ? sum_of(x, i) : NAN;
}

static double wraps_in_unsigned(const struct addition *x, size_t i)
{
    return x->c->first + i < 1ull << 32 ? sum_of(x, i) : NAN;
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct addition *x, size_t i);
} add_mistakes[] = {
    {"index-as-value", index_as_value},
    {"shifted-input", shifted_input},
    {"grid-for-block", grid_for_block},
    {"first-ignored", first_ignored},
    {"index-32-bits", wraps_in_int},
    {"index-32-bits", wraps_in_unsigned},
};

static double *whole_sum(
    const struct addition *x, double (*element_of)(const struct addition *, size_t))
{
    double *sum = doubles(x->c->count);

    for (size_t i = 0; i < x->c->count; i++)
        sum[i] = element_of(x, i);
    return sum;
}

static void expect_sum(struct trial *t, const struct addition *x, const struct array *sum)
{
    struct suspect suspects[LENGTH(add_mistakes) + 1] = {{NULL, NULL}};
    double *values[LENGTH(add_mistakes) + 1];
    size_t made = 0;

    values[made++] = whole_sum(x, sum_of);
    if (x->c->count <= SUSPECT_COUNT_MAX)
        for (size_t k = 0; k < LENGTH(add_mistakes); k++) {
            suspects[k].diagnosis = add_mistakes[k].diagnosis;
            suspects[k].values = values[made++] = whole_sum(x, add_mistakes[k].predict);
        }
    trial_expect(t, &(struct expectation){.output = sum,
                        .want = values[0],
                        .threads_per_block = x->c->threads,
                        .suspects = suspects});
    while (made > 0)
        free(values[--made]);
}

/* One element a thread costs 1, a stretch a thread 8. Four of a float4 a thread, which nvcc may store
 * one by one, cost up to 2.5, and are no mistake. */
static const struct cost_gate not_scattered = {.diagnosis = "uncoalesced",
    .what = "sectors moved for each that the bytes fill",
    .cost = counted_sectors,
    .per = counted_sectors_ideal,
    .most = 3};

/* The array's address if its first element were number `first`. */
static float *biased(const struct array *array, size_t first)
{
    return (float *)((uintptr_t)array->device - first * sizeof(float));
}

/* An index that wraps leads to an address that is 16 GiB too low, and the device says no more than
 * that it was illegal. Where `first` is large, that is the likely cause. */
static cudaError_t call_vector_add(struct trial *t, const struct array *a, const struct array *b,
    const struct array *sum, const struct add_case *c)
{
    vector_add_function add = (vector_add_function)trial_function(t);
    const cudaError_t status = add(biased(a, c->first), biased(b, c->first), biased(sum, c->first),
        (struct span){c->first, c->count}, c->threads, trial_stream(t));

    if (c->first >= INT32_MAX / 2 && cudaDeviceSynchronize() == cudaErrorIllegalAddress)
        trial_fail(t, CUDA_ERROR, "index-32-bits",
            "the kernel ended with cudaErrorIllegalAddress (it touched memory that does not "
            "exist); `first` is %zu",
            c->first);
    return status;
}

static void try_add(struct trial *t, const struct add_case *c)
{
    struct array *a = trial_input(t, "a", FLOAT32, c->count);
    struct array *b = trial_input(t, "b", FLOAT32, c->count);
    struct array *sum = trial_output(t, "sum", FLOAT32, c->count);

    fill_summands(t, a, trial_seed(t));
    fill_summands(t, b, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, call_vector_add(t, a, b, sum, c)))
        return;
    if (c->count == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "count is 0, and a kernel was launched");
    expect_sum(t, &(struct addition){a->floats, b->floats, c}, sum);
    if (c->first == 0 && c->count >= COUNTED_MIN && c->threads % 32 == 0)
        trial_expect_cost(t, &not_scattered, 0);
}

static void check_vector_add(struct trial *t)
{
    const struct add_case tried = {0, trial_try_size(t), 4};
    const bool trying = tried.count > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(add_cases)); i++) {
        const struct add_case *c = trying ? &tried : &add_cases[i];
        if (!trial_begin(t, "first%zu-n%zu-threads%u", c->first, c->count, c->threads))
            continue;
        try_add(t, c);
        trial_end(t);
    }
}

/* ---- hw1.2 ---------------------------------------------------------------------------------- */

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

    double *want = whole_sum(
        &(struct addition){arrays.a->floats, arrays.b->floats, &(struct add_case){.count = n}},
        sum_of);
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

static void check_add_on_gpu(struct trial *t)
{
    try_sizes(t);
    if (trial_try_size(t))
        return;
    try_failing_allocations(t);
    try_too_many(t);
}

/* ---- hw1.3 ---------------------------------------------------------------------------------- */

typedef void fill_function(float *values, size_t n, uint64_t seed);

/* Products and sums of them are exact in a float, in any order. */
static void fill_small(float *values, size_t n, uint64_t seed)
{
    fill_integers(values, n, -9, 9, seed);
}

struct product_case {
    struct product_shape shape;
    fill_function *fill;
};

enum { SIDE = 16, GRID_Y_MAX = 65535 };

static const struct product_case product_cases[] = {
    {{37, 29, 85}, fill_small},
    {{1, 1, 1}, fill_small},
    {{16, 16, 16}, fill_small},
    {{33, 17, 15}, fill_small},
    {{1, 100, 1}, fill_small},
    {{100, 1, 1}, fill_small},
    {{1, 3, 257}, fill_small},
    {{31, 64, 255}, fill_small},
    {{17, 0, 33}, fill_small},
    {{0, 4, 5}, fill_small},
    {{5, 4, 0}, fill_small},
    {{0, 0, 0}, fill_small},
    {{61, 211, 47}, fill_floats},
    {{47, 211, 61}, fill_wide},
    {{257, 129, 131}, fill_small},
    {{(size_t)SIDE * GRID_Y_MAX + 17, 1, 1}, fill_small},
};

struct product {
    const float *a, *b;
    struct product_shape shape;
};

/* The sum of a[row][k] * b[offset + k * stride], with the last `skipped` products left out. */
static double dot(const struct product *p, size_t row, size_t offset, size_t stride, size_t skipped)
{
    double sum = 0;

    for (size_t k = 0; k + skipped < p->shape.inner; k++) {
        const size_t at = offset + k * stride;
        if (at >= p->shape.inner * p->shape.columns)
            return NAN; /* outside B: a mistaken stride */
        sum += (double)p->a[row * p->shape.inner + k] * p->b[at];
    }
    return sum;
}

static double element(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column, p->shape.columns, 0);
}

/* |A| |B|, the magnitude that rounding errors are a share of. */
static double magnitude(const struct product *p, size_t row, size_t column)
{
    double sum = 0;

    for (size_t k = 0; k < p->shape.inner; k++)
        sum += fabs((double)p->a[row * p->shape.inner + k] * p->b[k * p->shape.columns + column]);
    return sum;
}

/* What known mistakes make of element (row, column); NaN where they write nothing. */

static double row_length_of_b(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column, p->shape.inner, 0);
}

static double b_read_transposed(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column * p->shape.inner, 1, 0);
}

static double last_product_missing(const struct product *p, size_t row, size_t column)
{
    return dot(p, row, column, p->shape.columns, 1);
}

static double last_product_only(const struct product *p, size_t row, size_t column)
{
    return element(p, row, column) - last_product_missing(p, row, column);
}

static double integer_sum(const struct product *p, size_t row, size_t column)
{
    double sum = 0;

    for (size_t k = 0; k < p->shape.inner; k++)
        sum = trunc(
            sum + (double)p->a[row * p->shape.inner + k] * p->b[k * p->shape.columns + column]);
    return sum;
}

static double guards_exchanged(const struct product *p, size_t row, size_t column)
{
    const bool kept = row < p->shape.columns && column < p->shape.rows;
    return kept ? element(p, row, column) : NAN;
}

static double sides_exchanged(const struct product *p, size_t row, size_t column)
{
    const bool reached =
        row / SIDE <= (p->shape.columns - 1) / SIDE && column / SIDE <= (p->shape.rows - 1) / SIDE;
    return reached ? element(p, row, column) : NAN;
}

static double tiles_rounded_down(const struct product *p, size_t row, size_t column)
{
    const bool reached =
        row < p->shape.rows / SIDE * SIDE && column < p->shape.columns / SIDE * SIDE;
    return reached ? element(p, row, column) : NAN;
}

static double y_ignored(const struct product *p, size_t row, size_t column)
{
    const bool reached = column <= (p->shape.columns - 1) / SIDE;
    return reached ? element(p, row, column) : NAN;
}

static double inner_zero(const struct product *p, size_t row, size_t column)
{
    return p->shape.inner == 0 ? NAN : element(p, row, column);
}

static const struct {
    const char *diagnosis;
    double (*predict)(const struct product *p, size_t row, size_t column);
} product_mistakes[] = {
    {"row-length-of-b", row_length_of_b},
    {"b-read-transposed", b_read_transposed},
    {"last-product-only", last_product_only},
    {"last-product-missing", last_product_missing},
    {"integer-sum", integer_sum},
    {"guards-exchanged", guards_exchanged},
    {"sides-exchanged", sides_exchanged},
    {"grid-rounded-down", tiles_rounded_down},
    {"y-ignored", y_ignored},
    {"inner-zero", inner_zero},
};

static double *whole_matrix(
    const struct product *p, double (*element_of)(const struct product *, size_t, size_t))
{
    double *c = doubles(p->shape.rows * p->shape.columns);

    for (size_t row = 0; row < p->shape.rows; row++)
        for (size_t column = 0; column < p->shape.columns; column++)
            c[row * p->shape.columns + column] = element_of(p, row, column);
    return c;
}

static void expect_product(
    struct trial *t, const struct product *p, struct expectation expectation, bool exact)
{
    struct suspect suspects[LENGTH(product_mistakes) + 1] = {{NULL, NULL}};
    double *values[LENGTH(product_mistakes) + 2];
    size_t made = 0;

    expectation.want = values[made++] = whole_matrix(p, element);
    if (!exact) {
        double *bound = values[made++] = whole_matrix(p, magnitude);
        for (size_t i = 0; i < expectation.output->count; i++)
            bound[i] *= ((double)p->shape.inner + 1) * 0x1p-24;
        expectation.bound = bound;
    }
    if (expectation.output->count <= SUSPECT_COUNT_MAX)
        for (size_t k = 0; k < LENGTH(product_mistakes); k++) {
            suspects[k].diagnosis = product_mistakes[k].diagnosis;
            suspects[k].values = values[made++] = whole_matrix(p, product_mistakes[k].predict);
        }
    expectation.suspects = suspects;
    trial_expect(t, &expectation);
    while (made > 0)
        free(values[--made]);
}

static void try_multiply(struct trial *t, const struct product_case *c)
{
    multiply_function candidate = (multiply_function)trial_function(t);
    const struct product_shape shape = c->shape;
    struct array *a = trial_input(t, "a", FLOAT32, shape.rows * shape.inner);
    struct array *b = trial_input(t, "b", FLOAT32, shape.inner * shape.columns);
    struct array *out = trial_output(t, "c", FLOAT32, shape.rows * shape.columns);

    c->fill(a->floats, a->count, trial_seed(t));
    c->fill(b->floats, b->count, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, candidate(a->device, b->device, out->device, shape, trial_stream(t))))
        return;
    if (out->count == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "C is empty, and a kernel was launched");
    expect_product(t, &(struct product){a->floats, b->floats, shape},
        (struct expectation){.output = out, .columns = shape.columns}, c->fill == fill_small);
}

static void check_multiply(struct trial *t)
{
    const size_t size = trial_try_size(t);
    const struct product_case tried = {{(size + 1) / 2, 3, size / 2 + 1}, fill_small};

    for (size_t i = 0; i < (size ? 1 : LENGTH(product_cases)); i++) {
        const struct product_case *c = size ? &tried : &product_cases[i];
        if (!trial_begin(t, "%zux%zux%zu", c->shape.rows, c->shape.inner, c->shape.columns))
            continue;
        try_multiply(t, c);
        trial_end(t);
    }
}

/* ---- the speed of hw1.1 --------------------------------------------------------------------- */

enum { TIMED_A, TIMED_B, TIMED_SUM, TIMED_ARRAYS, TIMED_THREADS = 256 };

static size_t timed_count(size_t n, int k)
{
    return k < TIMED_ARRAYS ? n : 0;
}

static size_t timed_bytes(const struct timed_problem *problem)
{
    return TIMED_ARRAYS * problem->n * sizeof(float);
}

static size_t timed_size(size_t bytes)
{
    return bytes / (TIMED_ARRAYS * sizeof(float));
}

static cudaError_t timed_prepare(struct timed_problem *problem)
{
    cudaError_t status = cudaSuccess;

    for (int k = TIMED_A; k <= TIMED_B && status == cudaSuccess; k++)
        status = device_fill_integers(
            problem->arrays[k], problem->n, LOW, HIGH, mix(problem->seed, (uint64_t)k));
    return status;
}

static cudaError_t timed_call(void *function, const struct timed_problem *problem)
{
    return ((vector_add_function)function)(problem->arrays[TIMED_A], problem->arrays[TIMED_B],
        problem->arrays[TIMED_SUM], (struct span){0, problem->n}, TIMED_THREADS, 0);
}

/* Elements that are verified at a time: whole 256-byte lines, which device_limit_add wants. */
enum { CHUNK = 1 << 20 };

/* Wrong sums among `count` elements from `start` on, and the first of them. `thirds` gets a copy of
 * both inputs, and their sum as the grader adds them. */
static cudaError_t count_wrong_sums(const struct timed_problem *problem, size_t start, size_t count,
    float *thirds, size_t *wrong, size_t *first)
{
    const float *a = problem->arrays[TIMED_A], *b = problem->arrays[TIMED_B];
    const float *sum = problem->arrays[TIMED_SUM];
    const size_t bytes = count * sizeof(float);

    cudaError_t status = cudaMemcpy(thirds, a + start, bytes, cudaMemcpyDeviceToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(thirds + CHUNK, b + start, bytes, cudaMemcpyDeviceToDevice);
    if (status == cudaSuccess)
        status = device_limit_add(0, thirds, 3 * CHUNK * sizeof(float));
    if (status == cudaSuccess)
        status = device_count_differences((const uint32_t *)(sum + start),
            (const uint32_t *)(thirds + 2 * CHUNK), count, wrong, first);
    return status;
}

/* Stops at the first chunk that holds a wrong sum. Nothing that a later call could copy stays. */
static bool timed_verify(const struct timed_problem *problem, char *text, size_t text_bytes)
{
    float *thirds = NULL;
    size_t wrong = 0, first = 0, start = 0;

    cudaError_t status = cudaMalloc((void **)&thirds, 3 * CHUNK * sizeof(float));
    for (; start < problem->n && status == cudaSuccess && wrong == 0; start += CHUNK) {
        const size_t left = problem->n - start;
        status =
            count_wrong_sums(problem, start, left < CHUNK ? left : CHUNK, thirds, &wrong, &first);
    }
    if (thirds)
        (void)device_fill_words((uint32_t *)thirds, 3 * CHUNK, 0);
    cudaFree(thirds);
    if (status != cudaSuccess)
        snprintf(text, text_bytes, "%s while the sums were verified", cudaGetErrorName(status));
    else if (wrong > 0)
        snprintf(text, text_bytes, "at full size, n = %zu, the sum at index %zu is wrong",
            problem->n, start - CHUNK + first);
    return status == cudaSuccess && wrong == 0;
}

static const struct speed_test add_speed = {
    .limit = LIMIT_ADD,
    .gate = 0.5,
    .baseline_name = "one stretch a thread",
    .array_count = timed_count,
    .outputs = 1u << TIMED_SUM,
    .bytes = timed_bytes,
    .size_for = timed_size,
    .prepare = timed_prepare,
    .call = timed_call,
    .verify = timed_verify,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"index-as-value", "The number of the element is stored, not the sum of a[i] and b[i]."},
    {"grid-for-block", "The index uses gridDim where blockDim belongs: a block has blockDim.x "
                       "threads, and that is how far apart blocks begin."},
    {"first-ignored", "`first` is left out, or used in the wrong place: a thread's own number must "
                      "be below `count`, and it adds element first + number."},
    {"shifted-input", "One input is read an element further on than the other: use the same index "
                      "for a, b and sum."},
    {"index-32-bits", "The index is kept or computed in 32 bits: first + i passes 2^31 or 2^32, "
                      "and wraps. Make it a size_t before the addition."},
    {"elements-as-bytes", "cudaMalloc and cudaMemcpy count bytes: n elements are "
                          "n * sizeof(float) bytes."},
    {"count-32-bits",
        "n was put into a variable of 32 bits, where 2^60 becomes 0: it must stay a size_t."},
    {"size-wraps",
        "n * sizeof(float) no longer fits into a size_t, so it wraps: with n = 2^62 + 5 it is 20. "
        "Divide the product by sizeof(float) again, and return an error if that is not n."},
    {"size-of-pointer", "Twice as many bytes are copied as the arrays have: sizeof(float *), or of "
                        "a pointer variable, is 8. The size of an element is sizeof(float)."},
    {"no-copy-in", "a, b or both were not copied to the device before the launch: the kernel adds "
                   "what its memory happens to hold."},
    {"no-copy-back", "The sums are on the device: nothing was copied to the host after the "
                     "launch."},
    {"host-pointer", "The kernel was given an address that is not of the device: a, b or sum "
                     "itself, most likely. Launch it on d_a, d_b and d_sum."},
    {"no-launch", "Memory was allocated on the device, and no kernel was launched on it."},
    {"no-device-work", "The work must be done on the device: memory from cudaMalloc, and a kernel "
                       "that is launched on it."},
    {"launch-for-nothing", "There is nothing to compute, and a kernel was launched all the same: "
                           "return cudaSuccess before the launch."},
    {"row-length-of-b", "B is indexed with the wrong row length: a row of B has `columns` "
                        "elements, so element (k, column) is b[k * columns + column]."},
    {"b-read-transposed", "B is read along its rows, as if it were stored transposed: element "
                          "(k, column) is b[k * columns + column]."},
    {"last-product-only", "Each element is its last product alone: the sum is overwritten in the "
                          "loop, not added to."},
    {"last-product-missing", "The loop over k stops one short: it must run for all k < inner."},
    {"integer-sum",
        "The sum is kept in an integer, so every product loses its fraction: make it a float."},
    {"guards-exchanged", "The two bounds tests are exchanged: row belongs to rows, column to "
                         "columns."},
    {"sides-exchanged", "Kernel and launch disagree: the side of the grid that covers the rows is "
                        "used as the one that covers the columns."},
    {"y-ignored", "threadIdx.y is not used, so the threads of a block that differ only in y all "
                  "work on the same element."},
    {"first-columns", "The first columns hold what threads past the last column of the row above "
                      "wrote: the column needs a bounds test, too."},
    {"inner-zero",
        "With inner = 0 every sum is empty: the product is all zeros, and they must be written."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw1.1",
        .title = "the kernel: index, bounds test, sum",
        .function = "vector_add",
        .points = {20, 20, 3},
        .check = check_vector_add,
        .stream_case = "first0-n10007-threads256",
        .speed = &add_speed,
        .diagnoses = diagnoses,
        .untried = "a launch of 2^31 threads and more: is each product a size_t?",
    },
    {
        .id = "hw1.2",
        .title = "the host function: memory, copies, errors",
        .function = "add_on_gpu",
        .points = {30, 0, 4},
        .check = check_add_on_gpu,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw1.3",
        .title = "matrix product with a two-dimensional grid",
        .function = "multiply",
        .points = {20, 0, 3},
        .check = check_multiply,
        .stream_case = "37x29x85",
        .diagnoses = diagnoses,
        .profile_case = "257x129x131",
    },
};

const struct homework homework = {
    .name = "hw1",
    .folder = "hw1_vector_add",
    .file = "vector_add.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
};

Test(hw1, t1, .description = "hw1.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw1.1");
}

Test(hw1, t2, .description = "hw1.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw1.2");
}

Test(hw1, t3, .description = "hw1.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw1.3");
}

Test(hw1_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
