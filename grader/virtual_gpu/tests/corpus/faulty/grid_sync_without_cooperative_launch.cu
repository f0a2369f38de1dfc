// finding=trap line=9
// grid.sync() needs cudaLaunchCooperativeKernel.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void two_steps(int *out)
{
    out[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    out[blockIdx.x] += 1;
}

int main()
{
    int *out;
    cudaMalloc(&out, 16);
    two_steps<<<4, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
