// finding=global-race line=18 other=15
// A grid barrier lies between, but __ldg may still find what the cache held two steps ago.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { BLOCKS = 4, STEPS = 4 };

__global__ void halo_kernel(int *halos, int *out)
{
    const cg::grid_group grid = cg::this_grid();
    for (int step = 0; step < STEPS; step++) {
        if (threadIdx.x == 0)
            halos[step % 2 * BLOCKS + blockIdx.x] = step + (int)blockIdx.x;
        grid.sync();
        if (threadIdx.x == 0)
            out[blockIdx.x] = __ldg(&halos[step % 2 * BLOCKS + (blockIdx.x + 1) % BLOCKS]);
    }
}

int main()
{
    int *halos, *out;
    cudaMalloc(&halos, 2 * BLOCKS * sizeof(int));
    cudaMalloc(&out, BLOCKS * sizeof(int));
    void *arguments[] = {&halos, &out};
    cudaLaunchCooperativeKernel((const void *)halo_kernel, dim3(BLOCKS), dim3(32), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(halos);
    cudaFree(out);
}
