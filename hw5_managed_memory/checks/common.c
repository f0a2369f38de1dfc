/* What all tasks need. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "checks.h"
#include "grader/virtual_calls.h"

void *companion(struct trial *t, const char *name)
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

enum cudaMemoryType type_of(const void *pointer)
{
    struct cudaPointerAttributes attributes = {.type = cudaMemoryTypeUnregistered};

    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
        cudaGetLastError();
    return attributes.type;
}

const char *type_name(const void *pointer)
{
    static const char *const names[] = {[cudaMemoryTypeUnregistered] = "plain host memory",
        [cudaMemoryTypeHost] = "pinned host memory",
        [cudaMemoryTypeDevice] = "device memory",
        [cudaMemoryTypeManaged] = "managed memory"};
    return names[type_of(pointer)];
}

void *managed(struct trial *t, size_t bytes)
{
    void *memory = NULL;
    const cudaError_t status = cudaMallocManaged(&memory, bytes + 1, cudaMemAttachGlobal);

    if (status != cudaSuccess)
        trial_fail(t, CANNOT_GRADE, "too-little-memory", "%s", cudaGetErrorName(status));
    cr_assert_not_null(memory, "no managed memory");
    return memory;
}

bool is_concurrent(void)
{
    int concurrent = 0;
    cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0);
    return concurrent != 0;
}

int attribute_of(const void *memory, size_t bytes, enum cudaMemRangeAttribute attribute)
{
    int value = cudaInvalidDeviceId;

    if (cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, bytes) != cudaSuccess)
        cudaGetLastError();
    return value;
}

cudaError_t end_restricted(struct trial *t, bool restricted, cudaError_t status)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, false);
    if (restricted && status != cudaSuccess && status != cudaErrorNotYetImplemented)
        trial_fail(t, CUDA_ERROR, "attribute-not-asked",
            "it returned %s where concurrentManagedAccess is 0", cudaGetErrorName(status));
    return status;
}

bool touched_early(void)
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

bool read_too_early(struct trial *t)
{
    return touched_early() ||
           (trial_ledger(t)->launches > 0 && trial_ledger(t)->synchronisations == 0);
}

const long long junk_sum = 0x7fc0dead7fc0dead;
static const long long sum_max = 1LL << 50; /* no sum of the inputs comes near it */

void expect_sum(struct trial *t, const char *whose, long long got, long long want)
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

bool host_made(const void *memory, size_t bytes)
{
    enum { DEVICE = 1 };
    return virtual_calls()->written_by && bytes > 0 &&
           virtual_calls()->written_by(memory, bytes) != DEVICE;
}

void expect_ints(struct trial *t, const char *name, int32_t *got, const double *want, size_t count,
    const double *early)
{
    const struct array output = {
        .name = name, .element = INT32, .count = count, .is_output = true, .ints = got};
    const struct suspect suspects[] = {
        {early && read_too_early(t) ? "read-too-early" : NULL, early}, {NULL, NULL}};

    trial_expect(t, &(struct expectation){.output = &output, .want = want, .suspects = suspects});
}
