// gpu=WRONG ANSWER virtual=WRONG ANSWER diagnosis=infinity-plus-weight task=hw8.6
// INT_MAX stands for "not reached", and is added to as if it were a distance.
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
        volatile int *flag = &changed[round % 3];
        if (rank == 0)
            changed[(round + 1) % 3] = 0;
        for (size_t e = rank; e < graph.edges; e += threads) {
            const int offer = (int)((unsigned)lowered[graph.from[e]] + (unsigned)graph.weight[e]);
            if (offer < atomicMin(&distance[graph.to[e]], offer))
                *flag = 1;
        }
        grid.sync();
        if (!*flag)
            break;
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
