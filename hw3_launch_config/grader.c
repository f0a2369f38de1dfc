/* Homework 3: what the six functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch_config.h"
#include "grader/cost.h"
#include "grader/device.h"
#include "grader/device_load.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/measure.h"
#include "grader/room.h"
#include "grader/trial.h"

typedef typeof(&add_under_launch) add_function;
typedef typeof(&choose_launch) choose_function;
typedef typeof(&count_resident) resident_function;
typedef typeof(&split_particles) split_function;
typedef typeof(&transpose) transpose_function;
typedef typeof(&copy_floats) copy_function;

/* Sums of two are exact in a float, and in nothing with fewer bits. */
enum { LOW = -4000000, HIGH = 4000000, WARP = 32, VECTOR = 4 };

static size_t divided_up(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

/* `make try` shows numbers that one can add in the head. */
static void fill(struct trial *t, struct array *array, uint64_t seed)
{
    const bool trying = trial_try_size(t) > 0;
    fill_integers(array->floats, array->count, trying ? -9 : LOW, trying ? 9 : HIGH, seed);
}

/* ---- costs ---------------------------------------------------------------------------------- */

static double conflicts(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_conflicts + made->shared_store_conflicts);
}

static double wavefronts(const struct vgpu_counters *made)
{
    return (double)(made->shared_load_wavefronts + made->shared_store_wavefronts);
}

/* A stretch a thread costs 8. Four of a float4 a thread, which nvcc may store one by one, cost up to
 * 2.5, and are no mistake where nothing but the launch is asked for. */
static const struct cost_gate not_scattered = {"uncoalesced",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 3};
/* Field by field costs 2.5; four particles a thread, with stores of 16 bytes, 1.5. */
static const struct cost_gate whole_particles = {"uncoalesced",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 2};
static const struct cost_gate whole_loads = {"four-loads-a-particle",
    "sectors moved for each that the bytes fill", counted_sectors, counted_sectors_ideal, 2};
static const struct cost_gate once = {
    "done-again", "bytes moved for each that the sums take", counted_bytes, NULL, 1.01};
static const struct cost_gate conflict_free = {
    "bank-conflicts", "bank conflicts a wavefront of shared memory", conflicts, wavefronts, 0.02};
static const struct cost_gate wide = {
    "narrow-requests", "loads or stores for each 16 bytes of a lane", counted_requests, NULL, 1.1};

/* ---- GPUs ----------------------------------------------------------------------------------- */

enum { KNOWN_GPUS = 6 };

struct known_gpu {
    const char *name; /* its compute capability */
    struct gpu gpu;
};

