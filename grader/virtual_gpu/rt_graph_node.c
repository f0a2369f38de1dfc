/* Changing and asking about the nodes of a graph. */
#include "rt_graph.h"

#include <stdlib.h>

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

static enum cudaMemcpyKind kind_of(enum clock_route route)
{
    switch (route) {
    case ROUTE_PINNED_TO_DEVICE:
    case ROUTE_PAGEABLE_TO_DEVICE:
        return cudaMemcpyHostToDevice;
    case ROUTE_DEVICE_TO_PINNED:
    case ROUTE_DEVICE_TO_PAGEABLE:
        return cudaMemcpyDeviceToHost;
    case ROUTE_DEVICE_TO_DEVICE:
        return cudaMemcpyDeviceToDevice;
    default:
        return cudaMemcpyDefault;
    }
}

static struct cudaPitchedPtr end_of(
    uintptr_t address, size_t pitch, size_t slice, const struct rt_copy_work *copy)
{
    return (struct cudaPitchedPtr){.ptr = (void *)address,
        .pitch = pitch,
        .xsize = copy->width,
        .ysize = pitch == 0 ? copy->rows : slice / pitch};
}

/* What it hands out describes the same copy, from position 0. */
static cudaError_t get_copy(const struct rt_node *node, struct cudaMemcpy3DParms *parameters)
{
    if (parameters == NULL || of_type(node, cudaGraphNodeTypeMemcpy) != cudaSuccess)
        return cudaErrorInvalidValue;
    if (node->work.kind != WORK_COPY) { /* a copy of nothing */
        *parameters = (struct cudaMemcpy3DParms){.kind = cudaMemcpyDefault};
        return cudaSuccess;
    }
    const struct rt_copy_work *copy = &node->work.copy;
    *parameters = (struct cudaMemcpy3DParms){
        .srcPtr = end_of(copy->source, copy->source_pitch, copy->source_slice, copy),
        .dstPtr = end_of(copy->target, copy->target_pitch, copy->target_slice, copy),
        .extent = {copy->width, copy->rows, copy->slices},
        .kind = kind_of(copy->route)};
    return cudaSuccess;
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
API(cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t node, struct cudaMemcpy3DParms *parameters),
    CALL_NEEDS_DEVICE, get_copy(NODE, parameters))
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
