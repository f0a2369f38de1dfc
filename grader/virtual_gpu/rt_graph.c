/* Building graphs: nodes, their parameters, their dependencies. */
#include "rt_graph.h"

#include "rt_copy.h"
#include "rt_launch.h"

#include <stdio.h>
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

static void free_node(struct rt_node *node)
{
    rt_work_release(&node->work);
    if (node->child != NULL)
        rt_free_graph(node->child);
    rt_node_set_clear(&node->needs);
    free(node->arguments);
    free(node);
}

void rt_free_graph(struct rt_graph *graph)
{
    for (struct rt_graph **at = &graphs; *at != NULL; at = &(*at)->next)
        if (*at == graph) {
            *at = graph->next;
            break;
        }
    for (size_t i = 0; i < graph->nodes.count; i++)
        free_node(graph->nodes.nodes[i]);
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
        for (size_t j = 0; j < node->needs.count; j++)
            if (rt_node_follows(node->needs.nodes[j], node))
                return true;
    }
    return false;
}

static size_t position(const struct rt_graph *graph, const struct rt_node *node)
{
    size_t at = 0;
    while (at < graph->nodes.count && graph->nodes.nodes[at] != node)
        at++;
    return at;
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
        for (size_t j = 0; j < node->needs.count; j++)
            rt_node_set_add(
                &to->nodes.nodes[i]->needs, to->nodes.nodes[position(from, node->needs.nodes[j])]);
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
        [WORK_RECORD] = cudaGraphNodeTypeEventRecord,
    };
    return types[work->kind];
}

/* ---- work from parameters -------------------------------------------------------------------- */

cudaError_t rt_kernel_node_work(struct rt_work *work, const struct cudaKernelNodeParams *parameters)
{
    if (parameters == NULL)
        return cudaErrorInvalidValue;
    if (parameters->extra != NULL) {
        rt_finding("needs-gpu", SEVERITY_ERROR, "a kernel node with `extra` needs a GPU");
        return cudaErrorNotSupported;
    }
    const struct rt_launch launch = {parameters->func, parameters->gridDim, parameters->blockDim,
        parameters->kernelParams, parameters->sharedMemBytes, false};
    const cudaError_t status = rt_make_kernel_work(work, &launch, rt_thread.device);
    return status == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : status;
}

cudaError_t rt_copy_node_work(struct rt_work *work, const struct cudaMemcpy3DParms *parameters)
{
    struct rt_copy_work region;
    const cudaError_t status = rt_region_of_3d(parameters, &region);
    return status != cudaSuccess ? status : rt_make_copy_work(work, &region, parameters->kind);
}

cudaError_t rt_copy_node_work_1d(
    struct rt_work *work, void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct rt_copy_work region = rt_plain_copy(target, source, bytes);
    return rt_make_copy_work(work, &region, kind);
}

cudaError_t rt_fill_node_work(struct rt_work *work, const struct cudaMemsetParams *parameters)
{
    if (parameters == NULL || parameters->elementSize == 3 || parameters->elementSize == 0 ||
        parameters->elementSize > 4)
        return cudaErrorInvalidValue;
    const struct rt_fill_work fill = {.target = (uintptr_t)parameters->dst,
        .pitch = parameters->pitch,
        .width = parameters->width * parameters->elementSize,
        .rows = parameters->height,
        .slices = 1,
        .value = parameters->value,
        .element_bytes = parameters->elementSize};
    return rt_make_fill_work(work, &fill, rt_thread.device);
}

cudaError_t rt_host_node_work(struct rt_work *work, const struct cudaHostNodeParams *parameters)
{
    if (parameters == NULL || parameters->fn == NULL)
        return cudaErrorInvalidValue;
    *work = (struct rt_work){.kind = WORK_HOST_FUNCTION,
        .host = {.function = parameters->fn, .data = parameters->userData}};
    return cudaSuccess;
}

cudaError_t rt_replace_work(struct rt_node *node, struct rt_work *work, cudaError_t made)
{
    if (made != cudaSuccess)
        return made;
    rt_work_release(&node->work);
    node->work = *work;
    return cudaSuccess;
}

/* ---- adding nodes ---------------------------------------------------------------------------- */

/* Where a new node goes, and what it needs. */
struct place {
    cudaGraphNode_t *made;
    cudaGraph_t graph;
    const cudaGraphNode_t *needs;
    size_t need_count;
};

