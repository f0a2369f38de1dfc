// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=computed-on-host task=hw8.6
// Fetches the edges, finds the paths on the CPU, and sends the distances back.
#include "cuda_try.h"
#include <limits.h>
#include <stdlib.h>

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *, cudaStream_t stream)
{
    const size_t bytes = graph.edges * sizeof(int);
    unsigned *from = (unsigned *)malloc(bytes + 1), *to = (unsigned *)malloc(bytes + 1);
    int *weight = (int *)malloc(bytes + 1), *far = (int *)malloc(graph.vertices * sizeof *far);
    bool changed = true;

    cudaMemcpy(from, graph.from, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(to, graph.to, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(weight, graph.weight, bytes, cudaMemcpyDeviceToHost);
    for (unsigned v = 0; v < graph.vertices; v++)
        far[v] = v == source ? 0 : INT_MAX;
    while (changed) {
        changed = false;
        for (unsigned e = 0; e < graph.edges; e++)
            if (far[from[e]] < INT_MAX && far[from[e]] + weight[e] < far[to[e]]) {
                far[to[e]] = far[from[e]] + weight[e];
                changed = true;
            }
    }
    cudaError_t status =
        cudaMemcpy(distance, far, graph.vertices * sizeof *far, cudaMemcpyHostToDevice);
    free(from), free(to), free(weight), free(far);
    return status;
}
