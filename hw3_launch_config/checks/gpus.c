/* GPUs that are asked about: this one, and others by their limits. */
#include <criterion/criterion.h>
#include <stdbool.h>

#include "checks.h"

const struct known_gpu gpus[] = {
    {"7.5", {40, 1024, 1024, 16, 65536, 256, 4, 65536, 65536, 0, 256}},
    {"8.0", {108, 1024, 2048, 32, 65536, 256, 4, 167936, 166912, 1024, 128}},
    {"8.6", {28, 1024, 1536, 16, 65536, 256, 4, 102400, 101376, 1024, 128}},
    {"8.9", {46, 1024, 1536, 24, 65536, 256, 4, 102400, 101376, 1024, 128}},
    {"9.0", {132, 1024, 2048, 32, 65536, 256, 4, 233472, 232448, 1024, 128}},
    {"12.0", {170, 1024, 1536, 24, 65536, 256, 4, 102400, 101376, 1024, 128}},
};

static unsigned attribute(enum cudaDeviceAttr wanted)
{
    int value = 0;
    cr_assert(cudaDeviceGetAttribute(&value, wanted, 0) == cudaSuccess, "no device attribute");
    return (unsigned)value;
}

struct gpu this_gpu(void)
{
    const bool before_8 = attribute(cudaDevAttrComputeCapabilityMajor) < 8;

    return (struct gpu){
        .sms = attribute(cudaDevAttrMultiProcessorCount),
        .threads_per_block = attribute(cudaDevAttrMaxThreadsPerBlock),
        .threads_per_sm = attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
        .blocks_per_sm = attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
        .registers_per_sm = attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
        .register_unit = 256,
        .schedulers = 4,
        .shared_per_sm = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
        .shared_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
        .shared_reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock),
        .shared_unit = before_8 ? 256 : 128,
    };
}
