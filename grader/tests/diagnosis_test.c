/* The causes: one for every diagnosis that the grader can give, short enough to be printed. */
#include "../diagnosis.h"

#include <criterion/criterion.h>
#include <string.h>

#include "../cuda_failure.h"
#include "../outcome.h"
#include "../pattern.h"

static const char *unknown(void)
{
    return diagnosis_cause("no-such-diagnosis", NULL);
}

static void expect_cause(const char *id)
{
    cr_assert_str_neq(diagnosis_cause(id, NULL), unknown(), "\"%s\" has no cause", id);
}

Test(diagnosis, a_cause_fits_into_the_record_and_on_a_line)
{
    const struct outcome outcome = {0};

    for (const struct diagnosis *entry = common_diagnoses; entry->id; entry++) {
        cr_assert_lt(strlen(entry->id), sizeof outcome.diagnosis, "%s", entry->id);
        cr_assert_lt(strlen(entry->cause), sizeof outcome.cause, "%s", entry->id);
        cr_assert_null(strpbrk(entry->cause, "\n\t"), "%s", entry->id);
        cr_assert_null(strstr(entry->cause, "  "), "%s: two blanks", entry->id);
        cr_assert(strchr(".;", entry->cause[strlen(entry->cause) - 1]) != NULL, "%s", entry->id);
        cr_assert_eq(
            strspn(entry->id, "abcdefghijklmnopqrstuvwxyz0123456789-/"), strlen(entry->id));
    }
}

Test(diagnosis, no_id_occurs_twice)
{
    for (const struct diagnosis *one = common_diagnoses; one->id; one++)
        for (const struct diagnosis *other = one + 1; other->id; other++)
            cr_assert_str_neq(one->id, other->id);
}

Test(diagnosis, the_lessons_own_cause_comes_first)
{
    static const struct diagnosis lesson[] = {
        {"block-ends", "The tile's right halo."}, {"twisted", "A lesson's own."}, {NULL, NULL}};

    cr_assert_str_eq(diagnosis_cause("block-ends", lesson), "The tile's right halo.");
    cr_assert_str_eq(diagnosis_cause("twisted", lesson), "A lesson's own.");
    cr_assert_str_neq(diagnosis_cause("block-starts", lesson), unknown());
    cr_assert_str_eq(diagnosis_cause("twisted", NULL), unknown());
}

Test(diagnosis, slowness_has_a_cause_timed_to_the_end_or_not)
{
    cr_assert_str_neq(diagnosis_cause("below-the-gate", NULL), unknown());
    cr_assert_str_neq(diagnosis_cause("far-below-the-gate", NULL), unknown());
}

Test(diagnosis, an_unknown_id_is_admitted)
{
    cr_assert_not_null(unknown());
    cr_assert_str_eq(diagnosis_cause("", NULL), unknown());
    cr_assert_str_eq(diagnosis_cause(NULL, NULL), unknown());
}

Test(diagnosis, every_pattern_has_a_cause_and_occurs_once)
{
    static const struct pattern *const tables[] = {
        value_patterns, block_patterns, matrix_patterns, range_patterns};
    const char *seen[64];
    size_t count = 0;

    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        for (const struct pattern *pattern = tables[k]; pattern->diagnosis; pattern++) {
            expect_cause(pattern->diagnosis);
            for (size_t i = 0; i < count; i++)
                cr_assert_str_neq(pattern->diagnosis, seen[i]);
            seen[count++] = pattern->diagnosis;
        }
    cr_assert_gt(count, 25);
    expect_cause("unknown-pattern");
    cr_assert_str_neq(diagnosis_cause_at("unknown-pattern", "nan", NULL),
        diagnosis_cause("unknown-pattern", NULL));
    expect_cause("wrong-value");
}

Test(diagnosis, every_cuda_error_has_a_cause)
{
    const struct ledger ledger = {0};

    for (int status = 1; status < 1000; status++) {
        const struct cuda_failure failure =
            explain_cuda_error((cudaError_t)status, &ledger, false, false);
        expect_cause(failure.diagnosis);
        cr_assert(failure.verdict == CUDA_ERROR || failure.verdict == CANNOT_GRADE ||
                  failure.verdict == TIMED_OUT);
        cr_assert_str_empty(failure.where);
    }
}

/* ---- CUDA errors: what the ledger adds ------------------------------------------------------ */

static void expect_failure(
    struct cuda_failure failure, enum verdict verdict, const char *diagnosis, const char *where)
{
    cr_assert_eq(failure.verdict, verdict);
    cr_assert_str_eq(failure.diagnosis, diagnosis, "%s", failure.diagnosis);
    cr_assert_str_eq(failure.where, where, "%s", failure.where);
    expect_cause(diagnosis);
}

static struct ledger refused(unsigned blocks, unsigned rows, unsigned threads, size_t shared_bytes)
{
    return (struct ledger){.refused_launch = {.error = cudaErrorInvalidValue,
                               .grid = {blocks, rows, 1},
                               .block = {threads, 1, 1},
                               .shared_bytes = shared_bytes}};
}