static const struct known_gpu gpus[KNOWN_GPUS] = {
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

/* The one in this machine. The runtime does not tell the three units; they are those of all
 * compute capabilities from 7.0 to 12.1. */
static struct gpu this_gpu(void)
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

/* ---- hw3.1: any grid for any n -------------------------------------------------------------- */

enum { ALL_THREADS_MAX = 1 << 23, COUNTED = 1 << 18 };

struct add_case {
    size_t first, count;
    struct launch launch;
};

/* Fewer threads than elements first. The last grid has 2^32 threads: the virtual GPU would need
 * hours for it. */
static const struct add_case add_cases[] = {
    {0, 10007, {4, 96}},
    {0, 1000, {1, 1}},
    {0, 0, {1, 1}},
    {0, 1, {1, 1}},
    {0, 1, {3, 64}},
    {0, 31, {1, 32}},
    {0, 33, {2, 16}},
    {0, 255, {1, 256}},
    {0, 257, {1, 256}},
    {0, 257, {257, 1}},
    {0, 1000, {7, 33}},
    {0, 5000, {3, 1024}},
    {0, 1000, {100000, 32}},
    {5, 1000, {2, 128}},
    {(1ull << 31) - 500, 1000, {1, 192}},
    {(1ull << 31) - 500, 1000, {100, 96}},
    {(1ull << 32) - 7, 1000, {2, 64}},
    {0, COUNTED, {64, 256}},
    {0, 999983, {16, 352}},
    {0, 1000, {1 << 22, 1024}},
};

static size_t threads_of(const struct add_case *c)
{
    return c->launch.blocks * (size_t)c->launch.threads;
}

/* How far a mistake gets: elements from there on are not written. */

static size_t one_each(const struct add_case *c)
{
    return threads_of(c);
}

static size_t end_without_first(const struct add_case *c)
{
    return c->first < c->count ? c->count - c->first : SIZE_MAX;
}

static const struct {
    const char *diagnosis;
    size_t (*end)(const struct add_case *c);
} add_mistakes[] = {
    {"no-grid-stride", one_each},
    {"first-ignored", end_without_first},
};

/* Cases that differ from those before only in `first`: whatever is wrong is wrong for that. */
static bool beyond_32_bits(const struct add_case *c)
{
    return c->first >= INT32_MAX / 2;
}

static void expect_sums(struct trial *t, const struct add_case *c, const struct array *a,
    const struct array *b, const struct array *sum)
{
    struct suspect suspects[LENGTH(add_mistakes) + 2] = {{NULL, NULL}};
    double *values[LENGTH(add_mistakes)] = {NULL};
    double *want = doubles(c->count), *got = doubles(c->count);

    for (size_t i = 0; i < c->count; i++)
        want[i] = (double)a->floats[i] + b->floats[i], got[i] = array_value(sum, i);
    if (beyond_32_bits(c))
        suspects[0] = (struct suspect){"index-32-bits", got};
    for (size_t k = 0; !beyond_32_bits(c) && k < LENGTH(add_mistakes); k++) {
        suspects[k].diagnosis = add_mistakes[k].diagnosis;
        suspects[k].values = values[k] = doubles(c->count);
        for (size_t i = 0; i < c->count; i++)
            values[k][i] = i < add_mistakes[k].end(c) ? want[i] : NAN;
    }
    trial_expect(t, &(struct expectation){.output = sum, .want = want, .suspects = suspects});
    free(want), free(got);
    for (size_t k = 0; k < LENGTH(add_mistakes); k++)
        free(values[k]);
}

/* The array's address if its first element were number `first`. */
static float *biased(const struct array *array, size_t first)
{
    return (float *)((uintptr_t)array->device - first * sizeof(float));
}

/* An index that wraps leads to an address that is 16 GiB too low, and the device says no more than
 * that it was illegal. Where `first` is large, that is the likely cause. */
static cudaError_t call_add(struct trial *t, const struct array *a, const struct array *b,
    const struct array *sum, const struct add_case *c)
{
    add_function add = (add_function)trial_function(t);
    const cudaError_t status = add(biased(a, c->first), biased(b, c->first), biased(sum, c->first),
        (struct span){c->first, c->count}, c->launch, trial_stream(t));

    if (beyond_32_bits(c) && cudaDeviceSynchronize() == cudaErrorIllegalAddress)
        trial_fail(t, CUDA_ERROR, "index-32-bits",
            "the kernel ended with cudaErrorIllegalAddress (it touched memory that does not "
            "exist); `first` is %zu",
            c->first);
    return status;
}

/* Of a launch with one thread, every warp instruction is executed by one thread. */
static bool launched_otherwise(const struct trial *t, const struct add_case *c)
{
    const struct vgpu_counters *made = trial_counters(t);
    return made && threads_of(c) == 1 && made->thread_instructions > made->warp_instructions;
}

static void try_add(struct trial *t, const struct add_case *c)
{
    struct array *a = trial_input(t, "a", FLOAT32, c->count);
    struct array *b = trial_input(t, "b", FLOAT32, c->count);
    struct array *sum = trial_output(t, "sum", FLOAT32, c->count);

    fill(t, a, trial_seed(t));
    fill(t, b, trial_seed(t) + 1);
    if (!TRIAL_CALL(t, call_add(t, a, b, sum, c)))
        return;
    expect_sums(t, c, a, b, sum);
    if (launched_otherwise(t, c))
        trial_fail(t, WRONG_ANSWER, "other-launch",
            "a launch <<<1, 1>>> was asked for, and more was launched");
    if (c->count == COUNTED) {
        trial_expect_cost(t, &not_scattered, 0);
        trial_expect_cost(t, &once, (double)c->count * 3 * sizeof(float));
    }
}

static void check_add(struct trial *t)
{
    const struct add_case tried = {0, trial_try_size(t), {2, 2}};
    const bool trying = tried.count > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(add_cases)); i++) {
        const struct add_case *c = trying ? &tried : &add_cases[i];
        if (threads_of(c) > ALL_THREADS_MAX && device_is_virtual())
            continue;
        if (!trial_begin(t, "first%zu-n%zu-blocks%u-threads%u", c->first, c->count,
                c->launch.blocks, c->launch.threads))
            continue;
        try_add(t, c);
        trial_end(t);
    }
}

/* ---- hw3.2: a launch for this GPU ----------------------------------------------------------- */

enum { GRID_X_MAX = 0x7fffffff, FEW = 4 /* elements a thread */ };

/* Ascending: what fails beyond 2^32 was right before. */
static const size_t choice_sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000, 100003, 1000003,
    1ull << 28, 1ull << 31, (1ull << 32) + 5, (1ull << 40) + 12345, 1ull << 45};

