/* A warp: groups of lanes, where they part and where they meet.  See warp.h.
 *
 * Unlike a stack of masks, groups may run in any order, as threads may on real hardware since
 * Volta; lanes that parted wait for each other at the meeting point of their branch.
 */
#include <stdlib.h>

#include "bitmap.h"
#include "exec.h"
#include "findings.h"
#include "flow.h"
#include "trace.h"

/* ---- pieces that are used again -------------------------------------------------------------- */

static struct group *spare_groups;
static struct meeting *spare_meetings;
static struct activation *spare_activations;

struct group *group_new(struct warp *w, uint32_t mask, uint32_t pc, struct meeting *meeting,
    struct activation *activation)
{
    struct group *g = spare_groups;
    if (g != NULL)
        spare_groups = g->next;
    else
        g = must_realloc(NULL, sizeof *g);
    *g = (struct group){
        .mask = mask, .pc = pc, .meeting = meeting, .activation = activation, .next = w->groups};
    w->groups = g;
    return g;
}

void group_end(struct warp *w, struct group *group)
{
    struct group **link = &w->groups;
    while (*link != group)
        link = &(*link)->next;
    *link = group->next;
    group->next = spare_groups;
    spare_groups = group;
}

struct meeting *meeting_new(
    uint32_t members, uint32_t pc, struct activation *activation, struct meeting *outer)
{
    struct meeting *m = spare_meetings;
    if (m != NULL)
        spare_meetings = m->next_free;
    else
        m = must_realloc(NULL, sizeof *m);
    *m = (struct meeting){.members = members, .pc = pc, .activation = activation, .outer = outer};
    return m;
}

static void meeting_free(struct meeting *m)
{
    m->next_free = spare_meetings;
    spare_meetings = m;
}

struct activation *activation_new(const struct program *program)
{
    struct activation *a = spare_activations;
    if (a != NULL)
        spare_activations = a->next_free;
    else {
        a = must_realloc(NULL, sizeof *a);
        memset(a, 0, sizeof *a);
    }
    uint8_t *frame = a->frame;
    size_t capacity = a->frame_capacity;
    if (capacity < program->frame_bytes) {
        free(frame);
        capacity = program->frame_bytes;
        frame = aligned_alloc(64, capacity);
        if (frame == NULL)
            abort();
        memset(frame, 0, capacity);
    }
    *a = (struct activation){.program = program, .frame = frame, .frame_capacity = capacity};
    return a;
}

