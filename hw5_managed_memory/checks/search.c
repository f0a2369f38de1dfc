/* hw5.7: a graph that both sides walk. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "checks.h"
#include "grader/mix.h"
#include "grader/room.h"

struct graph {
    struct vertex *vertices;
    struct vertex **edges; /* of all vertices, those of one side by side */
    size_t n, edge_count, start;
};

/* Where edge k of vertex i leads to; SIZE_MAX: it has no more. */
typedef size_t edge_function(size_t n, size_t i, size_t k, uint64_t seed);

/* Three quarters of the vertices know each other; the others lead to them, and nobody to those. */
static size_t random_edge(size_t n, size_t i, size_t k, uint64_t seed)
{
    const size_t degree = (size_t)mixed_integer(seed, 8 * i, 0, 5), known = n - n / 4;
    return k < degree ? mixed_bits(seed, 8 * i + k + 1) % known : SIZE_MAX;
}

/* Back to itself, twice to the next one. */
static size_t chain_edge(size_t n, size_t i, size_t k, uint64_t seed)
{
    (void)seed;
    return k == 0 ? i : k < 3 && i + 1 < n ? i + 1 : SIZE_MAX;
}

/* Every vertex to the start, which leads to every third one. */
static size_t star_edge(size_t n, size_t i, size_t k, uint64_t seed)
{
    (void)seed;
    if (i != n / 3)
        return k == 0 ? n / 3 : SIZE_MAX;
    return 3 * k < n ? 3 * k : SIZE_MAX;
}

static struct graph make_graph(struct trial *t, size_t n, edge_function *edge)
{
    struct graph g = {.n = n, .start = n / 3};
    const uint64_t seed = trial_seed(t);
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; edge(n, i, k, seed) != SIZE_MAX; k++)
            g.edge_count++;
    g.vertices = managed(t, n * sizeof *g.vertices);
    g.edges = managed(t, g.edge_count * sizeof *g.edges);
    for (size_t i = 0; i < n; i++) {
        struct vertex *vertex = &g.vertices[i];
        *vertex = (struct vertex){&g.edges[at], 0, POISON_WORD};
        for (size_t to; (to = edge(n, i, vertex->neighbour_count, seed)) != SIZE_MAX;) {
            g.edges[at++] = &g.vertices[to];
            vertex->neighbour_count++;
        }
    }
    return g;
}

static void free_graph(const struct graph *g)
{
    cudaFree(g->vertices);
    cudaFree(g->edges);
}

static double *levels_of(const struct graph *g)
{
    double *levels = doubles(g->n);
    size_t *queue = room_for(g->n, sizeof *queue), head = 0, end = 0;

    for (size_t i = 0; i < g->n; i++)
        levels[i] = UNREACHED;
    levels[g->start] = 0;
    for (queue[end++] = g->start; head < end; head++) {
        const struct vertex *vertex = &g->vertices[queue[head]];
        for (unsigned k = 0; k < vertex->neighbour_count; k++) {
            const size_t to = (size_t)(vertex->neighbours[k] - g->vertices);
            if (levels[to] != UNREACHED)
                continue;
            levels[to] = levels[queue[head]] + 1;
            queue[end++] = to;
        }
    }
    free(queue);
    return levels;
}

/* Of everything but the levels. */
static uint64_t checksum_of(const struct graph *g)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < g->n; i++)
        sum = mix(mix(sum, (uintptr_t)g->vertices[i].neighbours), g->vertices[i].neighbour_count);
    for (size_t i = 0; i < g->edge_count; i++)
        sum = mix(sum, (uintptr_t)g->edges[i]);
    return sum;
}

static void judge_levels(struct trial *t, const struct graph *g, const double *want)
{
    double *not_cleared = doubles(g->n), *early = doubles(g->n);
    int32_t *got = room_for(g->n, sizeof(int32_t));
    const struct array output = {
        .name = "level", .element = INT32, .count = g->n, .is_output = true, .ints = got};
    bool host_made_all = g->n > 1;

    for (size_t i = 0; i < g->n; i++) {
        got[i] = g->vertices[i].level;
        not_cleared[i] = want[i] == UNREACHED ? POISON_WORD : want[i];
        early[i] = got[i]; /* whatever it is */
        host_made_all = host_made_all && host_made(&g->vertices[i].level, sizeof(int));
    }
    const struct suspect suspects[] = {{"levels-not-cleared", not_cleared},
        {read_too_early(t) ? "read-too-early" : NULL, early}, {NULL, NULL}};
    trial_expect(t, &(struct expectation){.output = &output, .want = want, .suspects = suspects});
    if (host_made_all)
        wrong(t, "computed-on-host", "no kernel has written a level");
    free(not_cleared), free(early), free(got);
}

static cudaError_t call_search(struct trial *t, const struct graph *g, bool restricted)
{
    restrict_device(NO_CONCURRENT_MANAGED_ACCESS, restricted);
    return end_restricted(t, restricted,
        ((typeof(&breadth_first))trial_function(t))(g->vertices, g->n, &g->vertices[g->start]));
}

static void try_search(struct trial *t, size_t n, edge_function *edge, bool restricted)
{
    const struct graph g = make_graph(t, n, edge);
    double *want = levels_of(&g);
    const uint64_t before = checksum_of(&g);

    if (TRIAL_CALL(t, call_search(t, &g, restricted))) {
        if (restricted && touched_early())
            wrong(t, "touched-while-busy",
                "the host uses managed memory while the device works, where "
                "concurrentManagedAccess is 0");
        judge_levels(t, &g, want);
        if (checksum_of(&g) != before)
            trial_finding(t, MEMORY_ERROR, "input-modified", "the graph itself was changed");
    }
    free(want);
    free_graph(&g);
}

void check_search(struct trial *t)
{
    static const struct {
        const char *name;
        edge_function *edge;
        size_t n;
        bool restricted;
    } cases[] = {
        {"random", random_edge, 100, false},
        {"random", random_edge, 1, false},
        {"chain", chain_edge, 37, false},
        {"star", star_edge, 1000, false},
        {"random", random_edge, 10007, false},
        {"restricted", random_edge, 1009, true},
    };
    const size_t tried = trial_try_size(t);

    for (size_t i = 0; i < (tried ? 1 : LENGTH(cases)); i++) {
        const size_t n = tried ? tried : cases[i].n;
        if (trial_begin(t, "%s-n%zu", tried ? "chain" : cases[i].name, n))
            try_search(t, n, tried ? chain_edge : cases[i].edge, cases[i].restricted);
    }
}
