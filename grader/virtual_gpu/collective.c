/* Warp collectives: shuffles, votes, matches, reductions, __syncwarp.
 *
 * A collective runs when every lane its mask names, and that has not exited, is at the same
 * instruction with the same mask; until then its group waits.
 */
#include "decode.h"
#include "findings.h"
#include "flow.h"

enum { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };

/* ---- waiting --------------------------------------------------------------------------------- */

/* Lanes of `among` whose mask operand has the value of the first one; *mask receives it. */
static uint32_t same_mask(struct warp *w, const struct insn *i, uint32_t among, uint32_t *mask)
{
    const uint32_t *masks = cell_32(w, i->o[4]);
    *mask = masks[__builtin_ctz(among)];
    uint32_t lanes = 0;
    for (uint32_t rest = among; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        lanes |= masks[lane] == *mask ? lane_bit[lane] : 0;
    }
    return lanes;
}

static void check_caller(struct warp *w, const struct insn *i, uint32_t lanes, uint32_t mask)
{
    uint32_t outside = lanes & ~mask;
    if (outside == 0)
        return;
    finding_at(w, i, (uint32_t)__builtin_ctz(outside), FINDING_WARP_SYNC, 0,
        "Lane %d executes %s with the mask 0x%08x, which does not name that lane.",
        __builtin_ctz(outside), i->text, mask);
}

static void run_collective(struct warp *w, const struct insn *i, uint32_t lanes, uint32_t mask)
{
    check_caller(w, i, lanes, mask);
    i->handler(w, i, lanes);
}

/* The usual case: every mask among the lanes names only lanes that are here. */
static bool run_if_all_here(struct warp *w, const struct insn *i, uint32_t lanes)
{
    const uint32_t *masks = cell_32(w, i->o[4]);
    uint32_t named, absent = 0;
    for (uint32_t rest = lanes; rest != 0;)
        absent |= masks[next_lane(&rest)] & w->live & ~lanes;
    if (absent != 0)
        return false;
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t part = same_mask(w, i, rest, &named);
        if ((named & w->live & ~part) != 0)
            return false; /* lanes that name each other disagree about the others */
        rest &= ~part;
    }
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t part = same_mask(w, i, rest, &named);
        run_collective(w, i, part, named);
        rest &= ~part;
    }
    return true;
}

enum flow flow_collective(struct warp *w, struct group *g, const struct insn *i, uint32_t mask)
{
    if (w->launch->stop)
        return FLOW_SWITCH;
    if (mask == 0) {
        g->pc++;
        return FLOW_GO_ON;
    }
    if (run_if_all_here(w, i, mask)) {
        g->pc++;
        return FLOW_GO_ON;
    }
    if (mask != g->mask) {
        group_new(w, g->mask & ~mask, g->pc + 1, g->meeting, g->activation);
        g->mask = mask;
    }
    /* One waiting group for every mask. */
    for (uint32_t rest = mask; rest != 0;) {
        uint32_t named, lanes = same_mask(w, i, rest, &named);
        rest &= ~lanes;
        struct group *part = rest == 0 ? g : group_new(w, lanes, g->pc, g->meeting, g->activation);
        part->mask = lanes;
        part->age = g->age;
        part->state = GROUP_AT_COLLECTIVE;
        part->collective_mask = named;
        part->awaited = 0;
    }
    collective_check(w);
    return FLOW_SWITCH;
}

/* PTX asks for the same qualifiers and the same mask, not for the same place: a compiler that
 * unrolls a loop makes several copies of one call. */
static bool wait_together(const struct group *a, const struct group *b)
{
    return b->state == GROUP_AT_COLLECTIVE && a->collective_mask == b->collective_mask &&
           strcmp(group_insn(a)->text, group_insn(b)->text) == 0;
}

/* Operands of a collective: o[0 … 3], and the second result. */
enum { COLLECTIVE_OPERANDS = 5, SECOND_RESULT = 4, CELL_BYTES = 256 };

static uint32_t collective_cell(const struct insn *i, int k)
{
    bool has_second = i->handler == exec_shuffle || i->handler == exec_match;
    return k != SECOND_RESULT ? i->o[k] : has_second ? i->parts[0] : NO_CELL;
}

static bool is_predicate(const struct insn *i, int k)
{
    bool is_vote = i->handler == exec_vote;
    return k == SECOND_RESULT || (is_vote && (k == 1 || i->variant != VOTE_BALLOT));
}