/* What the contract forbids in a choice; NULL: nothing. */
static const char *choice_mistake(const struct gpu *gpu, size_t n, const struct launch *chosen)
{
    const size_t blocks = chosen->blocks, threads = chosen->threads;
    const size_t room = gpu->sms * (size_t)gpu->threads_per_sm;

    if (threads == 0 || threads % WARP != 0)
        return "partial-warps";
    if (threads > gpu->threads_per_block)
        return "block-too-large";
    if (blocks == 0)
        return "no-blocks";
    if (blocks > GRID_X_MAX)
        return "grid-x-too-large";
    if (blocks > 1 && (blocks - 1) * threads >= n)
        return "idle-blocks";
    size_t each = gpu->threads_per_sm / threads; /* blocks that an SM holds */
    each = each < gpu->blocks_per_sm ? each : gpu->blocks_per_sm;
    const size_t held = blocks < each * gpu->sms ? blocks : each * gpu->sms;
    if (held * threads == room || (n < FEW * room && n <= FEW * blocks * threads))
        return NULL;
    return n >= FEW * room && each * threads < gpu->threads_per_sm ? "sm-not-full" : "gpu-not-full";
}

static void try_choice(struct trial *t, const struct gpu *limits, size_t n)
{
    choose_function choose = (choose_function)trial_function(t);
    const struct gpu gpu = *limits;
    struct launch chosen = {0xdeadbeef, 0xdeadbeef};

    if (!TRIAL_CALL(t, choose(&gpu, n, &chosen)))
        return;
    const char *mistake = choice_mistake(limits, n, &chosen);
    if (trial_try_size(t))
        printf("n = %zu, %u SMs of %u threads: %u blocks of %u threads\n", n, gpu.sms,
            gpu.threads_per_sm, chosen.blocks, chosen.threads);
    else if (mistake)
        trial_fail(t, WRONG_ANSWER, n > UINT32_MAX ? "count-32-bits" : mistake,
            "it chose blocks: %u, threads a block: %u\nthis GPU has %u SMs, each with room for %u "
            "threads and %u blocks",
            chosen.blocks, chosen.threads, limits->sms, limits->threads_per_sm,
            limits->blocks_per_sm);
}

static void check_choice(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(choice_sizes)); i++)
        for (size_t k = 0; k < LENGTH(gpus); k++) {
            const size_t n = tried ? tried : choice_sizes[i];
            if (!trial_begin(t, "n%zu-gpu%s", n, gpus[k].name))
                continue;
            try_choice(t, &gpus[k].gpu, n);
            trial_end(t);
        }
}

/* ---- hw3.3: occupancy by hand --------------------------------------------------------------- */

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
        printf("%u threads: %u blocks, limited by %s; expected %u, by %s\n", needs->threads,
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

static void check_residency(struct trial *t)
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

/* ---- hw3.4: an array of structures becomes a structure of arrays ---------------------------- */

enum { FIELDS = 4, LARGE = 100000 };

static const size_t split_sizes[] = {1000, 0, 1, 31, 32, 33, 255, 256, 257, 1023, 400009};

/* Field k of all particles; with `flat`, what lies there if `in` is taken for four columns. */
static double *field_values(const struct array *in, size_t k, bool flat)
{
    const size_t n = in->count / FIELDS;
    double *values = doubles(n);

    for (size_t i = 0; i < n; i++)
        values[i] = in->floats[flat ? k * n + i : i * FIELDS + k];
    return values;
}

static void expect_columns(struct trial *t, const struct array *in, struct array *const out[FIELDS])
{
    double *fields[FIELDS];

    for (size_t k = 0; k < FIELDS; k++)
        fields[k] = field_values(in, k, false);
    for (size_t k = 0; k < FIELDS; k++) {
        double *flat = field_values(in, k, true);
        const struct suspect suspects[] = {{"structures-ignored", flat},
            {"fields-exchanged", fields[(k + 1) % FIELDS]},
            {"fields-exchanged", fields[(k + 2) % FIELDS]},
            {"fields-exchanged", fields[(k + 3) % FIELDS]}, {NULL, NULL}};
        trial_expect(
            t, &(struct expectation){.output = out[k], .want = fields[k], .suspects = suspects});
        free(flat);
    }
    for (size_t k = 0; k < FIELDS; k++)
        free(fields[k]);
}

/* As many load requests as four for every 32 particles, or nearly. */
static bool four_loads_each(const struct vgpu_counters *made, size_t n)
{
    const double each = made ? counted_load_requests(made) * WARP / (double)n : 0;
    return each > FIELDS - 0.1 && each < FIELDS + 0.1;
}

static void try_split(struct trial *t, size_t n)
{
    static const char *const names[FIELDS] = {"x", "y", "z", "mass"};
    split_function split = (split_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, n * FIELDS), *out[FIELDS];

    fill(t, in, trial_seed(t));
    for (size_t k = 0; k < FIELDS; k++)
        out[k] = trial_output(t, names[k], FLOAT32, n);
    const struct columns columns = {out[0]->device, out[1]->device, out[2]->device, out[3]->device};
    if (!TRIAL_CALL(t, split(in->device, columns, n, trial_stream(t))))
        return;
    const struct vgpu_counters *made = trial_counters(t);
    if (n == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "n is 0, and a kernel was launched");
    expect_columns(t, in, out);
    if (n >= LARGE) {
        trial_expect_cost(t, four_loads_each(made, n) ? &whole_loads : &whole_particles, 0);
        if (made && made->global_atomic_requests > 0) /* they load as well, and count elsewhere */
            trial_inefficient(t, "uncoalesced", "%llu loads of warps are atomics",
                (unsigned long long)made->global_atomic_requests);
    }
}

static void check_split(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(split_sizes)); i++) {
        const size_t n = tried ? tried : split_sizes[i];
        if (!trial_begin(t, "n%zu", n))
            continue;
        try_split(t, n);
        trial_end(t);
    }
}

