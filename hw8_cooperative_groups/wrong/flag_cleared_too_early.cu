// gpu=not checked (undefined: blocks that stop leave the others waiting) virtual=WRONG ANSWER diagnosis=stops-too-early task=hw8.6
// The flag is cleared in the phase that reads it: a block that comes late
// finds it cleared, stops, and the others wait for it.
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <limits.h>

namespace cg = cooperative_groups;

static __global__ void shortest_paths_kernel(
    struct graph graph, unsigned source, int *distance, int *changed)
{
    cg::grid_group grid = cg::this_grid();
    const size_t rank = grid.thread_rank(), threads = grid.size();
    const volatile int *lowered = distance;

    for (size_t v = rank; v < graph.vertices; v += threads)
        distance[v] = v == source ? 0 : INT_MAX;
    if (rank < 3)
        changed[rank] = 0;
    grid.sync();
    for (unsigned round = 0; round < graph.vertices; round++) {
        volatile int *flag = &changed[0];
        for (size_t e = rank; e < graph.edges; e += threads) {
            const int reached = lowered[graph.from[e]];
            const int offer = reached + graph.weight[e];
            if (reached < INT_MAX && offer < atomicMin(&distance[graph.to[e]], offer))
                *flag = 1;
        }
        grid.sync();
        if (!*flag)
            break;
        *flag = 0;
    }
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0;
    void *arguments[] = {&graph, &source, &distance, &scratch};

    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaLaunchCooperativeKernel(
        (const void *)shortest_paths_kernel, (unsigned)processors, 256, arguments, 0, stream));
done:
    return status;
}