static cudaError_t check_place(const struct place *place)
{
    struct rt_graph *graph = rt_find_graph(place->graph);
    if (place->made == NULL || graph == NULL || (place->needs == NULL && place->need_count > 0))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < place->need_count; i++)
        if (position(graph, (const struct rt_node *)place->needs[i]) == graph->nodes.count)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* `made` is the error with which the work was made. */
static cudaError_t add(const struct place *place, enum cudaGraphNodeType type, struct rt_work *work,
    cudaError_t made, struct rt_node **node)
{
    if (made != cudaSuccess)
        return made;
    const cudaError_t status = check_place(place);
    if (status != cudaSuccess) {
        rt_work_release(work);
        return status;
    }
    *node = rt_add_node(rt_find_graph(place->graph), type, work,
        (struct rt_node *const *)place->needs, place->need_count);
    if (*node == NULL)
        return cudaErrorMemoryAllocation;
    *place->made = (cudaGraphNode_t)*node;
    return cudaSuccess;
}

static cudaError_t add_kernel(struct place place, const struct cudaKernelNodeParams *parameters)
{
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    return add(
        &place, cudaGraphNodeTypeKernel, &work, rt_kernel_node_work(&work, parameters), &node);
}

static cudaError_t add_copy(struct place place, const struct cudaMemcpy3DParms *parameters)
{
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    return add(&place, cudaGraphNodeTypeMemcpy, &work, rt_copy_node_work(&work, parameters), &node);
}

static cudaError_t add_copy_1d(
    struct place place, void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    return add(&place, cudaGraphNodeTypeMemcpy, &work,
        rt_copy_node_work_1d(&work, target, source, bytes, kind), &node);
}

static cudaError_t add_fill(struct place place, const struct cudaMemsetParams *parameters)
{
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    return add(&place, cudaGraphNodeTypeMemset, &work, rt_fill_node_work(&work, parameters), &node);
}

static cudaError_t add_host(struct place place, const struct cudaHostNodeParams *parameters)
{
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    return add(&place, cudaGraphNodeTypeHost, &work, rt_host_node_work(&work, parameters), &node);
}

static cudaError_t add_empty(struct place place)
{
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    return add(&place, cudaGraphNodeTypeEmpty, &work, cudaSuccess, &node);
}

static cudaError_t add_event(struct place place, enum cudaGraphNodeType type, cudaEvent_t handle)
{
    struct rt_event *event = rt_find_event(handle);
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    if (event == NULL)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t status = add(&place, type, &work, cudaSuccess, &node);
    if (status == cudaSuccess)
        node->event = event;
    return status;
}

static cudaError_t add_child(struct place place, cudaGraph_t handle)
{
    struct rt_graph *child = rt_find_graph(handle);
    struct rt_work work = {.kind = WORK_NOTHING};
    struct rt_node *node;
    if (child == NULL)
        return cudaErrorInvalidValue;
    const cudaError_t status = add(&place, cudaGraphNodeTypeGraph, &work, cudaSuccess, &node);
    if (status == cudaSuccess)
        node->child = rt_copy_graph(child);
    return status;
}

#define PLACE_PARAMETERS \
    cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *needs, size_t need_count
#define PLACE ((struct place){made, graph, needs, need_count})

API(cudaGraphAddKernelNode, (PLACE_PARAMETERS, const struct cudaKernelNodeParams *parameters),
    CALL_NEEDS_DEVICE, add_kernel(PLACE, parameters))
API(cudaGraphAddMemcpyNode, (PLACE_PARAMETERS, const struct cudaMemcpy3DParms *parameters),
    CALL_NEEDS_DEVICE, add_copy(PLACE, parameters))
API(cudaGraphAddMemcpyNode1D,
    (PLACE_PARAMETERS, void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind),
    CALL_NEEDS_DEVICE, add_copy_1d(PLACE, target, source, bytes, kind))
API(cudaGraphAddMemsetNode, (PLACE_PARAMETERS, const struct cudaMemsetParams *parameters),
    CALL_NEEDS_DEVICE, add_fill(PLACE, parameters))
API(cudaGraphAddHostNode, (PLACE_PARAMETERS, const struct cudaHostNodeParams *parameters),
    CALL_NEEDS_DEVICE, add_host(PLACE, parameters))
API(cudaGraphAddEmptyNode, (PLACE_PARAMETERS), CALL_NEEDS_DEVICE, add_empty(PLACE))
API(cudaGraphAddEventRecordNode, (PLACE_PARAMETERS, cudaEvent_t event), CALL_NEEDS_DEVICE,
    add_event(PLACE, cudaGraphNodeTypeEventRecord, event))
