// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=launch-a-round task=hw8.6
// The host launches a round, fetches the flag, and launches the next.
#include "cuda_try.h"
#include <limits.h>

static __global__ void begin_kernel(struct graph graph, unsigned source, int *distance)
{
    const size_t v = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (v < graph.vertices)
        distance[v] = v == source ? 0 : INT_MAX;
}

static __global__ void round_kernel(struct graph graph, int *distance, int *changed)
{
    const size_t e = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const volatile int *lowered = distance;

    if (e >= graph.edges)
        return;
    const int reached = lowered[graph.from[e]], offer = reached + graph.weight[e];
    if (reached < INT_MAX && offer < atomicMin(&distance[graph.to[e]], offer))
        atomicExch(changed, 1);
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int *changed = (int *)scratch, again = 1;

    begin_kernel<<<(unsigned)ceil_div(graph.vertices, 256), 256, 0, stream>>>(
        graph, source, distance);
    while (again && graph.edges > 0) {
        CUDA_TRY(cudaMemsetAsync(changed, 0, sizeof *changed, stream));
        round_kernel<<<(unsigned)ceil_div(graph.edges, 256), 256, 0, stream>>>(
            graph, distance, changed);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(&again, changed, sizeof again, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(cudaStreamSynchronize(stream));
    }
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}
