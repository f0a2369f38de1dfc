/* Graphs as a whole: making, cloning, their nodes and edges. */
#include "rt_graph.h"

#define NODE ((struct rt_node *)node)

static cudaError_t create(cudaGraph_t *handle, unsigned flags)
{
    if (handle == NULL || flags != 0)
        return cudaErrorInvalidValue;
    *handle = (cudaGraph_t)rt_new_graph();
    return *handle == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

static cudaError_t destroy(cudaGraph_t handle)
{
    struct rt_graph *graph = rt_find_graph(handle);
    if (graph == NULL)
        return cudaErrorInvalidValue;
    rt_free_graph(graph);
    return cudaSuccess;
}

static cudaError_t clone(cudaGraph_t *handle, cudaGraph_t original)
{
    const struct rt_graph *graph = rt_find_graph(original);
    if (handle == NULL || graph == NULL)
        return cudaErrorInvalidValue;
    *handle = (cudaGraph_t)rt_copy_graph(graph);
    return *handle == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

static cudaError_t find_in_clone(
    cudaGraphNode_t *found, const struct rt_node *original, cudaGraph_t handle)
{
    const struct rt_graph *graph = rt_find_graph(handle);
    for (size_t i = 0; found != NULL && graph != NULL && i < graph->nodes.count; i++)
        if (graph->nodes.nodes[i]->original == original) {
            *found = (cudaGraphNode_t)graph->nodes.nodes[i];
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* Hands out up to *count of them and says how many; with no array only the latter. */
static cudaError_t give_nodes(const struct rt_node_set *set, cudaGraphNode_t *nodes, size_t *count)
{
    if (count == NULL)
        return cudaErrorInvalidValue;
    for (size_t i = 0; nodes != NULL && i < *count; i++)
        nodes[i] = i < set->count ? (cudaGraphNode_t)set->nodes[i] : NULL;
    if (nodes == NULL || *count > set->count)
        *count = set->count;
    return cudaSuccess;
}

static cudaError_t get_nodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    const struct rt_graph *graph = rt_find_graph(handle);
    return graph == NULL ? cudaErrorInvalidValue : give_nodes(&graph->nodes, nodes, count);
}

static cudaError_t get_roots(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    const struct rt_graph *graph = rt_find_graph(handle);
    struct rt_node_set roots = {NULL, 0};
    if (graph == NULL)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.nodes[i]->needs.count == 0)
            rt_node_set_add(&roots, graph->nodes.nodes[i]);
    const cudaError_t status = give_nodes(&roots, nodes, count);
    rt_node_set_clear(&roots);
    return status;
}

static cudaError_t get_needs(const struct rt_node *node, cudaGraphNode_t *needs, size_t *count)
{
    return node == NULL ? cudaErrorInvalidValue : give_nodes(&node->needs, needs, count);
}

static cudaError_t get_dependents(const struct rt_node *node, cudaGraphNode_t *nodes, size_t *count)
{
    struct rt_node_set dependents = {NULL, 0};
    if (node == NULL)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < node->graph->nodes.count; i++) {
        struct rt_node *other = node->graph->nodes.nodes[i];
        for (size_t j = 0; j < other->needs.count; j++)
            if (other->needs.nodes[j] == node)
                rt_node_set_add(&dependents, other);
    }
    const cudaError_t status = give_nodes(&dependents, nodes, count);
    rt_node_set_clear(&dependents);
    return status;
}

static cudaError_t get_edges(
    cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
    const struct rt_graph *graph = rt_find_graph(handle);
    size_t edges = 0;
    if (graph == NULL || count == NULL)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct rt_node *node = graph->nodes.nodes[i];
        for (size_t j = 0; j < node->needs.count; j++, edges++)
            if (from != NULL && to != NULL && edges < *count) {
                from[edges] = (cudaGraphNode_t)node->needs.nodes[j];
                to[edges] = (cudaGraphNode_t)node;
            }
    }
    *count = edges;
    return cudaSuccess;
}

static cudaError_t add_dependencies(
    cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count)
{
    const struct rt_graph *graph = rt_find_graph(handle);
    if (graph == NULL || (count > 0 && (from == NULL || to == NULL)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        struct rt_node *before = (struct rt_node *)from[i], *after = (struct rt_node *)to[i];
        if (!rt_graph_has(graph, before) || !rt_graph_has(graph, after) || before == after)
            return cudaErrorInvalidValue;
        rt_node_set_add(&after->needs, before);
    }
    return cudaSuccess;
}

static void take_out(struct rt_node_set *set, const struct rt_node *node)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->nodes[i] != node)
            set->nodes[kept++] = set->nodes[i];
    set->count = kept;
}

