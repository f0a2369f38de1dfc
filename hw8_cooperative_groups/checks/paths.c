/* hw8.6: shortest paths, until nothing changes. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "grader/room.h"

struct edge_list {
    uint32_t *from, *to;
    int32_t *weight;
    unsigned vertices;
};

typedef void make_edge(struct edge_list *edges, size_t e, uint64_t seed);

/* Weights that no cycle can make negative: the difference of two heights, and never less than 0
 * more. The heights themselves are of either sign, so are the differences. */
static int weight_between(uint64_t seed, unsigned from, unsigned to, uint64_t bits)
{
    const int rise = (int)(mix(seed + 3, to) % 2000) - (int)(mix(seed + 3, from) % 2000);
    return rise + (int)(bits % 1000);
}

static void random_edge(struct edge_list *edges, size_t e, uint64_t seed)
{
    const uint64_t bits = mix(seed, e);
    const unsigned from = bits % edges->vertices, to = (bits >> 32) % edges->vertices;

    edges->from[e] = from;
    edges->to[e] = to;
    edges->weight[e] = weight_between(seed, from, to, mix(seed + 1, e));
}

/* The edges of a path, the last ones first: a round in this order gains one vertex. */
static void path_edge(struct edge_list *edges, size_t e, uint64_t seed)
{
    const unsigned from = edges->vertices - 2 - (unsigned)e;

    edges->from[e] = from;
    edges->to[e] = from + 1;
    edges->weight[e] = weight_between(seed, from, from + 1, mix(seed + 1, e));
}

/* Two halves of the vertices, without an edge between them: no path leads to the other half. */
static void edge_of_two_parts(struct edge_list *edges, size_t e, uint64_t seed)
{
    const uint64_t bits = mix(seed, e);
    const unsigned part = edges->vertices / 2, first = bits % 2 ? part : 0;
    const unsigned from = first + (unsigned)(bits >> 8) % part;
    const unsigned to = first + (unsigned)(bits >> 32) % part;

    edges->from[e] = from;
    edges->to[e] = to;
    edges->weight[e] = weight_between(seed, from, to, mix(seed + 1, e));
}

/* For make try: a path, and from each vertex on it two shortcuts, or detours. */
static void edge_to_try(struct edge_list *edges, size_t e, uint64_t seed)
{
    const unsigned from = (unsigned)(e % (edges->vertices - 1));
    const unsigned to = e < edges->vertices - 1 ? from + 1 : mix(seed, e) % edges->vertices;

    edges->from[e] = from;
    edges->to[e] = to;
    edges->weight[e] = 1 + (int)(mix(seed + 1, e) % (to > from ? 5 * (to - from) : 9));
}

static const struct graph_case {
    const char *name;
    make_edge *make;
    unsigned vertices, edges, source;
} graph_cases[] = {
    {"path", path_edge, 40, 39, 0},
    {"parts", edge_of_two_parts, 300, 2000, 7},
    {"random", random_edge, 500, 12001, 5},
    {"random", random_edge, 1, 3, 0},
    {"random", random_edge, 33, 0, 32},
    {"random", random_edge, 257, 300, 255},
    {"path", path_edge, 65, 64, 20},
    {"random", random_edge, 20011, 100003, 20010},
};

/* Rounds over all edges until nothing changes; returns how many there were, the last included. */
static unsigned find_paths(
    const struct edge_list *edges, size_t count, unsigned source, double *far)
{
    double *before = doubles(edges->vertices);
    bool changed = true;
    unsigned rounds = 0;

    for (unsigned v = 0; v < edges->vertices; v++)
        far[v] = v == source ? 0 : INT_MAX;
    for (; changed; rounds++) {
        changed = false;
        memcpy(before, far, edges->vertices * sizeof *far);
        for (size_t e = 0; e < count; e++) {
            const double reached = before[edges->from[e]], offer = reached + edges->weight[e];
            if (reached == INT_MAX || offer >= far[edges->to[e]])
                continue;
            far[edges->to[e]] = offer;
            changed = true;
        }
    }
    free(before);
    return rounds;
}

