/* See kernel_time.h. */
#include "kernel_time.h"

#include <math.h>

#include "cache_filter.h"
#include "device.h"
#include "sm_replay.h"

/* Rates of a whole NVIDIA H200 (driver 580.159.04, CUDA 13.0, 2026-11-30), found with loops that do
 * one thing; l1_request, dram_scattered and the exponents are fitted to the kernels of tests/times.
 * The virtual device has 8/132 of the chip's rates. */
static const struct {
    double cycles_per_ns;
    double schedulers;                        /* of an SM: a warp instruction a cycle each */
    double shared_passes, l1_passes;          /* of an SM a cycle */
    double l1_request;                        /* passes that every request takes besides its own */
    double l2_load_sectors, l2_store_sectors; /* of the chip a ns */
    double dram_sectors;                      /* of the chip a ns, neighbours together */
    double dram_scattered;                    /* a sector that comes alone costs so many */
    double atomic_packets;                    /* of the chip a ns: sectors, lanes on one address */
    double ports, within, across;             /* exponents: how softly bounds add up */
} rates = {
    .cycles_per_ns = 1.98,
    .schedulers = 4,
    .shared_passes = 0.96,
    .l1_passes = 0.96,
    .l1_request = 0.4,
    .l2_load_sectors = 312,
    .l2_store_sectors = 154,
    .dram_sectors = 138,
    .dram_scattered = 3.0,
    .atomic_packets = 95,
    .ports = 6,
    .within = 2.6,
    .across = 2.6,
};

enum { L1_BYTES = 256 << 10, DEVICE_L2_BYTES_OF_H200 = 60 << 20, WARPS_OF_SM = 64 };
#define CUT ((double)DEVICE_SMS / DEVICE_SMS_OF_H200)

/* ---- the second-level cache ------------------------------------------------------------------ */

static struct cache_filter l2[DEVICE_COUNT_MAX];

static size_t l2_bytes(void)
{
    return (size_t)(DEVICE_L2_BYTES_OF_H200 * CUT);
}

uint8_t kernel_time_touch(struct launch *launch, uint32_t line, uint8_t sectors, bool is_store)
{
    struct cache_filter *cache = &l2[launch->spec->device];
    uint32_t written_back = 0;
    if (cache->names == NULL)
        cache_open(cache, l2_bytes());
    struct cache_line *held = cache_find(cache, line);
    if (held == NULL)
        held = cache_take(cache, line, &written_back);
    const uint8_t missing = is_store ? 0 : sectors & (uint8_t)~held->sectors;
    held->sectors |= sectors;
    held->dirty |= is_store ? sectors : 0;
    launch->dram_sectors += written_back + cache_count(missing);
    return missing;
}

/* ---- one SM ---------------------------------------------------------------------------------- */