/* ---- hw3.5: a transpose through a padded tile ----------------------------------------------- */

/* Costs are counted where every row begins on a sector and tiles divide the matrix. */
static const struct matrix_shape transpose_shapes[] = {{70, 45}, {1, 1}, {32, 32}, {64, 96},
    {33, 31}, {31, 33}, {1, 257}, {257, 1}, {100, 3}, {3, 1000}, {0, 5}, {5, 0}, {255, 1023},
    {384, 512}, {65601, 2}, {2, 65601}};

static bool costs_counted(struct matrix_shape shape)
{
    return shape.rows % 64 == 0 && shape.columns % 64 == 0 && shape.rows * shape.columns > LARGE;
}

/* Whether the test of the reads was used for the writes, with tiles of this side: what it lets out
 * is then wrong. What it lets in by mistake spoils some of the rest. */
static bool read_bounds_used(
    const struct array *out, const double *want, struct matrix_shape shape, size_t tile)
{
    size_t let_out = 0, others = 0, others_right = 0;

    for (size_t i = 0; i < out->count; i++) {
        const size_t column = i / shape.rows, row = i % shape.rows;
        const bool right = agrees(array_value(out, i), want[i], 0);
        if (column / tile * tile + row % tile < shape.columns &&
            row / tile * tile + column % tile < shape.rows)
            others++, others_right += right;
        else if (right)
            return false;
        else
            let_out++;
    }
    return let_out > 0 && 2 * others_right > others;
}

static void try_transpose(struct trial *t, struct matrix_shape shape)
{
    transpose_function turn = (transpose_function)trial_function(t);
    struct array *in = trial_input(t, "in", FLOAT32, shape.rows * shape.columns);
    struct array *out = trial_output(t, "out", FLOAT32, shape.rows * shape.columns);
    double *want = doubles(in->count);

    fill(t, in, trial_seed(t));
    for (size_t i = 0; i < in->count; i++)
        want[i % shape.columns * shape.rows + i / shape.columns] = in->floats[i];
    if (TRIAL_CALL(t, turn(in->device, out->device, shape, trial_stream(t)))) {
        if (in->count == 0 && trial_ledger(t)->launches > 0)
            trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "there is nothing to transpose");
        for (size_t tile = 16; tile <= 64; tile *= 2)
            if (read_bounds_used(out, want, shape, tile))
                trial_fail(t, WRONG_ANSWER, "read-bounds",
                    "at the edges of the matrix a tile of %zu by %zu reads what it must, and does "
                    "not "
                    "write what it must",
                    tile, tile);
        trial_expect(t, &(struct expectation){.output = out, .want = want, .columns = shape.rows});
        if (costs_counted(shape)) {
            trial_expect_cost(t, &coalesced, 0);
            trial_expect_cost(t, &conflict_free, 0);
        }
    }
    free(want);
}

static void check_transpose(struct trial *t)
{
    const struct matrix_shape tried = {(trial_try_size(t) + 1) / 2, trial_try_size(t) / 2 + 1};
    const bool trying = trial_try_size(t) > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(transpose_shapes)); i++) {
        const struct matrix_shape shape = trying ? tried : transpose_shapes[i];
        if (!trial_begin(t, "%zux%zu", shape.rows, shape.columns))
            continue;
        try_transpose(t, shape);
        trial_end(t);
    }
}

/* ---- hw3.6: 16 bytes at a time -------------------------------------------------------------- */

