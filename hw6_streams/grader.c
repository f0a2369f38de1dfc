/* Homework 6: what the seven functions must do, tried case by case. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "streams.h"
#include "grader/candidate.h"
#include "grader/cost.h"
#include "grader/device.h"
#include "grader/device_load.h"
#include "grader/device_work.h"
#include "grader/guarded.h"
#include "grader/measure.h"
#include "grader/room.h"
#include "grader/settings.h"
#include "grader/trial.h"
#include "grader/virtual_calls.h"

typedef typeof(&pipeline) pipeline_function;
typedef typeof(&run_diamond) diamond_function;
typedef typeof(&keep_journal) journal_function;
typedef typeof(&run_chains) chains_function;
typedef typeof(&stir_everywhere) everywhere_function;
typedef typeof(&run_urgently) urgently_function;

/* ---- what several tasks need ---------------------------------------------------------------- */

/* A call of the grader's own; false if it failed. */
static bool done(struct trial *t, cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return true;
    cudaGetLastError();
    trial_fail(
        t, GRADER_FAULT, "grader-cuda", "%s, while the grader %s", cudaGetErrorName(status), what);
    return false;
}

/* The array that the candidate is given becomes pinned. */
static struct array *pinned(struct trial *t, struct array *array)
{
    if (array->count > 0)
        done(t, cudaHostRegister(array->given, array->count * ELEMENT_BYTES, 0), "pinned an array");
    return array;
}

/* Before the end of the case, which frees it. */
static void unpin(const struct array *array)
{
    if (array->count > 0)
        cudaHostUnregister(array->given);
    cudaGetLastError();
}

static void fill_words(uint32_t *words, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        words[i] = (uint32_t)mix(seed, i);
}

/* Long enough to be seen from the host, and to let everything else overtake. The virtual GPU counts
 * each turn of the waiting loop. */
static uint64_t delay_ns(void)
{
    return device_is_virtual() ? 500 * 1000 : 50 * 1000 * 1000;
}

/* Puts something that takes long in front of what the candidate queues there. */
static void keep_busy(cudaStream_t stream)
{
    ledger_pause();
    device_spin(delay_ns(), stream);
    ledger_go_on();
}

/* One stage: waits, and copies a few words on the device. */
struct probe {
    uint32_t *to;
    const uint32_t *from;
    size_t count;
    uint64_t delay_ns;
    unsigned waves;          /* of a stage that fills the device instead, each of delay_ns */
    cudaEvent_t begun, done; /* recorded around it */
    unsigned turn;           /* 1: it was queued first; 0: not at all */
};

static struct probe copying(uint32_t *to, const uint32_t *from, size_t count)
{
    return (struct probe){.to = to, .from = from, .count = count};
}

static unsigned turns;

/* What a stage queues is not the candidate's. */
static cudaError_t queue_probe(void *context, cudaStream_t stream)
{
    struct probe *p = context;

    ledger_pause();
    p->turn = ++turns;
    cudaError_t status = cudaEventRecord(p->begun, stream);
    if (status == cudaSuccess)
        status = p->waves > 0 ? device_occupy(p->waves, p->delay_ns, stream)
                              : device_delayed_copy(p->to, p->from, p->count, p->delay_ns, stream);
    if (status == cudaSuccess)
        status = cudaEventRecord(p->done, stream);
    ledger_go_on();
    return status;
}

/* The first launch of a kernel loads it, which would hold up the host. */
static bool make_probes(struct trial *t, struct probe *probes, size_t count)
{
    bool made = done(t, device_delayed_copy(NULL, NULL, 0, 0, 0), "warmed up") &&
                done(t, device_occupy(1, 0, 0), "warmed up") &&
                done(t, cudaDeviceSynchronize(), "warmed up");

    turns = 0;
    for (size_t i = 0; i < count && made; i++)
        made = done(t, cudaEventCreate(&probes[i].begun), "made an event") &&
               done(t, cudaEventCreate(&probes[i].done), "made an event");
    return made;
}

static void free_probes(struct probe *probes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (probes[i].begun)
            cudaEventDestroy(probes[i].begun);
        if (probes[i].done)
            cudaEventDestroy(probes[i].done);
    }
}

static struct stage stage_of(struct probe *probe)
{
    return (struct stage){queue_probe, probe};
}

/* NaN where it cannot be told: an event that was recorded in a capture has no time. */
static double ns_between(cudaEvent_t first, cudaEvent_t second)
{
    float ms = NAN;

    if (cudaEventElapsedTime(&ms, first, second) != cudaSuccess) {
        cudaGetLastError();
        return NAN;
    }
    return ms * 1e6;
}

enum { STREAMS = 3 };

/* How much later a stage is when the first time does not prove that the host waited for it. */
enum { PATIENCE = 10 };

static bool make_streams(struct trial *t, cudaStream_t *streams)
{
    bool made = true;

    for (int s = 0; s < STREAMS && made; s++)
        made =
            done(t, cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking), "made a stream");
    return made;
}

static void free_streams(const cudaStream_t *streams)
{
    for (int s = 0; s < STREAMS; s++)
        if (streams[s])
            cudaStreamDestroy(streams[s]);
}

/* Is the stage still at work? Asked without a trace in the last error. */
static bool is_busy(const struct probe *probe)
{
    const cudaError_t last = cudaPeekAtLastError();
    const bool busy = probe->turn > 0 && cudaEventQuery(probe->done) != cudaSuccess;

    if (last == cudaSuccess)
        cudaGetLastError();
    return busy;
}

static void expect_no_handles_left(struct trial *t)
{
    const struct ledger *made = trial_ledger(t);
    const struct {
        const struct handles *handles;
        const char *name;
    } kinds[] = {{&made->streams, "streams"}, {&made->events, "events"}, {&made->graphs, "graphs"},
        {&made->executable_graphs, "instantiated graphs"}};

    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (kinds[i].handles->made > kinds[i].handles->destroyed)
            trial_finding(t, LEAK, "handle-leak", "never destroyed: %zu of %zu %s",
                kinds[i].handles->made - kinds[i].handles->destroyed, kinds[i].handles->made,
                kinds[i].name);
}

/* Expects `want` in out. What lies there now is compared, but if it is right, it must have been there
 * when the function returned. */
static void expect_at_return(
    struct trial *t, const uint32_t *at_return, const struct expectation *expectation)
{
    const struct array *out = expectation->output;
    size_t late = 0;

    for (size_t i = 0; i < out->count; i++)
        late += at_return[i] != out->words[i];
    if (trial_healthy(t) && late > 0 && compare(expectation).wrong == 0)
        trial_fail(t, WRONG_ANSWER, "not-waited-for",
            "%zu of %zu words were not there yet when the function returned", late, out->count);
    trial_expect(t, expectation);
    expect_no_handles_left(t);
}

