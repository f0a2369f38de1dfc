/* See count.h. */
#include "count.h"

#include <stdlib.h>
#include <string.h>

#include "exec.h"
#include "kernel_time.h"
#include "shadow.h"
#include "cache_filter.h"
#include "trace.h"

/* A set of at most 256 numbers. */
static struct {
    uint64_t key[512];
    uint16_t stamp[512]; /* equal to `now`: the slot is taken */
    uint16_t now;
} set;

static void set_clear(void)
{
    if (++set.now == 0) {
        memset(set.stamp, 0, sizeof set.stamp);
        set.now = 1;
    }
}

/* True when the number is new. */
static bool set_add(uint64_t key)
{
    uint32_t at = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 55);
    for (;; at = (at + 1) & 511) {
        if (set.stamp[at] != set.now) {
            set.stamp[at] = set.now;
            set.key[at] = key;
            return true;
        }
        if (set.key[at] == key)
            return false;
    }
}

/* ---- global memory
 * ---------------------------------------------------------------------------
 */

static uint32_t sectors_of(const struct access *a)
{
    uint32_t sectors = 0;
    if (a->run_count > 1)
        set_clear();
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint64_t low = run_start(a, &a->runs[r]);
        uint64_t last = (low + run_bytes(a, &a->runs[r]) - 1) / 32, sector = low / 32;
        if (a->run_count == 1)
            return (uint32_t)(last - sector + 1);
        for (; sector <= last; sector++)
            sectors += set_add(sector);
    }
    return sectors;
}

void count_global(const struct access *a)
{
    struct launch *launch = a->warp->launch;
    if (!launch->count)
        return;
    struct insn_counts *c = &launch->counts[a->insn->index];
    uint32_t bytes = (uint32_t)__builtin_popcount(a->mask) * a->bytes;
    uint32_t sectors = sectors_of(a), ideal = (bytes + 31) / 32;
    if (a->warp->in_grid_sync && a->insn->access == ACCESS_LOAD) {
        launch->waiting_loads++;
        launch->waiting_sectors += sectors;
    }
    c->requests++;
    c->sectors += sectors;
    c->sectors_ideal += ideal < sectors ? ideal : sectors;
    c->bytes += bytes;
}

/* ---- what a launch touches at all
 * ------------------------------------------------------------ */

static uint32_t wavefronts_of(const struct access *a, uint32_t *ideal);

/* The first-level cache is built like shared memory, and looks up four lines at a time. */
static void note_passes(const struct access *a, struct warp_trace *trace)
{
    enum { LINES_A_PASS = 4 };
    uint32_t ideal, passes = a->run_count > 1 ? wavefronts_of(a, &ideal) : (a->bytes + 3) / 4;
    uint32_t sectors, lines = trace_latest_lines(trace, &sectors);
    if (passes * LINES_A_PASS < lines)
        passes = (lines + LINES_A_PASS - 1) / LINES_A_PASS;
    trace_passes(trace, passes);
    /* Halves of sectors cost no more than whole ones, crumbs do. */
    if (a->run_count > 1 && a->bytes < 16 &&
        32 * sectors > (uint32_t)__builtin_popcount(a->mask) * a->bytes)
        trace_partial(trace);
}

static uint16_t latest_stamp;

void count_launch_begin(struct launch *launch)
{
    if (++latest_stamp == 0) {
        shadow_forget_sectors();
        latest_stamp = 1;
    }
    launch->stamp = latest_stamp;
}

void count_unique(const struct access *a, const struct allocation *allocation)
{
    struct launch *launch = a->warp->launch;
    if (!launch->count)
        return;
    bool loads = a->insn->access == ACCESS_LOAD;
    int half = loads ? 0 : 16;
    uint64_t shift = allocation->shadow_offset - allocation->address, fresh = 0;
    struct warp_trace *trace = a->warp->trace;
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint64_t low = run_start(a, &a->runs[r]) + shift;
        uint64_t last = (low + run_bytes(a, &a->runs[r]) - 1) / 32;
        for (uint64_t sector = low / 32; sector <= last;) {
            uint32_t line = (uint32_t)(sector / CACHE_SECTORS_PER_LINE);
            uint8_t touched = 0, first = 0, cold = 0;
            for (; sector <= last && sector / CACHE_SECTORS_PER_LINE == line; sector++) {
                uint32_t *note = &shadow_sectors[sector];
                uint8_t bit = (uint8_t)(1u << sector % CACHE_SECTORS_PER_LINE);
                touched |= bit;
                if ((uint16_t)(*note >> half) == launch->stamp)
                    continue;
                *note = (*note & ~(0xFFFFu << half)) | (uint32_t)launch->stamp << half;
                first |= bit;
                fresh++;
            }
            if (first != 0 && launch->trace != NULL)
                cold = kernel_time_touch(launch, line, first, !loads);
            if (trace != NULL)
                trace_touch(trace, line, touched, cold);
        }
    }
    if (trace != NULL)
        note_passes(a, trace);
    if (loads)
        launch->unique_load_sectors += fresh;
    else
        launch->unique_store_sectors += fresh;
}

