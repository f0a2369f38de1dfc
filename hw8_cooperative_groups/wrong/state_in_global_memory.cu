// gpu=INEFFICIENT virtual=INEFFICIENT diagnosis=state-in-global-memory task=hw8.4
// One launch and a barrier a step, but the cells live in global memory: on an H200 1.6
// times as fast as a launch a step at 2^20 cells, and slower than a captured graph at 2^18.
#include "cuda_try.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void jacobi_kernel(
    const float *in, float *out, float *other, size_t n, unsigned steps)
{
    cg::grid_group grid = cg::this_grid();
    float *buffers[] = {out, other};

    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        buffers[steps % 2][i] = in[i];
    for (unsigned left = steps; left > 0; left--) {
        const float *now = buffers[left % 2];
        float *next = buffers[(left - 1) % 2];
        grid.sync();
        for (size_t i = grid.thread_rank(); i < n; i += grid.size())
            next[i] = i == 0 || i == n - 1 ? now[i] : 0.5f * (now[i - 1] + now[i + 1]);
    }
}

cudaError_t jacobi(
    const float *in, float *out, size_t n, unsigned steps, void *scratch, cudaStream_t stream)
{
    cudaError_t status = cudaSuccess;
    const void *kernel = (const void *)jacobi_kernel;
    const unsigned threads = 512;
    int processors = 0, blocks_each = 0;
    size_t blocks = 0;
    void *arguments[] = {&in, &out, &scratch, &n, &steps};

    if (n == 0)
        return cudaSuccess;
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, kernel, (int)threads, 0));
    blocks = min(ceil_div(n, threads), (size_t)processors * (size_t)blocks_each);
    CUDA_TRY(cudaLaunchCooperativeKernel(kernel, (unsigned)blocks, threads, arguments, 0, stream));
done:
    return status;
}