/* What shared memory leaves of the 256 KiB; it is set aside in steps. */
static size_t l1_bytes(const struct launch *launch, uint32_t resident)
{
    static const size_t steps_kib[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    const size_t wanted =
        launch->shared_bytes == 0
            ? 0
            : resident * ((size_t)launch->shared_bytes + DEVICE_SHARED_RESERVED_PER_BLOCK);
    size_t k = 0;
    while (k + 1 < sizeof steps_kib / sizeof *steps_kib && steps_kib[k] << 10 < wanted)
        k++;
    return L1_BYTES - (steps_kib[k] << 10);
}

/* Over a whole launch: slots of schedulers, cycles of pipes, passes of shared memory. */
struct sums {
    double issue, pipe[PIPE_COUNT], passes;
};

/* Exact: every instruction counts. A shuffle passes through shared memory, a barrier takes two. */
static struct sums sum_up(const struct launch *launch, const struct steps *steps)
{
    struct sums sums = {0};
    for (uint32_t k = 0; k < launch->kernel->index_count; k++) {
        const struct insn_counts *c = &launch->counts[k];
        const struct step *step = &steps->step[k];
        sums.issue += step->issue * (double)c->warps;
        sums.pipe[step->pipe] += step->cycles * (double)c->warps;
        sums.passes += (double)c->wavefronts + (double)c->shared_atomic_passes;
        if (step->kind == STEP_SHUFFLE)
            sums.passes += (double)c->warps;
        if (step->kind == STEP_BARRIER)
            sums.passes += 2.0 * (double)c->warps;
    }
    return sums;
}

/* The larger of two bounds, and more the nearer they are: a large exponent makes a hard maximum. */
static double softly(double a, double b, double exponent)
{
    const double most = a > b ? a : b, least = a > b ? b : a;
    return most == 0.0 ? 0.0 : most * pow(1.0 + pow(least / most, exponent), 1.0 / exponent);
}

static double share(double part, double whole)
{
    return whole == 0.0 ? part : part / whole;
}

/* ---- from one SM to the device --------------------------------------------------------------- */

/* How the blocks of a launch fall on the SMs. */
struct spread {
    uint32_t resident;     /* blocks of an SM at the same time */
    uint64_t blocks_of_sm; /* of one of them */
    double per_sm;         /* what the busiest SM has of a sum over the launch */
};

static struct spread spread_of(const struct launch *launch)
{
    const uint64_t blocks = launch->block_total;
    struct spread spread = {.blocks_of_sm = (blocks + DEVICE_SMS - 1) / DEVICE_SMS};
    uint64_t resident = launch->spec->resident_blocks_max / DEVICE_SMS;
    if (resident == 0 || resident > spread.blocks_of_sm)
        resident = spread.blocks_of_sm;
    if (resident * launch->block_warps > WARPS_OF_SM)
        resident = WARPS_OF_SM / launch->block_warps;
    spread.resident = (uint32_t)resident;
    spread.per_sm = balance_busiest(&launch->balance);
    return spread;
}

/* ---- blocks that do much more than the sample ------------------------------------------------ */

/* What an SM does: the sample of blocks, and the one long block, if there are any such. */
struct replays {
    struct replay_result sample, longest;
    double long_share; /* of all instructions, by long blocks */
};

/* Counts of a replay: of what was traced, which stands for `share` of the launch. */
static void blend_counts(
    struct replay_result *to, double to_share, const struct replay_result *r, double r_share)
{
#define COUNT(member) offsetof(struct replay_result, member)
    static const size_t counts[] = {COUNT(load_requests), COUNT(load_sectors), COUNT(load_passes),
        COUNT(store_requests), COUNT(store_sectors), COUNT(l2_load_sectors), COUNT(l2_load_cost),
        COUNT(l2_store_cost), COUNT(again_load_sectors), COUNT(again_store_sectors)};
#undef COUNT
    const double to_each = share(to_share, to->recorded), r_each = share(r_share, r->recorded);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        double *const sum = (double *)((char *)to + counts[k]);
        *sum = *sum * to_each + *(const double *)((const char *)r + counts[k]) * r_each;
    }
}

/* Cycles until all blocks of the busiest SM have ended: the sample's as often as there are such,
 * and long ones in its places one after the other; never less than the longest block alone. */
static double latency_cycles(
    const struct launch *launch, const struct spread *spread, const struct replays *r)
{
    const struct balance *balance = &launch->balance;
    const double filled = r->sample.filled_cycles, rest = r->sample.cycles - filled;
    double times = 1.0;
    if (launch->trace->count < spread->blocks_of_sm && r->sample.executed > 0)
        times = (1.0 - r->long_share) * (double)launch->result->counters.warp_instructions /
                (double)launch->block_total * (double)spread->blocks_of_sm / r->sample.executed;
    const double alike = filled + rest * fmax(times, 1.0);
    if (r->long_share == 0.0)
        return alike;
    const double a_long_instruction =
        r->longest.cycles / (double)trace_longest_warp(&launch->trace->long_block, launch);
    const double places = (double)DEVICE_SMS * spread->resident;
    return fmax(alike + (double)balance->longest_warps * a_long_instruction / places,
        (double)balance->longest * a_long_instruction);
}

