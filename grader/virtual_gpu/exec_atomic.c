/* Atomic operations on global and shared memory, lane by lane from the lowest up, so that sums of
 * floats are repeatable. */
#include <math.h>

#include "count.h"
#include "findings.h"
#include "race.h"
#include "small_float.h"
#include "trace.h"

/* ---- arithmetic ------------------------------------------------------------------------------ */

static uint64_t integer_result(const struct insn *i, uint64_t old, uint64_t x, uint64_t y)
{
    int unused = 64 - 8 * i->bytes;
    int64_t signed_old = (int64_t)(old << unused) >> unused,
            signed_x = (int64_t)(x << unused) >> unused;
    bool x_is_less = i->is_signed ? signed_x < signed_old : x < old;
    switch ((enum atomic_operation)i->variant) {
    case ATOMIC_ADD:
        return old + x;
    case ATOMIC_MIN:
        return x_is_less ? x : old;
    case ATOMIC_MAX:
        return x_is_less ? old : x;
    case ATOMIC_INC:
        return old >= x ? 0 : old + 1;
    case ATOMIC_DEC:
        return old == 0 || old > x ? x : old - 1;
    case ATOMIC_AND:
        return old & x;
    case ATOMIC_OR:
        return old | x;
    case ATOMIC_XOR:
        return old ^ x;
    case ATOMIC_EXCHANGE:
        return x;
    case ATOMIC_CAS:
        return old == x ? y : old;
    }
    return old;
}

static double combined(const struct insn *i, double old, double x)
{
    return i->variant == ATOMIC_ADD   ? old + x
           : i->variant == ATOMIC_MIN ? fmin(old, x)
                                      : fmax(old, x);
}

static uint64_t small_result(const struct insn *i, uint64_t old, uint64_t x)
{
    const struct small_format *format = i->type == TYPE_BFLOAT ? &bfloat_format : &half_format;
    uint64_t result = 0;
    for (uint32_t part = 0; part < i->bytes / 2u; part++) {
        double a = small_value((uint16_t)(old >> 16 * part), format);
        double b = small_value((uint16_t)(x >> 16 * part), format);
        /* The sum of two such numbers is exact in a double, or decided by its first 53 bits. */
        uint64_t bits = small_bits(combined(i, a, b), 0, format, SMALL_NEAREST);
        result |= bits << 16 * part;
    }
    return result;
}

static uint32_t without_denormal(uint32_t bits)
{
    return (bits & 0x7F800000) == 0 ? bits & 0x80000000 : bits;
}

/* Sums are made where the memory is.  In global memory single-precision denormals count as zero,
 * and a double NaN passes as it is, the operand before the old value; in shared memory it becomes
 * quiet, the old value first. */
static uint32_t single_sum(uint32_t old, uint32_t x, bool in_global)
{
    float a = float_of(in_global ? without_denormal(old) : old);
    float b = float_of(in_global ? without_denormal(x) : x);
    uint32_t sum = a + b == a + b ? bits_of(a + b) : 0x7FFFFFFF;
    return in_global ? without_denormal(sum) : sum;
}

static uint64_t double_sum(uint64_t old, uint64_t x, bool in_global)
{
    double sum = double_of(old) + double_of(x);
    bool old_is_nan = double_of(old) != double_of(old), x_is_nan = double_of(x) != double_of(x);
    if (in_global && (old_is_nan || x_is_nan))
        return x_is_nan ? x : old;
    if (old_is_nan || x_is_nan)
        return (old_is_nan ? old : x) | 0x0008000000000000u;
    return sum == sum ? bits_of_double(sum) : 0xFFF8000000000000u;
}

static uint64_t new_value(
    const struct insn *i, uint64_t old, uint64_t x, uint64_t y, bool in_global)
{
    bool is_number = i->type == TYPE_FLOAT || i->type == TYPE_BFLOAT;
    if (!is_number || i->variant >= ATOMIC_EXCHANGE)
        return integer_result(i, old, x, y);
    if (i->bytes == 8 && i->variant == ATOMIC_ADD)
        return double_sum(old, x, in_global);
    if (i->bytes == 8)
        return bits_of_double(combined(i, double_of(old), double_of(x)));
    if (i->bytes == 4 && i->stride == 1 && i->variant == ATOMIC_ADD)
        return single_sum((uint32_t)old, (uint32_t)x, in_global);
    if (i->bytes == 4 && i->stride == 1)
        return bits_of((float)combined(i, float_of((uint32_t)old), float_of((uint32_t)x)));
    return small_result(i, old, x);
}

static uint64_t operand(const struct warp *w, const struct insn *i, uint32_t offset, uint32_t lane)
{
    if (offset == NO_CELL)
        return 0;
    uint64_t bits = i->wide ? cell_64(w, offset)[lane] : cell_32(w, offset)[lane];
    return i->bytes == 2 ? bits & 0xFFFF : bits;
}

