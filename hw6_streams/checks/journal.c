/* hw6.3: a journal that host functions write. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/guarded.h"
#include "grader/room.h"

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

/* False: the grader could not make its streams and events. Either way end_case() is to follow. */
static bool begin_case(struct trial *t, struct journal_case *c, size_t count, size_t delayed)
{
    *c = (struct journal_case){.values = trial_input(t, "values", INT32, count),
        .results = trial_scratch(t, "results", count * ELEMENT_BYTES),
        .fetched = pinned(t, trial_host_output(t, "fetched", INT32, count)),
        .probes = room_for(count, sizeof *c->probes),
        .stages = room_for(count, sizeof *c->stages),
        .journal = {0, room_for(count, sizeof *c->entries)},
        .entries = room_for(count, sizeof *c->entries)};
    fill_ints(c->values->ints, count, 1, 1000000, trial_seed(t));
    memset(c->journal.entries, 0xff, count * sizeof *c->entries);
    for (size_t i = 0; i < count; i++) {
        c->probes[i] =
            copying((uint32_t *)c->results->device + i, (uint32_t *)c->values->device + i, 1);
        c->probes[i].delay_ns = i == delayed ? delay_ns() : 0;
        c->stages[i] = stage_of(&c->probes[i]);
    }
    c->late = count > 0 ? &c->probes[delayed] : NULL;
    return make_streams(t, c->streams) && make_probes(t, c->probes, count);
}

static void end_case(struct journal_case *c)
{
    free_probes(c->probes, c->values->count);
    free_streams(c->streams);
    unpin(c->fetched);
    free(c->probes), free(c->stages), free(c->journal.entries), free(c->entries);
}

static void try_journal(struct trial *t, size_t count, size_t delayed)
{
    struct journal_case c;

    if (begin_case(t, &c, count, delayed) && TRIAL_CALL(t, call_journal(t, &c)))
        expect_journal(t, &c);
    end_case(&c);
}

/* What the stages before it have queued is still to be done. */
static void try_failing_stage(struct trial *t)
{
    enum { COUNT = 3, FAILS = 1 };
    struct journal_case c;
    const bool made = begin_case(t, &c, COUNT, 0);

    c.stages[FAILS] = failing_stage();
    if (made && TRIAL_CALL_MUST_FAIL(t, call_journal(t, &c), "stages[1].queue() returned one"))
        expect_no_handles_left(t);
    end_case(&c);
}

void check_journal(struct trial *t)
{
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(journal_cases)); i++) {
        const size_t count = tried ? tried : journal_cases[i].count;
        if (!trial_begin(t, "stages%zu-late%zu", count, journal_cases[i].delayed))
            continue;
        try_journal(t, count, journal_cases[i].delayed);
        trial_end(t);
    }
    if (tried == 0 && trial_begin(t, "stage-fails")) {
        try_failing_stage(t);
        trial_end(t);
    }
}