/* ---- hw6.1: the pipeline -------------------------------------------------------------------- */

static uint32_t stirred(uint32_t word, size_t rounds)
{
    for (size_t round = 0; round < rounds; round++)
        word = (word ^ word >> 15) * 0x2c1b3c6du + 0x9e3779b9u;
    return word;
}

static double *stirred_words(const uint32_t *words, size_t n, size_t rounds)
{
    double *values = room_for(n, sizeof *values);

    for (size_t i = 0; i < n; i++)
        values[i] = stirred(words[i], rounds);
    return values;
}

/* The first one is the plainest, each of the next adds a difficulty. */
static const struct pipeline_shape pipeline_cases[] = {
    {4096, 8, 3}, {4099, 8, 3}, {5, 4, 2}, {1, 1, 1}, {1, 3, 1}, {3, 1000, 2}, {0, 4, 3},
    {257, 256, 1}, {33, 32, 0}, {100003, 1, 3}, {1000003, 16, 5},
    {1021, 7, 500}, /* enough rounds to tell whose they were */
};

/* Is the first wrong word one of another chunk, or one that was stirred too often: what was in a buffer
 * when it should have held something else? */
static bool is_of_another_chunk(
    const struct array *in, const struct array *out, const double *want, struct pipeline_shape s)
{
    const size_t size = s.n / s.chunks + (s.n % s.chunks != 0);
    size_t wrong = 0;

    while (wrong < s.n && out->words[wrong] == want[wrong])
        wrong++;
    for (size_t i = wrong < s.n ? wrong % size : s.n; i < s.n; i += size)
        for (size_t times = 0; times <= s.chunks; times++)
            if (out->words[wrong] == stirred(in->words[i], times * s.rounds) &&
                (i != wrong || times > 1))
                return true;
    return false;
}

/* Right, and without the device? What was copied to other memory first came from there, too. A kernel
 * that only passes on what the host has stirred executes less than an instruction for each round. */
static bool is_host_work(struct trial *t, const struct array *out, struct pipeline_shape s)
{
    enum { DEVICE = 1 };
    const size_t bytes = out->count * ELEMENT_BYTES;
    const struct vgpu_counters *made = trial_counters(t);

    if (made && made->thread_instructions < (uint64_t)s.n * s.rounds)
        return true;
    if (trial_ledger(t)->launches == 0)
        return true;
    return trial_ledger(t)->bytes_to_host < bytes && virtual_calls()->written_by &&
           !(virtual_calls()->written_by(out->given, bytes) & DEVICE);
}

static void expect_pipeline(struct trial *t, const struct array *in, const struct array *out,
    const uint32_t *at_return, struct pipeline_shape s)
{
    double *want = stirred_words(in->words, s.n, s.rounds), *raw = stirred_words(in->words, s.n, 0);
    double *cut = stirred_words(in->words, s.n, s.rounds), *got = room_for(s.n, sizeof *got);
    struct suspect suspects[] = {
        {"remainder-dropped", cut}, {"not-ordered", raw}, {NULL, got}, {NULL, NULL}};

    for (size_t i = s.n / s.chunks * s.chunks; i < s.n; i++)
        cut[i] = NAN;
    for (size_t i = 0; i < s.n; i++)
        got[i] = out->words[i];
    if (is_of_another_chunk(in, out, want, s))
        suspects[2].diagnosis = "buffer-reused";
    expect_at_return(t, at_return,
        &(struct expectation){.output = out, .want = want, .inputs = {in}, .suspects = suspects});
    if (s.n > 0 && is_host_work(t, out, s))
        trial_fail(t, WRONG_ANSWER, "computed-on-host", "no kernel made what is in out");
    free(want), free(raw), free(cut), free(got);
}

static cudaError_t call_pipeline(struct trial *t, const struct array *in, const struct array *out,
    const struct array *buffers, struct pipeline_shape shape, uint32_t *at_return, bool late)
{
    pipeline_function run = (pipeline_function)trial_function(t);

    if (late)
        keep_busy(NULL);
    const cudaError_t status = run(in->given, out->given, buffers->device, shape);

    memcpy(at_return, out->given, shape.n * ELEMENT_BYTES);
    return status;
}

static void check_pipeline(struct trial *t)
{
    const struct pipeline_shape tried = {trial_try_size(t), 3, 1};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(pipeline_cases)); i++) {
        const struct pipeline_shape s = trying ? tried : pipeline_cases[i];
        if (!trial_begin(t, "n%zu-chunks%u-rounds%u", s.n, s.chunks, s.rounds))
            continue;
        struct array *in = pinned(t, trial_host_input(t, "in", UINT32, s.n));
        struct array *out = pinned(t, trial_host_output(t, "out", UINT32, s.n));
        struct array *buffers = trial_scratch(
            t, "buffers", CHUNK_BUFFERS * (s.n / s.chunks + (s.n % s.chunks != 0)) * ELEMENT_BYTES);
        uint32_t *at_return = room_for(s.n, ELEMENT_BYTES);
        fill_words(in->words, s.n, trial_seed(t));
        if (TRIAL_CALL(t, call_pipeline(t, in, out, buffers, s, at_return, i == 0)))
            expect_pipeline(t, in, out, at_return, s);
        unpin(in), unpin(out);
        free(at_return);
        trial_end(t);
    }
}

/* ---- hw6.2: the diamond --------------------------------------------------------------------- */

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

/* A machine with much to do may let the function return after the end of the late stage. Whoever waits
 * for that stage waits for one that is ten times as late, too. */
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

static void try_diamond(struct trial *t, unsigned delayed)
{
    const size_t tried = trial_try_size(t);
    const size_t half = tried > 0 && tried < 2 * HALF ? (tried + 1) / 2 : HALF;
    struct diamond_case c = {.half = half,
        .in = trial_input(t, "in", UINT32, 2 * half),
        .first = trial_scratch(t, "source's result", 2 * half * ELEMENT_BYTES),
        .second = trial_scratch(t, "left's and right's results", 2 * half * ELEMENT_BYTES),
        .out = trial_output(t, "out", UINT32, 2 * half)};

    fill_words(c.in->words, c.in->count, trial_seed(t));
    describe_stages(&c, delayed);
    if (make_streams(t, c.streams) && make_probes(t, c.probes, STAGES) &&
        TRIAL_CALL(t, call_diamond(t, &c, &c.probes[delayed])))
        expect_diamond(t, &c, delayed);
    free_probes(c.probes, STAGES);
    free_streams(c.streams);
}