/* Floats by which both arrays miss a 16-byte boundary, and how many are copied. */
static const struct copy_case {
    size_t from, to, n;
} copy_cases[] = {{0, 0, 1003}, {1, 1, 1000}, {0, 1, 1000}, {3, 0, 1000}, {2, 1, 1001}, {2, 2, 998},
    {3, 3, 257}, {0, 2, 259}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 0, 3}, {0, 0, 4}, {1, 1, 1},
    {1, 1, 2}, {1, 1, 3}, {1, 1, 6}, {1, 1, 7}, {3, 3, 1}, {3, 3, 5}, {3, 3, 33}, {1, 3, 2},
    {0, 0, 4096}, {1, 1, 1000003}, {0, 2, 100003}};

/* Names what is missing at the two ends, where everything between them is right. */
static void expect_copy(
    struct trial *t, const struct copy_case *c, const struct array *in, const struct array *out)
{
    const size_t head = (VECTOR - c->to) % VECTOR, whole = c->n < head ? c->n : head;
    const size_t tail = whole + (c->n - whole) / VECTOR * VECTOR;
    struct array copied = *out;
    double *want = doubles(c->n), *headless = doubles(c->n), *tailless = doubles(c->n);
    const struct suspect suspects[] = {
        {"head-missing", headless}, {"tail-missing", tailless}, {NULL, NULL}};

    for (size_t i = 0; i < c->n; i++) {
        want[i] = in->floats[c->from + i];
        headless[i] = i < whole ? NAN : want[i];
        tailless[i] = i >= tail ? NAN : want[i];
    }
    copied.floats += c->to;
    copied.count = c->n;
    trial_expect(t, &(struct expectation){.output = &copied, .want = want, .suspects = suspects});
    for (size_t i = 0; i < c->to; i++)
        if (!array_unwritten(out, i))
            trial_fail(t, WRONG_ANSWER, "written-before",
                "to[-%zu] was written, which lies before the target", c->to - i);
    free(want), free(headless), free(tailless);
}

static void try_copy(struct trial *t, const struct copy_case *c)
{
    copy_function copy = (copy_function)trial_function(t);
    struct array *in = trial_input(t, "from", FLOAT32, c->from + c->n);
    struct array *out = trial_output(t, "to", FLOAT32, c->to + c->n);
    const float *from = (const float *)in->device + c->from;
    const double lines = (double)c->n * sizeof(float) / (16 * WARP);

    fill(t, in, trial_seed(t));
    if (!TRIAL_CALL(t, copy(from, (float *)out->device + c->to, c->n, trial_stream(t))))
        return;
    if (c->n == 0 && trial_ledger(t)->launches > 0)
        trial_fail(t, WRONG_ANSWER, "launch-for-nothing", "n is 0, and a kernel was launched");
    if (trial_ledger(t)->bytes_on_device > 0)
        trial_fail(t, WRONG_ANSWER, "copied-by-the-runtime", "the CUDA runtime copied %zu bytes",
            trial_ledger(t)->bytes_on_device);
    expect_copy(t, c, in, out);
    if (c->from == c->to && c->n >= LARGE)
        trial_expect_cost(t, &wide, 2 * lines); /* one load and one store for each 512 bytes */
}

static void check_copy(struct trial *t)
{
    const struct copy_case tried = {1, 1, trial_try_size(t)};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(copy_cases)); i++) {
        const struct copy_case *c = trying ? &tried : &copy_cases[i];
        if (!trial_begin(t, "from%zu-to%zu-n%zu", c->from, c->to, c->n))
            continue;
        try_copy(t, c);
        trial_end(t);
    }
}

/* ---- speed ---------------------------------------------------------------------------------- */

enum { TIMED_A, TIMED_B, TIMED_SUM, TIMED_THREADS = 256 };

static size_t three_arrays(size_t n, int k)
{
    return k <= TIMED_SUM ? n : 0;
}

static size_t bytes_of_all(const struct timed_problem *p)
{
    size_t words = 0;

    for (int k = 0; k < TIMED_ARRAYS_MAX; k++)
        words += p->counts[k];
    return words * sizeof(float);
}

static size_t thirds_in(size_t bytes)
{
    return bytes / (3 * sizeof(float));
}

static struct filled filling(const struct timed_problem *p, int k)
{
    return (struct filled){mix(p->seed, (uint64_t)k), LOW, HIGH};
}

static cudaError_t prepare_input(const struct timed_problem *p, int k)
{
    const struct filled how = filling(p, k);
    return device_fill_integers(p->arrays[k], p->counts[k], how.low, how.high, how.seed);
}

static cudaError_t prepare_summands(struct timed_problem *p)
{
    const cudaError_t status = prepare_input(p, TIMED_A);
    return status == cudaSuccess ? prepare_input(p, TIMED_B) : status;
}

/* Whether nothing differs; else, or if the question failed, a line about it. */
static bool nothing_differs(
    cudaError_t status, size_t different, size_t first, char *text, size_t bytes)
{
    if (status != cudaSuccess)
        snprintf(text, bytes, "%s while the output was verified", cudaGetErrorName(status));
    else
        snprintf(text, bytes, "at full size, %zu elements are wrong, the first at index %zu",
            different, first);
    return status == cudaSuccess && different == 0;
}

