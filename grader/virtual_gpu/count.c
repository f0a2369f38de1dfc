/* See count.h. */
#include "count.h"

#include <string.h>

static uint32_t lanes_in(uint32_t mask)
{
    return mask == FULL_MASK ? WARP_LANES : (uint32_t)__builtin_popcount(mask);
}

/* A set of up to 256 numbers; returns whether the number is new. */
struct small_set {
    uint64_t key[512];
    uint16_t stamp[512];
    uint16_t now;
};
static struct small_set set;

static void set_clear(void)
{
    if (++set.now == 0) {
        memset(set.stamp, 0, sizeof set.stamp);
        set.now = 1;
    }
}

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

uint32_t count_sectors(const struct access *a)
{
    uint32_t first = (uint32_t)__builtin_ctz(a->mask);
    if (a->shape == SHAPE_UNIFORM)
        return (uint32_t)((a->address[first] + a->bytes - 1) / 32 - a->address[first] / 32 + 1);
    if (a->shape == SHAPE_CONTIGUOUS && (a->mask & (a->mask + (1u << first))) == 0) {
        uint64_t low = a->address[first], high = low + (uint64_t)lanes_in(a->mask) * a->bytes - 1;
        return (uint32_t)(high / 32 - low / 32 + 1);
    }
    set_clear();
    uint32_t sectors = 0;
    uint64_t previous = UINT64_MAX;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint64_t low = a->address[next_lane(&rest)], high = (low + a->bytes - 1) / 32;
        for (uint64_t sector = low / 32; sector <= high; sector++) {
            if (sector != previous)
                sectors += set_add(sector);
            previous = sector;
        }
    }
    return sectors;
}

/* Passes that the lanes of one group need: the most distinct words in one bank. */
static uint32_t passes(const struct access *a, uint32_t mask)
{
    uint8_t load[32] = {0};
    uint32_t most = 0;
    set_clear();
    while (mask != 0) {
        uint64_t word = a->address[next_lane(&mask)] / 4, last = word + (a->bytes + 3) / 4;
        for (; word < last; word++)
            if (set_add(word) && ++load[word % 32] > most)
                most = load[word % 32];
    }
    return most;
}

uint32_t count_wavefronts(const struct access *a, uint32_t *ideal)
{
    uint32_t parts = a->bytes <= 4 ? 1 : a->bytes / 4;
    uint32_t lanes = WARP_LANES / parts, wavefronts = 0;
    *ideal = 0;
    if (a->mask == FULL_MASK && a->shape != SHAPE_SCATTERED) {
        *ideal = parts;
        return parts;
    }
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t group = lanes == 32 ? a->mask : a->mask & ((1u << lanes) - 1) << p * lanes;
        if (group == 0)
            continue;
        *ideal += 1;
        wavefronts += passes(a, group);
    }
    return wavefronts;
}

void count_contention(const struct access *a, uint32_t *addresses, uint32_t *worst)
{
    uint32_t lanes[WARP_LANES];
    uint64_t seen[WARP_LANES];
    *addresses = *worst = 0;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint64_t address = a->address[next_lane(&rest)];
        uint32_t at = 0;
        while (at < *addresses && seen[at] != address)
            at++;
        if (at == *addresses) {
            seen[at] = address;
            lanes[at] = 0;
            ++*addresses;
        }
        if (++lanes[at] > *worst)
            *worst = lanes[at];
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

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
        if (i->type != TYPE_FLOAT && i->variant == 0)
            s->global_atomic_operations_int += c->operations;
        else
            s->global_atomic_operations_float += c->lanes;
        break;
    default:
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