static void check_diamond(struct trial *t)
{
    static const char *const names[] = {[SOURCE] = "source", [LEFT] = "left", [RIGHT] = "right"};

    for (unsigned delayed = SOURCE; delayed <= RIGHT; delayed++) {
        if ((trial_try_size(t) > 0 && delayed > SOURCE) ||
            !trial_begin(t, "late-%s", names[delayed]))
            continue;
        try_diamond(t, delayed);
        trial_end(t);
    }
}

/* ---- hw6.3: the journal --------------------------------------------------------------------- */

static const struct {
    size_t count, delayed; /* stages; the one that takes long */
} journal_cases[] = {{2, 0}, {7, 0}, {1, 0}, {0, 0}, {8, 3}, {33, 32}};

struct journal_case {
    struct array *values, *results, *fetched;
    struct probe *probes;
    struct stage *stages;
    cudaStream_t streams[STREAMS];
    struct journal journal;
    struct entry *entries; /* those of the journal, once streams[0] was done */
    size_t at_end;         /* its length then */
    bool busy;             /* with the late stage, when the function returned */
    struct probe *late;    /* NULL where there is no stage */
};

/* Only streams[0] is waited for. The entries are kept as they are then. */
static cudaError_t call_journal(struct trial *t, struct journal_case *c)
{
    c->journal.length = 0;
    journal_function keep = (journal_function)trial_function(t);
    const size_t count = c->values->count;
    const struct fetching fetching = {c->results->device, c->fetched->given};
    const cudaError_t status = keep(c->stages, count, fetching, &c->journal, c->streams);

    ledger_pause();
    c->busy = c->late && is_busy(c->late);
    if (status == cudaSuccess)
        cudaStreamSynchronize(c->streams[0]);
    c->at_end = *(volatile size_t *)&c->journal.length;
    memcpy(c->entries, c->journal.entries, count * sizeof *c->entries);
    ledger_go_on();
    return status;
}

/* The virtual GPU names the call; a real one refuses it, or stands still. */
static bool found(const char *word, char *text, size_t bytes)
{
    struct vgpu_finding findings[8];
    size_t count = 0;

    if (virtual_calls()->findings)
        count = virtual_calls()->findings(findings, LENGTH(findings));
    for (size_t i = 0; i < count && i < LENGTH(findings); i++)
        if (strcmp(findings[i].word, word) == 0) {
            snprintf(text, bytes, "%s", findings[i].message);
            return true;
        }
    return false;
}

/* How often the stage is in the journal. */
static size_t occurrences(const struct journal_case *c, size_t stage)
{
    size_t number = 0;

    for (size_t i = 0; i < c->at_end; i++)
        number += c->entries[i].stage == stage;
    return number;
}

/* The first line that is not about its own stage. */
static void expect_order(struct trial *t, const struct journal_case *c)
{
    bool all = true;
    size_t wrong = 0;

    for (size_t i = 0; i < c->at_end; i++)
        all = all && occurrences(c, i) == 1;
    while (wrong < c->at_end && c->entries[wrong].stage == wrong)
        wrong++;
    if (wrong < c->at_end)
        trial_fail(t, WRONG_ANSWER, all ? "journal-order" : "argument-gone",
            "entry %zu of the journal is about stage %u, not about stage %zu", wrong,
            c->entries[wrong].stage, wrong);
}

/* As for the diamond: a busy machine is no waiting host. */
static bool waits_for_late_stage(struct trial *t, struct journal_case *c)
{
    if (!c->busy && !device_is_virtual()) {
        c->late->delay_ns *= PATIENCE;
        TRIAL_CALL(t, call_journal(t, c));
    }
    return !c->busy;
}

static void expect_journal(struct trial *t, struct journal_case *c)
{
    const size_t count = c->values->count;
    struct array shown = {.name = "journal", .element = INT32, .count = count};
    double *want = room_for(count, sizeof *want), *got = room_for(count, sizeof *got);
    char text[200];

    shown.ints = room_for(count, ELEMENT_BYTES);
    for (size_t i = 0; i < count; i++) {
        want[i] = c->values->ints[i];
        got[i] = shown.ints[i] = i < c->at_end ? c->entries[i].result : POISON_WORD;
    }
    if (found("host-function", text, sizeof text))
        trial_fail(t, CUDA_ERROR, "cuda-in-host-function", "%s", text);
    if (c->at_end != count)
        trial_fail(t, WRONG_ANSWER, "journal-incomplete",
            "%zu of %zu entries were written when streams[0] had nothing left to do", c->at_end,
            count);
    else
        expect_order(t, c);
    trial_expect(t, &(struct expectation){.output = &shown,
                        .want = want,
                        .suspects = (struct suspect[]){{"result-not-awaited", got}, {NULL, NULL}}});
    if (count > 0 && waits_for_late_stage(t, c))
        trial_fail(t, WRONG_ANSWER, "host-waits",
            "the function returned only when the work that the grader delays was done; calls that "
            "synchronise: %zu",
            trial_ledger(t)->synchronisations);
    expect_no_handles_left(t);
    free(want), free(got), free(shown.ints);
}

static void try_journal(struct trial *t, size_t count, size_t delayed)
{
    struct journal_case c = {.values = trial_input(t, "values", INT32, count),
        .results = trial_scratch(t, "results", count * ELEMENT_BYTES),
        .fetched = pinned(t, trial_host_output(t, "fetched", INT32, count)),
        .probes = room_for(count, sizeof *c.probes),
        .stages = room_for(count, sizeof *c.stages),
        .journal = {0, room_for(count, sizeof *c.entries)},
        .entries = room_for(count, sizeof *c.entries)};

    fill_ints(c.values->ints, count, 1, 1000000, trial_seed(t));
    memset(c.journal.entries, 0xff, count * sizeof *c.entries);
    for (size_t i = 0; i < count; i++) {
        c.probes[i] =
            copying((uint32_t *)c.results->device + i, (uint32_t *)c.values->device + i, 1);
        c.probes[i].delay_ns = i == delayed ? delay_ns() : 0;
        c.stages[i] = stage_of(&c.probes[i]);
    }
    c.late = count > 0 ? &c.probes[delayed] : NULL;
    if (make_streams(t, c.streams) && make_probes(t, c.probes, count) &&
        TRIAL_CALL(t, call_journal(t, &c)))
        expect_journal(t, &c);
    free_probes(c.probes, count);
    free_streams(c.streams);
    unpin(c.fetched);
    free(c.probes), free(c.stages), free(c.journal.entries), free(c.entries);
}

static void check_journal(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(journal_cases)); i++) {
        const size_t count = tried ? tried : journal_cases[i].count;
        if (!trial_begin(t, "stages%zu-late%zu", count, journal_cases[i].delayed))
            continue;
        try_journal(t, count, journal_cases[i].delayed);
        trial_end(t);
    }
}