void activation_free(struct activation *a)
{
    a->next_free = spare_activations;
    spare_activations = a;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void fill_cell(uint8_t *frame, uint32_t offset, bool wide, uint64_t bits)
{
    for (uint32_t k = 0; k < WARP_LANES; k++)
        if (wide)
            ((uint64_t *)(frame + offset))[k] = bits;
        else
            ((uint32_t *)(frame + offset))[k] = (uint32_t)bits;
}

static uint64_t special_value(const struct warp *w, enum special which, uint32_t lane)
{
    const struct launch *launch = w->launch;
    const struct engine_launch *spec = launch->spec;
    uint32_t thread = thread_of(w, lane), x = spec->block[0], y = spec->block[1];
    uint64_t workspace = launch->workspace != NULL ? launch->workspace->address : 0;
    uint32_t sm_count = spec->sm_count != 0 ? spec->sm_count : 8;
    switch (which) {
    case SPECIAL_TID_X:
        return thread % x;
    case SPECIAL_TID_Y:
        return thread / x % y;
    case SPECIAL_TID_Z:
        return thread / x / y;
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z:
        return spec->block[which - SPECIAL_NTID_X];
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z:
        return w->block->id[which - SPECIAL_CTAID_X];
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z:
        return spec->grid[which - SPECIAL_NCTAID_X];
    case SPECIAL_LANEID:
        return lane;
    case SPECIAL_WARPID:
        return w->index;
    case SPECIAL_NWARPID:
        return 64;
    case SPECIAL_SMID:
        return w->block->linear % sm_count;
    case SPECIAL_NSMID:
        return sm_count;
    case SPECIAL_LANEMASK_EQ:
        return lane_bit[lane];
    case SPECIAL_LANEMASK_LT:
        return lane_bit[lane] - 1;
    case SPECIAL_LANEMASK_LE:
        return lane_bit[lane] | (lane_bit[lane] - 1);
    case SPECIAL_LANEMASK_GE:
        return ~(lane_bit[lane] - 1);
    case SPECIAL_LANEMASK_GT:
        return ~(lane_bit[lane] | (lane_bit[lane] - 1));
    case SPECIAL_ENVREG1:
        return workspace >> 32;
    case SPECIAL_ENVREG2:
        return (uint32_t)workspace;
    case SPECIAL_DYNAMIC_SHARED:
        return spec->dynamic_shared_bytes;
    case SPECIAL_TOTAL_SHARED:
        return launch->shared_bytes;
    case SPECIAL_RESERVED_SHARED:
        return launch->shared_bytes; /* the engine appends the reserved words */
    case SPECIAL_LOCAL_BASE:
        return w->local_top[lane];
    case SPECIAL_ONE:
        return 1;
    default:
        return 0;
    }
}

/* Is the value the same for all lanes of a warp? */
static bool is_uniform(enum special which)
{
    return (which < SPECIAL_LANEID || which > SPECIAL_LANEMASK_GT ||
               (which > SPECIAL_LANEID && which < SPECIAL_LANEMASK_EQ)) &&
           which != SPECIAL_LOCAL_BASE;
}

/* Thread indices of the lanes, without a division a lane. */
static void fill_thread_index(const struct warp *w, const struct frame_special *s, uint8_t *frame)
{
    const uint32_t *size = w->launch->spec->block;
    uint32_t first = thread_of(w, 0);
    uint32_t at[3] = {first % size[0], first / size[0] % size[1], first / size[0] / size[1]};
    uint32_t axis = s->which - SPECIAL_TID_X;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (s->wide)
            ((uint64_t *)(frame + s->cell))[lane] = at[axis];
        else
            ((uint32_t *)(frame + s->cell))[lane] = at[axis];
        for (int k = 0; k < 3 && ++at[k] == size[k] && k < 2; k++)
            at[k] = 0;
    }
}

static void fill_specials(struct warp *w, const struct activation *a)
{
    const struct program *p = a->program;
    for (uint32_t i = 0; i < p->special_count; i++) {
        const struct frame_special *s = &p->specials[i];
        if (s->which <= SPECIAL_TID_Z) {
            fill_thread_index(w, s, a->frame);
            continue;
        }
        if (is_uniform(s->which)) {
            fill_cell(a->frame, s->cell, s->wide, special_value(w, s->which, 0));
            continue;
        }
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            uint64_t value = special_value(w, s->which, lane);
            if (s->wide)
                ((uint64_t *)(a->frame + s->cell))[lane] = value;
            else
                ((uint32_t *)(a->frame + s->cell))[lane] = (uint32_t)value;
        }
    }
}

void activation_fill(struct warp *w, struct activation *a)
{
    for (uint32_t i = 0; i < a->program->constant_count; i++) {
        const struct frame_constant *c = &a->program->constants[i];
        fill_cell(a->frame, c->cell, c->wide, c->bits);
    }
    fill_specials(w, a);
}

/* ---- start and end --------------------------------------------------------------------------- */

void warp_start(struct warp *w)
{
    const struct program *p = w->launch->kernel->programs[0];
    w->base = (struct activation){.program = p};
    uint32_t threads = w->launch->block_threads - w->index * WARP_LANES;
    w->started = w->live = threads >= WARP_LANES ? FULL_MASK : (1u << threads) - 1;
    memset(w->local_top, 0, sizeof w->local_top);
    async_forget(w);
    w->carry = 0;
    w->barrier_reported = false;
    w->in_grid_sync = false;
    w->asked_address = 0;
    w->asked_times = 0;
    w->took = NULL;
    w->idle_slices = 0;
    w->executed = 0;
    w->base.lanes = w->live;
    group_new(w, w->live, 0, NULL, &w->base);
}