static void copy_lane(const struct insn *i, int k, uint32_t lane, const uint8_t *from, uint8_t *to)
{
    if (is_predicate(i, k)) {
        uint32_t bit = *(const uint32_t *)from & lane_bit[lane];
        *(uint32_t *)to = (*(const uint32_t *)to & ~lane_bit[lane]) | bit;
    } else if (i->wide && k == 1) {
        ((uint64_t *)to)[lane] = ((const uint64_t *)from)[lane];
    } else {
        ((uint32_t *)to)[lane] = ((const uint32_t *)from)[lane];
    }
}

/* Copies a group's operands to the cells that are common to all, or its results from them. */
static void exchange_lanes(const struct group *g, uint8_t *common, bool results)
{
    const struct insn *i = group_insn(g);
    for (int k = 0; k < COLLECTIVE_OPERANDS; k++) {
        bool is_result = k == 0 || k == SECOND_RESULT;
        if (is_result != results || collective_cell(i, k) == NO_CELL)
            continue;
        uint8_t *own = g->activation->frame + collective_cell(i, k);
        uint8_t *shared = common + k * CELL_BYTES;
        for (uint32_t rest = g->mask; rest != 0;) {
            uint32_t lane = next_lane(&rest);
            copy_lane(i, k, lane, results ? shared : own, results ? own : shared);
        }
        if (!results && k == 1 && i->handler == exec_vote)
            *(uint32_t *)shared ^= i->target & g->mask;
    }
}

/* Runs one collective for groups that wait at different copies of it. */
static void run_apart(struct warp *w, struct group *g, uint32_t lanes)
{
    _Alignas(64) uint8_t common[(COLLECTIVE_OPERANDS + 1) * CELL_BYTES] = {0};
    struct insn copy = *group_insn(g);
    for (int k = 0; k < 4; k++)
        copy.o[k] = (uint32_t)k * CELL_BYTES;
    copy.parts[0] = SECOND_RESULT * CELL_BYTES;
    copy.o[4] = COLLECTIVE_OPERANDS * CELL_BYTES;
    copy.target = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        ((uint32_t *)(common + copy.o[4]))[lane] = g->collective_mask;
    for (const struct group *other = w->groups; other != NULL; other = other->next)
        if (wait_together(g, other))
            exchange_lanes(other, common, false);
    w->frame = common;
    run_collective(w, &copy, lanes, g->collective_mask);
    for (const struct group *other = w->groups; other != NULL; other = other->next)
        if (wait_together(g, other))
            exchange_lanes(other, common, true);
}

/* Where a lane waits, for messages: its instruction, or NULL when it waits for others to meet. */
static const struct insn *place_of(const struct warp *w, uint32_t lane)
{
    for (const struct group *g = w->groups; g != NULL; g = g->next)
        if (g->mask & lane_bit[lane])
            return group_insn(g);
    return NULL;
}

/* The group waits for a lane that does not come. */
static void report_absent(struct warp *w, const struct group *g, uint32_t lane)
{
    const struct insn *i = group_insn(g), *other = place_of(w, lane);
    uint32_t caller = (uint32_t)__builtin_ctz(g->mask);
    uint8_t *frame = w->frame;
    w->frame = g->activation->frame;
    if (other != NULL && other->line != 0 && other != i)
        finding_at(w, i, caller, FINDING_WARP_SYNC, 0,
            "%s with mask 0x%08x waits for lane %u, which is at line %u and never comes here. "
            "Every lane that the mask names must execute the call.",
            i->text, g->collective_mask, lane, other->line);
    else
        finding_at(w, i, caller, FINDING_WARP_SYNC, 0,
            "%s with mask 0x%08x waits for lane %u, which never comes here: it skipped this "
            "branch. Every lane that the mask names must execute the call.",
            i->text, g->collective_mask, lane);
    w->frame = frame;
}

/* Lanes were let out of a meeting because this collective waits for them: did they come to it?
 * Another call at another line does not count, although PTX would let it. */
static void check_awaited(struct warp *w, const struct group *g)
{
    for (struct group *a = w->groups; a != NULL; a = a->next) {
        if (a->awaited == 0 || !wait_together(g, a))
            continue;
        const struct insn *here = group_insn(a);
        for (const struct group *b = w->groups; b != NULL; b = b->next)
            if (wait_together(g, b) && group_insn(b)->line == here->line &&
                group_insn(b)->file == here->file)
                a->awaited &= ~b->mask;
        if (a->awaited != 0)
            report_absent(w, a, (uint32_t)__builtin_ctz(a->awaited));
        a->awaited = 0;
    }
}

static bool is_same_place(const struct group *a, const struct group *b)
{
    return a->pc == b->pc && a->activation == b->activation;
}