/* ---- hw6.4 and hw6.7: chains of small kernels ----------------------------------------------- */

static const struct chain_shape chain_cases[] = {
    {256, 4, 5},
    {1, 1, 1},
    {257, 3, 2},
    {1000, 20, 10},
    {33, 5, 0},
    {33, 0, 3},
    {0, 3, 3},
    {31, 1, 100},
};

/* Which row, and which addend, stands in row r of out: as it should be, or as mistakes make it. */
static const struct chain_mistake {
    const char *diagnosis;
    enum { OWN, FIRST, LAST } row, addend;
} chain_mistakes[] = {
    {"baked-in", OWN, FIRST},
    {"baked-in", FIRST, OWN},
    {"baked-in", FIRST, FIRST},
    {"staging-overwritten", OWN, LAST},
    {"staging-overwritten", LAST, OWN},
    {"staging-overwritten", LAST, LAST},
};

static size_t chosen_row(int which, size_t own, size_t rows)
{
    return which == OWN ? own : which == FIRST ? 0 : rows - 1;
}

static uint32_t linked(uint32_t word, uint32_t addend, unsigned links)
{
    for (uint32_t k = 0; k < links; k++)
        word = word * CHAIN_FACTOR + (addend ^ k);
    return word;
}

static double *chained(const struct array *in, const struct array *addends, struct chain_shape s,
    const struct chain_mistake *mistake)
{
    double *values = room_for(s.n * s.rows, sizeof *values);

    for (size_t r = 0; r < s.rows; r++)
        for (size_t i = 0; i < s.n; i++) {
            const uint32_t word = in->words[chosen_row(mistake->row, r, s.rows) * s.n + i];
            const uint32_t addend = addends->words[chosen_row(mistake->addend, r, s.rows)];
            values[r * s.n + i] = linked(word, addend, s.links);
        }
    return values;
}

static void expect_chains(struct trial *t, const struct array *in, const struct array *addends,
    const struct array *out, const uint32_t *at_return, struct chain_shape s)
{
    static const struct chain_mistake none = {NULL, OWN, OWN};
    double *want = chained(in, addends, s, &none), *values[LENGTH(chain_mistakes)];
    struct suspect suspects[LENGTH(chain_mistakes) + 1] = {{NULL, NULL}};
    const struct vgpu_counters *counters = trial_counters(t);

    for (size_t k = 0; k < LENGTH(chain_mistakes); k++) {
        values[k] = chained(in, addends, s, &chain_mistakes[k]);
        suspects[k] = (struct suspect){chain_mistakes[k].diagnosis, values[k]};
    }
    expect_at_return(t, at_return,
        &(struct expectation){
            .output = out, .want = want, .columns = s.n, .inputs = {in}, .suspects = suspects});
    if (s.n > 0 && counters && counters->launches < (uint64_t)s.rows * s.links)
        trial_fail(t, WRONG_ANSWER, "links-fused", "%llu kernels ran for %u rows of %u links",
            (unsigned long long)counters->launches, s.rows, s.links);
    free(want);
    for (size_t k = 0; k < LENGTH(chain_mistakes); k++)
        free(values[k]);
}

static cudaError_t call_chains(struct trial *t, struct chain_data data, struct chain_shape shape,
    cudaStream_t stream, uint32_t *at_return, bool late)
{
    chains_function run = (chains_function)trial_function(t);

    if (late)
        keep_busy(stream);
    const cudaError_t status = run(data, shape, stream);

    memcpy(at_return, data.out, shape.n * shape.rows * ELEMENT_BYTES);
    return status;
}

/* A chain has one beginning; copies of the row and its addend may come before it. */
enum { ROOTS_MAX = 3 };

static void expect_by_hand(struct trial *t, struct chain_shape s)
{
    const struct ledger *made = trial_ledger(t);

    if (made->captures > 0)
        trial_fail(t, WRONG_ANSWER, "captured", "streams that were captured: %zu", made->captures);
    if (s.n > 0 && s.links > ROOTS_MAX && made->graph_roots > ROOTS_MAX)
        trial_fail(t, WRONG_ANSWER, "links-unordered",
            "%zu nodes of the graph depend on nothing, and there are %u links", made->graph_roots,
            s.links);
    if (s.n > 0 && s.links > 0 && made->graph_launches < s.rows)
        trial_fail(t, WRONG_ANSWER, "no-graph", "a graph was launched %zu times for %u rows",
            made->graph_launches, s.rows);
}

static void try_chains(struct trial *t, struct chain_shape s, bool by_hand, bool late)
{
    struct array *in = pinned(t, trial_host_input(t, "in", UINT32, s.n * s.rows));
    struct array *addends = pinned(t, trial_host_input(t, "addends", UINT32, s.rows));
    struct array *out = pinned(t, trial_host_output(t, "out", UINT32, s.n * s.rows));
    struct array *device = trial_scratch(t, "device", (s.n + 1) * ELEMENT_BYTES);
    const struct chain_data data = {in->given, addends->given, out->given, device->device};
    cudaStream_t stream = NULL;
    uint32_t *at_return = room_for(s.n * s.rows, ELEMENT_BYTES);

    fill_words(in->words, in->count, trial_seed(t));
    fill_words(addends->words, addends->count, trial_seed(t) + 1);
    if (done(t, cudaStreamCreate(&stream), "made a stream") &&
        TRIAL_CALL(t, call_chains(t, data, s, stream, at_return, late))) {
        if (by_hand)
            expect_by_hand(t, s);
        expect_chains(t, in, addends, out, at_return, s);
    }
    if (stream)
        cudaStreamDestroy(stream);
    unpin(in), unpin(addends), unpin(out);
    free(at_return);
}

static void check_all_chains(struct trial *t, bool by_hand)
{
    const struct chain_shape tried = {trial_try_size(t), 2, 2};
    const bool trying = tried.n > 0;

    for (size_t i = 0; i < (trying ? 1 : LENGTH(chain_cases)); i++) {
        const struct chain_shape s = trying ? tried : chain_cases[i];
        if (!trial_begin(t, "n%zu-rows%u-links%u", s.n, s.rows, s.links))
            continue;
        try_chains(t, s, by_hand, i == 0);
        trial_end(t);
    }
}

static void check_chains(struct trial *t)
{
    check_all_chains(t, false);
}

static void check_chains_by_hand(struct trial *t)
{
    check_all_chains(t, true);
}

/* ---- hw6.5: all devices --------------------------------------------------------------------- */

enum { DEVICE_ROUNDS = 3, VIRTUAL_DEVICES = 3 };

static const size_t everywhere_sizes[] = {100002, 100003, 1, 2, 0, 1000003};

