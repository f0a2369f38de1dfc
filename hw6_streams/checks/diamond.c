/* hw6.2: a diamond of dependencies, each branch late in turn. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "checks.h"
#include "grader/guarded.h"

enum { SOURCE, LEFT, RIGHT, SINK, STAGES, HALF = 256 };

/* source: in to first. left and right: a half each, from first to second. sink: second to out. */
struct diamond_case {
    size_t half; /* of the words; at most HALF */
    struct array *in, *first, *second, *out;
    struct probe probes[STAGES];
    cudaStream_t streams[STREAMS];
    uint32_t at_end[2 * HALF]; /* of streams[0] */
    bool busy;                 /* with the late stage, when the function returned */
};

static void describe_stages(struct diamond_case *c, unsigned delayed)
{
    uint32_t *first = c->first->device, *second = c->second->device;

    c->probes[SOURCE] = copying(first, c->in->device, 2 * c->half);
    c->probes[LEFT] = copying(second, first, c->half);
    c->probes[RIGHT] = copying(second + c->half, first + c->half, c->half);
    c->probes[SINK] = copying(c->out->device, second, 2 * c->half);
    c->probes[delayed].delay_ns = delay_ns();
}

/* Only streams[0] is waited for: it has to stand for everything. */
static cudaError_t call_diamond(struct trial *t, struct diamond_case *c, const struct probe *late)
{
    diamond_function run = (diamond_function)trial_function(t);
    const struct diamond diamond = {stage_of(&c->probes[SOURCE]), stage_of(&c->probes[LEFT]),
        stage_of(&c->probes[RIGHT]), stage_of(&c->probes[SINK])};
    const cudaError_t status = run(&diamond, c->streams);

    ledger_pause();
    c->busy = is_busy(late);
    if (status == cudaSuccess) {
        cudaMemcpyAsync(c->at_end, c->out->device, 2 * c->half * ELEMENT_BYTES,
            cudaMemcpyDeviceToHost, c->streams[0]);
        cudaStreamSynchronize(c->streams[0]);
    }
    ledger_go_on();
    return status;
}

/* Whose order was missing? A branch that ran too early has copied what was not there yet. */
static const char *missing_edge(const struct diamond_case *c)
{
    const size_t bytes = 2 * c->half * ELEMENT_BYTES;
    uint32_t second[2 * HALF];

    cudaMemcpy(second, c->second->device, bytes, cudaMemcpyDeviceToHost);
    return memcmp(second, c->in->words, bytes) == 0 ? "branch-not-awaited" : "source-not-awaited";
}

/* A machine with much to do may let the function return after the end of the late stage. Whoever
 * waits for that stage waits for one that is ten times as late, too. */
static bool waits_for_the_late(struct trial *t, struct diamond_case *c, struct probe *late)
{
    if (!c->busy && !device_is_virtual()) {
        late->delay_ns *= PATIENCE;
        TRIAL_CALL(t, call_diamond(t, c, late));
    }
    return !c->busy;
}

static void expect_diamond(struct trial *t, struct diamond_case *c, unsigned delayed)
{
    double want[2 * HALF], got[2 * HALF];
    const struct suspect suspects[] = {{missing_edge(c), got}, {NULL, NULL}};
    struct probe *late = &c->probes[delayed], *other = &c->probes[LEFT + RIGHT - delayed];

    for (size_t i = 0; i < 2 * c->half; i++) {
        want[i] = c->in->words[i];
        got[i] = c->out->words[i] = c->at_end[i];
    }
    trial_expect(t, &(struct expectation){.output = c->out, .want = want, .suspects = suspects});
    if (waits_for_the_late(t, c, late))
        trial_fail(t, WRONG_ANSWER, "host-waits",
            "the function returned only when the work that the grader delays was done; calls that "
            "synchronise: %zu",
            trial_ledger(t)->synchronisations);
    const double late_ns = ns_between(late->begun, late->done);
    if (delayed != SOURCE && ns_between(other->done, late->done) < late_ns / 2)
        trial_fail(t, WRONG_ANSWER, "not-concurrent", "%s took %.1f ms, and %s ended only after it",
            delayed == LEFT ? "left" : "right", late_ns * 1e-6, delayed == LEFT ? "right" : "left");
    expect_no_handles_left(t);
}

/* False: the grader could not make its streams and events. Either way end_case() is to follow. */
static bool begin_case(struct trial *t, struct diamond_case *c, unsigned delayed)
{
    const size_t tried = trial_try_size(t);
    const size_t half = tried > 0 && tried < 2 * HALF ? (tried + 1) / 2 : HALF;

    *c = (struct diamond_case){.half = half,
        .in = trial_input(t, "in", UINT32, 2 * half),
        .first = trial_scratch(t, "source's result", 2 * half * ELEMENT_BYTES),
        .second = trial_scratch(t, "left's and right's results", 2 * half * ELEMENT_BYTES),
        .out = trial_output(t, "out", UINT32, 2 * half)};
    fill_words(c->in->words, c->in->count, trial_seed(t));
    describe_stages(c, delayed);
    return make_streams(t, c->streams) && make_probes(t, c->probes, STAGES);
}

static void end_case(struct diamond_case *c)
{
    free_probes(c->probes, STAGES);
    free_streams(c->streams);
}

static void try_diamond(struct trial *t, unsigned delayed)
{
    struct diamond_case c;

    if (begin_case(t, &c, delayed) && TRIAL_CALL(t, call_diamond(t, &c, &c.probes[delayed])))
        expect_diamond(t, &c, delayed);
    end_case(&c);
}

static void try_failing_branch(struct trial *t)
{
    diamond_function run = (diamond_function)trial_function(t);
    struct diamond_case c;
    const bool made = begin_case(t, &c, SOURCE);
    const struct diamond diamond = {stage_of(&c.probes[SOURCE]), failing_stage(),
        stage_of(&c.probes[RIGHT]), stage_of(&c.probes[SINK])};

    if (made && TRIAL_CALL_MUST_FAIL(t, run(&diamond, c.streams), "left.queue() returned one"))
        expect_no_handles_left(t);
    end_case(&c);
}

void check_diamond(struct trial *t)
{
    static const char *const names[] = {[SOURCE] = "source", [LEFT] = "left", [RIGHT] = "right"};

    for (unsigned delayed = SOURCE; delayed <= RIGHT; delayed++) {
        if ((trial_try_size(t) > 0 && delayed > SOURCE) ||
            !trial_begin(t, "late-%s", names[delayed]))
            continue;
        try_diamond(t, delayed);
        trial_end(t);
    }
    if (trial_try_size(t) == 0 && trial_begin(t, "left-fails")) {
        try_failing_branch(t);
        trial_end(t);
    }
}