static cudaError_t remove_dependencies(
    cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count)
{
    const struct rt_graph *graph = rt_find_graph(handle);
    if (graph == NULL || (count > 0 && (from == NULL || to == NULL)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        struct rt_node *after = (struct rt_node *)to[i];
        if (after == NULL || !rt_graph_has(graph, after))
            return cudaErrorInvalidValue;
        const size_t before = after->needs.count;
        take_out(&after->needs, (const struct rt_node *)from[i]);
        if (after->needs.count == before)
            return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t destroy_node(struct rt_node *node)
{
    if (node == NULL)
        return cudaErrorInvalidValue;
    struct rt_graph *graph = node->graph;
    take_out(&graph->nodes, node);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        take_out(&graph->nodes.nodes[i]->needs, node);
        graph->nodes.nodes[i]->index = i;
    }
    rt_free_node(node);
    return cudaSuccess;
}

API(cudaGraphDestroyNode, (cudaGraphNode_t node), CALL_NEEDS_DEVICE, destroy_node(NODE))
API(cudaGraphCreate, (cudaGraph_t * graph, unsigned flags), CALL_NEEDS_DEVICE, create(graph, flags))
API(cudaGraphDestroy, (cudaGraph_t graph), 0, destroy(graph))
API(cudaGraphClone, (cudaGraph_t * graph, cudaGraph_t original), CALL_NEEDS_DEVICE,
    clone(graph, original))
API(cudaGraphNodeFindInClone, (cudaGraphNode_t * found, cudaGraphNode_t node, cudaGraph_t graph),
    CALL_NEEDS_DEVICE, find_in_clone(found, NODE, graph))
API(cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
    CALL_NEEDS_DEVICE, get_nodes(graph, nodes, count))
API(cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
    CALL_NEEDS_DEVICE, get_roots(graph, nodes, count))
/* With edge data and without: the data of a plain dependency is all zeros, and others need a GPU. */
#define WITH_EDGES(define, suffix)                                                               \
    define(cudaGraphNodeGetDependencies##suffix,                                                 \
        (cudaGraphNode_t node, cudaGraphNode_t * needs, cudaGraphEdgeData * edges,               \
            size_t * count),                                                                     \
        CALL_NEEDS_DEVICE, ((void)edges, get_needs(NODE, needs, count)))                         \
        define(cudaGraphNodeGetDependentNodes##suffix,                                           \
            (cudaGraphNode_t node, cudaGraphNode_t * nodes, cudaGraphEdgeData * edges,           \
                size_t * count),                                                                 \
            CALL_NEEDS_DEVICE,                                                                   \
            ((void)edges, get_dependents(NODE, nodes, count))) define(cudaGraphGetEdges##suffix, \
            (cudaGraph_t graph, cudaGraphNode_t * from, cudaGraphNode_t * to,                    \
                cudaGraphEdgeData * edges, size_t * count),                                      \
            CALL_NEEDS_DEVICE, ((void)edges, get_edges(graph, from, to, count)))                 \
            define(cudaGraphAddDependencies##suffix,                                             \
                (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,      \
                    const cudaGraphEdgeData *edges, size_t count),                               \
                CALL_NEEDS_DEVICE, ((void)edges, add_dependencies(graph, from, to, count)))      \
                define(cudaGraphRemoveDependencies##suffix,                                      \
                    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,  \
                        const cudaGraphEdgeData *edges, size_t count),                           \
                    CALL_NEEDS_DEVICE, ((void)edges, remove_dependencies(graph, from, to, count)))

#if CUDART_VERSION >= 13000
WITH_EDGES(API, )
#else
API_SYMBOL(cudaGraphNodeGetDependencies,
    (cudaGraphNode_t node, cudaGraphNode_t *needs, size_t *count), CALL_NEEDS_DEVICE,
    get_needs(NODE, needs, count))
API_SYMBOL(cudaGraphNodeGetDependentNodes,
    (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count), CALL_NEEDS_DEVICE,
    get_dependents(NODE, nodes, count))
API_SYMBOL(cudaGraphGetEdges,
    (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count),
    CALL_NEEDS_DEVICE, get_edges(graph, from, to, count))
API_SYMBOL(cudaGraphAddDependencies,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
    CALL_NEEDS_DEVICE, add_dependencies(graph, from, to, count))
API_SYMBOL(cudaGraphRemoveDependencies,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
    CALL_NEEDS_DEVICE, remove_dependencies(graph, from, to, count))
#if CUDART_VERSION >= 12030
WITH_EDGES(API_SYMBOL, _v2)
#endif
#endif
