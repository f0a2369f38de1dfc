/* Instantiated graphs: a copy in an order of its own, launched as often as wanted. */
#include "rt_graph.h"

#include "rt_capture.h"
#include "rt_queue.h"

#include <stdlib.h>

struct rt_exec {
    struct rt_exec *next;
    struct rt_graph *graph;
    unsigned long long flags;
    struct rt_op *last; /* the end of its latest launch: the next one waits for it */
};

static struct rt_exec *execs;

static struct rt_exec *find_exec(cudaGraphExec_t handle)
{
    for (struct rt_exec *exec = execs; exec != NULL; exec = exec->next)
        if ((cudaGraphExec_t)exec == handle)
            return exec;
    return NULL;
}

static cudaError_t instantiate(
    cudaGraphExec_t *handle, cudaGraph_t graph_handle, unsigned long long flags)
{
    const struct rt_graph *graph = rt_find_graph(graph_handle);
    if (handle == NULL || graph == NULL || rt_graph_is_circular(graph))
        return cudaErrorInvalidValue;
    struct rt_exec *exec = calloc(1, sizeof *exec);
    struct rt_graph *copy = rt_copy_graph(graph);
    if (exec == NULL || copy == NULL) {
        free(exec);
        rt_free_graph(copy);
        return cudaErrorMemoryAllocation;
    }
    *exec = (struct rt_exec){.next = execs, .graph = copy, .flags = flags};
    execs = exec;
    *handle = (cudaGraphExec_t)exec;
    return cudaSuccess;
}

static cudaError_t destroy(cudaGraphExec_t handle)
{
    for (struct rt_exec **at = &execs; *at != NULL; at = &(*at)->next)
        if ((cudaGraphExec_t)*at == handle) {
            struct rt_exec *exec = *at;
            *at = exec->next;
            rt_op_release(exec->last);
            rt_free_graph(exec->graph);
            free(exec);
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* ---- launching ------------------------------------------------------------------------------- */

struct rt_launch_state {
    struct rt_stream *stream;
    const struct rt_graph *graph;
    struct rt_op *head;  /* what the stream had before */
    struct rt_op **made; /* the operation of each node, or NULL so far */
};

static cudaError_t queue_graph(
    struct rt_stream *stream, const struct rt_graph *graph, struct rt_op *head, struct rt_op **end);

/* The operations that a node waits for: those of the nodes it needs, or the head. */
static struct rt_op **waits_of(const struct rt_launch_state *state, const struct rt_node *node)
{
    struct rt_op **waits = malloc((node->needs.count + 2) * sizeof(struct rt_op *));
    if (waits == NULL)
        return NULL;
    for (size_t i = 0; i < node->needs.count; i++)
        waits[i] = state->made[node->needs.nodes[i]->index];
    waits[node->needs.count] = state->head;
    waits[node->needs.count + 1] =
        node->type == cudaGraphNodeTypeWaitEvent && node->event != NULL ? node->event->op : NULL;
    return waits;
}

static struct rt_op *queue_work(
    const struct rt_launch_state *state, const struct rt_node *node, struct rt_op **waits)
{
    struct rt_work work;
    if (!rt_work_copy(&work, &node->work))
        return NULL;
    struct rt_op *op = rt_enqueue_detached(state->stream, &work, waits, node->needs.count + 2);
    if (op != NULL)
        op->in_graph = true;
    return op;
}

static cudaError_t queue_node(const struct rt_launch_state *state, size_t index)
{
    const struct rt_node *node = state->graph->nodes.nodes[index];
    struct rt_op **waits = waits_of(state, node);
    if (waits == NULL)
        return cudaErrorMemoryAllocation;
    struct rt_op *op = queue_work(state, node, waits);
    free(waits);
    if (op == NULL)
        return cudaErrorMemoryAllocation;
    state->made[index] = rt_op_hold(op);
    if (node->child != NULL) {
        struct rt_op *end = NULL;
        const cudaError_t status = queue_graph(state->stream, node->child, op, &end);
        if (status != cudaSuccess)
            return status;
        rt_op_release(state->made[index]);
        state->made[index] = end;
    }
    if (node->type == cudaGraphNodeTypeEventRecord && node->event != NULL) {
        rt_op_release(node->event->op);
        node->event->op = rt_op_hold(op);
        node->event->captured = false;
        node->event->capture = NULL;
    }
    return cudaSuccess;
}

/* A node can be queued when all that it needs is. */
static bool is_ready(const struct rt_launch_state *state, size_t index)
{
    const struct rt_node *node = state->graph->nodes.nodes[index];
    if (state->made[index] != NULL)
        return false;
    for (size_t i = 0; i < node->needs.count; i++)
        if (state->made[node->needs.nodes[i]->index] == NULL)
            return false;
    return true;
}

/* An operation that is done when the head and all nodes are. */
static struct rt_op *queue_end(const struct rt_launch_state *state)
{
    const size_t count = state->graph->nodes.count;
    struct rt_op **waits = malloc((count + 1) * sizeof(struct rt_op *));
    struct rt_work nothing = {.kind = WORK_NOTHING};
    size_t wait_count = 0;
    if (waits == NULL)
        return NULL;
    waits[wait_count++] = state->head;
    for (size_t i = 0; i < count; i++)
        if (!state->graph->nodes.nodes[i]->is_needed)
            waits[wait_count++] = state->made[i];
    struct rt_op *end = rt_enqueue_detached(state->stream, &nothing, waits, wait_count);
    free(waits);
    return end;
}

/* Queues all nodes after `head`. *end, with a reference, is done when all of them are. */
static cudaError_t queue_graph(
    struct rt_stream *stream, const struct rt_graph *graph, struct rt_op *head, struct rt_op **end)
{
    const size_t count = graph->nodes.count;
    struct rt_launch_state state = {stream, graph, head, calloc(count + 1, sizeof(struct rt_op *))};
    cudaError_t status = state.made == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
    for (size_t queued = 0; status == cudaSuccess && queued < count;)
        for (size_t i = 0; status == cudaSuccess && i < count; i++)
            if (is_ready(&state, i)) {
                status = queue_node(&state, i);
                queued++;
            }
    if (status == cudaSuccess) {
        *end = rt_op_hold(queue_end(&state));
        status = *end == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
    }
    for (size_t i = 0; state.made != NULL && i <= count; i++)
        rt_op_release(state.made[i]);
    free(state.made);
    return status;
}

static cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream_handle)
{
    struct rt_stream *stream = rt_find_stream(stream_handle);
    struct rt_exec *exec = find_exec(handle);
    if (exec == NULL)
        return cudaErrorInvalidValue;
    if (stream == NULL)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t refused = rt_capture_refuses(stream);
    if (refused != cudaSuccess)
        return refused;
    clock_spend(COST_GRAPH_LAUNCH);
    struct rt_work nothing = {.kind = WORK_NOTHING};
    struct rt_op *head = rt_op_hold(rt_enqueue(stream, &nothing, &exec->last, 1)), *end = NULL;
    if (head == NULL)
        return cudaErrorMemoryAllocation;
    const cudaError_t status = queue_graph(stream, exec->graph, head, &end);
    rt_op_release(head);
    if (status != cudaSuccess)
        return status;
    struct rt_work last = {.kind = WORK_NOTHING};
    const bool joined = rt_enqueue(stream, &last, &end, 1) != NULL;
    rt_op_release(exec->last);
    exec->last = end;
    return joined ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t upload(cudaGraphExec_t handle, cudaStream_t stream)
{
    if (find_exec(handle) == NULL)
        return cudaErrorInvalidValue;
    return rt_find_stream(stream) == NULL ? cudaErrorInvalidResourceHandle : cudaSuccess;
}

API(cudaGraphExecDestroy, (cudaGraphExec_t exec), 0, destroy(exec))
API_STREAM(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), CALL_NEEDS_DEVICE,
    launch(exec, stream))
API_STREAM(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), CALL_NEEDS_DEVICE,
    upload(exec, stream))
