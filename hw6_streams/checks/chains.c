/* hw6.4 and hw6.7: chains of small kernels, as graphs. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/room.h"

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

uint32_t linked(uint32_t word, uint32_t addend, unsigned links)
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

void check_chains(struct trial *t)
{
    check_all_chains(t, false);
}

void check_chains_by_hand(struct trial *t)
{
    check_all_chains(t, true);
}