static bool verify_sums(const struct timed_problem *p, char *text, size_t bytes)
{
    const struct filled a = filling(p, TIMED_A), b = filling(p, TIMED_B);
    size_t different = 0, first = 0;
    const cudaError_t status =
        device_count_wrong_sums(p->arrays[TIMED_SUM], p->n, &a, &b, &different, &first);
    return nothing_differs(status, different, first, text, bytes);
}

static cudaError_t call_timed_add(void *function, const struct timed_problem *p)
{
    const struct gpu gpu = this_gpu();
    const struct launch full = {gpu.sms * (gpu.threads_per_sm / TIMED_THREADS), TIMED_THREADS};
    return ((add_function)function)(p->arrays[TIMED_A], p->arrays[TIMED_B], p->arrays[TIMED_SUM],
        (struct span){0, p->n}, full, 0);
}

static const struct speed_test add_speed = {
    .limit = LIMIT_ADD,
    .gate = 0.50,
    .baseline_name = "one stretch a thread",
    .array_count = three_arrays,
    .outputs = 1u << TIMED_SUM,
    .bytes = bytes_of_all,
    .size_for = thirds_in,
    .prepare = prepare_summands,
    .call = call_timed_add,
    .verify = verify_sums,
};

static cudaError_t run_launch(struct launch launch, const struct timed_problem *p)
{
    return device_add_launched(launch.blocks, launch.threads, p->arrays[TIMED_A],
        p->arrays[TIMED_B], p->arrays[TIMED_SUM], p->n);
}

static cudaError_t call_choice(void *function, const struct timed_problem *p)
{
    const struct gpu gpu = this_gpu();
    struct launch chosen = {0, 0};
    const cudaError_t status = ((choose_function)function)(&gpu, p->n, &chosen);
    return status == cudaSuccess ? run_launch(chosen, p) : status;
}

/* The sweep: blocks of six sizes, as many as are resident once, twice, four times, and one for
 * every `threads` elements. The best for the largest n so far is kept. */
static struct {
    size_t n;
    double ns;
    struct launch launch;
} best;

static cudaError_t sweep_launch(struct launch launch, const struct timed_problem *p)
{
    enum { CALLS = 2 };
    cudaError_t status = cudaSuccess;

    for (int call = 0; call < (device_is_virtual() ? 1 : CALLS) && status == cudaSuccess; call++) {
        if (!device_is_virtual())
            status = device_flush_l2();
        cudaDeviceSynchronize();
        const uint64_t start = device_now_ns();
        if (status == cudaSuccess)
            status = run_launch(launch, p);
        if (status == cudaSuccess)
            status = cudaDeviceSynchronize();
        const double ns = (double)(device_now_ns() - start);
        if (ns < best.ns) {
            best.ns = ns;
            best.launch = launch;
        }
    }
    return status;
}

static cudaError_t sweep(const struct timed_problem *p)
{
    static const unsigned sizes[] = {64, 128, 256, 512, 768, 1024}, rounds[] = {1, 2, 4, 0};
    const struct gpu gpu = this_gpu();
    cudaError_t status = cudaSuccess;

    best.n = p->n;
    best.ns = DBL_MAX;
    for (size_t i = 0; i < LENGTH(sizes) * LENGTH(rounds) && status == cudaSuccess; i++) {
        const unsigned threads = sizes[i / LENGTH(rounds)], round = rounds[i % LENGTH(rounds)];
        size_t blocks = divided_up(p->n, threads);
        const size_t resident = gpu.sms * (size_t)(gpu.threads_per_sm / threads);
        if (round > 0 && blocks > round * resident)
            blocks = round * resident;
        status = sweep_launch((struct launch){(unsigned)blocks, threads}, p);
    }
    return status;
}

static cudaError_t prepare_choice(struct timed_problem *p)
{
    const cudaError_t status = prepare_summands(p);
    return status == cudaSuccess && p->n > best.n ? sweep(p) : status;
}

static cudaError_t call_best(const struct timed_problem *p)
{
    return run_launch(best.launch, p);
}

static const struct speed_test choice_speed = {
    .limit = LIMIT_LESSON,
    .limit_call = call_best,
    .limit_label = "best of 24 launches",
    .gate = 0.85,
    .baseline_name = "a warp an SM",
    .array_count = three_arrays,
    .outputs = 1u << TIMED_SUM,
    .bytes = bytes_of_all,
    .size_for = thirds_in,
    .prepare = prepare_choice,
    .call = call_choice,
    .verify = verify_sums,
};