API(cudaGraphAddEventWaitNode, (PLACE_PARAMETERS, cudaEvent_t event), CALL_NEEDS_DEVICE,
    add_event(PLACE, cudaGraphNodeTypeWaitEvent, event))
API(cudaGraphAddChildGraphNode, (PLACE_PARAMETERS, cudaGraph_t child), CALL_NEEDS_DEVICE,
    add_child(PLACE, child))

/* ---- changing and asking nodes --------------------------------------------------------------- */

static cudaError_t of_type(const struct rt_node *node, enum cudaGraphNodeType type)
{
    return node != NULL && node->type == type ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_kernel(struct rt_node *node, const struct cudaKernelNodeParams *parameters)
{
    struct rt_work work;
    const cudaError_t status = of_type(node, cudaGraphNodeTypeKernel);
    return status != cudaSuccess
               ? status
               : rt_replace_work(node, &work, rt_kernel_node_work(&work, parameters));
}

static cudaError_t set_copy_1d(
    struct rt_node *node, void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
    struct rt_work work;
    const cudaError_t status = of_type(node, cudaGraphNodeTypeMemcpy);
    return status != cudaSuccess ? status
                                 : rt_replace_work(node, &work,
                                       rt_copy_node_work_1d(&work, target, source, bytes, kind));
}

static cudaError_t set_fill(struct rt_node *node, const struct cudaMemsetParams *parameters)
{
    struct rt_work work;
    const cudaError_t status = of_type(node, cudaGraphNodeTypeMemset);
    return status != cudaSuccess
               ? status
               : rt_replace_work(node, &work, rt_fill_node_work(&work, parameters));
}

static cudaError_t set_host(struct rt_node *node, const struct cudaHostNodeParams *parameters)
{
    struct rt_work work;
    const cudaError_t status = of_type(node, cudaGraphNodeTypeHost);
    return status != cudaSuccess
               ? status
               : rt_replace_work(node, &work, rt_host_node_work(&work, parameters));
}

static cudaError_t get_host(const struct rt_node *node, struct cudaHostNodeParams *parameters)
{
    if (parameters == NULL || of_type(node, cudaGraphNodeTypeHost) != cudaSuccess)
        return cudaErrorInvalidValue;
    parameters->fn = node->work.host.function;
    parameters->userData = node->work.host.data;
    return cudaSuccess;
}

static cudaError_t get_fill(const struct rt_node *node, struct cudaMemsetParams *parameters)
{
    if (parameters == NULL || of_type(node, cudaGraphNodeTypeMemset) != cudaSuccess)
        return cudaErrorInvalidValue;
    const struct rt_fill_work *fill = &node->work.fill;
    *parameters = (struct cudaMemsetParams){.dst = (void *)fill->target,
        .pitch = fill->pitch,
        .value = fill->value,
        .elementSize = fill->element_bytes,
        .width = fill->element_bytes == 0 ? 0 : fill->width / fill->element_bytes,
        .height = fill->rows};
    return cudaSuccess;
}

/* The pointers handed out lead into the node's own copy of the arguments. */
static cudaError_t get_kernel(struct rt_node *node, struct cudaKernelNodeParams *parameters)
{
    cudaError_t error = cudaSuccess;
    if (parameters == NULL || of_type(node, cudaGraphNodeTypeKernel) != cudaSuccess)
        return cudaErrorInvalidValue;
    const struct rt_kernel_work *kernel = &node->work.kernel;
    const struct engine_kernel *found = rt_kernel(kernel->function, rt_thread.device, &error);
    if (found == NULL)
        return error;
    const struct engine_kernel_info *info = engine_kernel_info(found);
    void **arguments = realloc(node->arguments, (info->param_count + 1) * sizeof(void *));
    if (arguments == NULL)
        return cudaErrorMemoryAllocation;
    node->arguments = arguments;
    for (size_t i = 0; i < info->param_count; i++)
        arguments[i] = (char *)kernel->params + info->params[i].offset;
    *parameters = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)kernel->function->stub,
        .gridDim = kernel->grid,
        .blockDim = kernel->block,
        .sharedMemBytes = (unsigned)kernel->dynamic_shared,
        .kernelParams = arguments};
    return cudaSuccess;
}

static cudaError_t set_copy(struct rt_node *node, const struct cudaMemcpy3DParms *parameters)
{
    struct rt_work work;
    const cudaError_t status = of_type(node, cudaGraphNodeTypeMemcpy);
    return status != cudaSuccess
               ? status
               : rt_replace_work(node, &work, rt_copy_node_work(&work, parameters));
}