/* ---- shared memory
 * ---------------------------------------------------------------------------
 */

/* Passes that some lanes need: the most distinct words in one of the 32 banks.
 */
static uint32_t passes(const struct access *a, uint32_t lanes)
{
    uint64_t first[32];
    uint8_t load[32];
    uint32_t used = 0, most = 1;
    bool hashed = false;
    for (uint32_t rest = lanes; rest != 0;) {
        uint64_t word = a->address[next_lane(&rest)] / 4, last = word + (a->bytes + 3) / 4;
        for (; word < last; word++) {
            uint32_t bank = word % 32;
            if ((used >> bank & 1) == 0) {
                used |= 1u << bank;
                first[bank] = word;
                load[bank] = 1;
                continue;
            }
            if (first[bank] == word)
                continue;
            if (!hashed)
                set_clear();
            hashed = true;
            if (set_add(word) && ++load[bank] > most)
                most = load[bank];
        }
    }
    return most;
}

/* Every run is the same one, for example when the two halves of a warp read one
 * row. */
static bool runs_are_equal(const struct access *a)
{
    for (uint32_t r = 1; r < a->run_count; r++)
        if (run_start(a, &a->runs[r]) != run_start(a, &a->runs[0]) ||
            a->runs[r].is_uniform != a->runs[0].is_uniform || a->runs[r].lanes != a->runs[0].lanes)
            return false;
    return true;
}

/* Every run is a single word, and no two share a bank. */
static bool words_in_different_banks(const struct access *a)
{
    uint32_t banks = 0;
    for (uint32_t r = 0; r < a->run_count; r++) {
        uint32_t bank = run_start(a, &a->runs[r]) / 4 % 32;
        if ((!a->runs[r].is_uniform && a->runs[r].lanes > 1) || (banks >> bank & 1) != 0)
            return false;
        banks |= 1u << bank;
    }
    return true;
}

static uint32_t wavefronts_of(const struct access *a, uint32_t *ideal)
{
    uint32_t parts = a->bytes <= 4 ? 1 : a->bytes / 4, lanes = WARP_LANES / parts, sum = 0;
    *ideal = 0;
    /* speed: what tiles usually do, without looking at every lane */
    if (parts == 1 && (runs_are_equal(a) || words_in_different_banks(a)))
        return *ideal = 1;
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t part = parts == 1 ? a->mask : a->mask & ((1u << lanes) - 1) << p * lanes;
        if (part == 0)
            continue;
        *ideal += 1;
        sum += a->run_count == 1 ? 1 : passes(a, part);
    }
    return sum;
}

void count_shared(const struct access *a)
{
    struct launch *launch = a->warp->launch;
    if (!launch->count)
        return;
    struct insn_counts *c = &launch->counts[a->insn->index];
    uint32_t ideal;
    c->shared_requests++;
    c->wavefronts += wavefronts_of(a, &ideal);
    c->wavefronts_ideal += ideal;
}

/* ---- atomics
 * ---------------------------------------------------------------------------------
 */

/* Operations on every address, to find the busiest one of a launch. */
struct hot_addresses {
    struct {
        uint64_t address, operations; /* 0: free */
    } * slots;
    size_t count, capacity; /* a power of two */
};

static size_t hot_slot(const struct hot_addresses *hot, uint64_t address)
{
    size_t at = (size_t)(address * 0x9E3779B97F4A7C15u >> 30) & (hot->capacity - 1);
    while (hot->slots[at].operations != 0 && hot->slots[at].address != address)
        at = (at + 1) & (hot->capacity - 1);
    return at;
}