static void bound_sm(const struct launch *launch, const struct spread *spread,
    const struct replays *replays, struct kernel_bounds *bounds)
{
    const struct engine_counters *c = &launch->result->counters;
    const struct replay_result *r = &replays->sample;
    const struct sums sums = sum_up(launch, launch->kernel->steps);
    const double useful = 1.0 - share((double)launch->waiting_instructions, launch->instructions);
    const double per_sm_ns = spread->per_sm / rates.cycles_per_ns;
    double pipes = 0.0;
    for (int p = PIPE_NONE + 1; p < PIPE_COUNT; p++)
        pipes = fmax(pipes, sums.pipe[p]);
    bounds->latency = latency_cycles(launch, spread, replays) / rates.cycles_per_ns;
    bounds->issue = useful * sums.issue / rates.schedulers * per_sm_ns;
    bounds->pipes = useful * pipes / rates.schedulers * per_sm_ns;
    bounds->shared = sums.passes / rates.shared_passes * per_sm_ns;
    bounds->l1 =
        (share(r->load_passes, r->load_requests) + rates.l1_request) *
        (double)(c->global_load_requests + c->global_copy_requests - launch->waiting_loads) /
        rates.l1_passes * per_sm_ns;
}

static void bound_chip(
    const struct launch *launch, const struct replay_result *r, struct kernel_bounds *bounds)
{
    const struct engine_counters *c = &launch->result->counters;
    const double loads =
        (double)(c->global_load_sectors + c->global_copy_sectors - launch->waiting_sectors);
    const double stores = (double)c->global_store_sectors;
    const double again = share(r->again_load_sectors, r->load_sectors) * loads +
                         2.0 * share(r->again_store_sectors, r->store_sectors) * stores;
    bounds->l2 = share(r->l2_load_cost, r->load_sectors) * loads / rates.l2_load_sectors +
                 share(r->l2_store_cost, r->store_sectors) * stores / rates.l2_store_sectors;
    bounds->dram =
        ((double)launch->dram_sectors + rates.dram_scattered * again) / rates.dram_sectors;
    bounds->atomics = fmax((double)launch->atomic_busiest_ps / 1000.0,
        (double)launch->atomic_packets / rates.atomic_packets);
    bounds->l2 /= CUT;
    bounds->dram /= CUT;
    bounds->atomics /= CUT;
}

static void replay(
    const struct launch *launch, const struct spread *spread, struct replays *replays)
{
    const struct trace *trace = launch->trace;
    const struct balance *balance = &launch->balance;
    const uint64_t touched = 32 * (launch->unique_load_sectors + launch->unique_store_sectors);
    const size_t l2 = touched > l2_bytes() ? l2_bytes() / DEVICE_SMS : 0;
    replays->long_share = 0.0;
    sm_replay(launch, trace->sample, trace->count, l1_bytes(launch, spread->resident), l2,
        spread->resident, &replays->sample);
    if (balance->long_blocks == 0 ||
        trace_longest_warp(&trace->long_block, launch) <= trace->long_from)
        return;
    sm_replay(launch, &trace->long_block, 1, l1_bytes(launch, 1), l2, 1, &replays->longest);
    replays->long_share = (double)balance->long_instructions / (double)balance->instructions;
    blend_counts(
        &replays->sample, 1.0 - replays->long_share, &replays->longest, replays->long_share);
}

double kernel_time_ns(const struct launch *launch, struct kernel_bounds *bounds)
{
    const struct spread spread = spread_of(launch);
    struct replays replays;
    if (launch->kernel->steps == NULL)
        launch->kernel->steps = steps_make(launch->kernel);
    replay(launch, &spread, &replays);
    *bounds = (struct kernel_bounds){0};
    bound_sm(launch, &spread, &replays, bounds);
    bound_chip(launch, &replays.sample, bounds);

    const double work = fmax(bounds->issue, bounds->pipes);
    const double memory = softly(bounds->l1, bounds->shared, rates.ports);
    const double sm = softly(softly(bounds->latency, work, rates.within), memory, rates.within);
    const double chip = softly(bounds->l2, bounds->dram, rates.ports);
    return softly(softly(sm, chip, rates.across), bounds->atomics, rates.across);
}
