/* Adding nodes to a graph, and the work that their parameters describe. */
#include "rt_graph.h"

#include "rt_copy.h"
#include "rt_launch.h"

#include <stdlib.h>

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
        if (!rt_graph_has(graph, (const struct rt_node *)place->needs[i]))
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
    struct rt_graph *copy = rt_copy_graph(child);
    if (copy == NULL)
        return cudaErrorMemoryAllocation;
    const cudaError_t status = add(&place, cudaGraphNodeTypeGraph, &work, cudaSuccess, &node);
    if (status == cudaSuccess)
        node->child = copy;
    else
        rt_free_graph(copy);
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

/* ---- the call for nodes of every kind -------------------------------------------------------- */

#if CUDART_VERSION >= 12020
static cudaError_t add_any(struct place place, const struct cudaGraphNodeParams *parameters)
{
    if (parameters == NULL)
        return cudaErrorInvalidValue;
    const struct cudaKernelNodeParamsV2 *kernel = &parameters->kernel;
    const struct cudaMemsetParamsV2 *fill = &parameters->memset;
    const struct cudaHostNodeParamsV2 *host = &parameters->host;
    switch (parameters->type) {
    case cudaGraphNodeTypeKernel:
        return add_kernel(
            place, &(struct cudaKernelNodeParams){kernel->func, kernel->gridDim, kernel->blockDim,
                       kernel->sharedMemBytes, kernel->kernelParams, kernel->extra});
    case cudaGraphNodeTypeMemcpy:
        return add_copy(place, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return add_fill(place, &(struct cudaMemsetParams){fill->dst, fill->pitch, fill->value,
                                   fill->elementSize, fill->width, fill->height});
    case cudaGraphNodeTypeHost:
        return add_host(place, &(struct cudaHostNodeParams){host->fn, host->userData});
    case cudaGraphNodeTypeGraph:
        return add_child(place, parameters->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return add_empty(place);
    case cudaGraphNodeTypeWaitEvent:
        return add_event(place, cudaGraphNodeTypeWaitEvent, parameters->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return add_event(place, cudaGraphNodeTypeEventRecord, parameters->eventRecord.event);
    default:
        rt_finding("needs-gpu", SEVERITY_ERROR, "a graph's node of this kind needs a GPU");
        return cudaErrorNotSupported;
    }
}

/* With edge data and without, as for cudaGraphAddDependencies. */
#define ADD_WITH_EDGES(define, name)                                              \
    define(name,                                                                  \
        (cudaGraphNode_t * made, cudaGraph_t graph, const cudaGraphNode_t *needs, \
            const cudaGraphEdgeData *edges, size_t need_count,                    \
            struct cudaGraphNodeParams *parameters),                              \
        CALL_NEEDS_DEVICE, ((void)edges, add_any(PLACE, parameters)))

#if CUDART_VERSION >= 13000
ADD_WITH_EDGES(API, cudaGraphAddNode)
#else
API_SYMBOL(cudaGraphAddNode, (PLACE_PARAMETERS, struct cudaGraphNodeParams *parameters),
    CALL_NEEDS_DEVICE, add_any(PLACE, parameters))
#if CUDART_VERSION >= 12030
ADD_WITH_EDGES(API_SYMBOL, cudaGraphAddNode_v2)
#endif
#endif
#endif