#if CUDART_VERSION >= 12000
API_SYMBOL(cudaGraphInstantiate,
    (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), CALL_NEEDS_DEVICE,
    instantiate(exec, graph, flags))
#else
API_SYMBOL(cudaGraphInstantiate,
    (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log,
        size_t log_size),
    CALL_NEEDS_DEVICE,
    ((void)error_node, log != NULL && log_size > 0 ? (void)(log[0] = '\0') : (void)0,
        instantiate(exec, graph, 0)))
#endif
API(cudaGraphInstantiateWithFlags,
    (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), CALL_NEEDS_DEVICE,
    instantiate(exec, graph, flags))

/* ---- changing an instantiated graph ---------------------------------------------------------- */

static struct rt_node *node_of(
    cudaGraphExec_t handle, cudaGraphNode_t original, enum cudaGraphNodeType type)
{
    const struct rt_exec *exec = find_exec(handle);
    for (size_t i = 0; exec != NULL && i < exec->graph->nodes.count; i++) {
        struct rt_node *node = exec->graph->nodes.nodes[i];
        if (node->original == (const struct rt_node *)original && node->type == type)
            return node;
    }
    return NULL;
}

static cudaError_t set_kernel(struct rt_node *node, const struct cudaKernelNodeParams *parameters)
{
    struct rt_work work;
    return node == NULL ? cudaErrorInvalidValue
                        : rt_replace_work(node, &work, rt_kernel_node_work(&work, parameters));
}

static cudaError_t set_copy(struct rt_node *node, const struct cudaMemcpy3DParms *parameters)
{
    struct rt_work work;
    return node == NULL ? cudaErrorInvalidValue
                        : rt_replace_work(node, &work, rt_copy_node_work(&work, parameters));
}