/* Nothing is known of the local memory of an activation that begins. */
void local_begin(struct warp *w, uint32_t lane, uint32_t bytes)
{
    uint64_t pitch = 8 * ((uint64_t)w->launch->local_limit_bytes / 8 + 1);
    if (bytes != 0)
        bitmap_fill(w->local_initialised, lane * pitch + w->local_top[lane], bytes, false);
    w->local_top[lane] += bytes;
}

/* Frames of the kernel are lent to warps while they run; the one that was given back last is still
 * in the cache, and its constants are in place. */
static void take_frame(struct warp *w)
{
    struct launch *launch = w->launch;
    const struct program *p = w->base.program;
    if (launch->spare_frame_count > 0) {
        w->base.frame = launch->spare_frames[--launch->spare_frame_count];
        fill_specials(w, &w->base);
    } else {
        w->base.frame = aligned_alloc(64, p->frame_bytes + 64);
        if (w->base.frame == NULL)
            abort();
        memset(w->base.frame, 0, p->frame_bytes + 64);
        activation_fill(w, &w->base);
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        local_begin(w, lane, p->local_bytes);
}

static void give_frame_back(struct warp *w)
{
    struct launch *launch = w->launch;
    GROW(launch->spare_frames, launch->spare_frame_count, launch->spare_frame_capacity);
    launch->spare_frames[launch->spare_frame_count++] = w->base.frame;
    w->base.frame = NULL;
}

void warp_free(struct warp *w)
{
    while (w->groups != NULL)
        group_end(w, w->groups);
    free(w->base.frame);
    free(w->local);
    free(w->local_initialised);
    free(w->pair_floor);
    async_forget(w);
    memset(w, 0, sizeof *w);
}

/* ---- meeting --------------------------------------------------------------------------------- */

/* Lanes of equal standing at the same place go on as one group. */
void group_join(struct warp *w, struct group *g)
{
    for (struct group *other = w->groups, *next; other != NULL; other = next) {
        next = other->next;
        if (other != g && other->state == GROUP_READY && other->pc == g->pc &&
            other->meeting == g->meeting && other->activation == g->activation) {
            g->mask |= other->mask;
            group_end(w, other);
        }
    }
}

/* All members have arrived: they go on together. */
static struct group *meeting_complete(struct warp *w, struct meeting *m)
{
    struct group *g = group_new(w, m->members, m->pc + 1, m->outer, m->activation);
    meeting_free(m);
    return g;
}

bool group_arrive(struct warp *w, struct group *g, struct meeting *m)
{
    m->arrived |= g->mask;
    if (m->arrived != m->members) {
        group_end(w, g);
        return false;
    }
    g->mask = m->members;
    g->pc = m->pc + 1;
    g->activation = m->activation;
    g->meeting = m->outer;
    w->frame = g->activation->frame;
    meeting_free(m);
    return true;
}

/* Takes lanes out of the meetings from `from` outwards, up to and without `until`; meetings that
 * waited for nobody else complete. */
void meetings_leave(struct warp *w, struct meeting *from, struct meeting *until, uint32_t lanes)
{
    while (from != until) {
        struct meeting *outer = from->outer;
        from->members &= ~lanes;
        from->arrived &= ~lanes;
        if (from->members == 0)
            meeting_free(from);
        else if (from->arrived == from->members)
            meeting_complete(w, from);
        from = outer;
    }
}

/* Frees lanes that wait at the innermost meeting: the group they wait for spins, and may be
 * waiting for them. */
static bool release_waiting(struct warp *w, struct group *g)
{
    for (struct meeting *m = g->meeting; m != NULL; m = m->outer) {
        if (m->arrived == 0)
            continue;
        uint32_t lanes = m->arrived;
        m->members &= ~lanes;
        m->arrived = 0;
        group_new(w, lanes, m->pc + 1, m->outer, m->activation);
        return true;
    }
    return false;
}

/* ---- running --------------------------------------------------------------------------------- */

static struct group *choose_group(const struct warp *w)
{
    struct group *best = NULL;
    for (struct group *g = w->groups; g != NULL; g = g->next)
        if (g->state == GROUP_READY &&
            (best == NULL || g->age < best->age || (g->age == best->age && g->pc < best->pc)))
            best = g;
    return best;
}

enum { GROUP_SLICE = 1024 };

/* Returns how many instructions were executed. */
static uint32_t run_group(struct warp *w, struct group *g, uint32_t slice)
{
    struct insn_counts *counts = w->launch->counts;
    const struct insn *code = g->activation->program->code;
    struct warp_trace *trace = w->trace;
    uint32_t used = 0;
    w->running = g;
    w->frame = g->activation->frame;
    while (used < slice) {
        const struct insn *i = &code[g->pc];
        uint32_t mask = g->mask;
        if (i->guard != NO_CELL)
            mask &= *predicate(w, i->guard) ^ i->guard_flip;
        used++;
        if (mask != 0) {
            counts[i->index].warps++;
            counts[i->index].threads +=
                mask == FULL_MASK ? WARP_LANES : (uint32_t)__builtin_popcount(mask);
        }
        if (trace != NULL && (mask != 0 || i->flow != NULL))
            trace_insn(trace, i);
        if (i->flow == NULL) {
            if (mask != 0)
                i->handler(w, i, mask);
            g->pc++;
            continue;
        }
        if (i->flow(w, g, i, mask) == FLOW_SWITCH) {
            w->waits_for_mbarrier = false;
            break;
        }
        if (w->waits_for_mbarrier) /* the branch that asks again, or goes to sleep first */
            break;
        code = g->activation->program->code;
    }
    w->running = NULL;
    return used;
}

void warp_asks(struct warp *w, uint64_t address)
{
    enum { WAITS = 64 }; /* in a row: no loop that works asks so often for one place alone */
    w->asked_times = address == w->asked_address ? w->asked_times + 1 : 0;
    w->asked_address = address;
    if (w->asked_times >= WAITS && w->launch->spec->cooperative && !w->in_grid_sync)
        w->launch->time_unknown = "blocks waited for other blocks";
}

void warp_takes(struct warp *w, const struct insn *i)
{
    w->launch->takes_again |= w->took == i;
    w->took = i;
}

static bool is_only_ready(const struct warp *w, const struct group *g)
{
    for (const struct group *other = w->groups; other != NULL; other = other->next)
        if (other != g && other->state == GROUP_READY)
            return false;
    return true;
}

uint32_t warp_run(struct warp *w, uint32_t slice)
{
    uint32_t used = 0;
    w->polled = w->changed = false;
    if (w->base.frame == NULL)
        take_frame(w);
    while (used < slice && !w->launch->stop) {
        struct group *g = choose_group(w);
        if (g == NULL) {
            if (!warp_settle(w))
                break;
            continue;
        }
        const uint32_t share = slice - used < GROUP_SLICE ? slice - used : GROUP_SLICE;
        const uint32_t part = trace_share(w, share);
        w->waits_for_mbarrier = false;
        bool waited = w->in_grid_sync;
        uint32_t executed = run_group(w, g, part);
        used += executed;
        if (waited && w->in_grid_sync)
            w->launch->waiting_instructions += executed;
        else
            w->executed += executed;
        if (executed < share && !w->waits_for_mbarrier)
            continue; /* it waits or ended; `g` may be gone */
        g->age++;
        const bool alone = is_only_ready(w, g);
        const bool released = alone && w->polled && !w->changed && release_waiting(w, g);
        /* Whom it waits for is in another warp. All that it would do is ask again, and an instruction
         * costs time: on a GPU a warp that asks takes turns with those that work. */
        if (alone && !released && w->waits_for_mbarrier)
            break;
    }
    w->launch->instructions += used;
    if (w->live == 0)
        give_frame_back(w);
    return used;
}
