/* Instructions that change the flow: branches, meeting points, calls, returns, exits. */
#include "flow.h"

#include "exec.h"
#include "decode.h"
#include "findings.h"

enum flow flow_branch(struct warp *w, struct group *g, const struct insn *i, uint32_t taken)
{
    uint32_t rest = g->mask & ~taken;
    if (w->launch->stop)
        return FLOW_SWITCH;
    if (rest == 0) {
        g->pc = i->target;
        return FLOW_GO_ON;
    }
    if (taken == 0) {
        w->launch->counts[i->index].warps++; /* executed, though no lane jumps */
        w->launch->counts[i->index].threads += (uint32_t)__builtin_popcount(g->mask);
        g->pc++;
        return FLOW_GO_ON;
    }
    w->launch->counts[i->index].divergent++;
    w->launch->counts[i->index].threads += (uint32_t)__builtin_popcount(rest);
    if (i->meet != NO_PC) {
        struct meeting *m = g->meeting;
        bool same = m != NULL && m->pc == i->meet && m->activation == g->activation;
        if (!same)
            g->meeting = m = meeting_new(g->mask, i->meet, g->activation, g->meeting);
        if (i->target == i->meet) {
            m->arrived |= taken;
            g->mask = rest;
            g->pc++;
            return FLOW_GO_ON;
        }
    }
    struct group *other = group_new(w, taken, i->target, g->meeting, g->activation);
    other->age = g->age;
    g->mask = rest;
    g->pc++;
    return FLOW_GO_ON;
}

enum flow flow_meet(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    (void)i;
    (void)mask;
    struct meeting *m = g->meeting;
    if (m == NULL || m->pc != g->pc || m->activation != g->activation || m->is_return) {
        g->pc++;
        return FLOW_GO_ON;
    }
    return group_arrive(w, g, m) ? FLOW_GO_ON : FLOW_SWITCH;
}

enum flow flow_exit(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    (void)i;
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    w->live &= ~mask;
    w->changed = true;
    for (struct activation *a = g->activation; a != NULL; a = a->caller)
        a->lanes &= ~mask;
    struct meeting *meeting = g->meeting;
    struct activation *activation = g->activation;
    bool whole = mask == g->mask;
    if (whole) {
        group_end(w, g);
    } else {
        g->mask &= ~mask;
        g->pc++;
    }
    meetings_leave(w, meeting, NULL, mask);
    while (activation->lanes == 0 && activation->caller != NULL) {
        struct activation *caller = activation->caller;
        activation_free(activation);
        activation = caller;
    }
    collective_check(w);
    return whole ? FLOW_SWITCH : FLOW_GO_ON;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void copy_param(struct warp *w, const uint8_t *from, uint32_t from_stride, uint8_t *to,
    uint32_t to_stride, uint32_t bytes, uint32_t mask)
{
    (void)w;
    while (mask != 0) {
        uint32_t lane = next_lane(&mask);
        memcpy(to + (size_t)lane * to_stride, from + (size_t)lane * from_stride, bytes);
    }
}

static struct program *callee_of(struct warp *w, const struct call_site *site, uint32_t mask)
{
    if (site->callee != NULL)
        return site->callee;
    uint64_t pointer = cell_64(w, site->pointer)[__builtin_ctz(mask)];
    const struct kernel_code *kernel = w->launch->kernel;
    for (uint32_t i = 0; i < kernel->program_count; i++)
        if (function_pointer(kernel->programs[i]->source) == pointer)
            return kernel->programs[i];
    return NULL;
}

/* Lanes that call the same function as the first one. */
static uint32_t same_callee(struct warp *w, const struct call_site *site, uint32_t mask)
{
    if (site->pointer == NO_CELL)
        return mask;
    const uint64_t *pointers = cell_64(w, site->pointer);
    uint64_t first = pointers[__builtin_ctz(mask)];
    uint32_t lanes = 0;
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        lanes |= pointers[lane] == first ? lane_bit[lane] : 0;
    }
    return lanes;
}

enum { CALL_DEPTH_MAX = 4096 };

static bool grow_stack(struct warp *w, const struct insn *i, uint32_t mask, uint32_t bytes)
{
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        if (w->local_top[lane] + bytes > w->launch->local_limit_bytes) {
            finding_at(w, i, lane, FINDING_OUT_OF_BOUNDS, w->local_top[lane],
                "The thread's stack of %u bytes is full: calls are nested too deeply.",
                w->launch->local_limit_bytes);
            launch_stop(w->launch, cudaErrorIllegalAddress, "stack overflow in a kernel");
            return false;
        }
    }
    return true;
}

