// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=does-not-stop task=hw8.6
// As many rounds as there are vertices: enough for every graph, and far too many for most.
#include "cuda_try.h"
#include <cooperative_groups.h>
#include <limits.h>

namespace cg = cooperative_groups;

static __global__ void shortest_paths_kernel(struct graph graph, unsigned source, int *distance)
{
    cg::grid_group grid = cg::this_grid();
    const size_t rank = grid.thread_rank(), threads = grid.size();
    const volatile int *lowered = distance;

    for (size_t v = rank; v < graph.vertices; v += threads)
        distance[v] = v == source ? 0 : INT_MAX;
    grid.sync();
    for (unsigned round = 0; round < graph.vertices; round++) {
        for (size_t e = rank; e < graph.edges; e += threads) {
            const int reached = lowered[graph.from[e]];
            const int offer = reached + graph.weight[e];
            if (reached < INT_MAX)
                atomicMin(&distance[graph.to[e]], offer);
        }
        grid.sync();
    }
}

cudaError_t shortest_paths(
    struct graph graph, unsigned source, int *distance, void *, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    int processors = 0;
    void *arguments[] = {&graph, &source, &distance};

    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaLaunchCooperativeKernel(
        (const void *)shortest_paths_kernel, (unsigned)processors, 256, arguments, 0, stream));
done:
    return status;
}
