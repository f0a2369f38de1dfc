/* hw3.3: occupancy by hand. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checks.h"
#include "grader/device_load.h"

/* What one may leave out of the arithmetic. */
enum omission { NOTHING, UNITS, PARTS, RESERVED, WARPS, FIRST_OF_TIE };

static const struct {
    const char *diagnosis;
    enum omission omission;
} omissions[] = {
    {"units-ignored", UNITS},
    {"parts-ignored", PARTS},
    {"reserved-ignored", RESERVED},
    {"threads-not-warps", WARPS},
    {"tie-broken-otherwise", FIRST_OF_TIE},
};

static size_t rounded_up(size_t n, size_t unit)
{
    return divided_up(n, unit) * unit;
}

static size_t fitting_registers(
    const struct gpu *gpu, const struct block_needs *needs, enum omission left_out)
{
    const size_t warps = divided_up(needs->threads, WARP);
    const size_t a_warp = rounded_up((size_t)needs->registers * WARP, gpu->register_unit);

    if (needs->registers == 0)
        return SIZE_MAX;
    if (left_out == UNITS)
        return gpu->registers_per_sm / ((size_t)needs->registers * needs->threads);
    if (left_out == PARTS)
        return gpu->registers_per_sm / (a_warp * warps);
    return gpu->registers_per_sm / gpu->schedulers / a_warp * gpu->schedulers / warps;
}

static size_t fitting_shared(
    const struct gpu *gpu, const struct block_needs *needs, enum omission left_out)
{
    const size_t reserved = left_out == RESERVED ? 0 : gpu->shared_reserved;
    const size_t all = needs->shared_bytes + reserved;
    const size_t taken = left_out == UNITS ? all : rounded_up(all, gpu->shared_unit);

    if (needs->shared_bytes > gpu->shared_per_block)
        return 0;
    return taken == 0 ? SIZE_MAX : gpu->shared_per_sm / taken;
}

static struct residency residency_of(
    const struct gpu *gpu, const struct block_needs *needs, enum omission left_out)
{
    const size_t warps = divided_up(needs->threads, WARP);
    const size_t most[LIMITERS] = {
        [LIMITED_BY_WARPS] = needs->threads > gpu->threads_per_block ? 0
                             : left_out == WARPS ? gpu->threads_per_sm / needs->threads
                                                 : gpu->threads_per_sm / WARP / warps,
        [LIMITED_BY_BLOCKS] = gpu->blocks_per_sm,
        [LIMITED_BY_REGISTERS] = fitting_registers(gpu, needs, left_out),
        [LIMITED_BY_SHARED] = fitting_shared(gpu, needs, left_out),
    };
    int least = 0;

    for (int k = 1; k < LIMITERS; k++)
        if (most[k] < most[least] || (left_out == FIRST_OF_TIE && most[k] == most[least]))
            least = k;
    return (struct residency){(unsigned)most[least], (enum limiter)least};
}

static const char *limiter_name(enum limiter limiter)
{
    static const char *const names[LIMITERS] = {"warps", "blocks", "registers", "shared memory"};
    return (unsigned)limiter < LIMITERS ? names[limiter] : "what is no limiter";
}

static bool same_residency(struct residency a, struct residency b)
{
    return a.blocks == b.blocks && a.limiter == b.limiter;
}

static void expect_residency(
    struct trial *t, const struct gpu *gpu, const struct block_needs *needs, struct residency got)
{
    const struct residency want = residency_of(gpu, needs, NOTHING);
    const bool beyond = needs->shared_bytes > gpu->shared_per_block;
    const char *diagnosis = beyond                      ? "shared-beyond-a-block"
                            : got.blocks == want.blocks ? "wrong-limiter"
                                                        : "wrong-residency";