enum flow flow_call(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    const struct call_site *site = i->extra;
    if (w->launch->stop)
        return FLOW_SWITCH;
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    uint32_t lanes = same_callee(w, site, mask);
    if (lanes != g->mask) { /* the others call, or go on, by themselves */
        uint32_t others = g->mask & ~lanes;
        uint32_t skipping = g->mask & ~mask;
        if (others & ~skipping)
            group_new(w, others & ~skipping, g->pc, g->meeting, g->activation);
        if (skipping)
            group_new(w, skipping, g->pc + 1, g->meeting, g->activation);
        g->mask = lanes;
    }
    struct program *callee = callee_of(w, site, lanes);
    if (callee == NULL) {
        finding_at(w, i, (uint32_t)__builtin_ctz(lanes), FINDING_NULL_POINTER, 0,
            "Calls through a pointer that is no function of this kernel.");
        launch_stop(w->launch, cudaErrorIllegalAddress, "a call through a bad function pointer");
        return FLOW_SWITCH;
    }
    if (g->activation->depth >= CALL_DEPTH_MAX)
        finding_at(w, i, (uint32_t)__builtin_ctz(lanes), FINDING_OUT_OF_BOUNDS, 0,
            "Calls are nested %d deep here: nothing ends the recursion, or the stack is too small.",
            CALL_DEPTH_MAX);
    if (g->activation->depth >= CALL_DEPTH_MAX || !grow_stack(w, i, lanes, callee->local_bytes)) {
        launch_stop(w->launch, cudaErrorIllegalAddress, "calls are nested too deeply");
        return FLOW_SWITCH;
    }
    struct activation *a = activation_new(callee);
    a->caller = g->activation;
    a->call = i;
    a->lanes = lanes;
    a->depth = g->activation->depth + 1;
    activation_fill(w, a);
    for (uint32_t rest = lanes; rest != 0;)
        local_begin(w, next_lane(&rest), callee->local_bytes);
    uint32_t count = site->argument_count < callee->source->param_count
                         ? site->argument_count
                         : callee->source->param_count;
    for (uint32_t k = 0; k < count; k++)
        copy_param(w, w->frame + site->argument_cells[k], site->argument_strides[k],
            a->frame + callee->param_cells[k], callee->param_strides[k], site->argument_bytes[k],
            lanes);
    struct meeting *m = meeting_new(lanes, g->pc, g->activation, g->meeting);
    m->is_return = true;
    g->meeting = m;
    g->activation = a;
    g->pc = 0;
    w->frame = a->frame;
    return FLOW_GO_ON;
}

enum flow flow_return(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    struct activation *a = g->activation;
    if (a->caller == NULL)
        return flow_exit(w, g, i, mask);
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    const struct call_site *site = a->call->extra;
    for (uint32_t k = 0; k < site->result_count && k < a->program->source->result_count; k++)
        copy_param(w, a->frame + a->program->result_cells[k], a->program->result_strides[k],
            a->caller->frame + site->result_cells[k], site->result_strides[k],
            site->result_bytes[k], mask);
    for (uint32_t rest = mask; rest != 0;)
        w->local_top[next_lane(&rest)] -= a->program->local_bytes;
    struct meeting *home = g->meeting;
    while (home != NULL && !(home->is_return && home->activation == a->caller))
        home = home->outer;
    struct meeting *inner = g->meeting;
    if (mask != g->mask) { /* the rest stays in the function */
        group_new(w, g->mask & ~mask, g->pc + 1, g->meeting, a);
        g->mask = mask;
    }
    meetings_leave(w, inner, home, mask);
    a->lanes &= ~mask;
    if (a->lanes == 0)
        activation_free(a);
    return group_arrive(w, g, home) ? FLOW_GO_ON : FLOW_SWITCH;
}

/* ---- ends ------------------------------------------------------------------------------------ */

enum flow flow_trap(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    finding_at(w, i, (uint32_t)__builtin_ctz(mask), FINDING_TRAP, 0,
        "The kernel stopped itself with a trap instruction%s.",
        w->launch->workspace == NULL && w->launch->kernel_info->uses_grid_sync
            ? ": grid synchronisation needs a cooperative launch"
            : "");
    launch_stop(w->launch, cudaErrorLaunchFailure, "the kernel executed a trap instruction");
    return FLOW_SWITCH;
}

enum flow flow_unsupported(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    const char *reason = i->extra;
    finding_at(w, i, (uint32_t)__builtin_ctz(mask), FINDING_UNSUPPORTED, 0,
        "The instruction %s needs a GPU: the virtual GPU does not have it%s%s%s.", i->text,
        reason != NULL ? " (" : "", reason != NULL ? reason : "", reason != NULL ? ")" : "");
    w->launch->result->needs_gpu = true;
    launch_stop(w->launch, cudaErrorNotSupported, "the instruction %s needs a GPU", i->text);
    return FLOW_SWITCH;
}