struct everywhere_call {
    int devices, home, current; /* current: when the function returned */
    cudaStream_t reader;        /* on home; waits for nobody */
    uint32_t *at_return;
};

static cudaError_t call_everywhere(
    struct trial *t, const struct array *in, const struct array *out, struct everywhere_call *c)
{
    everywhere_function stir = (everywhere_function)trial_function(t);
    const cudaError_t status = stir(in->device, out->device, in->count, DEVICE_ROUNDS);

    ledger_pause();
    cudaGetDevice(&c->current);
    cudaSetDevice(c->home);
    if (status == cudaSuccess) {
        cudaMemcpyAsync(c->at_return, out->device, out->count * ELEMENT_BYTES,
            cudaMemcpyDeviceToHost, c->reader);
        cudaStreamSynchronize(c->reader);
    }
    ledger_go_on();
    return status;
}

/* May kernels and copies of `device` reach the memory of `peer` directly, though they could? */
static bool peer_left_out(int device, int peer)
{
    int can = 0;

    if (cudaDeviceCanAccessPeer(&can, device, peer) != cudaSuccess || !can)
        return false;
    cudaSetDevice(device);
    const bool left_out = cudaDeviceEnablePeerAccess(peer, 0) == cudaSuccess;
    if (left_out)
        cudaDeviceDisablePeerAccess(peer);
    cudaGetLastError();
    return left_out;
}

static void expect_devices(struct trial *t, const struct everywhere_call *c, size_t n)
{
    const struct ledger *made = trial_ledger(t);

    if (c->current != c->home)
        trial_fail(t, WRONG_ANSWER, "device-not-restored",
            "device %d was current before the call, and device %d after it", c->home, c->current);
    for (int d = 0; d < c->devices && d < LEDGER_DEVICES && n >= (size_t)c->devices; d++) {
        if (made->launches_on[d] == 0)
            trial_fail(t, WRONG_ANSWER, "device-idle",
                "kernels launched: %zu, and none of them on device %d of %d", made->launches, d,
                c->devices);
        if (d != c->home && (peer_left_out(d, c->home) || peer_left_out(c->home, d)))
            trial_fail(t, WRONG_ANSWER, "peer-not-enabled",
                "devices %d and %d could reach each other's memory, but access was not enabled", d,
                c->home);
    }
    cudaSetDevice(c->home);
}

static void try_everywhere(struct trial *t, struct everywhere_call *c, size_t n)
{
    struct array *in = trial_input(t, "in", UINT32, n);
    struct array *out = trial_output(t, "out", UINT32, n);

    c->at_return = room_for(n, ELEMENT_BYTES);
    fill_words(in->words, n, trial_seed(t));
    if (done(t, cudaStreamCreateWithFlags(&c->reader, cudaStreamNonBlocking), "made a stream") &&
        TRIAL_CALL(t, call_everywhere(t, in, out, c))) {
        double *want = stirred_words(in->words, n, DEVICE_ROUNDS);
        double *cut = stirred_words(in->words, n, DEVICE_ROUNDS);
        const size_t shared = n / (size_t)c->devices * (size_t)c->devices;
        for (size_t i = shared; i < n; i++)
            cut[i] = NAN;
        const struct suspect suspects[] = {
            {shared < n ? "remainder-dropped" : NULL, cut}, {NULL, NULL}};
        expect_devices(t, c, n);
        expect_at_return(t, c->at_return,
            &(struct expectation){
                .output = out, .want = want, .inputs = {in}, .suspects = suspects});
        free(want), free(cut);
    }
    if (c->reader)
        cudaStreamDestroy(c->reader);
    free(c->at_return);
}

/* Home is the first device, and then the last one: that of the caller, whichever it is. */
static void check_everywhere(struct trial *t)
{
    const size_t tried = trial_try_size(t);
    int devices = 1;

    cudaGetDeviceCount(&devices);
    for (int home = 0; home<devices; home += devices> 1 ? devices - 1 : 1)
        for (size_t i = 0; i < (tried ? 1 : LENGTH(everywhere_sizes)); i++) {
            const size_t n = tried ? tried : everywhere_sizes[i];
            struct everywhere_call c = {.devices = devices, .home = home};
            if (!trial_begin(t, "devices%d-home%d-n%zu", devices, home, n))
                continue;
            cudaSetDevice(home);
            try_everywhere(t, &c, n);
            trial_end(t);
            cudaSetDevice(0);
        }
}

/* ---- hw6.6: priorities ---------------------------------------------------------------------- */

enum { BACKGROUND, URGENT, PARTIES_OF_TWO, WAVES = 10, WORDS = 256 };

struct urgent_case {
    struct probe probes[PARTIES_OF_TWO];
    int priorities[PARTIES_OF_TWO];
    bool overlapped; /* background was still busy when urgent was queued */
};

static cudaError_t queue_background(void *context, cudaStream_t stream)
{
    struct urgent_case *c = context;

    ledger_pause();
    cudaStreamGetPriority(stream, &c->priorities[BACKGROUND]);
    ledger_go_on();
    return queue_probe(&c->probes[BACKGROUND], stream);
}

static cudaError_t queue_urgent(void *context, cudaStream_t stream)
{
    struct urgent_case *c = context;

    ledger_pause();
    cudaStreamGetPriority(stream, &c->priorities[URGENT]);
    c->overlapped = is_busy(&c->probes[BACKGROUND]);
    ledger_go_on();
    return queue_probe(&c->probes[URGENT], stream);
}

static void expect_urgent_first(struct trial *t, const struct urgent_case *c)
{
    const int background = c->priorities[BACKGROUND], urgent = c->priorities[URGENT];
    const struct probe *slow = &c->probes[BACKGROUND], *fast = &c->probes[URGENT];
    int least = 0, greatest = 0;

    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (urgent > background)
        trial_fail(t, WRONG_ANSWER, "priority-backwards",
            "urgent ran with priority %d, background with %d: the lower number is the more urgent",
            urgent, background);
    if (urgent != greatest || background != least)
        trial_fail(t, WRONG_ANSWER, "priority-unused",
            "urgent ran with priority %d, background with %d; this device has %d to %d", urgent,
            background, greatest, least);
    if (slow->turn != 1 || !c->overlapped)
        trial_fail(
            t, WRONG_ANSWER, "urgent-waits", "background was not at work when urgent was queued");
    /* The virtual GPU runs one large kernel after the other. */
    if (!device_is_virtual() && greatest < least &&
        ns_between(fast->done, slow->done) < ns_between(slow->begun, slow->done) / 4)
        trial_fail(t, WRONG_ANSWER, "urgent-waits", "urgent was not done before background was");
    expect_no_handles_left(t);
}

