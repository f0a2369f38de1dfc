// finding=global-race line=12 other=15
// One grid.sync() is missing between writing the edges and reading them.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void rotate(int *edges, int *out)
{
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        edges[blockIdx.x] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = edges[(blockIdx.x + 1) % gridDim.x];
    grid.sync();
}

int main()
{
    int *edges, *out;
    cudaMalloc(&edges, 16);
    cudaMalloc(&out, 16);
    cudaMemset(edges, 0, 16);
    void *arguments[] = {&edges, &out};
    cudaLaunchCooperativeKernel((const void *)rotate, dim3(4), dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(edges);
    cudaFree(out);
}
