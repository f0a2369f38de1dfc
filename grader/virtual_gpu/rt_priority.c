/* See rt_priority.h. */
#include "rt_priority.h"

enum { PLACED_MAX = 256, WHOLE_ENGINE = 1000 };

static struct rt_op *placed[PLACED_MAX]; /* kernels of several waves of blocks */
static size_t placed_count;

void rt_priority_begin(void)
{
    placed_count = 0;
}

void rt_priority_placed(struct rt_op *op)
{
    if (op->outcome.wave_ns > 0 && placed_count < PLACED_MAX)
        placed[placed_count++] = op;
}

static void book(const struct rt_op *op, uint64_t start, uint64_t end, unsigned share)
{
    if (op->done)
        clock_book(op->device, ENGINE_COMPUTE, start, end, share);
    else
        clock_book_provisionally(op->device, ENGINE_COMPUTE, start, end, share);
}

/* Is the rest of the device free for the operation at that time, once `pushed` has given way? */
static bool is_room_beside(const struct rt_op *op, const struct rt_op *pushed, uint64_t start)
{
    const unsigned share = pushed->outcome.share;
    clock_release(op->device, ENGINE_COMPUTE, start, pushed->end_ns, share);
    const uint64_t fit = clock_first_fit(
        op->device, ENGINE_COMPUTE, start, op->outcome.duration_ns, op->outcome.share);
    book(pushed, start, pushed->end_ns, share);
    return fit == start;
}

uint64_t rt_priority_start(
    const struct rt_op *op, uint64_t ready, uint64_t start, struct rt_op **pushed)
{
    *pushed = NULL;
    if (op->outcome.engine != ENGINE_COMPUTE || start <= ready)
        return start;
    for (size_t i = 0; i < placed_count; i++) {
        struct rt_op *other = placed[i];
        const uint64_t sooner = ready + other->outcome.wave_ns;
        if (other->device == op->device && other->priority > op->priority &&
            other->start_ns <= ready && sooner < other->end_ns && sooner < start &&
            is_room_beside(op, other, sooner)) {
            *pushed = other;
            start = sooner;
        }
    }
    return start;
}

void rt_priority_push(struct rt_op *pushed, uint64_t start, uint64_t duration, unsigned share)
{
    const unsigned whole = pushed->outcome.share;
    const unsigned left = whole + share <= WHOLE_ENGINE ? whole : WHOLE_ENGINE - share;
    const uint64_t rest = pushed->end_ns - start, done = duration * left / whole;
    clock_release(pushed->device, ENGINE_COMPUTE, start, pushed->end_ns, whole);
    if (done >= rest) {
        pushed->end_ns = start + rest * whole / left;
        book(pushed, start, pushed->end_ns, left);
        return;
    }
    if (left > 0)
        book(pushed, start, start + duration, left);
    pushed->end_ns = start + duration + (rest - done);
    book(pushed, start + duration, pushed->end_ns, whole);
}
