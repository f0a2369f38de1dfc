/* Graphs that are made node by node: what they hold of events, and of each other. */
#include "check.h"

static cudaError_t add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, &from, &to, NULL, 1);
#else
    return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}

/* Nobody would ever come to the end of such a launch. */
static void a_circle_is_refused_wherever_it_is(void)
{
    cudaGraph_t circle, outer;
    cudaGraphNode_t nodes[2], child;
    cudaGraphExec_t exec;

    OK(cudaGraphCreate(&circle, 0));
    OK(cudaGraphAddEmptyNode(&nodes[0], circle, NULL, 0));
    OK(cudaGraphAddEmptyNode(&nodes[1], circle, &nodes[0], 1));
    OK(add_edge(circle, nodes[1], nodes[0]));
    CHECK_CALL(cudaGraphInstantiateWithFlags(&exec, circle, 0), cudaErrorInvalidValue);

    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, circle));
    CHECK_CALL(cudaGraphInstantiateWithFlags(&exec, outer, 0), cudaErrorInvalidValue);
    OK(cudaGraphDestroy(outer));
    OK(cudaGraphDestroy(circle));
}

/* Whose address another event may have by then. */
static void an_event_that_is_gone_is_not_recorded(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaEvent_t event, others[16];
    float ms;

    OK(cudaEventCreate(&event));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEventRecordNode(&node, graph, NULL, 0, event));
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, event, event));
    /* The C library keeps the memory of the first few that are freed to itself. */
    for (cudaEvent_t &other : others)
        OK(cudaEventCreate(&other));
    for (cudaEvent_t other : others)
        OK(cudaEventDestroy(other));
    OK(cudaEventDestroy(event));
    for (cudaEvent_t &other : others)
        OK(cudaEventCreate(&other));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    for (cudaEvent_t other : others) {
        CHECK_CALL(cudaEventElapsedTime(&ms, other, other), cudaErrorInvalidResourceHandle);
        OK(cudaEventDestroy(other));
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

int main(void)
{
    a_circle_is_refused_wherever_it_is();
    an_event_that_is_gone_is_not_recorded();
    return check_result("graphs");
}
