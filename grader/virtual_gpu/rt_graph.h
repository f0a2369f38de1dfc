/* Graphs: nodes with work and dependencies. An instantiated graph is a copy with an order. */
#ifndef VIRTUAL_GPU_RT_GRAPH_H
#define VIRTUAL_GPU_RT_GRAPH_H

#include "rt.h"
#include "rt_work.h"

struct rt_graph;

struct rt_node {
    struct rt_graph *graph;
    enum cudaGraphNodeType type;
    struct rt_work work;
    struct rt_graph *child;         /* of a child graph node; owned */
    struct rt_event *event;         /* of a record or wait node; NULL when it is gone */
    struct rt_node_set needs;       /* nodes of the same graph that come before */
    void **arguments;               /* of a kernel node: what GetParams hands out; owned */
    const struct rt_node *original; /* in a copy: the node this is the copy of */
    size_t index;                   /* in the graph's nodes */
    bool is_needed;                 /* in a copy: some node needs it */
    unsigned visit;                 /* the last search that came here */
};

struct rt_graph {
    struct rt_graph *next;    /* list of the graphs that the program holds */
    struct rt_node_set nodes; /* owned, in the order in which they were added */
};

struct rt_graph *rt_new_graph(void);
void rt_free_graph(struct rt_graph *graph); /* or NULL */
void rt_free_node(struct rt_node *node);
bool rt_graph_has(const struct rt_graph *graph, const struct rt_node *node);
struct rt_graph *rt_copy_graph(const struct rt_graph *graph);
/* NULL for a handle that is no graph. */
struct rt_graph *rt_find_graph(cudaGraph_t handle);

/* A new node. Takes over what the work owns, also when it fails: NULL when memory is out. */
struct rt_node *rt_add_node(struct rt_graph *graph, enum cudaGraphNodeType type,
    struct rt_work *work, struct rt_node *const *needs, size_t count);

/* Is `before` the node itself or one that it depends on, however far? */
bool rt_node_follows(struct rt_node *node, const struct rt_node *before);

/* Do the dependencies go round in a circle, here or in the graph of a child node? */
bool rt_graph_is_circular(const struct rt_graph *graph);

/* Of an event that ends: nodes that record it or wait for it, also those of instantiated graphs, do
 * nothing from now on. */
void rt_graphs_forget_event(const struct rt_event *event);

enum cudaGraphNodeType rt_node_type_of(const struct rt_work *work);

/* From the parameters of a node to its work; checked as for a call. */
cudaError_t rt_kernel_node_work(
    struct rt_work *work, const struct cudaKernelNodeParams *parameters);
cudaError_t rt_copy_node_work(struct rt_work *work, const struct cudaMemcpy3DParms *parameters);
cudaError_t rt_copy_node_work_1d(
    struct rt_work *work, void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t rt_fill_node_work(struct rt_work *work, const struct cudaMemsetParams *parameters);
cudaError_t rt_host_node_work(struct rt_work *work, const struct cudaHostNodeParams *parameters);

/* Gives the node other work of the same type. */
cudaError_t rt_replace_work(struct rt_node *node, struct rt_work *work, cudaError_t made);

#endif