Test(cuda_failure, a_refused_launch_is_explained_by_its_dimensions)
{
    static const cudaError_t toolkits[] = {cudaErrorInvalidValue, cudaErrorInvalidConfiguration};

    for (size_t i = 0; i < 2; i++) {
        struct ledger ledger = refused(0, 1, 256, 0);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "empty-grid", "the launch <<<0, 256, 0>>> was refused: a grid of 0 blocks");
        ledger = refused(7, 1, 2048, 0);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "block-too-large",
            "the launch <<<7, 2,048, 0>>> was refused: too many threads in a block");
        ledger = refused(3, 65537, 16, 0);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "grid-y-too-large",
            "the launch <<<(3, 65,537, 1), 16, 0>>> was refused: too many blocks in y or z");
        ledger = refused(3, 1, 0, 0);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "empty-block", "the launch <<<3, 0, 0>>> was refused: a block of 0 threads");
        ledger = refused(4294967295u, 1, 256, 0);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "grid-x-too-large",
            "the launch <<<4,294,967,295, 256, 0>>> was refused: too many blocks in x");
        ledger = refused(3, 1, 256, 50000);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "shared-too-large",
            "the launch <<<3, 256, 50,000>>> was refused: too much shared memory");
        ledger = refused(3, 1, 256, 0);
        expect_failure(explain_cuda_error(toolkits[i], &ledger, false, false), CUDA_ERROR,
            "launch-configuration", "the launch <<<3, 256, 0>>> was refused");
    }
}

Test(cuda_failure, a_launch_that_ends_a_capture_is_the_cause)
{
    struct ledger ledger = refused(0, 1, 256, 0);

    expect_failure(explain_cuda_error(cudaErrorStreamCaptureInvalidated, &ledger, false, false),
        CUDA_ERROR, "empty-grid", "the launch <<<0, 256, 0>>> was refused: a grid of 0 blocks");
    ledger = refused(1, 1, 256, 0);
    expect_failure(explain_cuda_error(cudaErrorStreamCaptureInvalidated, &ledger, false, false),
        CUDA_ERROR, "stream-capture", "");
}

Test(cuda_failure, the_limits_themselves_are_legal)
{
    struct refused_launch launch = {
        .grid = {0x7fffffff, 65535, 65535}, .block = {1024, 1, 1}, .shared_bytes = 48 * 1024};

    cr_assert_null(launch_problem(&launch));
    launch.block[1] = 2;
    cr_assert_str_eq(launch_problem(&launch), "block-too-large");
    launch = (struct refused_launch){.grid = {1, 1, 65536}, .block = {1, 1, 1}};
    cr_assert_str_eq(launch_problem(&launch), "grid-y-too-large");
    launch = (struct refused_launch){.grid = {1, 1, 1}, .block = {1, 1, 65}};
    cr_assert_str_eq(launch_problem(&launch), "block-too-large");
}

Test(cuda_failure, an_error_that_is_not_the_launchs_keeps_its_own_diagnosis)
{
    const struct ledger ledger = refused(0, 1, 256, 0);

    expect_failure(explain_cuda_error(cudaErrorIllegalAddress, &ledger, false, false), CUDA_ERROR,
        "illegal-address", "");
    expect_failure(explain_cuda_error(cudaErrorLaunchTimeout, &ledger, false, false), TIMED_OUT,
        "launch-timeout", "");
    const struct ledger legal = refused(3, 1, 1024, 0);
    expect_failure(explain_cuda_error(cudaErrorLaunchOutOfResources, &legal, false, false),
        CUDA_ERROR, "launch-resources", "the launch <<<3, 1,024, 0>>> was refused");
}

Test(cuda_failure, a_refused_copy)
{
    const struct ledger ledger = {
        .refused_copy = {.error = cudaErrorInvalidValue, .kind = 1, .bytes = 4000}};

    expect_failure(explain_cuda_error(cudaErrorInvalidValue, &ledger, true, false), CUDA_ERROR,
        "copy-direction", "a copy of 4,000 bytes, cudaMemcpyHostToDevice, was refused");
    expect_failure(explain_cuda_error(cudaErrorMemoryAllocation, &ledger, true, false), CUDA_ERROR,
        "out-of-memory", "");
}

Test(cuda_failure, a_refused_call_is_named)
{
    struct ledger ledger = {.refused_call = {cudaErrorInvalidValue, "cudaMemPrefetchAsync_ptsz"}};

    expect_failure(explain_cuda_error(cudaErrorInvalidValue, &ledger, false, false), CUDA_ERROR,
        "invalid-value", "cudaMemPrefetchAsync was refused");
    expect_failure(explain_cuda_error(cudaErrorMemoryAllocation, &ledger, false, false), CUDA_ERROR,
        "out-of-memory", "");
    ledger.refused_call =
        (struct refused_call){cudaErrorInvalidDeviceFunction, "__cudaLaunchKernel"};
    expect_failure(explain_cuda_error(cudaErrorInvalidDeviceFunction, &ledger, false, false),
        CUDA_ERROR, "no-kernel-image", "cudaLaunchKernel was refused");
    ledger.refused_call = (struct refused_call){cudaErrorIllegalAddress, "cudaDeviceSynchronize"};
    expect_failure(explain_cuda_error(cudaErrorIllegalAddress, &ledger, false, false), CUDA_ERROR,
        "illegal-address", ""); /* a kernel's: who waits for it is not to blame */
}

Test(cuda_failure, a_host_pointer_in_a_kernel)
{
    const struct ledger none = {0}, some = {.allocations = 3};

    expect_failure(explain_cuda_error(cudaErrorIllegalAddress, &none, true, false), CUDA_ERROR,
        "host-pointer", "");
    expect_failure(explain_cuda_error(cudaErrorIllegalAddress, &some, true, false), CUDA_ERROR,
        "illegal-address", "");
    expect_failure(explain_cuda_error(cudaErrorIllegalAddress, &none, false, false), CUDA_ERROR,
        "illegal-address", "");
}

Test(cuda_failure, what_the_virtual_gpu_cannot_do_costs_nothing)
{
    const struct ledger none = {0};

    expect_failure(explain_cuda_error(cudaErrorNotSupported, &none, false, true), CANNOT_GRADE,
        "needs-gpu", "");
    expect_failure(explain_cuda_error(cudaErrorNotSupported, &none, false, false), CUDA_ERROR,
        "cuda-error", "");
}