/* Runs the collective for the waiting group and those that wait with it. */
static void complete(struct warp *w, struct group *g, uint32_t lanes)
{
    check_awaited(w, g);
    uint8_t *frame = w->frame;
    bool apart = false;
    for (const struct group *other = w->groups; other != NULL; other = other->next)
        apart = apart || (wait_together(g, other) && !is_same_place(g, other));
    w->frame = g->activation->frame;
    if (apart)
        run_apart(w, g, lanes);
    else
        run_collective(w, group_insn(g), lanes, g->collective_mask);
    w->frame = frame;
    for (struct group *other = w->groups, *next; other != NULL; other = next) {
        next = other->next;
        if (other == g || !wait_together(g, other))
            continue;
        other->state = GROUP_READY;
        other->pc++;
    }
    g->state = GROUP_READY;
    g->pc++;
    group_join(w, g);
}

static uint32_t lanes_together(const struct warp *w, const struct group *g)
{
    uint32_t lanes = 0;
    for (const struct group *other = w->groups; other != NULL; other = other->next)
        lanes |= wait_together(g, other) ? other->mask : 0;
    return lanes;
}

void collective_check(struct warp *w)
{
    for (bool again = true; again;) {
        again = false;
        for (struct group *g = w->groups; g != NULL; g = g->next) {
            if (g->state != GROUP_AT_COLLECTIVE)
                continue;
            uint32_t lanes = lanes_together(w, g);
            if ((g->collective_mask & w->live & ~lanes) == 0) {
                complete(w, g, lanes);
                again = true;
                break;
            }
        }
    }
}

/* ---- warps that cannot go on ----------------------------------------------------------------- */

/* Lanes that wait for others to meet may be on their way to the collective that those wait at: an
 * unrolled loop is entered in several places. */
static bool release_absent(struct warp *w, struct group *waiting, uint32_t absent)
{
    for (const struct group *g = w->groups; g != NULL; g = g->next)
        for (struct meeting *m = g->meeting; m != NULL; m = m->outer) {
            uint32_t lanes = m->arrived;
            if ((lanes & absent) == 0)
                continue;
            waiting->awaited |= lanes & absent;
            m->members &= ~lanes;
            m->arrived = 0;
            group_new(w, lanes, m->pc + 1, m->outer, m->activation);
            return true;
        }
    return false;
}

static bool settle_collectives(struct warp *w)
{
    struct group *first = NULL;
    for (struct group *g = w->groups; g != NULL; g = g->next) {
        if (g->state != GROUP_AT_COLLECTIVE)
            continue;
        first = first == NULL ? g : first;
        if (release_absent(w, g, g->collective_mask & w->live & ~lanes_together(w, g)))
            return true;
    }
    if (first == NULL)
        return false;
    uint32_t lanes = lanes_together(w, first);
    uint32_t absent = first->collective_mask & w->live & ~lanes;
    if (absent != 0)
        report_absent(w, first, (uint32_t)__builtin_ctz(absent));
    complete(w, first, lanes);
    return true;
}

bool warp_settle(struct warp *w)
{
    if (w->live == 0)
        return false;
    if (settle_collectives(w))
        return true;
    return barrier_settle(w);
}

/* ---- what they compute ----------------------------------------------------------------------- */

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };

/* The lane that `lane` reads from; *inside is false when it keeps its own value. */
static uint32_t shuffle_source(uint8_t mode, uint32_t lane, uint32_t b, uint32_t c, bool *inside)
{
    uint32_t segment = c >> 8 & 31, clamp = c & 31, shift = b & 31;
    uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    uint32_t source;
    switch (mode) {
    case SHUFFLE_UP:
        source = lane - shift;
        *inside = (int32_t)source >= (int32_t)last;
        break;
    case SHUFFLE_DOWN:
        source = lane + shift;
        *inside = source <= last;
        break;
    case SHUFFLE_BUTTERFLY:
        source = lane ^ shift;
        *inside = source <= last;
        break;
    default:
        source = first | (shift & ~segment);
        *inside = source <= last;
    }
    return *inside ? source : lane;
}

static void report_source(
    struct warp *w, const struct insn *i, uint32_t lane, uint32_t source, uint32_t mask)
{
    bool exited = (w->live & lane_bit[source]) == 0;
    finding_at(w, i, lane, FINDING_WARP_SYNC, 0,
        "Lane %u reads from lane %u, which %s; the value is undefined.", lane, source,
        exited                           ? "has exited or does not exist"
        : (mask & lane_bit[source]) == 0 ? "the mask does not name"
                                         : "does not take part");
}