static void hot_grow(struct hot_addresses *hot)
{
    struct hot_addresses old = *hot;
    hot->capacity = old.capacity == 0 ? 256 : old.capacity * 4;
    hot->slots = calloc(hot->capacity, sizeof *hot->slots);
    if (hot->slots == NULL)
        abort();
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].operations != 0)
            hot->slots[hot_slot(hot, old.slots[i].address)] = old.slots[i];
    free(old.slots);
}

/* Adds to the sum of an address, and keeps the largest. */
static void hot_add(
    struct hot_addresses **table, uint64_t address, uint64_t operations, uint64_t *worst)
{
    if (*table == NULL) {
        *table = calloc(1, sizeof **table);
        if (*table == NULL)
            abort();
    }
    struct hot_addresses *hot = *table;
    if (hot->count * 2 >= hot->capacity)
        hot_grow(hot);
    size_t at = hot_slot(hot, address);
    hot->count += hot->slots[at].operations == 0;
    hot->slots[at].address = address;
    hot->slots[at].operations += operations;
    if (hot->slots[at].operations > *worst)
        *worst = hot->slots[at].operations;
}

static void hot_free(struct hot_addresses *hot)
{
    if (hot != NULL)
        free(hot->slots);
    free(hot);
}

void count_launch_end(struct launch *launch)
{
    hot_free(launch->hot);
    hot_free(launch->busy_places);
}

/* An integer sum of a warp takes one operation an address, because the compiler
 * adds the lanes up first; everything else takes one a lane. */
static bool is_aggregated(const struct insn *i)
{
    return i->type != TYPE_FLOAT && i->type != TYPE_BFLOAT && i->variant == ATOMIC_ADD;
}

/* Picoseconds that an NVIDIA H200 (driver 580.159.04, CUDA 13.0, 2026-11-30) needs for atomics on
 * one place: a lane on the same address as others, and 32 bytes with a lane on each address. A place
 * is as much memory as one slice of the second-level cache works on alone. */
enum {
    PS_FLOAT_LANE = 1760,
    PS_INTEGER_LANE = 770,
    PS_SECTOR = 620,
    PLACE_BYTES = 512,
};

/* The lanes of a request by address. */
struct lanes_by_address {
    uint32_t count, most; /* addresses; lanes on the busiest */
    uint64_t address[WARP_LANES];
    uint32_t lanes[WARP_LANES];
};

static void sort_lanes(const struct access *a, struct lanes_by_address *by)
{
    by->count = by->most = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint64_t address = a->address[next_lane(&rest)];
        uint32_t at = 0;
        while (at < by->count && by->address[at] != address)
            at++;
        if (at == by->count) {
            by->address[at] = address;
            by->lanes[at] = 0;
            by->count++;
        }
        if (++by->lanes[at] > by->most)
            by->most = by->lanes[at];
    }
}

/* What the second-level cache does for a request: one piece of work for every 32 bytes, or for
 * every lane on one address of them. */
static void note_busy_places(const struct access *a, const struct lanes_by_address *by)
{
    struct launch *launch = a->warp->launch;
    bool is_float = a->insn->type == TYPE_FLOAT || a->insn->type == TYPE_BFLOAT;
    bool is_one = is_aggregated(a->insn) && by->count == 1;
    for (uint32_t k = 0; k < by->count; k++) {
        uint64_t sector = by->address[k] / 32;
        uint32_t most = by->lanes[k];
        bool is_first = true;
        for (uint32_t other = 0; other < by->count; other++)
            if (by->address[other] / 32 == sector) {
                is_first = is_first && other >= k;
                most = by->lanes[other] > most ? by->lanes[other] : most;
            }
        if (!is_first)
            continue;
        most = is_one ? 1 : most;
        uint64_t ps = (uint64_t)most * (is_float ? PS_FLOAT_LANE : PS_INTEGER_LANE);
        launch->atomic_packets += most;
        hot_add(&launch->busy_places, sector * 32 / PLACE_BYTES, most == 1 ? PS_SECTOR : ps,
            &launch->atomic_busiest_ps);
    }
}

/* Passes of shared memory beyond those of a store: integers collide, floats are tried again until
 * they succeed. */
static uint32_t extra_passes(const struct access *a, const struct lanes_by_address *by)
{
    bool is_float = a->insn->type == TYPE_FLOAT || a->insn->type == TYPE_BFLOAT;
    if (is_float)
        return by->most == 1 ? 2 : 12 * by->most + by->most * by->most;
    return by->most == 1 || (is_aggregated(a->insn) && by->count == 1) ? 0 : 1 + by->most / 8;
}