static void check_urgently(struct trial *t)
{
    if (!trial_begin(t, "background-and-urgent"))
        return;
    const size_t tried = trial_try_size(t), n = tried > 0 && tried < WORDS ? tried : WORDS;
    struct array *in = trial_input(t, "in", UINT32, n);
    struct array *out = trial_output(t, "out", UINT32, n);
    double want[WORDS];
    struct urgent_case c = {.probes = {[BACKGROUND] = {.waves = WAVES,
                                           .delay_ns = device_is_virtual() ? 50000 : 2000000},
                                [URGENT] = copying(out->device, in->device, n)}};
    urgently_function run = (urgently_function)trial_function(t);

    fill_words(in->words, n, trial_seed(t));
    for (size_t i = 0; i < n; i++)
        want[i] = in->words[i];
    const struct stage background = {queue_background, &c}, urgent = {queue_urgent, &c};
    if (make_probes(t, c.probes, PARTIES_OF_TWO) && TRIAL_CALL(t, run(background, urgent))) {
        trial_expect(t, &(struct expectation){.output = out, .want = want});
        if (!c.overlapped && !device_is_virtual()) { /* the host may have been slow */
            turns = 0;
            c.probes[BACKGROUND].waves *= PATIENCE;
            TRIAL_CALL(t, run(background, urgent));
        }
        if (tried == 0)
            expect_urgent_first(t, &c);
    }
    free_probes(c.probes, PARTIES_OF_TWO);
    trial_end(t);
}

/* ---- speed ---------------------------------------------------------------------------------- */

/* A function that the baseline's file has for the grader alone. */
static void *helper(const char *name)
{
    char problem[200];
    void *function = candidate_function(setting("BASELINE"), name, problem, sizeof problem);

    cr_assert_not_null(function, "%s", problem);
    return function;
}

/* ---- hw6.1: how much of what can be hidden is hidden */

enum { PIPELINE_IN, PIPELINE_OUT, PIPELINE_BUFFERS, PIPELINE_ARRAYS };

/* The first copy in and the last copy out have nothing beside them: with many chunks they are short. */
static unsigned timed_chunks(void)
{
    return device_is_virtual() ? 16 : 64;
}
enum { VIRTUAL_WORDS = 1 << 19, SPOTS = 1000 };

/* The kernel takes this share of the time of one copy: 0.8 to 1.0 leaves the copies the longer part,
 * and the kernel enough to be worth hiding. */
#define KERNEL_SHARE 0.9

static size_t pipeline_count(size_t n, int k)
{
    return k == PIPELINE_BUFFERS ? CHUNK_BUFFERS * ((n + timed_chunks() - 1) / timed_chunks())
                                 : (k < PIPELINE_BUFFERS ? n : 0);
}

static size_t pipeline_bytes(const struct timed_problem *p)
{
    return 2 * p->n * ELEMENT_BYTES;
}

/* in and out, and two times a quarter of them: the candidate's buffers and the baseline's. */
static size_t pipeline_words_in(size_t bytes)
{
    const size_t words = bytes * 2 / 5 / ELEMENT_BYTES;
    return device_is_virtual() && words > VIRTUAL_WORDS ? VIRTUAL_WORDS : words;
}

static double shortest_ns(const struct timed_problem *p, unsigned rounds)
{
    typedef cudaError_t alone_function(unsigned *words, size_t n, unsigned rounds);
    alone_function *stir_alone = (alone_function *)helper("stir_alone");
    unsigned *words = p->arrays[PIPELINE_BUFFERS];
    const size_t n = p->counts[PIPELINE_BUFFERS];
    double shortest = INFINITY;

    for (int call = 0; call < 3; call++) {
        const uint64_t start = device_now_ns();
        if (rounds > 0)
            stir_alone(words, n, rounds);
        else
            cudaMemcpyAsync(
                words, p->arrays[PIPELINE_IN], n * ELEMENT_BYTES, cudaMemcpyHostToDevice, 0);
        cudaDeviceSynchronize();
        shortest = fmin(shortest, (double)(device_now_ns() - start));
    }
    return shortest;
}

/* Rounds for which the kernel takes KERNEL_SHARE of a copy. Its time is a straight line in them. */
static unsigned scaled_rounds(const struct timed_problem *p)
{
    enum { FEW = 16, MANY = 64 };
    static size_t known_n;
    static unsigned rounds;

    if (known_n != p->n) {
        const double few_ns = shortest_ns(p, FEW), many_ns = shortest_ns(p, MANY);
        const double each_ns = fmax((many_ns - few_ns) / (MANY - FEW), 1.0);
        rounds = (unsigned)fmax(1.0, FEW + (KERNEL_SHARE * shortest_ns(p, 0) - few_ns) / each_ns);
        known_n = p->n;
    }
    return rounds;
}

static struct pipeline_shape timed_shape(const struct timed_problem *p)
{
    return (struct pipeline_shape){p->n, timed_chunks(), (unsigned)p->facts[0]};
}

/* Of all kernels so far; 0 where nothing counts them. */
static double thread_instructions(void)
{
    struct vgpu_counters made = {.thread_instructions = 0};

    if (virtual_calls()->counters)
        virtual_calls()->counters(&made);
    return (double)made.thread_instructions;
}

static cudaError_t prepare_pipeline(struct timed_problem *p)
{
    p->facts[0] = scaled_rounds(p);
    p->facts[1] = thread_instructions();
    return device_fill_ints(p->arrays[PIPELINE_IN], p->n, INT32_MIN, INT32_MAX, p->seed);
}

static cudaError_t call_timed_pipeline(void *function, const struct timed_problem *p)
{
    return ((pipeline_function)function)(p->arrays[PIPELINE_IN], p->arrays[PIPELINE_OUT],
        p->arrays[PIPELINE_BUFFERS], timed_shape(p));
}

static cudaError_t call_parts_at_once(const struct timed_problem *p)
{
    return call_timed_pipeline(helper("parts_at_once"), p);
}