/* A matrix of n rows, and a little wider than high. */
enum { WIDER = 192, ROWS_STEP = 64 };

static size_t matrix_twice(size_t n, int k)
{
    return k < 2 ? n * (n + WIDER) : 0;
}

static size_t rows_in(size_t bytes)
{
    size_t n = (size_t)sqrt((double)bytes / (2 * sizeof(float)));

    while (n > 0 && (n % ROWS_STEP != 0 || 2 * matrix_twice(n, 0) * sizeof(float) > bytes))
        n--;
    return n;
}

static cudaError_t prepare_first(struct timed_problem *p)
{
    return prepare_input(p, 0);
}

static cudaError_t call_transpose(void *function, const struct timed_problem *p)
{
    return ((transpose_function)function)(
        p->arrays[0], p->arrays[1], (struct matrix_shape){p->n, p->n + WIDER}, 0);
}

static bool verify_transpose(const struct timed_problem *p, char *text, size_t bytes)
{
    const struct filled in = filling(p, 0);
    size_t different = 0, first = 0;
    const cudaError_t status =
        device_count_untransposed(p->arrays[1], p->n, p->n + WIDER, &in, &different, &first);
    return nothing_differs(status, different, first, text, bytes);
}

static const struct speed_test transpose_speed = {
    .limit = LIMIT_COPY,
    .gate = 0.55,
    .baseline_name = "without a tile",
    .array_count = matrix_twice,
    .outputs = 1u << 1,
    .bytes = bytes_of_all,
    .size_for = rows_in,
    .prepare = prepare_first,
    .call = call_transpose,
    .verify = verify_transpose,
};

/* Both arrays miss a boundary by one float, so that there is a head, a body and a tail. */
enum { SHIFT = 1, BOTH_ENDS = 2 };

static size_t two_arrays(size_t n, int k)
{
    return k < 2 ? n : 0;
}

static size_t halves_in(size_t bytes)
{
    const size_t n = bytes / (2 * sizeof(float));
    return n > BOTH_ENDS ? n : 0;
}

static cudaError_t call_copy(void *function, const struct timed_problem *p)
{
    return ((copy_function)function)(
        (const float *)p->arrays[0] + SHIFT, (float *)p->arrays[1] + SHIFT, p->n - BOTH_ENDS, 0);
}

static bool verify_copy(const struct timed_problem *p, char *text, size_t bytes)
{
    size_t different = 0, first = 0;
    const cudaError_t status = device_count_differences((const uint32_t *)p->arrays[1] + SHIFT,
        (const uint32_t *)p->arrays[0] + SHIFT, p->n - BOTH_ENDS, &different, &first);
    return nothing_differs(status, different, first, text, bytes);
}