    if (trial_try_size(t)) {
        trial_print(t, "%u threads: %u blocks, limited by %s; expected %u, by %s\n", needs->threads,
            got.blocks, limiter_name(got.limiter), want.blocks, limiter_name(want.limiter));
        return;
    }
    if (same_residency(got, want))
        return;
    for (size_t k = LENGTH(omissions); k-- > 0;)
        if (same_residency(got, residency_of(gpu, needs, omissions[k].omission)))
            diagnosis = omissions[k].diagnosis;
    trial_fail(t, WRONG_ANSWER, diagnosis,
        "got %u blocks, limited by %s; expected %u, limited by %s\nan SM of this GPU: %u threads, "
        "%u blocks, %u shared bytes; a block: up to %u, and %u reserved",
        got.blocks, limiter_name(got.limiter), want.blocks, limiter_name(want.limiter),
        gpu->threads_per_sm, gpu->blocks_per_sm, gpu->shared_per_sm, gpu->shared_per_block,
        gpu->shared_reserved);
}

static void try_needs(
    struct trial *t, const char *gpu_name, const struct gpu *limits, struct block_needs needs)
{
    resident_function count = (resident_function)trial_function(t);
    const struct gpu gpu = *limits;
    struct residency found = {0xdeadbeef, LIMITERS};

    if (!trial_begin(t, "gpu%s-threads%u-registers%u-shared%u", gpu_name, needs.threads,
            needs.registers, needs.shared_bytes))
        return;
    if (needs.threads == 0)
        (void)TRIAL_CALL_MUST_FAIL(
            t, count(&gpu, &needs, &found), "a block needs at least one thread");
    else if (TRIAL_CALL(t, count(&gpu, &needs, &found)))
        expect_residency(t, limits, &needs, found);
    trial_end(t);
}

static const struct block_needs needs_cases[] = {{160, 37, 0}, {256, 37, 0}, {128, 40, 0},
    {256, 32, 3000}, {33, 20, 0}, {32, 16, 0}, {64, 32, 1000}, {96, 72, 0}, {160, 48, 100},
    {192, 64, 12000}, {224, 96, 0}, {320, 56, 30000}, {384, 40, 20000}, {512, 128, 0}, {768, 84, 0},
    {1000, 24, 0}, {1024, 64, 0}, {1024, 65, 0}, {1025, 16, 0}, {256, 255, 0}, {256, 0, 0},
    {1, 1, 1}, {64, 8, 2048}, {64, 8, 3072}, {128, 32, 49152}, {128, 32, 65536}, {128, 32, 65537},
    {128, 32, 101376}, {128, 32, 101377}, {128, 32, 166912}, {128, 32, 232448}, {128, 32, 232449},
    {0, 32, 0}};

/* NVIDIA's own answer for kernels of the grader, on the device that is there. */
static void try_real_kernels(struct trial *t)
{
    static const struct block_needs shapes[] = {
        {32, 0, 0}, {96, 0, 1000}, {128, 0, 0}, {256, 0, 20000}, {352, 0, 4000}, {1024, 0, 0}};
    const struct gpu gpu = this_gpu();

    for (size_t i = 0; i < device_occupancy_kernels() * LENGTH(shapes); i++) {
        const void *kernel = device_occupancy_kernel(i / LENGTH(shapes));
        struct block_needs needs = shapes[i % LENGTH(shapes)];
        struct cudaFuncAttributes attributes;
        int blocks = -1;

        cr_assert(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
        cr_assert(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                      &blocks, kernel, (int)needs.threads, needs.shared_bytes) == cudaSuccess);
        needs.registers = (unsigned)attributes.numRegs;
        needs.shared_bytes += (unsigned)attributes.sharedSizeBytes;
        cr_assert((int)residency_of(&gpu, &needs, NOTHING).blocks == blocks,
            "the runtime counts %d blocks of %u threads, %u registers, %u bytes", blocks,
            needs.threads, needs.registers, needs.shared_bytes);
        try_needs(t, "here", &gpu, needs);
    }
}

void check_residency(struct trial *t)
{
    const unsigned tried = (unsigned)trial_try_size(t);

    if (tried) {
        const struct gpu gpu = this_gpu();
        try_needs(t, "here", &gpu, (struct block_needs){tried, 32, 4096});
        return;
    }
    for (size_t i = 0; i < LENGTH(needs_cases); i++)
        for (size_t k = 0; k < LENGTH(gpus); k++)
            try_needs(t, gpus[k].name, &gpus[k].gpu, needs_cases[i]);
    try_real_kernels(t);
}