void count_atomic(const struct access *a, bool is_shared)
{
    struct launch *launch = a->warp->launch;
    if (!launch->count)
        return;
    struct insn_counts *c = &launch->counts[a->insn->index];
    struct lanes_by_address by;
    sort_lanes(a, &by);
    c->operations += by.count;
    c->lanes += (uint32_t)__builtin_popcount(a->mask);
    c->serialised += by.most - 1;
    if (is_shared) {
        c->shared_atomic_passes += extra_passes(a, &by);
        count_shared(a);
        return;
    }
    for (uint32_t k = 0; k < by.count; k++)
        hot_add(&launch->hot, by.address[k], is_aggregated(a->insn) ? 1 : by.lanes[k],
            &launch->worst_address);
    if (launch->trace != NULL)
        note_busy_places(a, &by);
    count_global(a);
}

/* ---- sums
 * ------------------------------------------------------------------------------------
 */

static void add_global(const struct insn *i, const struct insn_counts *c, struct engine_counters *s)
{
    switch (i->access) {
    case ACCESS_LOAD:
        s->global_load_requests += c->requests;
        s->global_load_sectors += c->sectors;
        s->global_load_sectors_ideal += c->sectors_ideal;
        s->global_load_bytes += c->bytes;
        s->shared_load_requests += c->shared_requests;
        s->shared_load_wavefronts += c->wavefronts;
        s->shared_load_conflicts += c->wavefronts - c->wavefronts_ideal;
        s->local_load_requests += c->local_requests;
        s->constant_load_requests += c->constant_requests;
        break;
    case ACCESS_STORE:
        s->global_store_requests += c->requests;
        s->global_store_sectors += c->sectors;
        s->global_store_sectors_ideal += c->sectors_ideal;
        s->global_store_bytes += c->bytes;
        s->shared_store_requests += c->shared_requests;
        s->shared_store_wavefronts += c->wavefronts;
        s->shared_store_conflicts += c->wavefronts - c->wavefronts_ideal;
        s->local_store_requests += c->local_requests;
        break;
    case ACCESS_ATOMIC:
        s->global_atomic_requests += c->requests;
        s->global_atomic_sectors += c->sectors;
        s->shared_atomic_requests += c->shared_requests;
        if (c->shared_requests != 0) {
            s->shared_atomic_lanes += c->lanes;
            break;
        }
        s->global_atomic_lanes += c->lanes;
        s->global_atomic_lanes_serialised += c->serialised;
        if (is_aggregated(i))
            s->global_atomic_operations_int += c->operations;
        else
            s->global_atomic_operations_float += c->lanes;
        break;
    default: /* a barrier has requests of another kind */
        if (i->handler != exec_async_copy)
            break;
        s->global_copy_requests += c->requests;
        s->global_copy_sectors += c->sectors;
        s->global_copy_sectors_ideal += c->sectors_ideal;
        s->global_copy_bytes += c->bytes;
        break;
    }
}

void count_insn(const struct insn *i, const struct insn_counts *c, struct engine_counters *s)
{
    if (!i->is_counted)
        return;
    s->warp_instructions += c->warps;
    s->thread_instructions += c->threads;
    add_global(i, c, s);
    switch (i->class) {
    case CLASS_INTEGER:
        s->integer_instructions += c->warps;
        break;
    case CLASS_FLOAT:
        s->float_instructions += c->warps;
        break;
    case CLASS_DOUBLE:
        s->double_instructions += c->warps;
        break;
    case CLASS_SPECIAL:
        s->special_function_instructions += c->warps;
        break;
    case CLASS_CONTROL:
        s->branches += c->warps;
        s->divergent_branches += c->divergent;
        break;
    case CLASS_COLLECTIVE:
        if (i->is_barrier)
            s->barriers += c->warps;
        else
            s->warp_collectives += c->warps;
        break;
    default:
        break;
    }
}

void count_launch(const struct launch *launch, struct engine_counters *counters)
{
    memset(counters, 0, sizeof *counters);
    const struct kernel_code *kernel = launch->kernel;
    for (uint32_t k = 0; k < kernel->index_count; k++)
        count_insn(kernel->by_index[k], &launch->counts[k], counters);
    counters->global_atomic_worst_address = launch->worst_address;
    counters->unique_load_sectors = launch->unique_load_sectors;
    counters->unique_store_sectors = launch->unique_store_sectors;
}