/* An edge costs a round three words and two distances, and waiting at the barriers reads, too. A
 * loop to the number of vertices costs a hundred times as much. */
static const struct cost_gate stops = {.diagnosis = "does-not-stop",
    .what = "bytes read for each edge and necessary round",
    .cost = counted_load_bytes,
    .most = 200};

/* Too many for preparing memory and one loop; fewer than the rounds of the path. */
enum { LAUNCHES_MAX = 4 };

/* False if the rounds went on for much too long: then a larger graph would take hours. */
static bool expect_paths(
    struct trial *t, const struct edge_list *edges, const struct graph_case *c, struct array *out)
{
    double *want = doubles(c->vertices), *got = whatever_was_got(out);
    const unsigned rounds = find_paths(edges, c->edges, c->source, want);
    size_t wrong = 0, infinite = 0, farther = 0;

    for (unsigned v = 0; v < c->vertices; v++) {
        wrong += got[v] != want[v];
        farther += got[v] > want[v];
        /* INT_MAX and a weight: a little less than infinite, or wrapped, a great debt. */
        infinite += got[v] < want[v] && fabs(got[v]) > INT_MAX / 2;
    }
    const char *mistake = farther == wrong ? "stops-too-early" : NULL;
    const struct suspect suspects[] = {
        {infinite > 0 ? "infinity-plus-weight" : mistake, got}, {NULL, NULL}};
    if (trial_ledger(t)->launches > LAUNCHES_MAX)
        trial_fail(t, WRONG_ANSWER, "launch-a-round", "%zu kernels were launched, for %u rounds",
            trial_ledger(t)->launches, rounds);
    trial_expect(t, &(struct expectation){.output = out, .want = want, .suspects = suspects});
    const struct vgpu_counters *made = trial_counters(t);
    const double least = (double)c->edges * rounds;
    const bool costly = c->edges > COSTLY_N;

    if (costly)
        expect_one_cooperative_launch(t, LAUNCHES_MAX);
    if (costly)
        trial_expect_cost(t, &stops, least);
    free(want), free(got);
    return !costly || !made || counted_load_bytes(made) <= stops.most * least;
}

static bool try_paths(struct trial *t, const struct graph_case *c)
{
    paths_function find = (paths_function)trial_function(t);
    const size_t scratch_bytes = (c->vertices + (size_t)SCRATCH_WORDS) * ELEMENT_BYTES;
    const int calls = trial_try_size(t) ? 1 : 2;
    struct array *from = trial_input(t, "from", UINT32, c->edges);
    struct array *to = trial_input(t, "to", UINT32, c->edges);
    struct array *weight = trial_input(t, "weight", INT32, c->edges);
    struct array *out = trial_output(t, "distance", INT32, c->vertices);
    struct array *scratch = trial_scratch(t, "scratch", scratch_bytes);
    struct edge_list edges = {from->words, to->words, weight->ints, c->vertices};
    const struct graph graph = {c->vertices, c->edges, from->device, to->device, weight->device};

    for (int call = 0; call < calls; call++) {
        for (size_t e = 0; e < c->edges; e++)
            c->make(&edges, e, trial_seed(t) + (uint64_t)call);
        if (!TRIAL_CALL(t, find(graph, c->source, out->device, scratch->device, trial_stream(t))) ||
            !expect_paths(t, &edges, c, out))
            return false;
    }
    return true;
}

void check_paths(struct trial *t)
{
    const unsigned size = (unsigned)trial_try_size(t);
    const struct graph_case tried = {"try", edge_to_try, size + 1, 2 * size, 0};

    for (size_t i = 0; i < (size ? 1 : LENGTH(graph_cases)); i++) {
        const struct graph_case *c = size ? &tried : &graph_cases[i];
        if (!trial_begin(t, "%s-vertices%u-edges%u", c->name, c->vertices, c->edges))
            continue;
        const bool stopped = try_paths(t, c);
        trial_end(t);
        if (!stopped)
            break;
    }
}