static cudaError_t set_copy_1d(
    struct rt_node *node, void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    struct rt_work work;
    return node == NULL ? cudaErrorInvalidValue
                        : rt_replace_work(node, &work,
                              rt_copy_node_work_1d(&work, target, source, bytes, kind));
}

static cudaError_t set_fill(struct rt_node *node, const struct cudaMemsetParams *parameters)
{
    struct rt_work work;
    return node == NULL ? cudaErrorInvalidValue
                        : rt_replace_work(node, &work, rt_fill_node_work(&work, parameters));
}

static cudaError_t set_host(struct rt_node *node, const struct cudaHostNodeParams *parameters)
{
    struct rt_work work;
    return node == NULL ? cudaErrorInvalidValue
                        : rt_replace_work(node, &work, rt_host_node_work(&work, parameters));
}

API(cudaGraphExecKernelNodeSetParams,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaKernelNodeParams *parameters),
    CALL_NEEDS_DEVICE, set_kernel(node_of(exec, node, cudaGraphNodeTypeKernel), parameters))
API(cudaGraphExecMemcpyNodeSetParams,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *parameters),
    CALL_NEEDS_DEVICE, set_copy(node_of(exec, node, cudaGraphNodeTypeMemcpy), parameters))
API(cudaGraphExecMemcpyNodeSetParams1D,
    (cudaGraphExec_t exec, cudaGraphNode_t node, void *target, const void *source, size_t bytes,
        enum cudaMemcpyKind kind),
    CALL_NEEDS_DEVICE,
    set_copy_1d(node_of(exec, node, cudaGraphNodeTypeMemcpy), target, source, bytes, kind))
API(cudaGraphExecMemsetNodeSetParams,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemsetParams *parameters),
    CALL_NEEDS_DEVICE, set_fill(node_of(exec, node, cudaGraphNodeTypeMemset), parameters))
API(cudaGraphExecHostNodeSetParams,
    (cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaHostNodeParams *parameters),
    CALL_NEEDS_DEVICE, set_host(node_of(exec, node, cudaGraphNodeTypeHost), parameters))

/* Node i of one graph stands for node i of the other. */
static enum cudaGraphExecUpdateResult compare(
    const struct rt_graph *old, const struct rt_graph *new, const struct rt_node **culprit)
{
    if (old->nodes.count != new->nodes.count)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < old->nodes.count; i++) {
        const struct rt_node *was = old->nodes.nodes[i], *is = new->nodes.nodes[i];
        *culprit = is;
        if (was->needs.count != is->needs.count)
            return cudaGraphExecUpdateErrorTopologyChanged;
        for (size_t j = 0; j < was->needs.count; j++)
            if (was->needs.nodes[j]->index != is->needs.nodes[j]->index)
                return cudaGraphExecUpdateErrorTopologyChanged;
        if (was->type != is->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    *culprit = NULL;
    return cudaGraphExecUpdateSuccess;
}

static cudaError_t update(cudaGraphExec_t handle, cudaGraph_t graph_handle,
    enum cudaGraphExecUpdateResult *result, cudaGraphNode_t *error_node)
{
    struct rt_exec *exec = find_exec(handle);
    const struct rt_graph *graph = rt_find_graph(graph_handle);
    const struct rt_node *culprit = NULL;
    if (exec == NULL || graph == NULL || result == NULL)
        return cudaErrorInvalidValue;
    *result = compare(exec->graph, graph, &culprit);
    *error_node = (cudaGraphNode_t)culprit;
    if (*result != cudaGraphExecUpdateSuccess)
        return cudaErrorGraphExecUpdateFailure;
    struct rt_graph *copy = rt_copy_graph(graph);
    if (copy == NULL)
        return cudaErrorMemoryAllocation;
    /* Later calls name the nodes of the graph that was instantiated first. */
    for (size_t i = 0; i < copy->nodes.count; i++)
        copy->nodes.nodes[i]->original = exec->graph->nodes.nodes[i]->original;
    rt_free_graph(exec->graph);
    exec->graph = copy;
    return cudaSuccess;
}

#if CUDART_VERSION >= 12000
static cudaError_t update_with_info(
    cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    if (info == NULL)
        return cudaErrorInvalidValue;
    info->errorFromNode = NULL;
    return update(exec, graph, &info->result, &info->errorNode);
}

API_SYMBOL(cudaGraphExecUpdate,
    (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info),
    CALL_NEEDS_DEVICE, update_with_info(exec, graph, info))
#else
static cudaError_t update_with_node(cudaGraphExec_t exec, cudaGraph_t graph,
    cudaGraphNode_t *error_node, enum cudaGraphExecUpdateResult *result)
{
    cudaGraphNode_t unused;
    return update(exec, graph, result, error_node == NULL ? &unused : error_node);
}

API_SYMBOL(cudaGraphExecUpdate,
    (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
        enum cudaGraphExecUpdateResult *result),
    CALL_NEEDS_DEVICE, update_with_node(exec, graph, error_node, result))
#endif