void exec_shuffle(struct warp *w, const struct insn *i, uint32_t lanes)
{
    const uint32_t *a = cell(w, i->o[1]), *b = cell(w, i->o[2]), *c = cell(w, i->o[3]);
    uint32_t named = cell_32(w, i->o[4])[__builtin_ctz(lanes)];
    uint32_t value[WARP_LANES], inside_lanes = 0;
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        bool inside;
        uint32_t source = shuffle_source(i->variant, lane, b[lane], c[lane], &inside);
        inside_lanes |= inside ? lane_bit[lane] : 0;
        value[lane] = a[source];
        if ((lanes & lane_bit[source]) == 0 && !i->is_harmless)
            report_source(w, i, lane, source, named);
    }
    uint32_t *d = cell(w, i->o[0]);
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        d[lane] = value[lane];
    }
    if (i->parts[0] != NO_CELL)
        put_predicate(w, i->parts[0], inside_lanes, lanes);
}

void exec_vote(struct warp *w, const struct insn *i, uint32_t lanes)
{
    uint32_t p = (*predicate(w, i->o[1]) ^ i->target) & lanes;
    if (i->variant == VOTE_BALLOT) {
        uint32_t *d = cell(w, i->o[0]);
        for (uint32_t rest = lanes; rest != 0;)
            d[next_lane(&rest)] = p;
        return;
    }
    bool result = i->variant == VOTE_ALL   ? p == lanes
                  : i->variant == VOTE_ANY ? p != 0
                                           : p == 0 || p == lanes;
    put_predicate(w, i->o[0], result ? FULL_MASK : 0, lanes);
}

static uint64_t match_value(struct warp *w, const struct insn *i, uint32_t lane)
{
    return i->wide ? cell_64(w, i->o[1])[lane] : cell_32(w, i->o[1])[lane];
}

void exec_match(struct warp *w, const struct insn *i, uint32_t lanes)
{
    uint32_t *d = cell(w, i->o[0]), result[WARP_LANES];
    bool all = i->variant != 0, equal = true;
    uint64_t first = match_value(w, i, (uint32_t)__builtin_ctz(lanes));
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        uint64_t value = match_value(w, i, lane);
        equal = equal && value == first;
        result[lane] = 0;
        for (uint32_t others = lanes; others != 0;) {
            uint32_t other = next_lane(&others);
            result[lane] |= match_value(w, i, other) == value ? lane_bit[other] : 0;
        }
    }
    for (uint32_t rest = lanes; rest != 0;) {
        uint32_t lane = next_lane(&rest);
        d[lane] = !all ? result[lane] : equal ? lanes : 0;
    }
    if (i->parts[0] != NO_CELL)
        put_predicate(w, i->parts[0], equal ? FULL_MASK : 0, lanes);
}

void exec_redux(struct warp *w, const struct insn *i, uint32_t lanes)
{
    const uint32_t *a = cell(w, i->o[1]);
    uint32_t rest = lanes, sum = a[next_lane(&rest)];
    while (rest != 0) {
        uint32_t x = a[next_lane(&rest)];
        bool less = i->is_signed ? (int32_t)x < (int32_t)sum : x < sum;
        switch ((enum atomic_operation)i->variant) {
        case ATOMIC_ADD:
            sum += x;
            break;
        case ATOMIC_MIN:
            sum = less ? x : sum;
            break;
        case ATOMIC_MAX:
            sum = less ? sum : x;
            break;
        case ATOMIC_AND:
            sum &= x;
            break;
        case ATOMIC_OR:
            sum |= x;
            break;
        default:
            sum ^= x;
        }
    }
    uint32_t *d = cell(w, i->o[0]);
    while (lanes != 0)
        d[next_lane(&lanes)] = sum;
}

void exec_warp_sync(struct warp *w, const struct insn *i, uint32_t lanes)
{
    (void)i;
    if (w->launch->check_races)
        race_warp_sync(w, lanes);
}

void exec_activemask(struct warp *w, const struct insn *i, uint32_t mask)
{
    uint32_t *d = cell(w, i->o[0]);
    for (uint32_t rest = mask; rest != 0;)
        d[next_lane(&rest)] = mask;
}

void exec_fence(struct warp *w, const struct insn *i, uint32_t mask)
{
    if (w->launch->check_races)
        race_fence(w, mask, (i->order & ORDER_BLOCK) != 0);
}

void exec_nothing(struct warp *w, const struct insn *i, uint32_t mask)
{
    (void)w;
    (void)i;
    (void)mask;
}