static cudaError_t get_type(const struct rt_node *node, enum cudaGraphNodeType *type)
{
    if (node == NULL || type == NULL)
        return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
}

static cudaError_t get_child(const struct rt_node *node, cudaGraph_t *graph)
{
    if (graph == NULL || of_type(node, cudaGraphNodeTypeGraph) != cudaSuccess)
        return cudaErrorInvalidValue;
    *graph = (cudaGraph_t)node->child;
    return cudaSuccess;
}

#define NODE ((struct rt_node *)node)

API(cudaGraphKernelNodeSetParams,
    (cudaGraphNode_t node, const struct cudaKernelNodeParams *parameters), CALL_NEEDS_DEVICE,
    set_kernel(NODE, parameters))
API(cudaGraphKernelNodeGetParams, (cudaGraphNode_t node, struct cudaKernelNodeParams *parameters),
    CALL_NEEDS_DEVICE, get_kernel(NODE, parameters))
API(cudaGraphMemcpyNodeSetParams,
    (cudaGraphNode_t node, const struct cudaMemcpy3DParms *parameters), CALL_NEEDS_DEVICE,
    set_copy(NODE, parameters))
API(cudaGraphMemcpyNodeSetParams1D,
    (cudaGraphNode_t node, void *target, const void *source, size_t bytes,
        enum cudaMemcpyKind kind),
    CALL_NEEDS_DEVICE, set_copy_1d(NODE, target, source, bytes, kind))
API(cudaGraphMemsetNodeSetParams, (cudaGraphNode_t node, const struct cudaMemsetParams *parameters),
    CALL_NEEDS_DEVICE, set_fill(NODE, parameters))
API(cudaGraphHostNodeSetParams, (cudaGraphNode_t node, const struct cudaHostNodeParams *parameters),
    CALL_NEEDS_DEVICE, set_host(NODE, parameters))
API(cudaGraphHostNodeGetParams, (cudaGraphNode_t node, struct cudaHostNodeParams *parameters),
    CALL_NEEDS_DEVICE, get_host(NODE, parameters))
API(cudaGraphMemsetNodeGetParams, (cudaGraphNode_t node, struct cudaMemsetParams *parameters),
    CALL_NEEDS_DEVICE, get_fill(NODE, parameters))
API(cudaGraphNodeGetType, (cudaGraphNode_t node, enum cudaGraphNodeType *type), CALL_NEEDS_DEVICE,
    get_type(NODE, type))
API(cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t node, cudaGraph_t *graph), CALL_NEEDS_DEVICE,
    get_child(NODE, graph))

/* ---- the graph as a whole -------------------------------------------------------------------- */

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
        if (position(graph, before) == graph->nodes.count ||
            position(graph, after) == graph->nodes.count || before == after)
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
        if (after == NULL || position(graph, after) == graph->nodes.count)
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
    free_node(node);
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
#if CUDART_VERSION >= 13000
API(cudaGraphNodeGetDependencies,
    (cudaGraphNode_t node, cudaGraphNode_t *needs, cudaGraphEdgeData *edges, size_t *count),
    CALL_NEEDS_DEVICE, ((void)edges, get_needs(NODE, needs, count)))
API(cudaGraphNodeGetDependentNodes,
    (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
    CALL_NEEDS_DEVICE, ((void)edges, get_dependents(NODE, nodes, count)))
API(cudaGraphGetEdges,
    (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
        size_t *count),
    CALL_NEEDS_DEVICE, ((void)edges, get_edges(graph, from, to, count)))
API(cudaGraphAddDependencies,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
        const cudaGraphEdgeData *edges, size_t count),
    CALL_NEEDS_DEVICE, ((void)edges, add_dependencies(graph, from, to, count)))
API(cudaGraphRemoveDependencies,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
        const cudaGraphEdgeData *edges, size_t count),
    CALL_NEEDS_DEVICE, ((void)edges, remove_dependencies(graph, from, to, count)))
#else
API(cudaGraphRemoveDependencies,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
    CALL_NEEDS_DEVICE, remove_dependencies(graph, from, to, count))
API(cudaGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *needs, size_t *count),
    CALL_NEEDS_DEVICE, get_needs(NODE, needs, count))
API(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
    CALL_NEEDS_DEVICE, get_dependents(NODE, nodes, count))
API(cudaGraphGetEdges,
    (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count),
    CALL_NEEDS_DEVICE, get_edges(graph, from, to, count))
API(cudaGraphAddDependencies,
    (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
    CALL_NEEDS_DEVICE, add_dependencies(graph, from, to, count))
#endif