/* Returns whether memory changed. */
static bool atomic_lane(
    struct warp *w, const struct insn *i, uint32_t lane, uint8_t *bytes, bool in_global)
{
    uint64_t old = 0;
    memcpy(&old, bytes, i->bytes);
    uint64_t x = operand(w, i, i->o[2], lane), y = operand(w, i, i->o[3], lane);
    uint64_t fresh = new_value(i, old, x, y, in_global);
    memcpy(bytes, &fresh, i->bytes);
    if (i->o[0] != NO_CELL) {
        if (i->wide)
            cell_64(w, i->o[0])[lane] = old;
        else
            cell_32(w, i->o[0])[lane] = (uint32_t)old;
    }
    return memcmp(&old, &fresh, i->bytes) != 0;
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static bool takes_number(const struct insn *i)
{
    return i->o[0] != NO_CELL && (i->variant == ATOMIC_ADD || i->variant == ATOMIC_INC) &&
           i->type != TYPE_FLOAT && i->type != TYPE_BFLOAT;
}

static void atomic_lanes(struct access *a, uint64_t base, uint64_t window)
{
    struct warp *w = a->warp;
    const struct insn *i = a->insn;
    bool synchronises = w->launch->check_races, any_changed = false;
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if (synchronises && (i->order & ORDER_ACQUIRE))
            race_acquire(w, window + a->address[lane]);
        bool changed = atomic_lane(w, i, lane, byte_at(base, a->address[lane]), window == 0);
        any_changed |= changed;
        w->changed |= changed;
        w->polled |= !changed;
        /* A compare-and-swap that failed has written nothing that others could have seen. */
        if (synchronises && (changed || i->variant != ATOMIC_CAS))
            race_release(w, lane, i, window + a->address[lane]);
    }
    if (any_changed && window == 0 && takes_number(i))
        warp_takes(w, i);
    if (!any_changed && window == 0 && (i->variant == ATOMIC_ADD || i->variant == ATOMIC_CAS))
        warp_asks(w, a->address[__builtin_ctz(a->mask)]);
}

/* The grid-sync workspace: when its top bit flips, the whole grid has arrived. */
static void atomic_workspace(struct access *a, uint64_t base)
{
    a->warp->in_grid_sync = true;
    if (a->warp->trace != NULL)
        trace_grid_sync(a->warp->trace);
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest), before, after;
        memcpy(&before, byte_at(base, a->address[lane]), 4);
        uint8_t *word = byte_at(base, a->address[lane]);
        a->warp->changed |= atomic_lane(a->warp, a->insn, lane, word, true);
        memcpy(&after, byte_at(base, a->address[lane]), 4);
        if ((before ^ after) >> 31 != 0 && a->warp->launch->check_races)
            race_grid_barrier(a->warp->launch);
    }
}

/* The host's processor and the device do not see each other's atomic operations, unless they are of
 * the system's scope. */
static void check_scope(const struct access *a)
{
    for (uint32_t rest = a->mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if (engine_hooks.host_wrote == NULL || !engine_hooks.host_wrote(a->address[lane], a->bytes))
            continue;
        finding_at(a->warp, a->insn, lane, FINDING_ATOMIC_SCOPE, a->address[lane],
            "The host writes to this word of managed memory, too, and has not waited for the "
            "kernel. An atomic operation of the device's scope does not hold for the host: updates "
            "get lost. Use the _system form here (atomicAdd_system) and an atomic operation of the "
            "host's, or wait.");
        return;
    }
}

static void atomic_in(struct access *a, struct allocation *allocation)
{
    if (allocation->kind == MEMORY_MANAGED && (a->insn->order & ORDER_SYSTEM) == 0)
        check_scope(a);
    uint64_t base = (uint64_t)allocation->bytes_delta;
    if (allocation == a->warp->launch->workspace) {
        atomic_workspace(a, base);
        return;
    }
    access_check_global_initialised(a, allocation);
    access_mark_global(a, allocation);
    access_race_global(a, allocation);
    atomic_lanes(a, base, 0);
}

static void atomic_global(struct access *a)
{
    count_atomic(a, false);
    if (access_keep_aligned(a))
        access_by_allocation(a, atomic_in);
}

static void atomic_shared(struct access *a)
{
    if (!access_keep_shared(a))
        return;
    count_atomic(a, true);
    access_check_shared_initialised(a);
    access_mark_shared(a);
    access_race_shared(a);
    atomic_lanes(a, (uint64_t)(uintptr_t)a->warp->block->shared, SHARED_WINDOW);
}

static void atomic_elsewhere(struct access *a)
{
    uint32_t lane = (uint32_t)__builtin_ctz(a->mask);
    finding_at(a->warp, a->insn, lane, FINDING_OUT_OF_BOUNDS, a->address[lane],
        "An atomic operation on local or constant memory; only global and shared memory have "
        "them.");
    launch_stop(a->warp->launch, cudaErrorIllegalAddress, "an atomic operation on local memory");
}

void exec_atomic(struct warp *w, const struct insn *i, uint32_t mask)
{
    static access_handler *const by_space[] = {[SPACE_GLOBAL] = atomic_global,
        [SPACE_SHARED] = atomic_shared,
        [SPACE_LOCAL] = atomic_elsewhere,
        [SPACE_CONSTANT] = atomic_elsewhere,
        [SPACE_PARAM] = atomic_elsewhere};
    struct access a;
    access_prepare(&a, w, i, mask);
    access_by_space(&a, by_space);
}