static const struct speed_test copy_speed = {
    .limit = LIMIT_COPY,
    .gate = 0.90,
    .baseline_name = "a float a thread",
    .array_count = two_arrays,
    .outputs = 1u << 1,
    .bytes = bytes_of_all,
    .size_for = halves_in,
    .prepare = prepare_first,
    .call = call_copy,
    .verify = verify_copy,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"no-grid-stride", "Each thread does one element, and there are fewer threads than elements: "
                       "let it go on by gridDim.x * blockDim.x until the end."},
    {"index-32-bits", "The index is kept or computed in 32 bits: first + i passes 2^31 or 2^32, "
                      "and wraps. Make it a size_t before the addition."},
    {"first-ignored", "`first` is left out, or used in the wrong place: a thread's own number must "
                      "be below `count`, and it adds element first + number."},
    {"done-again", "Several threads add the same elements: each has to go on by the number of all "
                   "threads of the grid, gridDim.x * blockDim.x, not by those of a block."},
    {"other-launch",
        "The contract gives the grid and the block: launch exactly those, whatever n is."},
    {"partial-warps", "The block is not a multiple of 32: the last warp of every block has lanes "
                      "that are never used."},
    {"no-blocks", "A launch of 0 blocks is an error, not a launch of nothing: round up, and launch "
                  "at least 1."},
    {"idle-blocks", "There are blocks without an element: launch no more than n divided by the "
                    "block size, rounded up, and at least one."},
    {"sm-not-full", "With blocks of this size an SM cannot hold all the threads that it has room "
                    "for: 1,024 do not divide 1,536, and 64 would take 24 blocks. Divide "
                    "threads_per_sm by the block size, and compare with blocks_per_sm."},
    {"gpu-not-full", "SMs stay idle or half empty although there is work for them: the number of "
                     "blocks must follow from the number of SMs and what each of them holds."},
    {"count-32-bits", "Up to 2^31 the choice is right: the number of blocks that n would need is "
                      "computed in 32 bits. Compare in size_t, and narrow afterwards."},
    {"units-ignored", "Registers and shared memory are given in units: a warp's registers and a "
                      "block's shared bytes have to be rounded up before they are divided."},
    {"parts-ignored", "The registers are not one pool: each scheduler has its part, and a warp "
                      "gets all of its registers from one. Count the warps of one part first."},
    {"reserved-ignored",
        "The system takes shared_reserved bytes for every block, also for one that "
        "uses no shared memory of its own."},
    {"threads-not-warps",
        "An SM has room for whole warps: 33 threads take up two of them, that is 64 "
        "threads."},
    {"tie-broken-otherwise", "Two limits stop at the same number of blocks; the contract asks for "
                             "the first of the enum."},
    {"shared-beyond-a-block",
        "A block may have no more shared memory than shared_per_block: a launch that asks for more "
        "is refused. So no block of it is resident, and shared memory is what limits it."},
    {"division-by-zero", "An integer was divided by 0 on the host: what a block does not use does "
                         "not limit. Test for 0 registers and 0 shared bytes first."},
    {"wrong-limiter",
        "The number of blocks is right, but another limit gives it than the one that is named."},
    {"wrong-residency", "One of the four divisions is off. Compute each of them by hand, and "
                        "compare: make try HW=3 TASK=3 N=256"},
    {"fields-exchanged", "A column holds another field than its own: the order in memory is x, y, "
                         "z, mass, and a float4 calls these x, y, z, w."},
    {"structures-ignored", "The input is copied as if it were four columns already: particle i is "
                           "the floats 4i, 4i + 1, 4i + 2 and 4i + 3."},
    {"four-loads-a-particle",
        "Each lane (thread of a warp) loads its 16 bytes in four loads of 4; copying a struct is "
        "four such loads, too. Each touches all sectors of the warp: load a particle as one "
        "float4."},
    {"launch-for-nothing", "There is nothing to compute, and a kernel was launched all the same: "
                           "return cudaSuccess before the launch."},
    {"read-bounds",
        "The bounds test of the reads guards the writes as well. There rows and columns "
        "have changed places: test the indices that you write to."},
    {"bank-conflicts", "Lanes (threads of a warp) want different words of one bank of shared "
                       "memory, and wait for each other: each wait is one more wavefront. Give the "
                       "tile one column more than it needs, or swizzle its index."},
    {"narrow-requests",
        "Floats are moved one or two at a time. Where both addresses miss the 16-byte boundary "
        "alike, whole float4 can be copied after at most 3 floats."},
    {"head-missing", "The floats before the first 16-byte boundary are not copied."},
    {"tail-missing", "The floats after the last whole float4 are not copied."},
    {"written-before", "Something was written in front of `to`: the address was rounded down to a "
                       "boundary. Round up, and copy the floats up to there one by one."},
    {"copied-by-the-runtime",
        "cudaMemcpyAsync did the work: the copy is to be made by a kernel of yours."},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw3.1",
        .title = "a grid-stride loop under any launch",
        .function = "add_under_launch",
        .points = {14, 5, 2},
        .check = check_add,
        .stream_case = "first0-n10007-blocks4-threads96",
        .speed = &add_speed,
        .diagnoses = diagnoses,
        .untried = "a launch of 2^32 threads, which takes a GPU: is the step a size_t?",
        .gpu_tries_it = true,
    },
    {
        .id = "hw3.2",
        .title = "a launch for this GPU",
        .function = "choose_launch",
        .points = {12, 3, 1},
        .check = check_choice,
        .speed = &choice_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.3",
        .title = "occupancy by hand",
        .function = "count_resident",
        .points = {16, 0, 1},
        .check = check_residency,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.4",
        .title = "array of structures to structure of arrays",
        .function = "split_particles",
        .points = {12, 4, 3},
        .check = check_split,
        .stream_case = "n1000",
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.5",
        .title = "transpose through a padded tile",
        .function = "transpose",
        .points = {16, 8, 3},
        .check = check_transpose,
        .stream_case = "70x45",
        .speed = &transpose_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw3.6",
        .title = "16 bytes at a time, any alignment",
        .function = "copy_floats",
        .star = true,
        .check = check_copy,
        .stream_case = "from1-to1-n1000",
        .speed = &copy_speed,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw3",
    .folder = "hw3_launch_config",
    .file = "launch_config.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .banned = (const char *const[]){"/cub/", "/thrust/", "/cuda_occupancy.h", NULL},
};

Test(hw3, t1, .description = "hw3.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.1");
}

Test(hw3, t2, .description = "hw3.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.2");
}

Test(hw3, t3, .description = "hw3.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.3");
}

Test(hw3, t4, .description = "hw3.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.4");
}

Test(hw3, t5, .description = "hw3.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.5");
}

Test(hw3, t6, .description = "hw3.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw3.6");
}

Test(hw3_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