/* How many words of out differ from what the baseline's kernel makes of in, on the device. */
static cudaError_t differing_words(const struct timed_problem *p, size_t *different)
{
    typedef cudaError_t alone_function(unsigned *words, size_t n, unsigned rounds);
    static uint32_t *want, *got; /* kept for the life of the process */
    static size_t room;
    const size_t bytes = p->n * ELEMENT_BYTES;
    size_t first;
    cudaError_t status = cudaSuccess;

    if (room < p->n) {
        cudaFree(want), cudaFree(got);
        status = cudaMalloc((void **)&want, bytes);
        status = status == cudaSuccess ? cudaMalloc((void **)&got, bytes) : status;
        room = status == cudaSuccess ? p->n : 0;
    }
    if (status == cudaSuccess)
        status = cudaMemcpy(want, p->arrays[PIPELINE_IN], bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(got, p->arrays[PIPELINE_OUT], bytes, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = ((alone_function *)helper("stir_alone"))(want, p->n, timed_shape(p).rounds);
    return status == cudaSuccess ? device_count_differences(got, want, p->n, different, &first)
                                 : status;
}

/* All words on the device, and some by the oracle; on the virtual GPU all by the oracle. */
static bool verify_pipeline(const struct timed_problem *p, char *text, size_t bytes)
{
    const uint32_t *in = p->arrays[PIPELINE_IN], *out = p->arrays[PIPELINE_OUT];
    const size_t step = device_is_virtual() || p->n < SPOTS ? 1 : p->n / SPOTS;
    size_t different = 0;

    /* The virtual GPU's clock does not notice what the host does. */
    if (virtual_calls()->counters &&
        thread_instructions() - p->facts[1] < (double)p->n * timed_shape(p).rounds) {
        snprintf(text, bytes, "no kernel made what is in out");
        return false;
    }
    for (size_t i = p->seed % step; i < p->n; i += step)
        different += out[i] != stirred(in[i], timed_shape(p).rounds);
    if (different == 0 && step > 1 && differing_words(p, &different) != cudaSuccess)
        different = p->n;
    snprintf(text, bytes, "%zu words are wrong or missing", different);
    return different == 0;
}

static const struct speed_test pipeline_speed = {
    .limit = LIMIT_LESSON,
    .limit_label = "time that overlap can hide",
    .overlap = true,
    .gate = 0.60,
    .baseline_name = "in one stream",
    .array_count = pipeline_count,
    .outputs = 1 << PIPELINE_OUT,
    .kept = 1 << PIPELINE_BUFFERS,
    .residence = {PINNED_ON_HOST, PINNED_ON_HOST, ON_DEVICE},
    .bytes = pipeline_bytes,
    .size_for = pipeline_words_in,
    .prepare = prepare_pipeline,
    .call = call_timed_pipeline,
    .limit_call = call_parts_at_once,
    .verify = verify_pipeline,
};

/* ---- hw6.4: a graph against a launch for every kernel */

enum { CHAIN_IN, CHAIN_ADDENDS, CHAIN_OUT, CHAIN_DEVICE, CHAIN_ARRAYS };
enum { ROW_WORDS = 256, ROWS = 20, LINKS = 1000, VIRTUAL_LINKS = 100 };

/* No GPU gets from one kernel to the next, which depends on it, as fast as this. */
enum { LINK_NS_MIN = 200 };

static bool links_were_fused;
static cudaStream_t timed_stream;

static struct chain_shape timed_chain(void)
{
    return (struct chain_shape){ROW_WORDS, ROWS, device_is_virtual() ? VIRTUAL_LINKS : LINKS};
}

static size_t chain_count(size_t n, int k)
{
    static const size_t counts[] = {[CHAIN_IN] = ROWS * ROW_WORDS,
        [CHAIN_ADDENDS] = ROWS,
        [CHAIN_OUT] = ROWS * ROW_WORDS,
        [CHAIN_DEVICE] = ROW_WORDS + 1};

    (void)n; /* there is one size: launches are what takes the time */
    return k < CHAIN_ARRAYS ? counts[k] : 0;
}

static size_t one_size(size_t bytes)
{
    (void)bytes;
    return 1;
}

static cudaError_t prepare_chains(struct timed_problem *p)
{
    cudaError_t status = timed_stream ? cudaSuccess : cudaStreamCreate(&timed_stream);

    for (int k = CHAIN_IN; k <= CHAIN_ADDENDS && status == cudaSuccess; k++)
        status = device_fill_ints(
            p->arrays[k], p->counts[k], INT32_MIN, INT32_MAX, mix(p->seed, (uint64_t)k));
    return status;
}

static cudaError_t call_timed_chains(void *function, const struct timed_problem *p)
{
    const struct chain_shape shape = timed_chain();
    const struct chain_data data = {p->arrays[CHAIN_IN], p->arrays[CHAIN_ADDENDS],
        p->arrays[CHAIN_OUT], p->arrays[CHAIN_DEVICE]};

    const uint64_t start = device_now_ns();
    const cudaError_t status = ((chains_function)function)(data, shape, timed_stream);
    links_were_fused = device_now_ns() - start < (uint64_t)LINK_NS_MIN * shape.rows * shape.links;
    return status;
}

static bool verify_chains(const struct timed_problem *p, char *text, size_t bytes)
{
    const struct chain_shape s = timed_chain();
    const uint32_t *in = p->arrays[CHAIN_IN], *addends = p->arrays[CHAIN_ADDENDS];
    const uint32_t *out = p->arrays[CHAIN_OUT];
    size_t different = 0;

    for (size_t i = 0; i < s.n * s.rows; i++)
        different += out[i] != linked(in[i], addends[i / s.n], s.links);
    if (links_were_fused)
        snprintf(text, bytes, "each link took less than %d ns: they are no kernels of their own",
            LINK_NS_MIN);
    else
        snprintf(text, bytes, "%zu of %zu words are wrong", different, s.n * s.rows);
    return different == 0 && !links_were_fused;
}

static const struct speed_test chains_speed = {
    .limit = LIMIT_BASELINE,
    .gate = 1.6,
    .star = 3.0,
    .baseline_name = "a launch for every kernel",
    .array_count = chain_count,
    .outputs = 1 << CHAIN_OUT,
    .kept = 1 << CHAIN_DEVICE,
    .residence = {PINNED_ON_HOST, PINNED_ON_HOST, PINNED_ON_HOST, ON_DEVICE},
    .size_for = one_size,
    .prepare = prepare_chains,
    .call = call_timed_chains,
    .verify = verify_chains,
    .baseline_iqr_max = 0.25,
};

/* ---- the homework --------------------------------------------------------------------------- */

static const struct diagnosis diagnoses[] = {
    {"not-waited-for",
        "The function returns before the result is there: at its end it must wait for "
        "every stream, on every device, that still has work of it."},
    {"handle-leak", "What is created must be destroyed, on every path: streams, events, graphs, "
                    "instantiated graphs. It may be destroyed while its work is still queued: that "
                    "work is done all the same."},
    {"remainder-dropped",
        "The words behind chunks * (n / chunks), or devices * (n / devices), are missing: round "
        "the size of a part up (ceil_div) and let the last one be shorter."},
    {"not-ordered", "What comes back was not stirred yet: the kernel runs in another stream than "
                    "its copies, and nothing orders them. The default stream waits for no stream "
                    "that was made with cudaStreamNonBlocking."},
    {"buffer-reused", "The result holds words of another chunk, or was stirred twice: a buffer was "
                      "filled again before its chunk was on its way out. Its copy out must come "
                      "before the next copy in, and its kernel between them, all in one stream."},
    {"source-not-awaited",
        "left or right read what source had not written yet: record an event behind source, and "
        "let "
        "both streams wait for it after that. A wait before the record waits for nothing."},
    {"branch-not-awaited",
        "sink, or the end of streams[0], came before left or right was done: each needs a wait of "
        "its own. An event stands for its latest record: recorded in both streams before anybody "
        "waits, it stands for one."},
    {"host-waits",
        "The host waited for the device: by a synchronise call, by a copy to memory that "
        "is not pinned, or by freeing memory, which waits, too."},
    {"not-concurrent",
        "left and right wait for each other: they are in one stream, or an event too "
        "many lies between them."},
    {"journal-order",
        "A later stage was written first: two streams keep no order, so each line has "
        "to wait for an event behind the one before it."},
    {"journal-incomplete", "streams[0] was done and lines were missing: it must also wait for what "
                           "the other stream writes."},
    {"result-not-awaited", "A line was written before its result had arrived: the host function "
                           "must be queued behind the copy, in the same stream."},
    {"argument-gone", "The host functions found something else behind their argument: it points at "
                      "a variable that has changed, or is gone, by the time that they run. Each "
                      "needs memory of its own that lives until then."},
    {"cuda-in-host-function",
        "A host function called CUDA. It runs while its stream waits for it, so a call that waits "
        "for the stream would never end: copy before, in the stream."},
    {"baked-in", "Every row was computed with what the first one had: the graph keeps the "
                 "arguments of its kernels, and the pointers of its copies, as they were when it "
                 "was captured."},
    {"staging-overwritten", "Every row was computed with what the last one had: the host changed "
                            "memory that a queued copy was still to read."},
    {"links-fused",
        "The links are to be kernels of their own: many small launches are what a graph "
        "is for."},
    {"captured", "The task is to make the graph node by node, without cudaStreamBeginCapture."},
    {"links-unordered", "A graph orders only what it is told to: each link depends on the one "
                        "before, which is the third argument of cudaGraphAddKernelNode."},
    {"no-graph", "The rows are to go through a graph: make it once, instantiate it, and launch it "
                 "for every row."},
    {"device-not-restored",
        "The caller finds another device current than before the call: remember "
        "cudaGetDevice() at the beginning, and cudaSetDevice() it at the end."},
    {"computed-on-host",
        "The words went through the host, or were computed there: kernels compute, "
        "and cudaMemcpyPeerAsync copies from one device to another."},
    {"device-idle", "A device had nothing to do: make it current (cudaSetDevice) before you create "
                    "its stream and launch."},
    {"peer-not-enabled", "The devices could reach each other's memory, and were not allowed to: "
                         "cudaDeviceEnablePeerAccess, once in each direction."},
    {"priority-backwards", "cudaDeviceGetStreamPriorityRange gives the least priority first, which "
                           "is the larger number. The lower number is the more urgent."},
    {"priority-unused", "One of the streams does not have the priority that was asked for: "
                        "cudaDeviceGetStreamPriorityRange gives the two ends, and "
                        "cudaStreamCreateWithPriority takes one of them as its last argument."},
    {"urgent-waits", "urgent has to overtake: queue background first, do not wait for it, and let "
                     "no event lie between them."},
    {"signal", "The host code crashed: it followed a pointer that leads nowhere. Was the argument "
               "of a host function freed, or did it end with the call, before the function ran?"},
    {"cuda-error", "A CUDA call failed, and its error is named above. Peer access that is enabled "
                   "already is no failure: take cudaErrorPeerAccessAlreadyEnabled for success, and "
                   "clear it with cudaGetLastError()."},
    {"copy-direction",
        "A copy does not fit its pointers: it goes beyond an array, or its kind says another "
        "direction. The last chunk is shorter than the others, behind it there may be none, and "
        "`buffers` has room for CHUNK_BUFFERS chunks."},
    {"empty-grid",
        "The grid has 0 blocks, which no launch may have. Where there are no words, or "
        "few are cut into many chunks, so that the last ones are empty, launch nothing."},
    {"below-the-gate",
        "The result is right, but the work waits. A pipeline: do the chunks take turns in several "
        "streams, with no call that synchronises (cudaMemcpy does) between them, no memory that "
        "is not pinned, and nothing in the default stream? A chain: is there one graph, made "
        "once, and launched for every row?"},
    {NULL, NULL},
};

static const struct task tasks[] = {
    {
        .id = "hw6.1",
        .title = "a pipeline of chunks",
        .function = "pipeline",
        .points = {18, 10, 2},
        .check = check_pipeline,
        .speed = &pipeline_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.2",
        .title = "a diamond of dependencies, by events",
        .function = "run_diamond",
        .points = {15, 0, 2},
        .profile_case = "late-left",
        .check = check_diamond,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.3",
        .title = "a journal, written by host functions",
        .function = "keep_journal",
        .points = {13, 0, 2},
        .check = check_journal,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.4",
        .title = "a graph, captured once, launched often",
        .function = "run_chains",
        .points = {13, 10, 2},
        .check = check_chains,
        .speed = &chains_speed,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.5",
        .title = "all devices, each a part",
        .function = "stir_everywhere",
        .points = {11, 0, 2},
        .check = check_everywhere,
        .diagnoses = diagnoses,
        .virtual_devices = VIRTUAL_DEVICES,
    },
    {
        .id = "hw6.6",
        .title = "the urgent one first, by priority",
        .function = "run_urgently",
        .star = true,
        .check = check_urgently,
        .diagnoses = diagnoses,
    },
    {
        .id = "hw6.7",
        .title = "the graph made by hand",
        .function = "run_chains_by_hand",
        .star = true,
        .check = check_chains_by_hand,
        .diagnoses = diagnoses,
    },
};

const struct homework homework = {
    .name = "hw6",
    .folder = "hw6_streams",
    .file = "streams.cu",
    .tasks = tasks,
    .task_count = LENGTH(tasks),
    .timeline = true,
    .banned = (const char *const[]){NULL},
};

Test(hw6, t1, .description = "hw6.1", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.1");
}

Test(hw6, t2, .description = "hw6.2", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.2");
}

Test(hw6, t3, .description = "hw6.3", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.3");
}

Test(hw6, t4, .description = "hw6.4", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.4");
}

Test(hw6, t5, .description = "hw6.5", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.5");
}

Test(hw6, t6, .description = "hw6.6", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.6");
}

Test(hw6, t7, .description = "hw6.7", .timeout = TASK_TIMEOUT_S)
{
    grade_task("hw6.7");
}

Test(hw6_speed, all, .timeout = SPEED_TIMEOUT_S)
{
    grade_speed();
}
