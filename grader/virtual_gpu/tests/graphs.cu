/* Graphs: what they hold of events, and of each other. */
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

static __global__ void add_kernel(int *count)
{
    atomicAdd(count, 1);
}

/* A launch is no part of another graph: the capture is spoilt. */
static void a_graph_is_not_launched_into_a_capture(void)
{
    cudaStream_t stream;
    cudaGraph_t graph, other = NULL;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;

    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CALL(cudaGraphLaunch(exec, stream), cudaErrorStreamCaptureUnsupported);
    OK(cudaStreamIsCapturing(stream, &status));
    CHECK(status == cudaStreamCaptureStatusInvalidated);
    CHECK_CALL(cudaStreamEndCapture(stream, &other), cudaErrorStreamCaptureInvalidated);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
}

/* An external record is a node, and the event that of each launch; any other record is an arrow of the
 * graph, and the event has nothing that the host could ask for. */
static void events_within_a_capture(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t start, end;
    int *count;
    float ms = -1;

    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaMalloc((void **)&count, sizeof *count));
    OK(cudaMemset(count, 0, sizeof *count));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal));
    add_kernel<<<1, 1, 0, stream>>>(count);
    OK(cudaEventRecordWithFlags(end, stream, cudaEventRecordExternal));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms > 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(end, stream));
    add_kernel<<<1, 1, 0, stream>>>(count);
    OK(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidValue);
    CHECK_CALL(cudaEventQuery(end), cudaErrorInvalidValue);
    OK(cudaEventRecord(end, stream));
    OK(cudaEventSynchronize(end));
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(count));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaStreamDestroy(stream));
}

int main(void)
{
    a_graph_is_not_launched_into_a_capture();
    events_within_a_capture();
    a_circle_is_refused_wherever_it_is();
    an_event_that_is_gone_is_not_recorded();
    return check_result("graphs");
}
