/* Graphs and their nodes: making, copying, ending, searching. */
#include "rt_graph.h"

#include <stdlib.h>
#include <string.h>

static struct rt_graph *graphs;

/* ---- graphs and nodes ------------------------------------------------------------------------ */

struct rt_graph *rt_new_graph(void)
{
    struct rt_graph *graph = calloc(1, sizeof *graph);
    if (graph == NULL)
        return NULL;
    graph->next = graphs;
    graphs = graph;
    return graph;
}

struct rt_graph *rt_find_graph(cudaGraph_t handle)
{
    for (struct rt_graph *graph = graphs; graph != NULL; graph = graph->next)
        if ((cudaGraph_t)graph == handle)
            return graph;
    return NULL;
}

void rt_free_node(struct rt_node *node)
{
    rt_work_release(&node->work);
    rt_free_graph(node->child);
    rt_node_set_clear(&node->needs);
    free(node->arguments);
    free(node);
}

void rt_free_graph(struct rt_graph *graph)
{
    if (graph == NULL)
        return;
    for (struct rt_graph **at = &graphs; *at != NULL; at = &(*at)->next)
        if (*at == graph) {
            *at = graph->next;
            break;
        }
    for (size_t i = 0; i < graph->nodes.count; i++)
        rt_free_node(graph->nodes.nodes[i]);
    rt_node_set_clear(&graph->nodes);
    free(graph);
}

struct rt_node *rt_add_node(struct rt_graph *graph, enum cudaGraphNodeType type,
    struct rt_work *work, struct rt_node *const *needs, size_t count)
{
    struct rt_node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        rt_work_release(work);
        return NULL;
    }
    node->graph = graph;
    node->type = type;
    node->index = graph->nodes.count;
    node->work = *work;
    for (size_t i = 0; i < count; i++)
        rt_node_set_add(&node->needs, needs[i]);
    rt_node_set_add(&graph->nodes, node);
    return node;
}

static unsigned last_visit;

static bool follows(struct rt_node *node, const struct rt_node *before, unsigned visit)
{
    if (node == before)
        return true;
    if (node->visit == visit)
        return false;
    node->visit = visit;
    for (size_t i = 0; i < node->needs.count; i++)
        if (follows(node->needs.nodes[i], before, visit))
            return true;
    return false;
}

bool rt_node_follows(struct rt_node *node, const struct rt_node *before)
{
    return follows(node, before, ++last_visit);
}

bool rt_graph_is_circular(const struct rt_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct rt_node *node = graph->nodes.nodes[i];
        if (node->child != NULL && rt_graph_is_circular(node->child))
            return true;
        for (size_t j = 0; j < node->needs.count; j++)
            if (rt_node_follows(node->needs.nodes[j], node))
                return true;
    }
    return false;
}

void rt_graphs_forget_event(const struct rt_event *event)
{
    for (struct rt_graph *graph = graphs; graph != NULL; graph = graph->next)
        for (size_t i = 0; i < graph->nodes.count; i++)
            if (graph->nodes.nodes[i]->event == event)
                graph->nodes.nodes[i]->event = NULL;
}

static bool copy_nodes(struct rt_graph *to, const struct rt_graph *from)
{
    for (size_t i = 0; i < from->nodes.count; i++) {
        const struct rt_node *node = from->nodes.nodes[i];
        struct rt_work work;
        if (!rt_work_copy(&work, &node->work))
            return false;
        struct rt_node *copy = rt_add_node(to, node->type, &work, NULL, 0);
        if (copy == NULL)
            return false;
        copy->original = node;
        copy->event = node->event;
        copy->child = node->child == NULL ? NULL : rt_copy_graph(node->child);
        if (node->child != NULL && copy->child == NULL)
            return false;
    }
    for (size_t i = 0; i < from->nodes.count; i++) {
        const struct rt_node *node = from->nodes.nodes[i];
        for (size_t j = 0; j < node->needs.count; j++) {
            struct rt_node *needed = to->nodes.nodes[node->needs.nodes[j]->index];
            rt_node_set_add(&to->nodes.nodes[i]->needs, needed);
            needed->is_needed = true;
        }
    }
    return true;
}

struct rt_graph *rt_copy_graph(const struct rt_graph *graph)
{
    struct rt_graph *copy = rt_new_graph();
    if (copy != NULL && !copy_nodes(copy, graph)) {
        rt_free_graph(copy);
        return NULL;
    }
    return copy;
}

enum cudaGraphNodeType rt_node_type_of(const struct rt_work *work)
{
    static const enum cudaGraphNodeType types[WORK_KINDS] = {
        [WORK_NOTHING] = cudaGraphNodeTypeEmpty,
        [WORK_KERNEL] = cudaGraphNodeTypeKernel,
        [WORK_COPY] = cudaGraphNodeTypeMemcpy,
        [WORK_FILL] = cudaGraphNodeTypeMemset,
        [WORK_HOST_FUNCTION] = cudaGraphNodeTypeHost,
        [WORK_FREE] = cudaGraphNodeTypeMemFree,
        [WORK_PREFETCH] = cudaGraphNodeTypeEmpty,
    };
    return types[work->kind];
}

bool rt_graph_has(const struct rt_graph *graph, const struct rt_node *node)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.nodes[i] == node)
            return true;
    return false;
}
